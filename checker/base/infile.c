/* SPDX-License-Identifier: MIT */
/* Pipes are opened without waiting: reading one then says at once whether it has a writer (nothing yet: EAGAIN) or
 * none (the end), and opening one for writing whether it has a reader (pipe(7), fifo(7)). */
#include "checker/base/infile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checker/base/array.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/text.h"

enum { WAIT_MS = 20, WAITS = 500 };

/* The first files that were read; of very many the later ones are not known. */
static struct {
  pthread_mutex_t lock;
  size_t count;
  struct {
    dev_t device;
    ino_t inode;
    char *path;
  } at[4096];
} were_read = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* false: memory is out. */
static bool note_read(int descriptor, const char *path) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return true;
  pthread_mutex_lock(&were_read.lock);
  bool room = were_read.count < ARRAY_COUNT(were_read.at);
  char *copy = room ? strdup(path) : NULL;
  if (copy) {
    were_read.at[were_read.count].device = status.st_dev;
    were_read.at[were_read.count].inode = status.st_ino;
    were_read.at[were_read.count++].path = copy;
  }
  pthread_mutex_unlock(&were_read.lock);
  return copy || !room;
}

bool infile_was_read(const char *path) {
  struct stat status;
  bool found = false;
  if (stat(path, &status) != 0) return false;
  pthread_mutex_lock(&were_read.lock);
  for (size_t i = 0; i < were_read.count; i++)
    found |= were_read.at[i].device == status.st_dev && were_read.at[i].inode == status.st_ino;
  pthread_mutex_unlock(&were_read.lock);
  return found;
}

void infile_each_read(void (*visit)(void *context, const char *path), void *context) {
  pthread_mutex_lock(&were_read.lock);
  size_t count = were_read.count; /* those that `visit` opens are not among them; none goes */
  pthread_mutex_unlock(&were_read.lock);
  for (size_t i = 0; i < count; i++) visit(context, were_read.at[i].path);
}

static bool is_pipe(const char *path) {
  struct stat status;
  /* What /dev/fd names is open already, and has or had its writer. */
  return !text_begins(path, "/dev/") && !text_begins(path, "/proc/") && !stat(path, &status) &&
         S_ISFIFO(status.st_mode);
}

/* Waits a little; false: for long enough. */
static bool wait_again(int *waits) {
  guard_look();
  poll(NULL, 0, WAIT_MS);
  return ++*waits < WAITS;
}

static int wait_for_reader(const char *path) {
  int descriptor, waits = 0;
  do descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  while (descriptor < 0 && errno == ENXIO && wait_again(&waits));
  return descriptor;
}

/* Copying a byte into another pipe takes nothing out of this one: 0 says that there is neither a byte nor a writer. */
static int wait_for_writer(const char *path) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), other[2], waits = 0;
  if (descriptor < 0) return descriptor;
  if (pipe2(other, O_CLOEXEC | O_NONBLOCK) == 0) {
    ssize_t there = 0;
    while ((there = tee(descriptor, other[1], 1, SPLICE_F_NONBLOCK)) == 0 && wait_again(&waits)) continue;
    close(other[0]);
    close(other[1]);
    if (there) return descriptor;
    errno = ENXIO;
  }
  int error = errno;
  close(descriptor);
  errno = error;
  return -1;
}

int infile_descriptor(const char *path, bool write) {
  int usual = write ? O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC : O_RDONLY | O_CLOEXEC;
  if (!is_pipe(path)) {
    int opened = open(path, usual, 0666);
    if (opened < 0 || write || note_read(opened, path)) return opened;
    close(opened);
    errno = ENOMEM;
    return -1;
  }
  int descriptor = write ? wait_for_reader(path) : wait_for_writer(path);
  if (descriptor >= 0) fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return descriptor;
}

FILE *infile_open(const char *path) {
  int descriptor = infile_descriptor(path, false);
  FILE *in = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
  if (descriptor >= 0 && !in) {
    int error = errno;
    close(descriptor);
    errno = error;
  }
  return in;
}

const char *infile_reason(void) {
  return errno == ENXIO ? "nothing is at the other end of this pipe" : strerror(errno);
}
