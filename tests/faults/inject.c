/* SPDX-License-Identifier: MIT */
/* inject K FAULT COMMAND...: runs a command whose K-th system call that touches a
 * file or a stream of output goes wrong: `error`: it fails with EIO; `full`: with
 * ENOSPC; `kill`: the process is killed in its place.  K is 0: only counts.
 * Prints the number of those calls, and ends with the command's status; 100 when
 * a signal that was not ours ended it.
 *
 * Output goes through the C library, which calls its own write, so that nothing
 * that is loaded before it (shim.c) can be in between; a tracer can (ptrace(2)),
 * as strace's -e inject does. */
#ifdef __x86_64__
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* The calls that write: reading is left as it is, since loading a program reads. */
static bool is_counted(const struct user_regs_struct *regs) {
  switch (regs->orig_rax) {
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
      return regs->rdi != STDERR_FILENO; /* the message has to go somewhere */
    case SYS_linkat:
    case SYS_rename:
    case SYS_renameat2:
    case SYS_unlink:
    case SYS_mkdir:
    case SYS_fsync:
      return true;
    case SYS_openat:
      return regs->rdx & 03; /* for writing */
    default:
      return false;
  }
}

static int run(pid_t child, long wanted, const char *fault, long *count) {
  bool inside = false, failing = false;
  for (int status;;) {
    if (waitpid(child, &status, 0) < 0) return 101;
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (WIFSIGNALED(status)) return !strcmp(fault, "kill") && WTERMSIG(status) == SIGKILL ? 99 : 100;
    int passed = WSTOPSIG(status);
    if (passed == (SIGTRAP | 0x80)) {
      struct user_regs_struct regs;
      passed = 0;
      ptrace(PTRACE_GETREGS, child, NULL, &regs);
      inside = !inside;
      if (inside && is_counted(&regs) && ++*count == wanted) {
        if (!strcmp(fault, "kill")) kill(child, SIGKILL);
        failing = true;
        regs.orig_rax = (unsigned long long)-1; /* no such call: nothing is done */
        ptrace(PTRACE_SETREGS, child, NULL, &regs);
      } else if (!inside && failing) {
        failing = false;
        regs.rax = (unsigned long long)(long long)(!strcmp(fault, "full") ? -ENOSPC : -EIO);
        ptrace(PTRACE_SETREGS, child, NULL, &regs);
      }
    } else if (passed == SIGTRAP) {
      passed = 0;
    }
    ptrace(PTRACE_SYSCALL, child, NULL, passed);
  }
}

int main(int argc, char **argv) {
  if (argc < 4) return 102;
  pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    execvp(argv[3], argv + 3);
    _exit(103);
  }
  int status;
  if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status)) return 104;
  if (ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)) return 104;
  ptrace(PTRACE_SYSCALL, child, NULL, 0);
  long count = 0;
  status = run(child, strtol(argv[1], NULL, 10), argv[2], &count);
  fprintf(stderr, "counted %ld\n", count);
  return status;
}
#else
int main(void) {
  return 105;
}
#endif
