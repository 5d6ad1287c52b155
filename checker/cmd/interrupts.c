/* SPDX-License-Identifier: MIT */
/* Signals and the clock as a wish to stop.  A signal handler reaches nothing but
 * globals: what it sets is all that is global in litscope. */
#include "checker/cmd/interrupts.h"

#include <assert.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "checker/base/clock.h"
#include "checker/base/out_of_memory_guard.h"

/* What signal handlers set, on whichever thread, and other threads read: that work is to stop, when the first signal
 * came (0: none has), and whether it was the clock's. */
static atomic_int interrupted, late;
static atomic_llong first_signal;
static_assert(ATOMIC_INT_LOCK_FREE == 2 && ATOMIC_LLONG_LOCK_FREE == 2, "a signal handler may use nothing that locks");

/* The first signal asks the engines to stop; a later one ends the program.
 * What follows within half a second is the same wish: timeout(1) signals the
 * process and then its group, a terminal's user presses a key twice. */
static void on_interrupt(int signal_number) {
  struct timespec clock;
  clock_gettime(CLOCK_MONOTONIC, &clock);
  long long now = clock.tv_sec * 1000000000LL + clock.tv_nsec, first = 0;
  if (!interrupted && atomic_compare_exchange_strong(&first_signal, &first, now)) {
    interrupted = 1;
    return;
  }
  if (now - first_signal < 500000000) return;
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

const atomic_int *tests_watch_interrupt(void) {
  watch_interrupt();
  return &interrupted;
}

static void on_time(int signal_number) {
  (void)signal_number;
  late = 1;
  interrupted = 1;
}

const atomic_int *tests_watch_limits(const struct invocation *call) {
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

/* Short limits are there to be met by searches, not by loading what they need. */
void tests_limit_reading(const struct invocation *call, const atomic_int *cancel) {
  double seconds = option_real(call, OPTION_TIMEOUT), least = 1;
  guard_begin_patience(seconds > 0 ? monotonic_seconds() + (seconds > least ? seconds : least) : 0, cancel);
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
