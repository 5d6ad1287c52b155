/* SPDX-License-Identifier: MIT */
/* Running another program: three pipes, one loop over poll that
 * feeds and drains them until the program has closed its ends, a limit is met,
 * or the time is up. */
#include "checker/base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checker/base/clock.h"
#include "checker/base/out_of_memory_guard.h"

struct drain {
  char *at;
  size_t size, room;
};

struct child {
  pid_t pid;
  int in, out, err; /* our ends; -1 once closed */
};

static void close_end(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

/* Not fork: copying the page tables of a large program takes longer than what many a
 * child does. */
int process_spawn(pid_t *pid, const char *const *argv, int in, int out, int err) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t pipe_signal;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  error = posix_spawnattr_init(&attributes);
  if (!error) {
    error = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    if (!error) error = posix_spawnattr_setsigdefault(&attributes, &pipe_signal);
    if (!error) error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    if (!error) error = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)(uintptr_t)argv, environ);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static bool start_child(struct child *child, const char *const *argv) {
  int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}}, error = 0;
  for (int i = 0; i < 3; i++)
    if (!error && pipe2(pipes[i], O_CLOEXEC) != 0) error = errno;
  if (!error) error = process_spawn(&child->pid, argv, pipes[0][0], pipes[1][1], pipes[2][1]);
  close_end(&pipes[0][0]);
  close_end(&pipes[1][1]);
  close_end(&pipes[2][1]);
  child->in = pipes[0][1];
  child->out = pipes[1][0];
  child->err = pipes[2][0];
  if (!error) {
    fcntl(child->in, F_SETFL, O_NONBLOCK);
    return true;
  }
  close_end(&child->in);
  close_end(&child->out);
  close_end(&child->err);
  if (error == ENOMEM) arena_out_of_memory(); /* not to be taken for a program that is missing */
  return false;
}

/* Takes what is there; closes the end at its end.  false: it is too much. */
static bool drain(struct drain *to, int *fd, size_t most) {
  if (to->size + 65536 > to->room) {
    to->room = 2 * to->room + 131072;
    to->at = realloc(to->at, to->room);
    if (!to->at) arena_out_of_memory();
  }
  ssize_t got = read(*fd, to->at + to->size, 65536);
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0)
    close_end(fd);
  else
    to->size += (size_t)got;
  return to->size <= most;
}

/* A program that reads no further has an end of its own. */
static void feed(struct child *child, const char **input, size_t *left) {
  ssize_t put = write(child->in, *input, *left);
  if (put < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (put > 0) {
    *input += put;
    *left -= (size_t)put;
  }
  if (put < 0 || *left == 0) close_end(&child->in);
}

static enum process_end converse(struct child *child, const char *input, size_t left,
                                 const struct process_limits *limits, struct drain *out, struct drain *err) {
  double stop = monotonic_seconds() + limits->seconds;
  if (left == 0) close_end(&child->in);
  while (child->out >= 0 || child->err >= 0) {
    struct pollfd ends[3] = {{child->in, POLLOUT, 0}, {child->out, POLLIN, 0}, {child->err, POLLIN, 0}};
    double wait = stop - monotonic_seconds();
    if (wait <= 0) return PROCESS_TIMEOUT;
    if (poll(ends, 3, (int)(wait * 1000) + 1) < 0 && errno != EINTR) return PROCESS_FAILED;
    if (child->in >= 0 && ends[0].revents) feed(child, &input, &left);
    if (child->out >= 0 && ends[1].revents && !drain(out, &child->out, limits->bytes)) return PROCESS_TOO_LONG;
    if (child->err >= 0 && ends[2].revents && !drain(err, &child->err, limits->bytes)) return PROCESS_TOO_LONG;
  }
  return PROCESS_EXITED;
}

static const char *keep(struct arena *arena, struct drain *drain) {
  const char *text = arena_strndup(arena, drain->at ? drain->at : "", drain->size);
  free(drain->at);
  return text;
}

struct process_result process_run(struct arena *arena, const char *const *argv, const char *input, size_t input_size,
                                  const struct process_limits *limits) {
  struct process_result result = {.end = PROCESS_FAILED, .status = 127, .out = "", .err = ""};
  struct child child;
  struct drain out = {0}, err = {0};
  if (!start_child(&child, argv)) return result;
  struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
  sigaction(SIGPIPE, &ignore, &before);
  result.end = converse(&child, input, input_size, limits, &out, &err);
  sigaction(SIGPIPE, &before, NULL);
  close_end(&child.in);
  close_end(&child.out);
  close_end(&child.err);
  if (result.end != PROCESS_EXITED) kill(child.pid, SIGKILL);
  int status = process_wait(child.pid);
  if (result.end == PROCESS_EXITED && WIFSIGNALED(status)) result.end = PROCESS_KILLED;
  if (result.end != PROCESS_EXITED) guard_note_limit(); /* also a crash: memory may be why */
  result.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  result.out_size = out.size;
  result.out = keep(arena, &out);
  result.err = keep(arena, &err);
  return result;
}

bool descriptor_read(int descriptor, void *data, size_t size) {
  for (char *at = data; size;) {
    ssize_t got = read(descriptor, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= (size_t)got;
  }
  return true;
}

int process_wait(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

int temporary_file(struct arena *arena, const char *ending, const char **path) {
  const char *folder = getenv("TMPDIR");
  if (!folder || !*folder) folder = "/tmp";
  char *name = arena_printf(arena, "%s/litscope-XXXXXX%s", folder, ending);
  int file = mkstemps(name, (int)strlen(ending));
  *path = file < 0 ? folder : name;
  return file;
}
