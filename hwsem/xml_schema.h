/* SPDX-License-Identifier: MIT */
/* Documents against schemas in RELAX NG, by libxml2's validator.  Schemas are part of the
 * program: what lies next to a data file is never believed.
 */
#ifndef LITSCOPE_HWSEM_XML_SCHEMA_H
#define LITSCOPE_HWSEM_XML_SCHEMA_H

#include <stdbool.h>

#include "hwsem/xml_read.h"

/* The schema of a file name such as "mapping.rng"; NULL: there is none. */
const char *xml_schema_text(const char *name);

/* Does libxml2's document, whose elements have those of our tree as their own data, follow the schema of that file
 * name? If not, where.  Between xml_memory_begin and xml_memory_end. */
struct _xmlDoc;
void xml_validate(const char *schema, struct _xmlDoc *document, const struct xml_node *root, struct xml_fault *fault);

/* An attribute's value; NULL: it is absent. */
const char *xml_value(const struct xml_node *node, const char *name);

#endif
