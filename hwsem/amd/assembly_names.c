/* SPDX-License-Identifier: MIT */
/* A table of instructions: what each does, how wide it is, whether it returns the
 * old value by its name alone, which GPUs have it. */
#include "hwsem/amd/assembly_names.h"

#include <string.h>

#include "checker/base/array.h"

/* The GPUs that have an instruction, as LLVM's assembler knows it: by an older name also those on which it has a newer
 * one. */
#define EVERY AMD_EVERY_GPU

#define LOADS(op, b, since)                                                                                          \
  {b "_dword", op, 0, 0, 1, 0, since}, {b "_dwordx2", op, 0, 0, 2, 0, since}, {b "_dwordx3", op, 0, 0, 3, 0, since}, \
      {b "_dwordx4", op, 0, 0, 4, 0, since}, {b "_b32", op, 0, 0, 1, 0, AMD_FROM(AMD_GFX11)},                        \
      {b "_b64", op, 0, 0, 2, 0, AMD_FROM(AMD_GFX11)}, {b "_b96", op, 0, 0, 3, 0, AMD_FROM(AMD_GFX11)}, {            \
    b "_b128", op, 0, 0, 4, 0, AMD_FROM(AMD_GFX11)                                                                   \
  }
#define PART(name, op, part, gpus) \
  { name, op, part, 0, 1, 0, gpus }
/* Parts of words: what remains of the name says which half of a register they are. */
#define PART_LOADS(op, b, since)                                                                                      \
  PART(b "_ubyte", op, AMD_U8, since), PART(b "_sbyte", op, AMD_I8, since), PART(b "_ushort", op, AMD_U16, since),    \
      PART(b "_sshort", op, AMD_I16, since), PART(b "_u8", op, AMD_U8, AMD_FROM(AMD_GFX11)),                          \
      PART(b "_i8", op, AMD_I8, AMD_FROM(AMD_GFX11)), PART(b "_u16", op, AMD_U16, AMD_FROM(AMD_GFX11)),               \
      PART(b "_i16", op, AMD_I16, AMD_FROM(AMD_GFX11)), PART(b "_ubyte_d16", op, AMD_U8, AMD_FROM(AMD_GFX900)),       \
      PART(b "_ubyte_d16_hi", op, AMD_U8, AMD_FROM(AMD_GFX900)),                                                      \
      PART(b "_sbyte_d16", op, AMD_I8, AMD_FROM(AMD_GFX900)),                                                         \
      PART(b "_sbyte_d16_hi", op, AMD_I8, AMD_FROM(AMD_GFX900)),                                                      \
      PART(b "_short_d16", op, AMD_U16, AMD_FROM(AMD_GFX900)),                                                        \
      PART(b "_short_d16_hi", op, AMD_U16, AMD_FROM(AMD_GFX900)), PART(b "_d16_u8", op, AMD_U8, AMD_FROM(AMD_GFX11)), \
      PART(b "_d16_hi_u8", op, AMD_U8, AMD_FROM(AMD_GFX11)), PART(b "_d16_i8", op, AMD_I8, AMD_FROM(AMD_GFX11)),      \
      PART(b "_d16_hi_i8", op, AMD_I8, AMD_FROM(AMD_GFX11)), PART(b "_d16_b16", op, AMD_U16, AMD_FROM(AMD_GFX11)),    \
      PART(b "_d16_hi_b16", op, AMD_U16, AMD_FROM(AMD_GFX11))
#define PART_STORES(op, b, since)                                                                       \
  PART(b "_byte", op, AMD_U8, since), PART(b "_short", op, AMD_U16, since),                             \
      PART(b "_b8", op, AMD_U8, AMD_FROM(AMD_GFX11)), PART(b "_b16", op, AMD_U16, AMD_FROM(AMD_GFX11)), \
      PART(b "_byte_d16_hi", op, AMD_U8, AMD_FROM(AMD_GFX900)),                                         \
      PART(b "_short_d16_hi", op, AMD_U16, AMD_FROM(AMD_GFX900)),                                       \
      PART(b "_d16_hi_b8", op, AMD_U8, AMD_FROM(AMD_GFX11)), PART(b "_d16_hi_b16", op, AMD_U16, AMD_FROM(AMD_GFX11))
#define LOCAL_PART_LOADS(b, since, halves)                                                                     \
  PART(b "_u8", AMD_OP_DS_LOAD, AMD_U8, since), PART(b "_i8", AMD_OP_DS_LOAD, AMD_I8, since),                  \
      PART(b "_u16", AMD_OP_DS_LOAD, AMD_U16, since), PART(b "_i16", AMD_OP_DS_LOAD, AMD_I16, since),          \
      PART(b "_u8_d16", AMD_OP_DS_LOAD, AMD_U8, halves), PART(b "_u8_d16_hi", AMD_OP_DS_LOAD, AMD_U8, halves), \
      PART(b "_i8_d16", AMD_OP_DS_LOAD, AMD_I8, halves), PART(b "_i8_d16_hi", AMD_OP_DS_LOAD, AMD_I8, halves), \
      PART(b "_u16_d16", AMD_OP_DS_LOAD, AMD_U16, halves), PART(b "_u16_d16_hi", AMD_OP_DS_LOAD, AMD_U16, halves)
#define LOCAL_PART_STORES(b, since, halves)                                                       \
  PART(b "_b8", AMD_OP_DS_STORE, AMD_U8, since), PART(b "_b16", AMD_OP_DS_STORE, AMD_U16, since), \
      PART(b "_b8_d16_hi", AMD_OP_DS_STORE, AMD_U8, halves), PART(b "_b16_d16_hi", AMD_OP_DS_STORE, AMD_U16, halves)
/* A read-modify-write of global and flat memory: by its older and its newer name, of one word and of two.  GFX6 has
 * buffer instructions alone for global memory. */
#define WORDS_1_2(one, two, op, fn, returns, gpus) \
  {one, op, fn, 0, 1, returns, gpus}, {            \
    two, op, fn, 0, 2, returns, gpus               \
  }
#define GLOBAL_ATOMIC(older, newer, global, flat, fn)                                                          \
  WORDS_1_2("global_atomic_" older, "global_atomic_" older "_x2", global, fn, 0, AMD_FROM(AMD_GFX900)),        \
      WORDS_1_2("global_atomic_" newer "32", "global_atomic_" newer "64", global, fn, 0, AMD_FROM(AMD_GFX11)), \
      WORDS_1_2("buffer_atomic_" older, "buffer_atomic_" older "_x2", global, fn, 0, EVERY),                   \
      WORDS_1_2("flat_atomic_" older, "flat_atomic_" older "_x2", flat, fn, 0, AMD_FROM(AMD_GFX7)),            \
      WORDS_1_2("flat_atomic_" newer "32", "flat_atomic_" newer "64", flat, fn, 0, AMD_FROM(AMD_GFX11))
#define LOCAL_RETURNING(name, type, op, fn, gpus) \
  WORDS_1_2("ds_" name "_rtn_" type "32", "ds_" name "_rtn_" type "64", op, fn, 1, gpus)
#define LOCAL_ATOMIC(name, type, op, fn, gpus)                                    \
  WORDS_1_2("ds_" name "_" type "32", "ds_" name "_" type "64", op, fn, 0, gpus), \
      LOCAL_RETURNING(name, type, op, fn, gpus)
#define ATOMIC(older, name, type, fn)                                          \
  GLOBAL_ATOMIC(older, name "_" type, AMD_OP_GLOBAL_RMW, AMD_OP_FLAT_RMW, fn), \
      LOCAL_ATOMIC(name, type, AMD_OP_DS_RMW, fn, EVERY)
