/* SPDX-License-Identifier: MIT */
/* Sessions of litscope.h. */
#include "checker/api/session.h"

#include <dlfcn.h>
#include <string.h>

#include "checker/base/out_of_memory_guard.h"
#include "checker/base/path.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"

#ifndef LITSCOPE_DATADIR
#define LITSCOPE_DATADIR "/usr/local/share/litscope"
#endif

struct litscope {
  struct arena *arena; /* the session's own */
  VEC(const char *) folders;
  struct arena *last; /* of the last call */
  const char *messages;
  int status;
  atomic_int cancelled;
};

const char *litscope_version(void) {
  return LITSCOPE_VERSION;
}

static void make_session(void *context) {
  struct arena *arena = arena_new();
  litscope *session = ARENA_MAKE(arena, litscope, .arena = arena, .messages = "");
  *(litscope **)context = session;
}

litscope *litscope_new(void) {
  litscope *session = NULL;
  return guard_run(make_session, &session) ? session : NULL;
}

void litscope_free(litscope *session) {
  if (!session) return;
  arena_free(session->last);
  arena_free(session->arena);
}

int litscope_status(const litscope *session) {
  return session ? session->status : API_BAD;
}

const char *litscope_messages(const litscope *session) {
  return session ? session->messages : "litscope: error: no session\n";
}

void litscope_cancel(litscope *session, int cancelled) {
  if (session) atomic_store(&session->cancelled, cancelled != 0);
}

const atomic_int *api_cancelled(const litscope *session) {
  return &session->cancelled;
}

void api_begin_reading(const struct api_call *call) {
  guard_begin_patience(0, &call->session->cancelled);
  guard_look();
}

void api_end_reading(void) {
  guard_end_patience();
}

/* The work, and its diagnostics as text. */
static void run_guarded(void *context) {
  struct api_call *call = context;
  call->last = arena_new();
  call->diags = diags_new(call->last);
  call->work(call);
  call->session->messages = TEXT_PRINTED(call->last, out, diags_print(&call->diags, out));
  if (!call->result) arena_free(call->object);
}

void *api_run(litscope *session, void (*work)(struct api_call *call), const void *arguments) {
  if (!session) return NULL;
  struct api_call call = {.session = session, .work = work, .arguments = arguments};
  arena_free(session->last);
  session->last = NULL;
  session->messages = "";
  session->status = API_DONE;
  if (!guard_run(run_guarded, &call)) {
    bool cancelled = !strcmp(guard_reason(), "interrupted");
    session->messages = cancelled ? "litscope: error: interrupted\n" : "litscope: error: out of memory\n";
    session->status = API_LIMIT;
    return NULL;
  }
  session->last = call.last;
  if (call.limited) session->status = API_LIMIT;
  if (call.diags.errors || !call.result) session->status = API_BAD;
  return call.result;
}

static void add_folder(struct api_call *call) {
  const char *folder = call->arguments;
  litscope *session = call->session;
  if (!folder) {
    diag_fail(&call->diags, "no folder is given");
    return;
  }
  *vec_push(session->arena, &session->folders) = arena_strdup(session->arena, folder);
  call->result = session;
}

int litscope_add_folder(litscope *session, const char *folder) {
  api_run(session, add_folder, folder);
  return litscope_status(session);
}

/* Folder, with its slash, of the file, a library or a program, that this code is in; NULL: not known. */
static const char *own_folder(struct arena *arena) {
  static const char here;
  Dl_info info;
  const char *folder = dladdr(&here, &info) && info.dli_fname ? path_folder(arena, info.dli_fname) : "";
  return *folder ? folder : NULL;
}

/* Last share/litscope next to the folder of the library, which may be one of a processor below lib, and where
 * it was to be installed. */
const char *const *api_folders(const litscope *session, struct arena *arena, const char *kind, unsigned *count) {
  size_t given = session->folders.count;
  const char **folders = ARENA_ARRAY(arena, const char *, 2 * given + 3);
  *count = 0;
  for (size_t i = given; i-- > 0;) {
    folders[(*count)++] = session->folders.at[i];
    folders[(*count)++] = arena_printf(arena, "%s/%s", session->folders.at[i], kind);
  }
  const char *own = own_folder(arena);
  if (own) folders[(*count)++] = arena_printf(arena, "%s../share/litscope/%s", own, kind);
  if (own) folders[(*count)++] = arena_printf(arena, "%s../../share/litscope/%s", own, kind);
  folders[(*count)++] = arena_printf(arena, "%s/%s", LITSCOPE_DATADIR, kind);
  return folders;
}
