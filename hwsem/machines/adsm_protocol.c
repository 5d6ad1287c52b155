/* SPDX-License-Identifier: MIT */
/* The protocols' edges as one table (Figure 6 of the paper; see adsm.h).
 *
 * Two readings are settled here.  A call under batch-update uploads the dirty
 * objects only: uploading all would overwrite what an earlier kernel, not yet
 * synchronised with, has computed.  And a read or write while a call is pending
 * follows the same edges as any other: nothing in the protocols prevents it.
 * memset and memcpy run on the accelerator, and leave what they write invalid
 * for the host, where accesses are detected; under batch-update they run on the
 * host.  The paper gives no states for them.
 */
#include "hwsem/machines/adsm.h"

const char *adsm_protocol_name(enum adsm_protocol protocol) {
  static const char *const names[ADSM_PROTOCOLS] = {"batch", "lazy", "rolling"};
  return names[protocol];
}

/* Edges that are not listed lead nowhere: same state, no transfer, no fault. */
struct listed_edge {
  bool listed;
  struct adsm_edge edge;
};

#define EDGE(next, transfer, fault) \
  {                                 \
    true, {                         \
      next, transfer, fault         \
    }                               \
  }

static const struct listed_edge batch[ADSM_STATES][ADSM_EVENTS] = {
    [ADSM_DIRTY][ADSM_CALL] = EDGE(ADSM_INVALID, ADSM_UP, false),
    [ADSM_INVALID][ADSM_SYNC] = EDGE(ADSM_DIRTY, ADSM_DOWN, false),
};

/* Lazy-update; rolling-update evicts as well. */
static const struct listed_edge detecting[ADSM_STATES][ADSM_EVENTS] = {
    [ADSM_INVALID][ADSM_READ] = EDGE(ADSM_READ_ONLY, ADSM_DOWN, true),
    [ADSM_INVALID][ADSM_WRITE] = EDGE(ADSM_DIRTY, ADSM_DOWN, true),
    [ADSM_READ_ONLY][ADSM_WRITE] = EDGE(ADSM_DIRTY, ADSM_STAY, true),
    [ADSM_READ_ONLY][ADSM_CALL] = EDGE(ADSM_INVALID, ADSM_STAY, false),
    [ADSM_DIRTY][ADSM_CALL] = EDGE(ADSM_INVALID, ADSM_UP, false),
    [ADSM_DIRTY][ADSM_EVICT] = EDGE(ADSM_READ_ONLY, ADSM_UP, false),
    [ADSM_DIRTY][ADSM_FLUSH] = EDGE(ADSM_READ_ONLY, ADSM_UP, false),
    [ADSM_READ_ONLY][ADSM_COVER] = EDGE(ADSM_INVALID, ADSM_STAY, false),
    [ADSM_DIRTY][ADSM_COVER] = EDGE(ADSM_INVALID, ADSM_STAY, false),
};

struct adsm_edge adsm_edge(enum adsm_protocol protocol, enum adsm_state state, enum adsm_event event) {
  const struct listed_edge *at = protocol == ADSM_BATCH ? &batch[state][event] : &detecting[state][event];
  return at->listed ? at->edge : (struct adsm_edge){state, ADSM_STAY, false};
}

struct adsm_edge adsm_lent_edge(enum adsm_protocol protocol, enum adsm_state state) {
  if (state != ADSM_DIRTY) return (struct adsm_edge){state, ADSM_STAY, false};
  return (struct adsm_edge){protocol == ADSM_BATCH ? ADSM_DIRTY : ADSM_READ_ONLY, ADSM_UP, false};
}

enum adsm_state adsm_initial_state(enum adsm_protocol protocol) {
  return protocol == ADSM_BATCH ? ADSM_DIRTY : ADSM_READ_ONLY;
}