/* At one address; at two, by an offset in units of fn2 bytes. */
#define LOCAL_WORDS(op, one, two, stride, wide, since)                                                            \
  {one "b32", op, 0, 0, 1, 0, since}, {one "b64", op, 0, 0, 2, 0, since}, {one "b96", op, 0, 0, 3, 0, wide},      \
      {one "b128", op, 0, 0, 4, 0, wide}, {two "b32", op, 0, 4, 2, 0, since}, {two "b64", op, 0, 8, 4, 0, since}, \
      {stride "b32", op, 0, 256, 2, 0, since}, {                                                                  \
    stride "b64", op, 0, 512, 4, 0, since                                                                         \
  }
#define BOTH_WIDTHS(name, op, fn, gpus) WORDS_1_2(name "_b32", name "_b64", op, fn, 0, gpus)
/* A mask of one word is one where a wave has 32 lanes. */
#define SAVE_EXEC(name, fn, gpus)                                                      \
  {name "_saveexec_b32", AMD_OP_SAVE_EXEC, fn, 0, 1, 0, (gpus)&AMD_FROM(AMD_GFX10)}, { \
    name "_saveexec_b64", AMD_OP_SAVE_EXEC, fn, 0, 2, 0, gpus                          \
  }
#define COMPARE(name, op, fn, swapped, words, gpus) \
  { name, op, fn, swapped, words, 0, gpus }
#define ORDERED(prefix, type, op, words, ne, lt, le, gt, ge, gpus)                                                 \
  COMPARE(prefix "eq_" type, op, AMD_EQ, 0, words, gpus), COMPARE(prefix ne "_" type, op, AMD_NE, 0, words, gpus), \
      COMPARE(prefix "lt_" type, op, lt, 0, words, gpus), COMPARE(prefix "le_" type, op, le, 0, words, gpus),      \
      COMPARE(prefix "gt_" type, op, gt, 0, words, gpus), COMPARE(prefix "ge_" type, op, ge, 0, words, gpus)
#define COMPARES(prefix, bits, op, words, ne, gpus)                                   \
  ORDERED(prefix, "u" bits, op, words, ne, AMD_LTU, AMD_LEU, AMD_GTU, AMD_GEU, gpus), \
      ORDERED(prefix, "i" bits, op, words, ne, AMD_LTI, AMD_LEI, AMD_GTI, AMD_GEI, gpus)
#define FLOAT_COMPARES(prefix, op, gpus)                                                                        \
  COMPARE(prefix "lt_f32", op, AMD_FLT, 0, 1, gpus), COMPARE(prefix "le_f32", op, AMD_FLE, 0, 1, gpus),         \
      COMPARE(prefix "gt_f32", op, AMD_FLT, 1, 1, gpus), COMPARE(prefix "ge_f32", op, AMD_FLE, 1, 1, gpus),     \
      COMPARE(prefix "eq_f32", op, AMD_FEQ, 0, 1, gpus), COMPARE(prefix "neq_f32", op, AMD_FNEQ, 0, 1, gpus),   \
      COMPARE(prefix "nlt_f32", op, AMD_FNLT, 0, 1, gpus), COMPARE(prefix "nle_f32", op, AMD_FNLE, 0, 1, gpus), \
      COMPARE(prefix "ngt_f32", op, AMD_FNLT, 1, 1, gpus), COMPARE(prefix "nge_f32", op, AMD_FNLE, 1, 1, gpus)

