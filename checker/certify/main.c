/* SPDX-License-Identifier: MIT */
/* litscope-certify FILE...: checks certificates, one after another. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/certify/current_file.h"

static const char USAGE[] =
    "Usage: litscope-certify FILE...\n"
    "\n"
    "Check certificates that `litscope check -certify FILE` wrote, or explore, verify and progress. For each\n"
    "that is right it prints `Accepted TEST MODEL VERDICT`; for each that is not, the place and the reason.\n"
    "\n"
    "  -help     show this and end\n"
    "  -version  show the version and end\n"
    "\n"
    "Exit status: 0 all were accepted; 1 some was rejected; 2 some could not be read.\n";

#define MOST_BYTES ((size_t)1 << 28) /* of a file; /dev/zero has no end */

static char *read_file(FILE *file, size_t *size) {
  size_t room = 1 << 16;
  char *text = malloc(room);
  errno = 0;
  for (*size = 0; text;) {
    *size += fread(text + *size, 1, room - *size, file);
    if (*size < room) return text;
    if (room == MOST_BYTES) errno = EFBIG;
    char *larger = room == MOST_BYTES ? NULL : realloc(text, room *= 2);
    if (!larger) free(text);
    text = larger;
  }
  return NULL;
}

static void tell(const struct verdict *v) {
  printf("Accepted %s", v->test);
  if (v->model) printf(" %s", v->model);
  if (v->machine) printf(" %s", v->machine);
  printf(" %s\n", v->observation);
  if (v->cut) printf("  loops were followed up to the bound in the certificate, and no further\n");
  if (v->undefined) printf("  executions that leave an array were left out\n");
}

static int check_one(const struct item *items) {
  int status = setjmp(current.end);
  if (!status) {
    struct verdict v = {0};
    check_certificate(items, &v);
    tell(&v);
  }
  return status;
}

/* All certificates of the text, also after one that is wrong; the worst status. */
static int check_text(void) {
  const struct item *volatile items = NULL;
  volatile int worst = setjmp(current.end);
  if (!worst) items = read_items(current.text, current.size);
  size_t mark = memory_mark();
  for (bool first = !worst; first || items; first = false) {
    int status = check_one(items);
    if (status > worst) worst = status;
    items = next_certificate(items);
    memory_drop(mark);
  }
  memory_free();
  return worst;
}

static int check_file(const char *name) {
  FILE *file = fopen(name, "rb");
  current.file = name;
  current.err = stderr;
  current.text = file ? read_file(file, &current.size) : NULL;
  bool lost = !current.text || ferror(file);
  if (lost) fprintf(stderr, "%s: %s\n", name, strerror(errno ? errno : EIO));
  int status = lost ? 2 : check_text();
  free(current.text);
  if (file) fclose(file);
  return status;
}

int main(int count, char **words) {
  int worst = 0;
  signal(SIGXFSZ, SIG_IGN); /* a limit on files is an error of writing */
  for (int i = 1; i < count; i++) {
    const char *option = words[i] + (words[i][0] == '-' && words[i][1] == '-');
    if (!strcmp(option, "-help") || !strcmp(option, "-h")) return fputs(USAGE, stdout), fflush(stdout) ? 2 : 0;
    if (!strcmp(option, "-version")) return puts("litscope-certify " LITSCOPE_VERSION), fflush(stdout) ? 2 : 0;
    if (option[0] == '-' && option[1]) {
      fprintf(stderr, "litscope-certify: unknown option '%s'; -help lists them\n", words[i]);
      return 2;
    }
  }
  if (count < 2) return fputs(USAGE, stderr), 2;
  for (int i = 1; i < count; i++) {
    int status = check_file(words[i]);
    if (status > worst) worst = status;
  }
  if (fflush(stdout) || ferror(stdout)) return perror("litscope-certify: standard output"), 2;
  return worst;
}
