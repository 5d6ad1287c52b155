/* SPDX-License-Identifier: MIT */
/* Signals and the clock as a wish to stop.  A signal handler reaches nothing but
 * globals: what it sets is all that is global in litscope. */
#include "checker/cmd/interrupts.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>

/* What the signal handler sets: that a signal came, and when the first did. */
static volatile int interrupted;
static struct timespec interrupted_at;

/* The first signal asks the engines to stop; a later one ends the program.
 * What follows within half a second is the same wish: timeout(1) signals the
 * process and then its group, a terminal's user presses a key twice. */
static void on_interrupt(int signal_number) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!interrupted) {
    interrupted_at = now;
    interrupted = 1;
    return;
  }
  time_t seconds = now.tv_sec - interrupted_at.tv_sec;
  if ((double)seconds + (double)(now.tv_nsec - interrupted_at.tv_nsec) * 1e-9 < 0.5) return;
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

/* Both signals are blocked while one is handled. */
static void watch_interrupt(void) {
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

const volatile int *tests_watch_interrupt(void) {
  watch_interrupt();
  return &interrupted;
}

static volatile sig_atomic_t late;

static void on_time(int signal_number) {
  (void)signal_number;
  late = 1;
  interrupted = 1;
}

const volatile int *tests_watch_limits(const struct invocation *call) {
  watch_interrupt();
  double seconds = option_real(call, OPTION_TIMEOUT);
  if (seconds <= 0) return &interrupted;
  struct sigaction action = {.sa_handler = on_time, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
  timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6) + 1;
  setitimer(ITIMER_REAL, &timer, NULL);
  return &interrupted;
}

void tests_interrupt(void) {
  interrupted = 1;
}

bool tests_interrupted(void) {
  return interrupted;
}

const char *tests_stop_reason(void) {
  return late ? "time limit met" : "interrupted";
}