static const struct amd_name NAMES[] = {
    LOADS(AMD_OP_GLOBAL_LOAD, "global_load", AMD_FROM(AMD_GFX900)),
    LOADS(AMD_OP_GLOBAL_STORE, "global_store", AMD_FROM(AMD_GFX900)),
    LOADS(AMD_OP_PRIVATE_LOAD, "buffer_load", EVERY),
    LOADS(AMD_OP_PRIVATE_STORE, "buffer_store", EVERY),
    LOADS(AMD_OP_PRIVATE_LOAD, "scratch_load", AMD_FROM(AMD_GFX900)),
    LOADS(AMD_OP_PRIVATE_STORE, "scratch_store", AMD_FROM(AMD_GFX900)),
    LOADS(AMD_OP_FLAT_LOAD, "flat_load", AMD_FROM(AMD_GFX7)),
    LOADS(AMD_OP_FLAT_STORE, "flat_store", AMD_FROM(AMD_GFX7)),
    PART_LOADS(AMD_OP_GLOBAL_LOAD, "global_load", AMD_FROM(AMD_GFX900)),
    PART_STORES(AMD_OP_GLOBAL_STORE, "global_store", AMD_FROM(AMD_GFX900)),
    PART_LOADS(AMD_OP_FLAT_LOAD, "flat_load", AMD_FROM(AMD_GFX7)),
    PART_STORES(AMD_OP_FLAT_STORE, "flat_store", AMD_FROM(AMD_GFX7)),
    PART_LOADS(AMD_OP_PRIVATE_LOAD, "buffer_load", EVERY),
    PART_STORES(AMD_OP_PRIVATE_STORE, "buffer_store", EVERY),
    PART_LOADS(AMD_OP_PRIVATE_LOAD, "scratch_load", AMD_FROM(AMD_GFX900)),
    PART_STORES(AMD_OP_PRIVATE_STORE, "scratch_store", AMD_FROM(AMD_GFX900)),
    {"s_load_dword", AMD_OP_SCALAR_LOAD, 0, 0, 1, 0, EVERY},
    {"s_load_dwordx2", AMD_OP_SCALAR_LOAD, 0, 0, 2, 0, EVERY},
    {"s_load_dwordx4", AMD_OP_SCALAR_LOAD, 0, 0, 4, 0, EVERY},
    {"s_load_b32", AMD_OP_SCALAR_LOAD, 0, 0, 1, 0, AMD_FROM(AMD_GFX11)},
    {"s_load_b64", AMD_OP_SCALAR_LOAD, 0, 0, 2, 0, AMD_FROM(AMD_GFX11)},
    {"s_load_b96", AMD_OP_SCALAR_LOAD, 0, 0, 3, 0, AMD_FROM(AMD_GFX12)},
    {"s_load_b128", AMD_OP_SCALAR_LOAD, 0, 0, 4, 0, AMD_FROM(AMD_GFX11)},
    {"s_load_u8", AMD_OP_SCALAR_LOAD, AMD_U8, 0, 1, 0, AMD_FROM(AMD_GFX12)},
    {"s_load_i8", AMD_OP_SCALAR_LOAD, AMD_I8, 0, 1, 0, AMD_FROM(AMD_GFX12)},
    {"s_load_u16", AMD_OP_SCALAR_LOAD, AMD_U16, 0, 1, 0, AMD_FROM(AMD_GFX12)},
    {"s_load_i16", AMD_OP_SCALAR_LOAD, AMD_I16, 0, 1, 0, AMD_FROM(AMD_GFX12)},
    {"s_load_dwordx8", AMD_OP_SCALAR_LOAD, 0, 0, 8, 0, EVERY},
    {"s_load_dwordx16", AMD_OP_SCALAR_LOAD, 0, 0, 16, 0, EVERY},
    {"s_load_b256", AMD_OP_SCALAR_LOAD, 0, 0, 8, 0, AMD_FROM(AMD_GFX11)},
    {"s_load_b512", AMD_OP_SCALAR_LOAD, 0, 0, 16, 0, AMD_FROM(AMD_GFX11)},
    ATOMIC("add", "add", "u", RMW_ADD),
    ATOMIC("sub", "sub", "u", RMW_SUB),
    ATOMIC("and", "and", "b", RMW_AND),
    ATOMIC("or", "or", "b", RMW_OR),
    ATOMIC("xor", "xor", "b", RMW_XOR),
    ATOMIC("smin", "min", "i", RMW_MIN),
    ATOMIC("smax", "max", "i", RMW_MAX),
    ATOMIC("umin", "min", "u", RMW_UMIN),
    ATOMIC("umax", "max", "u", RMW_UMAX),
    ATOMIC("inc", "inc", "u", RMW_INC),
    ATOMIC("dec", "dec", "u", RMW_DEC),
    GLOBAL_ATOMIC("swap", "swap_b", AMD_OP_GLOBAL_RMW, AMD_OP_FLAT_RMW, RMW_EXCHANGE),
    GLOBAL_ATOMIC("cmpswap", "cmpswap_b", AMD_OP_GLOBAL_CAS, AMD_OP_FLAT_CAS, 0),
    LOCAL_PART_LOADS("ds_read", EVERY, AMD_FROM(AMD_GFX900)),
    LOCAL_PART_LOADS("ds_load", AMD_FROM(AMD_GFX11), AMD_FROM(AMD_GFX11)),
    LOCAL_PART_STORES("ds_write", EVERY, AMD_FROM(AMD_GFX900)),
    LOCAL_PART_STORES("ds_store", AMD_FROM(AMD_GFX11), AMD_FROM(AMD_GFX11)),
    LOCAL_WORDS(AMD_OP_DS_LOAD, "ds_read_", "ds_read2_", "ds_read2st64_", AMD_FROM(AMD_GFX7), EVERY),
    LOCAL_WORDS(AMD_OP_DS_STORE, "ds_write_", "ds_write2_", "ds_write2st64_", AMD_FROM(AMD_GFX7), EVERY),
    LOCAL_WORDS(AMD_OP_DS_LOAD, "ds_load_", "ds_load_2addr_", "ds_load_2addr_stride64_", AMD_FROM(AMD_GFX11),
                AMD_FROM(AMD_GFX11)),
    LOCAL_WORDS(AMD_OP_DS_STORE, "ds_store_", "ds_store_2addr_", "ds_store_2addr_stride64_", AMD_FROM(AMD_GFX11),
                AMD_FROM(AMD_GFX11)),
    LOCAL_RETURNING("wrxchg", "b", AMD_OP_DS_RMW, RMW_EXCHANGE, EVERY),
    LOCAL_RETURNING("storexchg", "b", AMD_OP_DS_RMW, RMW_EXCHANGE, AMD_FROM(AMD_GFX11)),
    LOCAL_ATOMIC("cmpst", "b", AMD_OP_DS_CAS_OLD, 0, AMD_TO(AMD_GFX10_3)),
    LOCAL_ATOMIC("cmpstore", "b", AMD_OP_DS_CAS, 0, AMD_FROM(AMD_GFX11)),

    {"s_waitcnt", AMD_OP_WAIT, 0, 0, 0, 0, AMD_TO(AMD_GFX12)},
    {"s_waitcnt_vscnt", AMD_OP_WAIT, 0, 0, 0, 0, AMD_FROM(AMD_GFX10) & AMD_TO(AMD_GFX11_5)},
    {"s_waitcnt_vmcnt", AMD_OP_WAIT, 0, 0, 0, 0, AMD_FROM(AMD_GFX10) & AMD_TO(AMD_GFX11_5)},
    {"s_waitcnt_lgkmcnt", AMD_OP_WAIT, 0, 0, 0, 0, AMD_FROM(AMD_GFX10) & AMD_TO(AMD_GFX11_5)},
    {"s_waitcnt_expcnt", AMD_OP_WAIT, 0, 0, 0, 0, AMD_FROM(AMD_GFX10) & AMD_TO(AMD_GFX11_5)},
    {"s_wait_idle", AMD_OP_WAIT, 0, 0, 0, 0, AMD_FROM(AMD_GFX10)},
    {"s_wait_loadcnt", AMD_OP_WAIT, 0, 0, 0, 0, AMD_FROM(AMD_GFX12)},
    {"s_wait_storecnt", AMD_OP_WAIT, 0, 0, 0, 0, AMD_FROM(AMD_GFX12)},
    {"s_wait_dscnt", AMD_OP_WAIT, 0, 0, 0, 0, AMD_FROM(AMD_GFX12)},
    {"s_wait_kmcnt", AMD_OP_WAIT, 0, 0, 0, 0, AMD_FROM(AMD_GFX12)},
    {"s_wait_loadcnt_dscnt", AMD_OP_WAIT, 0, 0, 0, 0, AMD_FROM(AMD_GFX12)},
    {"s_wait_storecnt_dscnt", AMD_OP_WAIT, 0, 0, 0, 0, AMD_FROM(AMD_GFX12)},
    {"s_barrier", AMD_OP_BARRIER, 0, 0, 0, 0, AMD_TO(AMD_GFX11_5)},
    {"s_barrier_signal", AMD_OP_SIGNAL, 0, 0, 0, 0, AMD_FROM(AMD_GFX12)},
    {"s_barrier_wait", AMD_OP_BARRIER_WAIT, 0, 0, 0, 0, AMD_FROM(AMD_GFX12)},

    {"s_branch", AMD_OP_BRANCH, AMD_ALWAYS, 0, 0, 0, EVERY},
    {"s_cbranch_execz", AMD_OP_BRANCH, AMD_EXECZ, 0, 0, 0, EVERY},
    {"s_cbranch_execnz", AMD_OP_BRANCH, AMD_EXECNZ, 0, 0, 0, EVERY},
    {"s_cbranch_vccz", AMD_OP_BRANCH, AMD_VCCZ, 0, 0, 0, EVERY},
    {"s_cbranch_vccnz", AMD_OP_BRANCH, AMD_VCCNZ, 0, 0, 0, EVERY},
    {"s_cbranch_scc0", AMD_OP_BRANCH, AMD_SCC0, 0, 0, 0, EVERY},
    {"s_cbranch_scc1", AMD_OP_BRANCH, AMD_SCC1, 0, 0, 0, EVERY},

    {"s_getpc_b64", AMD_OP_PROGRAM_COUNTER, 0, 0, 2, 0, EVERY},
    {"s_get_pc_i64", AMD_OP_PROGRAM_COUNTER, 0, 0, 2, 0, AMD_GFX12_5},
    BOTH_WIDTHS("s_mov", AMD_OP_MOVE, AMD_COPY, EVERY),
    BOTH_WIDTHS("s_not", AMD_OP_MOVE, AMD_NOT, EVERY),
    {"s_movk_i32", AMD_OP_MOVE, AMD_COPY, 0, 1, 0, EVERY},
    BOTH_WIDTHS("s_and", AMD_OP_BINARY, AMD_AND, EVERY),
    BOTH_WIDTHS("s_or", AMD_OP_BINARY, AMD_OR, EVERY),
    BOTH_WIDTHS("s_xor", AMD_OP_BINARY, AMD_XOR, EVERY),
    BOTH_WIDTHS("s_andn2", AMD_OP_BINARY, AMD_ANDN, EVERY),
    BOTH_WIDTHS("s_and_not1", AMD_OP_BINARY, AMD_ANDN, AMD_FROM(AMD_GFX11)),
    BOTH_WIDTHS("s_orn2", AMD_OP_BINARY, AMD_ORN, EVERY),
    BOTH_WIDTHS("s_or_not1", AMD_OP_BINARY, AMD_ORN, AMD_FROM(AMD_GFX11)),
    BOTH_WIDTHS("s_nor", AMD_OP_BINARY, AMD_NOR, EVERY),
    BOTH_WIDTHS("s_nand", AMD_OP_BINARY, AMD_NAND, EVERY),
    BOTH_WIDTHS("s_xnor", AMD_OP_BINARY, AMD_XNOR, EVERY),
    {"v_xnor_b32", AMD_OP_BINARY, AMD_XNOR, 0, 1, 0, AMD_FROM(AMD_GFX906)},
    {"s_pack_ll_b32_b16", AMD_OP_BINARY, AMD_PACK, 0, 1, 0, AMD_FROM(AMD_GFX900)},
    {"s_pack_lh_b32_b16", AMD_OP_BINARY, AMD_PACK, 0, 1, 0, AMD_FROM(AMD_GFX900)},
    {"s_pack_hl_b32_b16", AMD_OP_BINARY, AMD_PACK, 0, 1, 0, AMD_FROM(AMD_GFX11)},
    {"s_pack_hh_b32_b16", AMD_OP_BINARY, AMD_PACK, 0, 1, 0, AMD_FROM(AMD_GFX900)},
    {"s_bitcmp1_b32", AMD_OP_BIT_SCC, 0, 0, 1, 0, EVERY},
    {"s_bitcmp0_b32", AMD_OP_BIT_SCC, 1, 0, 1, 0, EVERY},
    {"s_bitcmp1_b64", AMD_OP_BIT_SCC, 0, 0, 2, 0, EVERY},
    {"s_bitcmp0_b64", AMD_OP_BIT_SCC, 1, 0, 2, 0, EVERY},
    {"s_bfe_u64", AMD_OP_FIELD, 0, 0, 2, 0, EVERY},
    {"s_bfe_i64", AMD_OP_FIELD, 0, 1, 2, 0, EVERY},
    BOTH_WIDTHS("s_lshl", AMD_OP_BINARY, AMD_SHL, EVERY),
    BOTH_WIDTHS("s_lshr", AMD_OP_BINARY, AMD_SHR, EVERY),
    {"s_ashr_i32", AMD_OP_BINARY, AMD_SAR, 0, 1, 0, EVERY},
    {"s_ashr_i64", AMD_OP_BINARY, AMD_SAR, 0, 2, 0, EVERY},
    {"s_add_i32", AMD_OP_BINARY, AMD_ADD, 0, 1, 0, EVERY},
    {"s_add_co_i32", AMD_OP_BINARY, AMD_ADD, 0, 1, 0, AMD_FROM(AMD_GFX12)},
    {"s_sub_i32", AMD_OP_BINARY, AMD_SUB, 0, 1, 0, EVERY},
    {"s_sub_co_i32", AMD_OP_BINARY, AMD_SUB, 0, 1, 0, AMD_FROM(AMD_GFX12)},
    {"s_mul_i32", AMD_OP_BINARY, AMD_MUL, 0, 1, 0, EVERY},
    {"s_addk_i32", AMD_OP_BINARY, AMD_ADD, 0, 1, 0, EVERY},
    {"s_mulk_i32", AMD_OP_BINARY, AMD_MUL, 0, 1, 0, EVERY},
    COMPARES("s_cmpk_", "32", AMD_OP_COMPARE_SCC, 1, "lg", AMD_TO(AMD_GFX11_5)),
    {"s_mul_u64", AMD_OP_BINARY, AMD_MUL, 0, 2, 0, AMD_FROM(AMD_GFX12)},
    {"s_mul_hi_u32", AMD_OP_BINARY, AMD_MULHU, 0, 1, 0, AMD_FROM(AMD_GFX900)},
    {"s_mul_hi_i32", AMD_OP_BINARY, AMD_MULHI, 0, 1, 0, AMD_FROM(AMD_GFX900)},
    {"s_sext_i32_i8", AMD_OP_MOVE, AMD_SEXT8, 0, 1, 0, EVERY},
    {"s_sext_i32_i16", AMD_OP_MOVE, AMD_SEXT16, 0, 1, 0, EVERY},
    {"s_lshl1_add_u32", AMD_OP_BINARY, AMD_ADD, 1, 1, 0, AMD_FROM(AMD_GFX900)},
    {"s_lshl2_add_u32", AMD_OP_BINARY, AMD_ADD, 2, 1, 0, AMD_FROM(AMD_GFX900)},
    {"s_lshl3_add_u32", AMD_OP_BINARY, AMD_ADD, 3, 1, 0, AMD_FROM(AMD_GFX900)},
    {"s_lshl4_add_u32", AMD_OP_BINARY, AMD_ADD, 4, 1, 0, AMD_FROM(AMD_GFX900)},
    {"s_min_u32", AMD_OP_BINARY, AMD_MINU, 0, 1, 0, EVERY},
    {"s_max_u32", AMD_OP_BINARY, AMD_MAXU, 0, 1, 0, EVERY},
    {"s_min_i32", AMD_OP_BINARY, AMD_MINI, 0, 1, 0, EVERY},
    {"s_max_i32", AMD_OP_BINARY, AMD_MAXI, 0, 1, 0, EVERY},
    {"s_add_nc_u64", AMD_OP_BINARY, AMD_ADD, 0, 2, 0, AMD_FROM(AMD_GFX12)},
    {"s_add_u64", AMD_OP_BINARY, AMD_ADD, 0, 2, 0, AMD_FROM(AMD_GFX12)},
    {"s_sub_nc_u64", AMD_OP_BINARY, AMD_SUB, 0, 2, 0, AMD_FROM(AMD_GFX12)},
    {"s_sub_u64", AMD_OP_BINARY, AMD_SUB, 0, 2, 0, AMD_FROM(AMD_GFX12)},
    {"s_add_u32", AMD_OP_CARRY_SCC, AMD_ADD, 0, 1, 0, EVERY},
    {"s_addc_u32", AMD_OP_CARRY_SCC, AMD_ADD, 1, 1, 0, EVERY},
    {"s_add_co_u32", AMD_OP_CARRY_SCC, AMD_ADD, 0, 1, 0, AMD_FROM(AMD_GFX12)},
    {"s_add_co_ci_u32", AMD_OP_CARRY_SCC, AMD_ADD, 1, 1, 0, AMD_FROM(AMD_GFX12)},
    {"s_sub_u32", AMD_OP_CARRY_SCC, AMD_SUB, 0, 1, 0, EVERY},
    {"s_subb_u32", AMD_OP_CARRY_SCC, AMD_SUB, 1, 1, 0, EVERY},
    {"s_sub_co_u32", AMD_OP_CARRY_SCC, AMD_SUB, 0, 1, 0, AMD_FROM(AMD_GFX12)},
    {"s_sub_co_ci_u32", AMD_OP_CARRY_SCC, AMD_SUB, 1, 1, 0, AMD_FROM(AMD_GFX12)},
    BOTH_WIDTHS("s_cselect", AMD_OP_SELECT_SCC, 0, EVERY),
    COMPARES("s_cmp_", "32", AMD_OP_COMPARE_SCC, 1, "lg", EVERY),
    {"s_cmp_eq_u64", AMD_OP_COMPARE_SCC, AMD_EQ, 0, 2, 0, AMD_FROM(AMD_GFX8)},
    {"s_cmp_lg_u64", AMD_OP_COMPARE_SCC, AMD_NE, 0, 2, 0, AMD_FROM(AMD_GFX8)},
    SAVE_EXEC("s_and", AMD_AND, EVERY),
    SAVE_EXEC("s_or", AMD_OR, EVERY),
    SAVE_EXEC("s_xor", AMD_XOR, EVERY),
    SAVE_EXEC("s_andn2", AMD_ANDN, EVERY),
    SAVE_EXEC("s_and_not1", AMD_ANDN, AMD_FROM(AMD_GFX11)),

    {"v_mov_b32", AMD_OP_MOVE, AMD_COPY, 0, 1, 0, EVERY},
    {"v_not_b32", AMD_OP_MOVE, AMD_NOT, 0, 1, 0, EVERY},
    {"v_bfrev_b32", AMD_OP_MOVE, AMD_REVERSE, 0, 1, 0, EVERY},
    {"s_brev_b32", AMD_OP_MOVE, AMD_REVERSE, 0, 1, 0, EVERY},
    {"v_ffbh_u32", AMD_OP_MOVE, AMD_CLZ, 0, 1, 0, EVERY},
    {"v_clz_i32_u32", AMD_OP_MOVE, AMD_CLZ, 0, 1, 0, AMD_FROM(AMD_GFX11)},
    {"s_flbit_i32_b32", AMD_OP_MOVE, AMD_CLZ, 0, 1, 0, EVERY},
    {"s_clz_i32_u32", AMD_OP_MOVE, AMD_CLZ, 0, 1, 0, AMD_FROM(AMD_GFX11)},
    {"v_ffbl_b32", AMD_OP_MOVE, AMD_CTZ, 0, 1, 0, EVERY},
    {"v_ctz_i32_b32", AMD_OP_MOVE, AMD_CTZ, 0, 1, 0, AMD_FROM(AMD_GFX11)},
    {"s_ff1_i32_b32", AMD_OP_MOVE, AMD_CTZ, 0, 1, 0, EVERY},
    {"s_ctz_i32_b32", AMD_OP_MOVE, AMD_CTZ, 0, 1, 0, AMD_FROM(AMD_GFX11)},
    {"v_bcnt_u32_b32", AMD_OP_BINARY, AMD_COUNT, 0, 1, 0, EVERY},
    {"s_bcnt1_i32_b32", AMD_OP_MOVE, AMD_COUNT, 0, 1, 0, EVERY},
    {"v_accvgpr_read_b32", AMD_OP_MOVE, AMD_COPY, 0, 1, 0, AMD_FROM(AMD_GFX908) & AMD_TO(AMD_GFX950)},
    {"v_accvgpr_write_b32", AMD_OP_MOVE, AMD_COPY, 0, 1, 0, AMD_FROM(AMD_GFX908) & AMD_TO(AMD_GFX950)},
    {"v_accvgpr_mov_b32", AMD_OP_MOVE, AMD_COPY, 0, 1, 0, AMD_FROM(AMD_GFX90A) & AMD_TO(AMD_GFX950)},
    {"v_readfirstlane_b32", AMD_OP_MOVE, AMD_COPY, 0, 1, 0, EVERY},
    {"v_mov_b64", AMD_OP_MOVE, AMD_COPY, 0, 2, 0, AMD_GFX940 | AMD_GFX950 | AMD_GFX12_5},
    {"v_pk_mov_b32", AMD_OP_MOVE, AMD_COPY, 0, 2, 0, AMD_FROM(AMD_GFX90A) & AMD_TO(AMD_GFX950)},
    {"v_and_b32", AMD_OP_BINARY, AMD_AND, 0, 1, 0, EVERY},
    {"v_or_b32", AMD_OP_BINARY, AMD_OR, 0, 1, 0, EVERY},
    {"v_xor_b32", AMD_OP_BINARY, AMD_XOR, 0, 1, 0, EVERY},
    {"v_add_u32", AMD_OP_BINARY, AMD_ADD, 0, 1, 0, AMD_FROM(AMD_GFX8) & ~(AMD_GFX10 | AMD_GFX10_3)},
    {"v_add_nc_u32", AMD_OP_BINARY, AMD_ADD, 0, 1, 0, AMD_FROM(AMD_GFX10)},
    {"v_add_nc_i32", AMD_OP_BINARY, AMD_ADD, 0, 1, 0, AMD_FROM(AMD_GFX10)},
    {"v_add_nc_u64", AMD_OP_BINARY, AMD_ADD, 0, 2, 0, AMD_GFX12_5},
    {"v_sub_u32", AMD_OP_BINARY, AMD_SUB, 0, 1, 0, AMD_FROM(AMD_GFX8) & ~(AMD_GFX10 | AMD_GFX10_3)},
    {"v_sub_nc_u32", AMD_OP_BINARY, AMD_SUB, 0, 1, 0, AMD_FROM(AMD_GFX10)},
    {"v_subrev_u32", AMD_OP_REVERSED, AMD_SUB, 0, 1, 0, AMD_FROM(AMD_GFX8) & ~(AMD_GFX10 | AMD_GFX10_3)},
    {"v_subrev_nc_u32", AMD_OP_REVERSED, AMD_SUB, 0, 1, 0, AMD_FROM(AMD_GFX10)},
    {"v_mul_lo_u32", AMD_OP_BINARY, AMD_MUL, 0, 1, 0, EVERY},
    {"v_mul_u32_u24", AMD_OP_BINARY, AMD_MUL24, 0, 1, 0, EVERY},
    {"v_mul_hi_u32", AMD_OP_BINARY, AMD_MULHU, 0, 1, 0, EVERY},
    {"v_mul_hi_i32", AMD_OP_BINARY, AMD_MULHI, 0, 1, 0, EVERY},
    {"v_mad_u32", AMD_OP_TERNARY, AMD_MUL, AMD_ADD, 1, 0, AMD_GFX12_5},
    {"v_mad_u32_u24", AMD_OP_TERNARY, AMD_MUL24, AMD_ADD, 1, 0, EVERY},
    {"v_mad_u64_u32", AMD_OP_MAD_WIDE, AMD_MULHU, 0, 2, 0, AMD_FROM(AMD_GFX7)},
    {"v_mad_co_u64_u32", AMD_OP_MAD_WIDE, AMD_MULHU, 0, 2, 0, AMD_FROM(AMD_GFX12)},
    {"v_mad_nc_u64_u32", AMD_OP_MAD_WIDE, AMD_MULHU, 0, 2, 0, AMD_GFX12_5},
    {"v_mad_nc_i64_i32", AMD_OP_MAD_WIDE, AMD_MULHI, 0, 2, 0, AMD_GFX12_5},
    {"v_mad_i64_i32", AMD_OP_MAD_WIDE, AMD_MULHI, 0, 2, 0, AMD_FROM(AMD_GFX7)},
    {"v_mad_co_i64_i32", AMD_OP_MAD_WIDE, AMD_MULHI, 0, 2, 0, AMD_FROM(AMD_GFX12)},
    {"v_lshlrev_b32", AMD_OP_REVERSED, AMD_SHL, 0, 1, 0, EVERY},
    {"v_lshrrev_b32", AMD_OP_REVERSED, AMD_SHR, 0, 1, 0, EVERY},
    {"v_ashrrev_i32", AMD_OP_REVERSED, AMD_SAR, 0, 1, 0, EVERY},
    {"v_lshlrev_b64", AMD_OP_REVERSED, AMD_SHL, 0, 2, 0, AMD_FROM(AMD_GFX8)},
    BOTH_WIDTHS("v_lshl", AMD_OP_BINARY, AMD_SHL, AMD_TO(AMD_GFX7)),
    BOTH_WIDTHS("v_lshr", AMD_OP_BINARY, AMD_SHR, AMD_TO(AMD_GFX7)),
    {"v_ashr_i32", AMD_OP_BINARY, AMD_SAR, 0, 1, 0, AMD_TO(AMD_GFX7)},
    {"v_ashr_i64", AMD_OP_BINARY, AMD_SAR, 0, 2, 0, AMD_TO(AMD_GFX7)},
    {"v_lshl_add_u32", AMD_OP_TERNARY, AMD_SHL, AMD_ADD, 1, 0, AMD_FROM(AMD_GFX900)},
    {"v_mul_u64", AMD_OP_BINARY, AMD_MUL, 0, 2, 0, AMD_GFX12_5},
    {"v_lshl_add_u64", AMD_OP_TERNARY, AMD_SHL, AMD_ADD, 2, 0, AMD_GFX940 | AMD_GFX950 | AMD_GFX12_5},
    {"v_lshl_or_b32", AMD_OP_TERNARY, AMD_SHL, AMD_OR, 1, 0, AMD_FROM(AMD_GFX900)},
    {"v_and_or_b32", AMD_OP_TERNARY, AMD_AND, AMD_OR, 1, 0, AMD_FROM(AMD_GFX900)},
    {"v_or3_b32", AMD_OP_TERNARY, AMD_OR, AMD_OR, 1, 0, AMD_FROM(AMD_GFX900)},
    {"v_add3_u32", AMD_OP_TERNARY, AMD_ADD, AMD_ADD, 1, 0, AMD_FROM(AMD_GFX900)},
    {"v_add_lshl_u32", AMD_OP_TERNARY, AMD_ADD, AMD_SHL, 1, 0, AMD_FROM(AMD_GFX900)},
    {"v_min_u32", AMD_OP_BINARY, AMD_MINU, 0, 1, 0, EVERY},
    {"v_max_u32", AMD_OP_BINARY, AMD_MAXU, 0, 1, 0, EVERY},
    {"v_max_u64", AMD_OP_BINARY, AMD_MAXU, 0, 2, 0, AMD_GFX12_5},
    {"v_max_i64", AMD_OP_BINARY, AMD_MAXI, 0, 2, 0, AMD_GFX12_5},
    {"v_min_u64", AMD_OP_BINARY, AMD_MINU, 0, 2, 0, AMD_GFX12_5},
    {"v_min_i64", AMD_OP_BINARY, AMD_MINI, 0, 2, 0, AMD_GFX12_5},
    {"v_min_i32", AMD_OP_BINARY, AMD_MINI, 0, 1, 0, EVERY},
    {"v_max_i32", AMD_OP_BINARY, AMD_MAXI, 0, 1, 0, EVERY},
    {"v_add_co_u32", AMD_OP_CARRY_OUT, AMD_ADD, 0, 1, 0, EVERY & ~AMD_GFX8},
    {"v_sub_co_u32", AMD_OP_CARRY_OUT, AMD_SUB, 0, 1, 0, EVERY & ~AMD_GFX8},
    {"v_addc_co_u32", AMD_OP_CARRY_INOUT, AMD_ADD, 0, 1, 0, AMD_FROM(AMD_GFX900) & AMD_TO(AMD_GFX950)},
    {"v_add_co_ci_u32", AMD_OP_CARRY_INOUT, AMD_ADD, 0, 1, 0, AMD_FROM(AMD_GFX10)},
    {"v_addc_u32", AMD_OP_CARRY_INOUT, AMD_ADD, 0, 1, 0, AMD_TO(AMD_GFX8)},
    {"v_subb_u32", AMD_OP_CARRY_INOUT, AMD_SUB, 0, 1, 0, AMD_TO(AMD_GFX8)},
    {"v_subbrev_u32", AMD_OP_CARRY_INOUT, AMD_SUB, 1, 1, 0, AMD_TO(AMD_GFX8)},
    {"v_subb_co_u32", AMD_OP_CARRY_INOUT, AMD_SUB, 0, 1, 0, AMD_FROM(AMD_GFX900) & AMD_TO(AMD_GFX950)},
    {"v_sub_co_ci_u32", AMD_OP_CARRY_INOUT, AMD_SUB, 0, 1, 0, AMD_FROM(AMD_GFX10)},
    {"v_subrev_co_u32", AMD_OP_CARRY_OUT, AMD_SUB, 1, 1, 0, EVERY & ~AMD_GFX8},
    {"v_subbrev_co_u32", AMD_OP_CARRY_INOUT, AMD_SUB, 1, 1, 0, AMD_FROM(AMD_GFX900) & AMD_TO(AMD_GFX950)},
    {"v_subrev_co_ci_u32", AMD_OP_CARRY_INOUT, AMD_SUB, 1, 1, 0, AMD_FROM(AMD_GFX10)},
    {"v_cndmask_b32", AMD_OP_SELECT, 0, 0, 1, 0, EVERY},
    COMPARES("v_cmp_", "32", AMD_OP_COMPARE, 1, "ne", EVERY),
    COMPARES("v_cmpx_", "32", AMD_OP_COMPARE_EXEC, 1, "ne", EVERY),
    COMPARES("v_cmp_", "64", AMD_OP_COMPARE, 2, "ne", EVERY),
    COMPARES("v_cmpx_", "64", AMD_OP_COMPARE_EXEC, 2, "ne", EVERY),
    {"v_lshrrev_b64", AMD_OP_REVERSED, AMD_SHR, 0, 2, 0, AMD_FROM(AMD_GFX8)},
    {"v_ashrrev_i64", AMD_OP_REVERSED, AMD_SAR, 0, 2, 0, AMD_FROM(AMD_GFX8)},
    {"v_mov_b16", AMD_OP_MOVE, AMD_COPY, 0, 1, 0, AMD_FROM(AMD_GFX11)},
    {"v_not_b16", AMD_OP_MOVE, AMD_NOT, 0, 1, 0, AMD_FROM(AMD_GFX11)},
    {"v_and_b16", AMD_OP_BINARY, AMD_AND, 0, 1, 0, AMD_FROM(AMD_GFX11)},
    {"v_or_b16", AMD_OP_BINARY, AMD_OR, 0, 1, 0, AMD_FROM(AMD_GFX11)},
    {"v_xor_b16", AMD_OP_BINARY, AMD_XOR, 0, 1, 0, AMD_FROM(AMD_GFX11)},
    {"v_add_u16", AMD_OP_BINARY, AMD_ADD, 0, 1, 0, AMD_FROM(AMD_GFX8) & AMD_TO(AMD_GFX950)},
    {"v_add_nc_u16", AMD_OP_BINARY, AMD_ADD, 0, 1, 0, AMD_FROM(AMD_GFX10)},
    {"v_add_nc_i16", AMD_OP_BINARY, AMD_ADD, 0, 1, 0, AMD_FROM(AMD_GFX10)},
    {"v_add_i16", AMD_OP_BINARY, AMD_ADD, 0, 1, 0, AMD_FROM(AMD_GFX900) & AMD_TO(AMD_GFX950)},
    {"v_sub_i16", AMD_OP_BINARY, AMD_SUB, 0, 1, 0, AMD_FROM(AMD_GFX900) & AMD_TO(AMD_GFX950)},
    {"v_sub_u16", AMD_OP_BINARY, AMD_SUB, 0, 1, 0, AMD_FROM(AMD_GFX8) & AMD_TO(AMD_GFX950)},
    {"v_sub_nc_u16", AMD_OP_BINARY, AMD_SUB, 0, 1, 0, AMD_FROM(AMD_GFX10)},
    {"v_sub_nc_i16", AMD_OP_BINARY, AMD_SUB, 0, 1, 0, AMD_FROM(AMD_GFX10)},
    {"v_subrev_u16", AMD_OP_REVERSED, AMD_SUB, 0, 1, 0, AMD_FROM(AMD_GFX8) & AMD_TO(AMD_GFX950)},
    {"v_mul_lo_u16", AMD_OP_BINARY, AMD_MUL, 0, 1, 0, AMD_FROM(AMD_GFX8)},
    {"v_mad_u16", AMD_OP_TERNARY, AMD_MUL, AMD_ADD, 1, 0, AMD_FROM(AMD_GFX8)},
    {"v_mad_legacy_u16", AMD_OP_TERNARY, AMD_MUL, AMD_ADD, 1, 0, AMD_FROM(AMD_GFX900) & AMD_TO(AMD_GFX950)},
    {"v_lshlrev_b16", AMD_OP_REVERSED, AMD_SHL, 0, 1, 0, AMD_FROM(AMD_GFX8)},
    {"v_lshrrev_b16", AMD_OP_REVERSED, AMD_SHR, 0, 1, 0, AMD_FROM(AMD_GFX8)},
    {"v_ashrrev_i16", AMD_OP_REVERSED, AMD_SAR, 0, 1, 0, AMD_FROM(AMD_GFX8)},
    {"v_min_u16", AMD_OP_BINARY, AMD_MINU, 0, 1, 0, AMD_FROM(AMD_GFX8)},
    {"v_max_u16", AMD_OP_BINARY, AMD_MAXU, 0, 1, 0, AMD_FROM(AMD_GFX8)},
    {"v_min_i16", AMD_OP_BINARY, AMD_MINI, 0, 1, 0, AMD_FROM(AMD_GFX8)},
    {"v_max_i16", AMD_OP_BINARY, AMD_MAXI, 0, 1, 0, AMD_FROM(AMD_GFX8)},
    {"v_cndmask_b16", AMD_OP_SELECT, 0, 0, 1, 0, AMD_FROM(AMD_GFX11)},
    COMPARES("v_cmp_", "16", AMD_OP_COMPARE, 1, "ne", AMD_FROM(AMD_GFX8)),
    COMPARES("v_cmpx_", "16", AMD_OP_COMPARE_EXEC, 1, "ne", AMD_FROM(AMD_GFX8)),
    {"v_bfe_u32", AMD_OP_FIELD, 0, 0, 1, 0, EVERY},
    {"v_bfe_i32", AMD_OP_FIELD, 0, 1, 1, 0, EVERY},
    {"s_bfe_u32", AMD_OP_FIELD, 0, 0, 1, 0, EVERY},
    {"s_bfe_i32", AMD_OP_FIELD, 0, 1, 1, 0, EVERY},
    {"v_bfi_b32", AMD_OP_INSERT, 0, 0, 1, 0, EVERY},
    {"v_alignbit_b32", AMD_OP_ALIGN, 0, 0, 1, 0, EVERY},
    {"v_alignbyte_b32", AMD_OP_ALIGN, 0, 1, 1, 0, EVERY},
    {"v_perm_b32", AMD_OP_PERMUTE, 0, 0, 1, 0, AMD_FROM(AMD_GFX8)},
    {"v_mul_i32_i24", AMD_OP_BINARY, AMD_MULI24, 0, 1, 0, EVERY},
    {"v_mad_i32_i24", AMD_OP_TERNARY, AMD_MULI24, AMD_ADD, 1, 0, EVERY},
    {"v_xad_u32", AMD_OP_TERNARY, AMD_XOR, AMD_ADD, 1, 0, AMD_FROM(AMD_GFX900)},
    {"v_xor3_b32", AMD_OP_TERNARY, AMD_XOR, AMD_XOR, 1, 0, AMD_FROM(AMD_GFX10)},
    {"v_sub_i32", AMD_OP_BINARY, AMD_SUB, 0, 1, 0, EVERY & ~AMD_GFX8 & ~(AMD_GFX10 | AMD_GFX10_3)},
    {"v_subrev_i32", AMD_OP_REVERSED, AMD_SUB, 0, 1, 0, AMD_TO(AMD_GFX7)},
    {"v_add_i32", AMD_OP_BINARY, AMD_ADD, 0, 1, 0, EVERY & ~AMD_GFX8 & ~(AMD_GFX10 | AMD_GFX10_3)},
    {"v_sub_nc_i32", AMD_OP_BINARY, AMD_SUB, 0, 1, 0, AMD_FROM(AMD_GFX10)},
    {"v_sub_nc_u64", AMD_OP_BINARY, AMD_SUB, 0, 2, 0, AMD_GFX12_5},
    {"v_bitop2_b32", AMD_OP_BITS, 0, 0, 1, 0, AMD_GFX12_5},
    {"v_bitop3_b32", AMD_OP_BITS, 0, 0, 1, 0, AMD_GFX950 | AMD_GFX12_5},
    {"v_bitop3_b16", AMD_OP_BITS, 0, 0, 1, 0, AMD_GFX950 | AMD_GFX12_5},
    {"v_med3_u32", AMD_OP_MEDIAN, AMD_MINU, AMD_MAXU, 1, 0, EVERY},
    {"v_med3_i32", AMD_OP_MEDIAN, AMD_MINI, AMD_MAXI, 1, 0, EVERY},
    {"v_med3_f32", AMD_OP_MEDIAN, AMD_FMIN, AMD_FMAX, 1, 0, EVERY},
    {"v_med3_num_f32", AMD_OP_MEDIAN, AMD_FMIN, AMD_FMAX, 1, 0, AMD_FROM(AMD_GFX12)},
    {"v_min3_u32", AMD_OP_TERNARY, AMD_MINU, AMD_MINU, 1, 0, EVERY},
    {"v_min3_i32", AMD_OP_TERNARY, AMD_MINI, AMD_MINI, 1, 0, EVERY},
    {"v_max3_u32", AMD_OP_TERNARY, AMD_MAXU, AMD_MAXU, 1, 0, EVERY},
    {"v_max3_i32", AMD_OP_TERNARY, AMD_MAXI, AMD_MAXI, 1, 0, EVERY},
    {"v_maxmin_u32", AMD_OP_TERNARY, AMD_MAXU, AMD_MINU, 1, 0, AMD_FROM(AMD_GFX11)},
    {"v_maxmin_i32", AMD_OP_TERNARY, AMD_MAXI, AMD_MINI, 1, 0, AMD_FROM(AMD_GFX11)},
    {"v_minmax_u32", AMD_OP_TERNARY, AMD_MINU, AMD_MAXU, 1, 0, AMD_FROM(AMD_GFX11)},
    {"v_minmax_i32", AMD_OP_TERNARY, AMD_MINI, AMD_MAXI, 1, 0, AMD_FROM(AMD_GFX11)},
    {"v_maxmin_f32", AMD_OP_TERNARY, AMD_FMAX, AMD_FMIN, 1, 0, AMD_FROM(AMD_GFX11)},
    {"v_maxmin_num_f32", AMD_OP_TERNARY, AMD_FMAX, AMD_FMIN, 1, 0, AMD_FROM(AMD_GFX12)},
    {"v_minmax_f32", AMD_OP_TERNARY, AMD_FMIN, AMD_FMAX, 1, 0, AMD_FROM(AMD_GFX11)},
    {"v_minmax_num_f32", AMD_OP_TERNARY, AMD_FMIN, AMD_FMAX, 1, 0, AMD_FROM(AMD_GFX12)},
    {"v_min_f32", AMD_OP_BINARY, AMD_FMIN, 0, 1, 0, EVERY},
    {"v_min_num_f32", AMD_OP_BINARY, AMD_FMIN, 0, 1, 0, AMD_FROM(AMD_GFX12)},
    {"v_max_f32", AMD_OP_BINARY, AMD_FMAX, 0, 1, 0, EVERY},
    {"v_max_num_f32", AMD_OP_BINARY, AMD_FMAX, 0, 1, 0, AMD_FROM(AMD_GFX12)},
    {"s_min_num_f32", AMD_OP_BINARY, AMD_FMIN, 0, 1, 0, AMD_FROM(AMD_GFX12)},
    {"s_max_num_f32", AMD_OP_BINARY, AMD_FMAX, 0, 1, 0, AMD_FROM(AMD_GFX12)},
    {"v_ldexp_f32", AMD_OP_BINARY, AMD_FSCALE, 0, 1, 0, EVERY},
    {"v_fma_f32", AMD_OP_FUSED, 0, 0, 1, 0, EVERY},
    {"v_fmaak_f32", AMD_OP_FUSED, 0, 0, 1, 0, AMD_FROM(AMD_GFX940)},
    {"v_fmamk_f32", AMD_OP_FUSED, 0, 0, 1, 0, AMD_FROM(AMD_GFX940)},
    {"v_fmac_f32", AMD_OP_FUSED, 0, 0, 1, 0, AMD_FROM(AMD_GFX906)},
    {"s_fmac_f32", AMD_OP_FUSED, 0, 0, 1, 0, AMD_FROM(AMD_GFX11_5)},
    {"s_fmaak_f32", AMD_OP_FUSED, 0, 0, 1, 0, AMD_FROM(AMD_GFX11_5)},
    {"s_fmamk_f32", AMD_OP_FUSED, 0, 0, 1, 0, AMD_FROM(AMD_GFX11_5)},
    {"v_add_f32", AMD_OP_BINARY, AMD_FADD, 0, 1, 0, EVERY},
    {"v_sub_f32", AMD_OP_BINARY, AMD_FSUB, 0, 1, 0, EVERY},
    {"v_subrev_f32", AMD_OP_REVERSED, AMD_FSUB, 0, 1, 0, EVERY},
    {"v_mul_f32", AMD_OP_BINARY, AMD_FMUL, 0, 1, 0, EVERY},
    {"v_cvt_f32_i32", AMD_OP_MOVE, AMD_FFROM, 0, 1, 0, EVERY},
    {"v_rcp_iflag_f32", AMD_OP_MOVE, AMD_FRCP, 0, 1, 0, EVERY}, /* of integers alone: others have v_rcp_f32 */
    {"v_cvt_f32_u32", AMD_OP_MOVE, AMD_FFROMU, 0, 1, 0, EVERY},
    {"v_cvt_i32_f32", AMD_OP_MOVE, AMD_FTO, 0, 1, 0, EVERY},
    {"v_cvt_u32_f32", AMD_OP_MOVE, AMD_FTOU, 0, 1, 0, EVERY},
    {"s_add_f32", AMD_OP_BINARY, AMD_FADD, 0, 1, 0, AMD_FROM(AMD_GFX11_5)},
    {"s_sub_f32", AMD_OP_BINARY, AMD_FSUB, 0, 1, 0, AMD_FROM(AMD_GFX11_5)},
    {"s_mul_f32", AMD_OP_BINARY, AMD_FMUL, 0, 1, 0, AMD_FROM(AMD_GFX11_5)},
    {"s_cvt_f32_i32", AMD_OP_MOVE, AMD_FFROM, 0, 1, 0, AMD_FROM(AMD_GFX11_5)},
    {"s_cvt_f32_u32", AMD_OP_MOVE, AMD_FFROMU, 0, 1, 0, AMD_FROM(AMD_GFX11_5)},
    {"s_cvt_i32_f32", AMD_OP_MOVE, AMD_FTO, 0, 1, 0, AMD_FROM(AMD_GFX11_5)},
    {"s_cvt_u32_f32", AMD_OP_MOVE, AMD_FTOU, 0, 1, 0, AMD_FROM(AMD_GFX11_5)},
    FLOAT_COMPARES("v_cmp_", AMD_OP_COMPARE, EVERY),
    FLOAT_COMPARES("v_cmpx_", AMD_OP_COMPARE_EXEC, EVERY),
    FLOAT_COMPARES("s_cmp_", AMD_OP_COMPARE_SCC, AMD_FROM(AMD_GFX11_5)),
    {"v_readlane_b32", AMD_OP_READ_LANE, 0, 0, 1, 0, EVERY},
    {"v_writelane_b32", AMD_OP_WRITE_LANE, 0, 0, 1, 0, EVERY},
    {"v_mbcnt_lo_u32_b32", AMD_OP_MBCNT, 0, 0, 1, 0, EVERY},
    {"v_mbcnt_hi_u32_b32", AMD_OP_MBCNT, 0, 0, 1, 0, EVERY},

    {"s_endpgm", AMD_OP_END, 0, 0, 0, 0, EVERY},
    {"s_setpc_b64", AMD_OP_END, 0, 0, 2, 0, EVERY}, /* of s[30:31]: a function returns */
    {"s_set_pc_i64", AMD_OP_END, 0, 0, 2, 0, AMD_GFX12_5},
    {"s_nop", AMD_OP_NOTHING, 0, 0, 0, 0, EVERY},
    {"s_clause", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_FROM(AMD_GFX10)},
    {"s_inst_prefetch", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_FROM(AMD_GFX10) & AMD_TO(AMD_GFX11_5)},
    {"s_set_inst_prefetch_distance", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_FROM(AMD_GFX11) & AMD_TO(AMD_GFX11_5)},
    {"s_delay_alu", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_FROM(AMD_GFX11)},
    {"s_prefetch_inst", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_FROM(AMD_GFX12)}, /* lines may be fetched at any time anyway */
    {"s_prefetch_inst_pc_rel", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_FROM(AMD_GFX12)},
    {"s_prefetch_data", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_FROM(AMD_GFX12)},
    {"s_prefetch_data_pc_rel", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_FROM(AMD_GFX12)},
    {"global_prefetch_b8", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_GFX12_5},
    {"flat_prefetch_b8", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_GFX12_5},
    {"v_nop", AMD_OP_NOTHING, 0, 0, 0, 0, EVERY},
    {"s_sendmsg", AMD_OP_NOTHING, 0, 0, 0, 0, EVERY},
    {"s_setreg_imm32_b32", AMD_OP_NOTHING, 0, 0, 0, 0, EVERY},
    {"s_setreg_b32", AMD_OP_NOTHING, 0, 0, 0, 0, EVERY},
    {"s_setprio", AMD_OP_NOTHING, 0, 0, 0, 0, EVERY},
    {"s_code_end", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_FROM(AMD_GFX10)},
    {"s_waitcnt_depctr", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_FROM(AMD_GFX10)},
    {"s_wait_alu", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_FROM(AMD_GFX12)},
    {"s_wait_samplecnt", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_GFX12},
    {"s_wait_bvhcnt", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_GFX12},
    {"s_wait_xcnt", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_GFX12_5},
    {"s_wait_expcnt", AMD_OP_NOTHING, 0, 0, 0, 0, AMD_GFX12},
};
enum { NAME_COUNT = ARRAY_COUNT(NAMES) };

