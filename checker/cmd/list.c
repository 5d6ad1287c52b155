/* SPDX-License-Identifier: MIT */
/* The commands that list what is installed: models, mappings, machines. What
 * a list says of a file comes from the file: a model's title and variants, a
 * description's title or text. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/guard.h"
#include "checker/base/vec.h"
#include "checker/cat/conventions.h"
#include "checker/cmd/command.h"
#include "hwsem/xml_search.h"

struct installed {
  const char *name, *path;
};

struct listing {
  struct installed *at;
  size_t count, room;
};

static int compare_installed(const void *a, const void *b) {
  return strcmp(((const struct installed *)a)->name, ((const struct installed *)b)->name);
}

static bool is_listed(const struct listing *listing, const char *name) {
  for (size_t i = 0; i < listing->count; i++)
    if (!strcmp(listing->at[i].name, name)) return true;
  return false;
}

static void add_files(struct arena *arena, const char *folder, const char *suffix, struct listing *listing) {
  DIR *dir = opendir(folder);
  if (!dir && errno == ENOMEM) guard_out_of_memory();
  if (!dir) return;
  for (struct dirent *entry; (entry = readdir(dir));) {
    size_t length = strlen(entry->d_name), size = strlen(suffix);
    if (entry->d_name[0] == '.' || length <= size || strcmp(entry->d_name + length - size, suffix) != 0) continue;
    const char *name = arena_strndup(arena, entry->d_name, length - size);
    if (is_listed(listing, name)) continue;
    *vec_push(arena, listing) = (struct installed){name, arena_printf(arena, "%s/%s", folder, entry->d_name)};
  }
  closedir(dir);
}

/* All files of a kind in the search folders; of one name, the first. */
static struct listing list_installed(struct invocation *call, const char *kind, const char *suffix) {
  struct listing listing = {0};
  size_t count;
  const char **folders = search_folders(call, kind, &count);
  for (size_t i = 0; i < count; i++) add_files(call->arena, folders[i], suffix, &listing);
  if (listing.count) qsort(listing.at, listing.count, sizeof *listing.at, compare_installed);
  return listing;
}

static const struct source *read_quietly(struct arena *arena, const char *path) {
  struct diags diags = diags_new(arena);
  return source_read(arena, path, &diags);
}

/* The model's title: the string or the bare words of its first line. */
static const char *title_of_model(struct arena *arena, const char *text) {
  text += strspn(text, " \t\r\n");
  size_t length = strcspn(text, "\r\n");
  if (text[0] == '"') {
    text++;
    length = strcspn(text, "\"");
  } else if (!strncmp(text, "(*", 2)) {
    return "";
  }
  return arena_strndup(arena, text, length);
}

/* What the model's comment says after `variants:`, one line each; NULL: none. */
static const char *variants_of_model(struct arena *arena, const char *text) {
  const char *start = strstr(text, "variants:\n");
  if (!start) return NULL;
  start += strlen("variants:\n");
  const char *stop = strstr(start, "*)");
  size_t length = stop ? (size_t)(stop - start) : strlen(start);
  while (length && strchr(" \t\n", start[length - 1])) length--;
  return arena_strndup(arena, start, length);
}

int command_models(struct invocation *call) {
  struct listing models = list_installed(call, "models", ".cat");
  for (size_t i = 0; i < models.count; i++) {
    if (convention_holds(NAME_BASE, models.at[i].name)) continue;
    const struct source *source = read_quietly(call->arena, models.at[i].path);
    if (!source) continue;
    printf("%-26s%s\n", models.at[i].name, title_of_model(call->arena, source->text));
    const char *variants = variants_of_model(call->arena, source->text);
    if (variants) printf("%28s-variant words:\n%s\n", "", variants);
  }
  return STATUS_DONE;
}

/* Lists the XML files whose root element is that of a mapping, to instructions or
 * to a language, or of anything else (machines). */
static int list_descriptions(struct invocation *call, bool mappings) {
  struct listing listing = list_installed(call, "mappings", ".xml");
  for (size_t i = 0; i < listing.count; i++) {
    struct xml_summary summary;
    if (!xml_summarise(call->arena, listing.at[i].path, &summary)) continue;
    bool is_mapping = !strcmp(summary.root, "mapping") || !strcmp(summary.root, "translation");
    if (is_mapping == mappings) printf("%-26s%s\n", listing.at[i].name, summary.text);
  }
  return STATUS_DONE;
}

int command_mappings(struct invocation *call) {
  return list_descriptions(call, true);
}

int command_machines(struct invocation *call) {
  return list_descriptions(call, false);
}
