/* SPDX-License-Identifier: MIT */
/* usage: measure RUNS SECONDS OUT ERR COMMAND...
 *
 * Runs a command RUNS times, without input, its output to OUT and ERR (the last run's stays); one that takes more
 * than SECONDS is killed, with all that it has started.  Prints for each run: seconds of wall time, seconds of
 * processor time, most memory in KiB, exit status.  Perl's core can do none but the first. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
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

static volatile pid_t child;

static void give_up(int signal) {
  (void)signal;
  kill(-child, SIGKILL);
}

static void redirect(const char *path, int flags, int to) {
  int file = open(path, flags, 0644);
  if (file < 0 || dup2(file, to) < 0) {
    perror(path);
    _exit(127);
  }
}

/* A group of its own would be stopped if it read from the terminal, as mpirun does. */
static void run(char **arguments) {
  enum { OUT, ERR, COMMAND };
  setpgid(0, 0);
  redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  redirect(arguments[OUT], O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  redirect(arguments[ERR], O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  execvp(arguments[COMMAND], &arguments[COMMAND]);
  _exit(127);
}

static int measure(unsigned limit, char **arguments) {
  double start = now();
  child = fork();
  if (child < 0) return -1;
  if (!child) run(arguments);
  setpgid(child, child);
  alarm(limit);
  int status;
  struct rusage usage;
  while (wait4(child, &status, 0, &usage) < 0)
    if (errno != EINTR) return -1;
  alarm(0);
  printf("%.6f %.6f %ld %d\n", now() - start, seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss,
         WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return 0;
}

int main(int argc, char **argv) {
  enum { RUNS = 1, SECONDS, FILES, LEAST = 6 };
  if (argc < LEAST) {
    fputs("usage: measure RUNS SECONDS OUT ERR COMMAND...\n", stderr);
    return 2;
  }
  struct sigaction action = {.sa_handler = give_up};
  sigaction(SIGALRM, &action, NULL);
  for (long count = strtol(argv[RUNS], NULL, 10); count > 0; count--)
    if (measure((unsigned)strtoul(argv[SECONDS], NULL, 10), argv + FILES)) {
      perror("measure");
      return 2;
    }
  return 0;
}
