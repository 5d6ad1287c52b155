/* SPDX-License-Identifier: MIT */
/* The operations that an element of a mapping serves, read from its attributes:
 * what mappings to machines and to languages have in common. */
#ifndef LITSCOPE_HWSEM_MAPPING_CELL_H
#define LITSCOPE_HWSEM_MAPPING_CELL_H

#include "hwsem/mapping.h"
#include "hwsem/xml.h"

/* A cell without steps, from the attributes kind, scope, order, remote, region. */
struct mapping_cell mapping_cell_read(struct arena *arena, const struct xml_file *file, const struct xml_node *node);

#endif
