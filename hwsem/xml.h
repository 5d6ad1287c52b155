/* Data files of hwsem/ (mappings, machine descriptions): XML checked against a
 * RELAX NG schema, read once, with errors that name file and line.
 *
 * Nothing outside the file is ever read: no network, no external entities, and
 * a document type declaration is refused altogether.  Unknown elements and
 * attributes are found by comparing with the names the schema knows, so that
 * the message can suggest the right one.
 */
#ifndef LITSCOPE_HWSEM_XML_H
#define LITSCOPE_HWSEM_XML_H

#include <libxml/tree.h>

#include "base/arena.h"
#include "base/diag.h"

/* Where data files are looked for: a name with a slash or an ending in ".xml"
 * is a path, and taken as it is; otherwise NAME.xml in each folder in turn.
 * Schemas are looked for beside the data file, then in the folders. */
struct xml_search {
  const char *const *folders;
  unsigned folder_count;
};

/* A document with its text: free with xml_close. */
struct xml_file {
  struct source *source;
  xmlDoc *doc;
  xmlNode *root;
};

/* Reads `name` and checks it against `schema` (a file name such as
 * "mapping.rng").  On failure adds diagnostics and returns false; nothing is to
 * be closed then.  `what` names the kind of file in messages ("mapping"). */
bool xml_open(struct arena *arena, const char *name, const char *schema, const char *what,
              const struct xml_search *search, struct xml_file *file, struct diags *diags);
void xml_close(struct xml_file *file);

/* The name of the root element of the file that `name` stands for, in `arena`;
 * NULL when there is none that can be read.  Tells kinds of machines apart. */
const char *xml_root_name(struct arena *arena, const char *name, const struct xml_search *search);

/* The line of a node, as a span of the source. */
struct span xml_span(const struct xml_file *file, const xmlNode *node);

/* First child element and next sibling element; NULL at the end. */
xmlNode *xml_first(const xmlNode *node);
xmlNode *xml_next(const xmlNode *node);

bool xml_is(const xmlNode *node, const char *name);

/* An attribute's value in the arena, or NULL when it is absent. */
const char *xml_attribute(struct arena *arena, const xmlNode *node, const char *name);

/* The text inside a node, white space collapsed, in the arena. */
const char *xml_text(struct arena *arena, const xmlNode *node);

/* Names (without ".xml") of the files in the search folders whose root element
 * is `root` (NULL: any), sorted, each once; NULL-terminated. */
const char **xml_list(struct arena *arena, const struct xml_search *search, const char *root, size_t *count);

#endif
