/* SPDX-License-Identifier: MIT */
/* AMD GPUs as targets: what the machine has to know of each, read from
 * mappings/amdgpu.xml.
 *
 * A target in a mode (`gfx942:tgsplit`) says which operations a wait counter
 * counts, which caches there are, which of them a load with given bits passes
 * by, which instructions invalidate or write back, and whether the waves of a
 * work-group share a compute unit.
 */
#ifndef LITSCOPE_HWSEM_AMD_TARGET_H
#define LITSCOPE_HWSEM_AMD_TARGET_H

#include <stdbool.h>

#include "checker/base/arena.h"
#include "checker/base/diag.h"
#include "hwsem/xml_folders.h"

/* GPUs that have the same instructions. */
enum amd_gpu {
  AMD_GFX6 = 1 << 0,
  AMD_GFX7 = 1 << 1,
  AMD_GFX8 = 1 << 2,
  AMD_GFX900 = 1 << 3,
  AMD_GFX906 = 1 << 4,
  AMD_GFX908 = 1 << 5,
  AMD_GFX90A = 1 << 6,
  AMD_GFX940 = 1 << 7,
  AMD_GFX950 = 1 << 8,
  AMD_GFX10 = 1 << 9,
  AMD_GFX10_3 = 1 << 10,
  AMD_GFX11 = 1 << 11,
  AMD_GFX11_5 = 1 << 12,
  AMD_GFX12 = 1 << 13,
  AMD_GFX12_5 = 1 << 14,
  AMD_EVERY_GPU = (1 << 15) - 1 /* code of litscope's own may have any instruction */
};

/* Sets of them: the newer ones, the older ones. */
#define AMD_FROM(gpu) (AMD_EVERY_GPU & ~((gpu)-1))
#define AMD_TO(gpu) (2 * (gpu)-1)

/* What is counted apart, in issue order. */
enum amd_class { AMD_LOADS, AMD_STORES, AMD_LOCAL, AMD_SCALAR, AMD_CLASSES };

/* Caches, as a set: of what a load passes by, or an instruction invalidates. */
enum amd_cache { AMD_L0 = 1, AMD_GL1 = 2, AMD_L2 = 4 };

/* Bits of an instruction that the machine heeds; X(identifier, spelling). */
#define AMD_BIT_LIST(X)     \
  X(GLC, "glc")             \
  X(DLC, "dlc")             \
  X(SC0, "sc0")             \
  X(SC1, "sc1")             \
  X(SCOPE_SE, "SCOPE_SE")   \
  X(SCOPE_DEV, "SCOPE_DEV") \
  X(SCOPE_SYS, "SCOPE_SYS") \
  X(TH_RETURN, "TH_ATOMIC_RETURN")

enum amd_bit_number {
#define AMD_BIT_NUMBER(id, text) AMD_BIT_##id,
  AMD_BIT_LIST(AMD_BIT_NUMBER)
#undef AMD_BIT_NUMBER
      AMD_BITS
};

/* The set holding the bit of this spelling; 0: there is none. */
unsigned amd_bit(const char *text, size_t length);
const char *amd_bit_name(unsigned number);
const char *amd_bit_field(unsigned number); /* what comes before it in assembly: "scope:", "th:" or "" */

struct amd_counter {
  const char *name; /* "vmcnt" */
  unsigned classes; /* set of 1 << enum amd_class */
  unsigned most;    /* number that a wait for it can have */
};

/* The first rule fits whose bits are all set. */
struct amd_rule {
  const char *instruction; /* of invalidates and write-backs; NULL: loads and stores */
  unsigned bits;
  const char *mode; /* only there; NULL: everywhere */
  unsigned caches;  /* passed by, written through, invalidated or written back */
  bool counted;     /* takes a slot among the loads */
};

enum amd_rules { AMD_LOAD, AMD_STORE, AMD_INVALIDATE, AMD_WRITE_BACK, AMD_RULES };

struct amd_mode {
  const char *name, *feature; /* the compiler's; NULL: none */
  bool split;                 /* the waves of a work-group may run on several compute units */
  bool local;                 /* has local memory */
};

/* From version `since` on, the compiler calls the target `processor`. */
struct amd_compiler {
  unsigned since;
  const char *processor;
};

struct amd_target {
  const char *name; /* "gfx942" */
  const char *full; /* "gfx942:tgsplit"; without the default mode's name */
  enum amd_gpu gpu;
  struct amd_counter counters[AMD_CLASSES];
  unsigned counter_count;
  struct amd_counter uncounted; /* one that may be waited for, and counts nothing here; name NULL: none */
  bool gl1;                     /* has a cache between L0 and L2 */
  bool several_l2s;             /* may have */
  bool group_l0;                /* L0 is that of a whole WGP, with queues for each wave in front of it */
  bool scalar_words;            /* offsets of scalar loads are in words */
  bool signed_offsets;          /* an offset in a vector register, to a base in scalar ones, has a sign */
  struct amd_rule *rules[AMD_RULES];
  unsigned rule_count[AMD_RULES];
  unsigned return_bits;
  const struct amd_mode *mode;
  const struct amd_mode *modes; /* all that the target has */
  unsigned mode_count;
  const struct amd_compiler *compilers; /* newest first */
  unsigned compiler_count;
};

/* Reads a description; NULL, with diagnostics, when it cannot be read.  Targets
 * are in their default (first) mode. */
const struct amd_target *amd_targets_load(struct arena *arena, const char *name, const struct xml_folders *search,
                                          unsigned *count, struct diags *diags);

/* `gfx942`, `gfx942:tgsplit` among targets; NULL, with an error that lists what
 * there is, when there is none. */
const struct amd_target *amd_target_find(struct arena *arena, const struct amd_target *targets, unsigned count,
                                         const char *word, struct diags *diags);

/* The rule that fits an instruction's bits, or NULL. */
const struct amd_rule *amd_target_rule(const struct amd_target *target, enum amd_rules kind, const char *instruction,
                                       unsigned bits);

/* Is this the name of an instruction of such a rule, whatever its bits? */
bool amd_target_names(const struct amd_target *target, enum amd_rules kind, const char *instruction);

/* NULL: the target has no such counter. */
const struct amd_counter *amd_target_counter(const struct amd_target *target, const char *name);

/* The bits that some instruction of the target can have. */
unsigned amd_target_bits(const struct amd_target *target);

/* What the compiler of this version calls the target; NULL: it does not know it. */
const char *amd_target_processor(const struct amd_target *target, unsigned version);

#endif
