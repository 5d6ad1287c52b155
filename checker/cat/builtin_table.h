/* SPDX-License-Identifier: MIT */
/* Names that every model finds predefined: one table.
 *
 * X(identifier, type, names) where names are all spellings, separated by
 * spaces.  Two spellings of one thing name the same set (herd7, the 2015 herd
 * and Dat3M say the same differently).
 */
#ifndef LITSCOPE_CAT_BUILTIN_TABLE_H
#define LITSCOPE_CAT_BUILTIN_TABLE_H

/* clang-format off */
#define CAT_BUILTIN_LIST(X) \
  /* sets of events by kind */ \
  X(ALL_EVENTS, CAT_SET, "_") \
  X(R, CAT_SET, "R") \
  X(W, CAT_SET, "W") \
  X(M, CAT_SET, "M") \
  X(F, CAT_SET, "F") \
  X(B, CAT_SET, "B") /* branches: none here */ \
  X(IW, CAT_SET, "IW I") /* initial writes */ \
  X(FW, CAT_SET, "FW") /* final (co-last) writes: depends on co */ \
  X(A, CAT_SET, "A") /* accesses by atomic operations, and fences' none */ \
  X(NA, CAT_SET, "NA P memory_order_na na") /* ordinary accesses, initial writes among them */ \
  X(RMW_SET, CAT_SET, "RMW") /* both halves of read-modify-writes */ \
  /* memory orders */ \
  X(RLX, CAT_SET, "RLX memory_order_relaxed rlx") \
  X(CON, CAT_SET, "CON memory_order_consume con") \
  X(ACQ, CAT_SET, "ACQ memory_order_acquire acq") \
  X(REL, CAT_SET, "REL memory_order_release rel") \
  X(ACQ_REL, CAT_SET, "ACQ_REL memory_order_acq_rel acq_rel") \
  X(SC, CAT_SET, "SC memory_order_seq_cst sc") \
  /* scopes, as written on operations */ \
  X(S_WI, CAT_SET, "WI memory_scope_work_item") \
  X(S_SG, CAT_SET, "SG memory_scope_sub_group") \
  X(S_WG, CAT_SET, "WG CTA memory_scope_work_group") \
  X(S_QF, CAT_SET, "QF") \
  X(S_DEV, CAT_SET, "DV GPU memory_scope_device") \
  X(S_SYS, CAT_SET, "ALL SY SYS memory_scope_all_svm_devices memory_scope_all_devices") \
  X(IMPLICIT_SCOPE, CAT_SET, "implicit_scope") /* no scope is written; also in the default's set */ \
  /* regions: accesses by their location, fences by their flags, initial writes too */ \
  X(G, CAT_SET, "G GLOBAL") \
  X(L, CAT_SET, "L LOCAL") \
  X(NAL, CAT_SET, "nonatomicloc NAL") /* accesses to locations not declared atomic */ \
  X(AL, CAT_SET, "atomicloc") \
  /* barriers */ \
  X(ENTRY_FENCE, CAT_SET, "entry_fence EF") \
  X(EXIT_FENCE, CAT_SET, "exit_fence XF") \
  /* ADSM: the host, kernels, calls, and what is shared */ \
  X(HOST, CAT_SET, "H") \
  X(KERNEL, CAT_SET, "K") \
  X(CALL, CAT_SET, "C") \
  X(SYNC, CAT_SET, "S") \
  X(SHARED, CAT_SET, "Shared") \
  X(LATE, CAT_SET, "Late") /* events on objects that are not there before an Alloc */ \
  X(ALLOC, CAT_SET, "Alloc") \
  X(FREE, CAT_SET, "Free") \
  X(FRESH, CAT_SET, "Fresh") /* writes of zero with which an object starts again */ \
  /* relations */ \
  X(ID, CAT_REL, "id") \
  X(UNV, CAT_REL, "unv") \
  X(PO, CAT_REL, "po sb") /* total per thread; initial writes take no part */ \
  X(LOC, CAT_REL, "loc sloc") /* same location, reflexive */ \
  X(VLOC, CAT_REL, "vloc") /* same generic address, reflexive; initial writes only with themselves */ \
  X(INT, CAT_REL, "int") /* same thread; initial writes are in none, and in no pair */ \
  X(EXT, CAT_REL, "ext") /* different threads, or one event initial and the other not */ \
  X(RF, CAT_REL, "rf") \
  X(CO, CAT_REL, "co mo") \
  X(FR, CAT_REL, "fr rb") /* (rf^-1 ; co) \ id */ \
  X(RMW, CAT_REL, "rmw") /* read half to write half */ \
  X(ADDR, CAT_REL, "addr") \
  X(DATA, CAT_REL, "data") \
  X(CTRL, CAT_REL, "ctrl") \
  X(WI, CAT_REL, "wi swi thread") /* same instance, of threads' events; initial writes are in none */ \
  X(SGR, CAT_REL, "sg ssg warp") \
  X(WGR, CAT_REL, "wg swg cta scta block") \
  X(QFR, CAT_REL, "sqf") \
  X(DEV, CAT_REL, "dev sdv") \
  X(SYSR, CAT_REL, "sys") \
  X(SAME_B, CAT_REL, "same_B syncbar") /* entry and exit fences of one barrier instance; control barriers that meet */ \
  X(SR, CAT_REL, "sr") /* scopes that include each other's thread */ \
  X(SAME_VALUE, CAT_REL, "same-value") /* accesses that read or write the same; known of complete candidates only */ \
  X(SSW, CAT_REL, "ssw") /* declared system-synchronizes-with */ \
  X(SYNC_FENCE, CAT_REL, "sync_fence") /* an order of fences, chosen with the execution */ \
  X(LAUNCH, CAT_REL, "launch") \
  X(SAMEOBJ, CAT_REL, "sameobj") \
  X(ASSIGNED, CAT_REL, "assigned") \
  X(WRITABLE, CAT_REL, "writable") /* of assigned, to events on objects that the call does not exclude from being written */ \
  X(SAMEACC, CAT_REL, "sameacc") /* calls of kernels of one accelerator, and what these do */ \
  X(TAG, CAT_SET, "") /* an annotation of events: base/tags.h, or one of the model's own; see cat_node.base_name */
/* clang-format on */

enum cat_base {
#define CAT_BUILTIN_ENUM(id, type, names) BASE_##id,
  CAT_BUILTIN_LIST(CAT_BUILTIN_ENUM)
#undef CAT_BUILTIN_ENUM
      BASE_COUNT
};

#endif
