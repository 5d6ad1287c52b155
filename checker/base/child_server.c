/* SPDX-License-Identifier: MIT */
/* A program that answers requests: its standard input and output are one end of a
 * socket, on which, other than on a pipe, sending to a program that has ended is an
 * error and no signal. */
#include "checker/base/child_server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "checker/base/process.h"

/* Its messages are not wanted: what it cannot do is said by whoever asks. */
static bool spawn(struct server *server, int end) {
  const char *const argv[] = {server->path, NULL};
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  bool done = nowhere >= 0 && process_spawn(&server->pid, argv, end, end, nowhere) == 0;
  if (nowhere >= 0) close(nowhere);
  return done;
}

static bool start(struct server *server) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  bool done = spawn(server, ends[1]);
  close(ends[1]);
  server->socket = ends[0];
  if (done) return true;
  close(ends[0]);
  server->pid = 0;
  return false;
}

static bool send_all(const struct server *server, const char *data, size_t size) {
  while (size) {
    ssize_t sent = send(server->socket, data, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    data += sent;
    size -= (size_t)sent;
  }
  return true;
}

static bool receive_size(const struct server *server, size_t *size) {
  *size = 0;
  for (unsigned digits = 0; digits < 18; digits++) {
    char next;
    if (!descriptor_read(server->socket, &next, 1)) return false;
    if (next == '\n') return digits > 0;
    if (next < '0' || next > '9') return false;
    *size = 10 * *size + (size_t)(next - '0');
  }
  return false;
}

static char *receive_answer(const struct server *server, size_t *size) {
  if (!receive_size(server, size)) return NULL;
  char *answer = malloc(*size + 1);
  if (!answer) {
    errno = ENOMEM;
    return NULL;
  }
  answer[*size] = '\0';
  if (descriptor_read(server->socket, answer, *size)) return answer;
  free(answer);
  return NULL;
}

static void wait_for(struct server *server) {
  close(server->socket);
  process_wait(server->pid);
  server->pid = 0;
}

char *server_ask(struct server *server, const char *request, size_t size, size_t *answer_size) {
  errno = 0;
  if (!server->pid && !start(server)) return NULL;
  char *answer = send_all(server, request, size) ? receive_answer(server, answer_size) : NULL;
  if (answer) return answer;
  int error = errno == ENOMEM ? ENOMEM : 0;
  kill(server->pid, SIGKILL);
  wait_for(server);
  errno = error;
  return NULL;
}

void server_end(struct server *server) {
  if (server->pid) wait_for(server);
}
