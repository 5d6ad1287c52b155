/* SPDX-License-Identifier: MIT */
/* Where the data files of hwsem/ (mappings, machine descriptions) are found, and
 * which there are.  xml.h reads them; this part of it needs no XML library, and
 * so is all that programs which use liblitscope see of it.
 */
#ifndef LITSCOPE_HWSEM_XML_FOLDERS_H
#define LITSCOPE_HWSEM_XML_FOLDERS_H

#include <stdbool.h>

#include "checker/base/arena.h"

/* Where data files are looked for: a name with a slash or an ending in ".xml"
 * is a path, and taken as it is; otherwise NAME.xml in each folder in turn. */
struct xml_folders {
  const char *const *folders;
  unsigned folder_count;
};

/* What a file says of itself, in `arena`: the name of its root element, and the
 * first sentence of its title or text (""; none).  false: it cannot be read. */
struct xml_summary {
  const char *root, *text;
};
bool xml_summarise(struct arena *arena, const char *path, struct xml_summary *summary);

/* The name of the root element of the file that `name` stands for, in `arena`;
 * NULL when there is none that can be read.  Tells kinds of machines apart. */
const char *xml_root_name(struct arena *arena, const char *name, const struct xml_folders *search);

#endif
