/* SPDX-License-Identifier: MIT */
/* Where installed models, mappings and machine descriptions are: in folders
 * of -I and of LITSCOPE_LIB, next to the program (where it was built, or
 * installed to), in the installation's data folder; the first that has a name
 * counts.  And programs that litscope calls. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/base/array.h"
#include "checker/base/path.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/command.h"
#include "hwsem/xml_folders.h"

#ifndef LITSCOPE_DATADIR
#define LITSCOPE_DATADIR "/usr/local/share/litscope"
#endif
#ifndef LITSCOPE_LIBEXECDIR
#define LITSCOPE_LIBEXECDIR "/usr/local/libexec/litscope"
#endif

struct folders {
  const char **at;
  size_t count, room;
};

static void add(struct arena *arena, struct folders *folders, const char *folder, const char *kind) {
  *vec_push(arena, folders) = folder;
  *vec_push(arena, folders) = arena_printf(arena, "%s/%s", folder, kind);
}

/* Folder of the running program, with a slash at its end, or NULL. */
static const char *program_folder(struct arena *arena) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return NULL;
  path[length] = '\0';
  return path_folder(arena, path);
}

static void add_environment(struct arena *arena, struct folders *folders, const char *kind) {
  const char *list = getenv("LITSCOPE_LIB");
  for (const char **folder = text_split(arena, list ? list : "", ":", NULL); *folder; folder++)
    add(arena, folders, *folder, kind);
}

/* The repository's own folders when the program runs where it was built, and
 * share/litscope next to the bin folder that it was installed to. */
static void add_program(struct arena *arena, struct folders *folders, const char *kind) {
  const char *folder = program_folder(arena);
  if (!folder) return;
  *vec_push(arena, folders) = arena_printf(arena, "%s%s", folder, kind);
  *vec_push(arena, folders) = arena_printf(arena, "%s../%s", folder, kind);
  *vec_push(arena, folders) = arena_printf(arena, "%s../share/litscope/%s", folder, kind);
}

const char **search_folders(const struct invocation *call, const char *kind, size_t *count) {
  struct arena *arena = call->arena;
  struct folders folders = {0};
  for (size_t i = 0; i < call->values[OPTION_INCLUDE].count; i++)
    add(arena, &folders, call->values[OPTION_INCLUDE].at[i], kind);
  add_environment(arena, &folders, kind);
  add_program(arena, &folders, kind);
  *vec_push(arena, &folders) = arena_printf(arena, "%s/%s", LITSCOPE_DATADIR, kind);
  *count = folders.count;
  *vec_push(arena, &folders) = NULL;
  return folders.at;
}

struct xml_folders mapping_search(const struct invocation *call) {
  size_t count;
  const char **folders = search_folders(call, "mappings", &count);
  return (struct xml_folders){.folders = folders, .folder_count = (unsigned)count};
}

const char *search_program(struct arena *arena, const char *name) {
  const char *folder = program_folder(arena);
  const char *paths[] = {folder ? arena_printf(arena, "%s%s", folder, name) : NULL,
                         folder ? arena_printf(arena, "%s../libexec/litscope/%s", folder, name) : NULL,
                         arena_printf(arena, "%s/%s", LITSCOPE_LIBEXECDIR, name)};
  for (size_t i = 0; i < ARRAY_COUNT(paths); i++)
    if (paths[i] && access(paths[i], X_OK) == 0) return paths[i];
  return NULL;
}

static const char *first_readable(struct arena *arena, const char *folder, const char *name, const char *suffix) {
  const char *path = folder ? arena_printf(arena, "%s/%s", folder, name) : name;
  if (access(path, R_OK) == 0) return path;
  path = arena_printf(arena, "%s%s", path, suffix);
  return access(path, R_OK) == 0 ? path : NULL;
}

const char *search_file(const struct invocation *call, const char *kind, const char *name, const char *suffix) {
  const char *path = strchr(name, '/') || strstr(name, suffix) ? first_readable(call->arena, NULL, name, suffix) : NULL;
  if (path || strchr(name, '/')) return path;
  size_t count;
  const char **folders = search_folders(call, kind, &count);
  for (size_t i = 0; i < count; i++)
    if ((path = first_readable(call->arena, folders[i], name, suffix))) return path;
  return first_readable(call->arena, NULL, name, suffix);
}
