/* SPDX-License-Identifier: MIT */
/* usage: measure RUNS OUT ERR COMMAND...
 *
 * Runs a command RUNS times, its output to OUT and ERR (the last run's stays),
 * and prints for each run: seconds of wall time, seconds of processor time,
 * most memory in KiB, exit status.  Perl's core can do none but the first. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds(struct timeval t) {
  return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static void redirect(const char *path, int to) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || dup2(file, to) < 0) {
    perror(path);
    _exit(127);
  }
}

static int measure(const char *out, const char *err, char **command) {
  double start = now();
  pid_t child = fork();
  if (child < 0) return -1;
  if (!child) {
    redirect(out, STDOUT_FILENO);
    redirect(err, STDERR_FILENO);
    execvp(command[0], command);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) < 0) return -1;
  printf("%.6f %.6f %ld %d\n", now() - start, seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss,
         WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fputs("usage: measure RUNS OUT ERR COMMAND...\n", stderr);
    return 2;
  }
  for (long run = 0; run < strtol(argv[1], NULL, 10); run++)
    if (measure(argv[2], argv[3], argv + 4)) {
      perror("measure");
      return 2;
    }
  return 0;
}
