/* SPDX-License-Identifier: MIT */
/* Annotations of events: one table.
 *
 * A front end puts tags on instructions, events inherit them, and a model names
 * them like any set.  Nothing between the two knows what a tag means, so a new
 * annotation is a line here and the front end that writes it.  A name that a
 * model uses is known when it is here, whatever the language of the test: sets
 * that a language does not fill are empty.
 *
 * A tag may have the name of a predefined set of the models (F, CON): that set
 * then holds the tagged events too.
 *
 * Annotations that the text of a test names (`__load{once}`) are tags too: a
 * program numbers its own after those of the table (program.annotations).
 */
#ifndef LITSCOPE_BASE_TAGS_H
#define LITSCOPE_BASE_TAGS_H

#include "checker/base/tag_set.h"

/* X(identifier, names separated by spaces, text that shows it on an event ("": nothing
 * does), tags that say as much and hide it) */
/* clang-format off */
#define TAG_LIST(X) \
  X(REMOTE, "remote REM", "remote", "") /* HSA and OpenCL: promotes the scope of somebody else's operation */ \
  /* PTX: weak accesses; the proxy of an access or fence; a fence between aliases */ \
  X(WEAK, "WEAK", "weak", "") \
  X(GEN, "GEN", "", "") \
  X(TEX, "TEX", "texture", "") \
  X(SUR, "SUR", "surface", "") \
  X(CON, "CON", "constant", "") \
  X(ALIAS, "ALIAS", "alias", "") \
  /* PTX: the proxy of bulk copies; what an asynchronous operation does, and what begins one, or an mbarrier; accesses \
   * of mbarriers; reductions, which nothing is read by; groups of copies: closed, waited for, their sources waited \
   * for, but for the last one and two of them (one and both: three); earlier grids waited for */ \
  X(ASYNC, "ASYNC", "async", "") \
  X(TENSORMAP, "TENSORMAP", "tensormap", "") /* PTX: the proxy by which copies read the map of a tensor, and its fences */ \
  X(DETACHED, "DETACHED", "detached", "") \
  X(BEGINS, "BEGINS", "", "") \
  X(MBAR, "MBAR", "mbarrier", "") \
  X(REDUCTION, "REDUCTION", "", "") \
  X(COMMIT, "COMMIT", "commit", "") \
  X(WAIT, "WAIT", "wait", "") \
  X(WAIT_READ, "WAIT_READ", "wait.read", "") \
  X(BUT_ONE, "BUT_ONE", "but-1", "") \
  X(BUT_TWO, "BUT_TWO", "but-2", "") \
  X(GRID, "GRID", "grid", "") \
  X(MATRIX, "MATRIX", "matrix", "") /* PTX: what multiplies matrices, and its fences and groups */ \
  /* PTX: bits of the size of an access (none: 32 bits): 8, 16, and both: 64; 128 bits */ \
  X(SIZE_1, "SIZE_1", "", "") \
  X(SIZE_2, "SIZE_2", "", "") \
  X(SIZE_128, "SIZE_128", "", "") \
  X(PART, "PART", "", "") /* PTX: one of the accesses of an instruction that has several, in no order */ \
  /* Vulkan: atomic, non-private, available and visible at once */ \
  X(ATOM, "ATOM", "", "") \
  X(NONPRIV, "NONPRIV", "nonpriv", "ATOM AV VIS") \
  X(AV, "AV", "av", "ATOM") \
  X(VIS, "VIS", "vis", "ATOM") \
  /* Vulkan: storage class of an access; what semantics are about, and whether they make available or visible */ \
  X(SC0, "SC0", "sc0", "") \
  X(SC1, "SC1", "sc1", "") \
  X(SC2, "SC2", "sc2", "") \
  X(SC3, "SC3", "sc3", "") \
  X(SEMSC0, "SEMSC0", "semsc0", "") \
  X(SEMSC1, "SEMSC1", "semsc1", "") \
  X(SEMSC2, "SEMSC2", "semsc2", "") \
  X(SEMSC3, "SEMSC3", "semsc3", "") \
  X(SEMAV, "SEMAV", "semav", "") \
  X(SEMVIS, "SEMVIS", "semvis", "") \
  /* Vulkan: control barriers; availability and visibility operations of the device */ \
  X(CBAR, "CBAR", "", "") \
  X(AVDEVICE, "AVDEVICE", "avdevice", "") \
  X(VISDEVICE, "VISDEVICE", "visdevice", "") \
  /* what is in a predefined set for another reason than its kind or order: a control barrier that is a fence \
   * too, a fence of Vulkan that acquires and releases */ \
  X(F, "F", "", "") \
  X(ACQ, "ACQ", "", "") \
  X(REL, "REL", "", "") \
  /* Linux: a compare-and-swap that fails is of read-modify-writes too; the two halves of taking a lock, giving it \
   * back, not getting it, and looking whether it is taken, when it is and when not */ \
  X(RMW, "RMW", "", "") \
  X(LKR, "LKR", "LKR", "") \
  X(LKW, "LKW", "LKW", "") \
  X(UL, "UL", "UL", "") \
  X(LF, "LF", "LF", "") \
  X(RL, "RL", "RL", "") \
  X(RU, "RU", "RU", "") \
  /* ADSM: a kernel's access by the address that the object has on the host, where that on the accelerator differs */ \
  X(HOSTADDR, "HOSTADDR", "host's address", "")
/* clang-format on */

enum tag {
#define TAG_ENUM(id, names, shown, hidden_by) TAG_##id,
  TAG_LIST(TAG_ENUM)
#undef TAG_ENUM
      TAG_COUNT
};

enum { TAG_ANNOTATIONS = TAG_ROOM - TAG_COUNT }; /* how many annotations a program can have */

_Static_assert((int)TAG_COUNT < (int)TAG_ROOM, "a set of tags is one word");

/* All spellings of a tag, and the text that shows it on an event that has these
 * tags, or "". */
const char *tag_names(enum tag tag);
const char *tag_text(enum tag tag, tag_set tags);

/* The tags of which some spelling is among `names`, which are separated by
 * spaces. */
tag_set tags_named(const char *names);

#endif
