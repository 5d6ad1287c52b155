/* SPDX-License-Identifier: MIT */
/* The child process that calls the driver, and its parent.
 *
 * The child writes frames to a pipe: a tick when the kernel is built and after
 * each launch, by which the parent knows that it is alive, then its report and
 * the outcomes.  It ends without cleaning up: the system does. */
#include "checker/device/device.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checker/base/array.h"
#include "checker/base/limit.h"
#include "checker/base/process.h"
#include "checker/device/opencl_api.h"

/* Building may take long, and the driver's first start too. */
enum { BUILD_SECONDS = 120 };

struct child {
  pid_t pid;
  int pipe; /* what it writes */
};

/* ---- the child's side ---- */

static void send_all(int pipe, const void *data, size_t size) {
  for (const char *at = data; size;) {
    ssize_t written = write(pipe, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1); /* nobody listens */
    at += written;
    size -= (size_t)written;
  }
}

static void send_tick(void *context) {
  send_all(*(const int *)context, "t", 1);
}

static void send_report(int pipe, const struct opencl_report *report) {
  uint32_t head[2] = {(uint32_t)report->end, (uint32_t)strlen(report->message)};
  send_all(pipe, "r", 1);
  send_all(pipe, head, sizeof head);
  send_all(pipe, report->message, head[1]);
}

static void child_list(const void *context, int pipe) {
  (void)context;
  static struct device_facts facts[64];
  struct opencl_report report = {DEVICE_DONE, ""};
  uint64_t count = opencl_list(facts, ARRAY_COUNT(facts), &report);
  send_report(pipe, &report);
  send_all(pipe, &count, sizeof count);
  send_all(pipe, facts, count * sizeof *facts);
}

static void child_run(const void *context, int pipe) {
  struct device_result result = {.end = DEVICE_DONE};
  struct opencl_report report = {DEVICE_DONE, ""};
  opencl_run(context, &result, send_tick, &pipe, &report);
  const struct histogram *h = &result.histogram;
  uint64_t head[3] = {h->count, result.instances, result.launches};
  send_report(pipe, &report);
  send_all(pipe, head, sizeof head);
  send_all(pipe, &result.seconds, sizeof result.seconds);
  send_all(pipe, h->values, h->count * h->width * sizeof *h->values);
  send_all(pipe, h->counts, h->count * sizeof *h->counts);
}