const struct amd_name *amd_name_find(const char *at, size_t length, unsigned gpu) {
  const struct amd_name *other = NULL;
  for (unsigned i = 0; i < NAME_COUNT; i++) {
    if (strlen(NAMES[i].text) != length || memcmp(at, NAMES[i].text, length) != 0) continue;
    if (NAMES[i].gpus & gpu) return &NAMES[i];
    other = &NAMES[i];
  }
  return other;
}

const struct amd_name *amd_names(unsigned *count) {
  *count = NAME_COUNT;
  return NAMES;
}

enum amd_space amd_op_space(enum amd_op op) {
  return op >= AMD_OP_GLOBAL_LOAD && op <= AMD_OP_GLOBAL_CAS       ? AMD_SPACE_GLOBAL
         : op >= AMD_OP_DS_LOAD && op <= AMD_OP_DS_CAS_OLD         ? AMD_SPACE_LOCAL
         : op >= AMD_OP_FLAT_LOAD && op <= AMD_OP_FLAT_CAS         ? AMD_SPACE_FLAT
         : op == AMD_OP_PRIVATE_LOAD || op == AMD_OP_PRIVATE_STORE ? AMD_SPACE_PRIVATE
                                                                   : AMD_SPACE_NONE;
}

bool amd_fn_compares(enum amd_fn fn) {
  return fn == AMD_EQ || fn == AMD_NE || fn == AMD_LTU || fn == AMD_LEU || fn == AMD_GTU || fn == AMD_GEU ||
         fn == AMD_LTI || fn == AMD_LEI || fn == AMD_GTI || fn == AMD_GEI;
}
