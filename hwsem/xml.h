/* SPDX-License-Identifier: MIT */
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
#include <stdbool.h>

#include "checker/base/arena.h"
#include "checker/base/diag.h"
#include "hwsem/xml_search.h"

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

#endif
