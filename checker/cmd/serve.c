/* SPDX-License-Identifier: MIT */
/* `serve`: the page of `make page` (checker/page) at an address of this machine, for browsers that open no files. The
 * page is one file, and nothing else is sent; nobody outside this machine is answered. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checker/base/array.h"
#include "checker/cmd/command.h"

/* Browsers open connections ahead and leave them idle; the one that has been there longest makes room for a new one. */
enum { CONNECTIONS = 16, REQUEST_ROOM = 8192 };

struct connection {
  char request[REQUEST_ROOM];
  size_t asked; /* characters of the request that have come */
  int page;     /* what is being sent, from `sent` on; -1: nothing yet */
  off_t sent;
};

struct page_server {
  const char *path;
  struct pollfd at[1 + CONNECTIONS]; /* the first one listens; those without a connection are -1 */
  struct connection of[1 + CONNECTIONS];
  int next; /* the connection that makes room */
};

/* Installed, or where it is built. */
static const char *find_page(struct invocation *call) {
  static const char *const kinds[] = {"page", "build/page"};
  for (size_t k = 0; k < ARRAY_COUNT(kinds); k++) {
    size_t count;
    const char **folders = search_folders(call, kinds[k], &count);
    for (size_t i = 0; i < count; i++) {
      const char *path = arena_printf(call->arena, "%s/index.html", folders[i]);
      if (access(path, R_OK) == 0) return path;
    }
  }
  return NULL;
}

/* A socket on which this machine alone is heard, and its port; below 0: errno says why there is none. */
static int listen_here(unsigned *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return -1;
  if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
      bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, CONNECTIONS) == 0 &&
      getsockname(listener, (struct sockaddr *)&address, &size) == 0) {
    *port = ntohs(address.sin_port);
    return listener;
  }
  int reason = errno;
  close(listener);
  errno = reason;
  return -1;
}

static void end_connection(struct page_server *server, int i) {
  if (server->of[i].page >= 0) close(server->of[i].page);
  if (server->at[i].fd >= 0) close(server->at[i].fd);
  server->at[i].fd = server->of[i].page = -1;
}

static void accept_connection(struct page_server *server) {
  int client = accept4(server->at[0].fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (client < 0) return;
  int i = 1 + server->next;
  server->next = (server->next + 1) % CONNECTIONS;
  end_connection(server, i);
  server->at[i] = (struct pollfd){.fd = client, .events = POLLIN};
  server->of[i].asked = 0;
}

/* The whole request has come: sends the answer's head. Is there something to send after it? */
static bool begin_answer(struct page_server *server, int i) {
  struct connection *connection = &server->of[i];
  char method[8] = "", target[256] = "", head[256];
  sscanf(connection->request, "%7[A-Z] %255[^ ?#\r\n]", method, target);
  bool whole = !strcmp(method, "GET");
  const char *status = !whole && strcmp(method, "HEAD") != 0                               ? "405 Method Not Allowed"
                       : strcmp(target, "/") != 0 && strcmp(target, "/index.html") != 0    ? "404 Not Found"
                       : (connection->page = open(server->path, O_RDONLY | O_CLOEXEC)) < 0 ? "404 Not Found"
                                                                                           : "200 OK";
  struct stat file = {0};
  if (connection->page >= 0) (void)fstat(connection->page, &file);
  int length = snprintf(head, sizeof head,
                        "HTTP/1.1 %s\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %lld\r\n"
                        "Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
                        status, (long long)file.st_size);
  connection->sent = 0;
  server->at[i].events = POLLOUT;
  return send(server->at[i].fd, head, (size_t)length, MSG_NOSIGNAL) == length && whole && connection->page >= 0;
}

/* Does what can be done at once for a connection; false: it is over. */
static bool go_on(struct page_server *server, int i) {
  struct connection *connection = &server->of[i];
  int client = server->at[i].fd;
  if (connection->page >= 0) {
    ssize_t sent = sendfile(client, connection->page, &connection->sent, 1 << 20);
    return sent > 0 || (sent < 0 && errno == EAGAIN);
  }
  ssize_t come = recv(client, connection->request + connection->asked, REQUEST_ROOM - 1 - connection->asked, 0);
  if (come <= 0) return come < 0 && errno == EAGAIN;
  connection->asked += (size_t)come;
  connection->request[connection->asked] = '\0';
  if (!strstr(connection->request, "\r\n\r\n")) return connection->asked < REQUEST_ROOM - 1;
  return begin_answer(server, i);
}

int command_serve(struct invocation *call) {
  static struct page_server server;
  server.path = find_page(call);
  if (!server.path) {
    fputs(
        "litscope: error: the page is not installed (`make page` builds it, and then `make install` installs it too)\n",
        stderr);
    return STATUS_BAD;
  }
  unsigned port = (unsigned)option_number(call, OPTION_PORT);
  for (int i = 0; i <= CONNECTIONS; i++) server.at[i].fd = server.of[i].page = -1;
  server.at[0] = (struct pollfd){.fd = listen_here(&port), .events = POLLIN};
  if (server.at[0].fd < 0) {
    fprintf(stderr, "litscope: error: port %u: %s (-port 0 takes one that is free)\n", port, strerror(errno));
    return STATUS_BAD;
  }
  printf("http://127.0.0.1:%u/ until Ctrl+C\n", port);
  fflush(stdout);
  while (poll(server.at, 1 + CONNECTIONS, -1) >= 0 || errno == EINTR) {
    for (int i = 1; i <= CONNECTIONS; i++)
      if (server.at[i].fd >= 0 && server.at[i].revents && !go_on(&server, i)) end_connection(&server, i);
    if (server.at[0].revents) accept_connection(&server);
  }
  return STATUS_BAD;
}
