/* SPDX-License-Identifier: MIT */
/* Documents against schemas in RELAX NG, by libxml2's validator.  Schemas are part of the
 * program: what lies next to a data file is never believed.
 */
#ifndef LITSCOPE_HWSEM_XML_SCHEMA_H
#define LITSCOPE_HWSEM_XML_SCHEMA_H

#include <stdbool.h>

#include "hwsem/xml_read.h"

/* The schema of a file name such as "mapping.rng", as a tree in the arena. */
const struct xml_node *xml_schema(struct arena *arena, const char *name);

/* Where a document leaves the schema. */
struct xml_fault {
  const struct xml_node *node;           /* the element whose content or attributes do not fit */
  const struct xml_attribute *attribute; /* not NULL: this one does not go with it, */
  bool value;                            /* its value, that is */
  const struct xml_node *child;          /* not NULL: this one does not fit there; both NULL: something lacks */
};

/* Does the document whose text and tree these are follow the schema of that file name?  If not, where. */
bool xml_follows(struct arena *arena, const char *schema, const struct source *source, const struct xml_node *root,
                 struct xml_fault *fault);

/* An attribute's value; NULL: it is absent. */
const char *xml_value(const struct xml_node *node, const char *name);

#endif
