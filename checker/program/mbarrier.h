/* SPDX-License-Identifier: MIT */
/* PTX's mbarrier objects: counters and a phase in one value.
 *
 *   pending arrivals of the phase    bits 0 to 19
 *   arrivals of the next phase       bits 20 to 39
 *   parity of the phase              bit 40
 *   transactions outstanding         above, with a sign
 *
 * All that is done to one adds a number to this value; when then neither arrivals nor
 * transactions are outstanding, the phase ends: its parity changes, and the arrivals
 * of the next one are pending.
 */
#ifndef LITSCOPE_PROGRAM_MBARRIER_H
#define LITSCOPE_PROGRAM_MBARRIER_H

#include <stdint.h>

enum { MBARRIER_MOST = 0xfffff, MBARRIER_EXPECTED = 20, MBARRIER_PARITY = 40, MBARRIER_TRANSACTIONS = 41 };

/* An object that expects so many arrivals in each phase. */
static inline int64_t mbarrier_init(int64_t arrivals) {
  return arrivals << MBARRIER_EXPECTED | arrivals;
}

/* What is added: arrivals are taken off those pending, transactions are added to those outstanding. */
static inline int64_t mbarrier_change(int64_t arrivals, int64_t transactions) {
  return transactions * (INT64_C(1) << MBARRIER_TRANSACTIONS) - arrivals;
}

#endif
