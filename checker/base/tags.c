/* SPDX-License-Identifier: MIT */
/* Tags by name, both ways, from the one table of tags.h. */
#include "checker/base/tags.h"

#include <string.h>

static const struct {
  const char *names, *shown, *hidden_by;
} rows[TAG_COUNT] = {
#define TAG_ROW(id, names, shown, hidden_by) [TAG_##id] = {names, shown, hidden_by},
    TAG_LIST(TAG_ROW)
#undef TAG_ROW
};

const char *tag_names(enum tag tag) {
  return rows[tag].names;
}

const char *tag_text(enum tag tag, tag_set tags) {
  bool hidden = !tags_have(tags, tag) || tags & tags_named(rows[tag].hidden_by);
  return hidden ? "" : rows[tag].shown;
}

/* Is this one of the words of a list? */
static bool in_list(const char *list, const char *word, size_t length) {
  for (const char *at = list; *at; at++) {
    bool begins = at == list || at[-1] == ' ';
    if (begins && *at == *word && !strncmp(at, word, length) && (!at[length] || at[length] == ' ')) return true;
  }
  return false;
}

tag_set tags_named(const char *names) {
  tag_set found = 0;
  for (; *names; names += strspn(names, " ")) {
    size_t length = strcspn(names, " ");
    for (int tag = 0; tag < TAG_COUNT; tag++)
      if (in_list(rows[tag].names, names, length)) found |= tag_bit((enum tag)tag);
    names += length;
  }
  return found;
}
