/* SPDX-License-Identifier: MIT */
/* Data files of hwsem/ (mappings, machine descriptions): XML checked against a
 * RELAX NG schema, read once, with errors that name file and line.
 *
 * Nothing outside the file is ever read: schemas are part of the program, there
 * are no external entities, and a document type declaration is refused.  Unknown elements and
 * attributes are found by comparing with the names the schema knows, so that
 * the message can suggest the right one.
 */
#ifndef LITSCOPE_HWSEM_XML_H
#define LITSCOPE_HWSEM_XML_H

#include <stdbool.h>

#include "checker/base/arena.h"
#include "checker/base/diag.h"
#include "hwsem/xml_folders.h"
#include "hwsem/xml_read.h"
#include "hwsem/xml_schema.h"

/* A document with its text, in the arena. */
struct xml_file {
  const struct source *source;
  const struct xml_node *root;
};

/* A kind of document. */
struct xml_kind {
  const char *schema; /* a file's name, such as "mapping.rng" */
  const char *name;   /* in messages: "mapping" */
};

/* Reads `name` and checks it against the schema.  On failure adds diagnostics and returns false. */
bool xml_open(struct arena *arena, const char *name, struct xml_kind kind, const struct xml_folders *search,
              struct xml_file *file, struct diags *diags);

/* The line of a node, as a span of the source. */
struct span xml_span(const struct xml_file *file, const struct xml_node *node);

/* First child element and next sibling element; NULL at the end. */
const struct xml_node *xml_first(const struct xml_node *node);
const struct xml_node *xml_next(const struct xml_node *node);

bool xml_is(const struct xml_node *node, const char *name);

/* What is between the words of a list. */
#define XML_BLANKS " \t\r\n"

/* The text inside a node, white space collapsed, in the arena. */
const char *xml_text(struct arena *arena, const struct xml_node *node);

#endif