static bool start(struct child *child, void (*work)(const void *context, int pipe), const void *context) {
  int ends[2];
  if (pipe(ends)) return false;
  fflush(NULL);
  child->pid = fork();
  if (child->pid < 0) {
    close(ends[0]);
    close(ends[1]);
    return false;
  }
  if (!child->pid) {
    close(ends[0]);
    signal(SIGINT, SIG_IGN); /* the parent ends it */
    signal(SIGTERM, SIG_DFL);
    work(context, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  child->pipe = ends[0];
  return true;
}

/* ---- the parent's side ---- */

enum waiting { WAIT_READY, WAIT_LATE, WAIT_CANCELLED };

/* Waits until the child has written something. */
static enum waiting wait_for(const struct child *child, double seconds, const atomic_int *cancel) {
  double until = monotonic_seconds() + seconds;
  for (;;) {
    struct pollfd poller = {.fd = child->pipe, .events = POLLIN};
    if (poll(&poller, 1, 50) > 0) return WAIT_READY;
    if (is_cancelled(cancel)) return WAIT_CANCELLED;
    if (monotonic_seconds() >= until) return WAIT_LATE;
  }
}

/* Ends the child, if it lives, and says how it ended. */
static int finish(struct child *child, bool stop) {
  if (stop) kill(child->pid, SIGKILL);
  int status = process_wait(child->pid);
  close(child->pipe);
  return status;
}

struct reply {
  enum device_end end;
  const char *message;
};

/* Ticks, then the report's head. */
static bool receive_report(struct arena *arena, const struct child *child, const struct device_job *job,
                           struct reply *reply) {
  double limit = BUILD_SECONDS;
  for (char kind = 't'; kind == 't'; limit = job ? job->timeout : BUILD_SECONDS) {
    enum waiting waited = wait_for(child, limit, job ? job->cancel : NULL);
    if (waited != WAIT_READY) {
      reply->end = waited == WAIT_LATE ? DEVICE_TIMEOUT : DEVICE_CANCELLED;
      return false;
    }
    if (!descriptor_read(child->pipe, &kind, 1)) return false;
    if (kind == 't') continue;
    uint32_t head[2];
    if (!descriptor_read(child->pipe, head, sizeof head) || head[1] >= OPENCL_MESSAGE) return false;
    char *message = arena_alloc(arena, head[1] + 1);
    if (!descriptor_read(child->pipe, message, head[1])) return false;
    *reply = (struct reply){(enum device_end)head[0], message};
  }
  return true;
}

static const char *why_lost(struct arena *arena, int status) {
  if (WIFSIGNALED(status))
    return arena_printf(arena, "the device's driver ended its process: %s", strsignal(WTERMSIG(status)));
  return "the device's driver ended its process";
}

struct device_facts *device_list(struct arena *arena, size_t *count, struct diags *diags) {
  struct child child;
  struct reply reply = {DEVICE_FAILED, NULL};
  struct device_facts *facts = NULL;
  if (!start(&child, child_list, NULL)) {
    diag_fail(diags, "no process for the device's driver: %s", strerror(errno));
    return NULL;
  }
  uint64_t found = 0;
  bool whole = receive_report(arena, &child, NULL, &reply) && descriptor_read(child.pipe, &found, sizeof found);
  if (whole && reply.end == DEVICE_DONE) {
    facts = ARENA_ARRAY(arena, struct device_facts, found + 1);
    whole = descriptor_read(child.pipe, facts, found * sizeof *facts);
  }
  int status = finish(&child, !whole);
  *count = found;
  if (reply.end == DEVICE_TIMEOUT)
    diag_fail(diags, "OpenCL's drivers do not say which devices there are: no answer in %d s", BUILD_SECONDS);
  else if (!whole || reply.end != DEVICE_DONE)
    diag_fail(diags, "%s", reply.message ? reply.message : why_lost(arena, status));
  return whole && reply.end == DEVICE_DONE ? facts : NULL;
}

static bool receive_outcomes(struct arena *arena, const struct child *child, const struct device_job *job,
                             struct device_result *result) {
  uint64_t head[3];
  if (!descriptor_read(child->pipe, head, sizeof head) ||
      !descriptor_read(child->pipe, &result->seconds, sizeof result->seconds))
    return false;
  struct histogram *h = &result->histogram;
  h->width = device_width(job);
  h->count = h->room = head[0];
  result->instances = head[1];
  result->launches = head[2];
  h->values = ARENA_ARRAY(arena, long long, h->count * h->width + 1);
  h->counts = ARENA_ARRAY(arena, unsigned long long, h->count + 1);
  return descriptor_read(child->pipe, h->values, h->count * h->width * sizeof *h->values) &&
         descriptor_read(child->pipe, h->counts, h->count * sizeof *h->counts);
}

struct device_result device_run(struct arena *arena, const struct device_job *job) {
  struct device_result result = {.end = DEVICE_FAILED};
  struct child child;
  if (!start(&child, child_run, job)) {
    result.message = arena_printf(arena, "no process for the device's driver: %s", strerror(errno));
    return result;
  }
  struct reply reply = {DEVICE_FAILED, NULL};
  bool whole = receive_report(arena, &child, job, &reply) && receive_outcomes(arena, &child, job, &result);
  int status = finish(&child, !whole);
  result.end = reply.end;
  result.message = reply.message;
  if (whole || reply.end == DEVICE_TIMEOUT || reply.end == DEVICE_CANCELLED) return result;
  result.end = DEVICE_FAILED;
  result.message = why_lost(arena, status);
  return result;
}
