/* SPDX-License-Identifier: MIT */
/* Memory for libxml2.  The library (2.9) does not survive every failure of its own
 * allocations: it loses text without a word, or crashes, and a mapping that lost an
 * attribute gives a wrong verdict.  So no failure ever reaches it: while a thread uses it, what
 * it allocates comes from an arena, which goes back to the guard when there is no more, and
 * all of which is dropped in the end.
 *
 * Whoever else uses libxml2 in this process keeps its functions, and sees their failures as before.
 */
#ifndef LITSCOPE_HWSEM_XML_MEMORY_H
#define LITSCOPE_HWSEM_XML_MEMORY_H

#include "checker/base/arena.h"

struct xml_memory;

/* Between the two, this thread may call libxml2; nothing of what that returns is left after the second.  The books
 * are in `arena`. */
struct xml_memory *xml_memory_begin(struct arena *arena);
void xml_memory_end(struct xml_memory *memory);

#endif
