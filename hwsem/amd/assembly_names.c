/* SPDX-License-Identifier: MIT */
/* A table of instructions: what each does, how wide it is, whether it returns the
 * old value by its name alone. */
#include "hwsem/amd/assembly_names.h"

#include <string.h>

#define LOADS(op, b)                                                                            \
  {b "_dword", op, 0, 0, 1, 0}, {b "_dwordx2", op, 0, 0, 2, 0}, {b "_dwordx3", op, 0, 0, 3, 0}, \
      {b "_dwordx4", op, 0, 0, 4, 0}, {b "_b32", op, 0, 0, 1, 0}, {b "_b64", op, 0, 0, 2, 0},   \
      {b "_b96", op, 0, 0, 3, 0}, {                                                             \
    b "_b128", op, 0, 0, 4, 0                                                                   \
  }
/* Parts of words: what remains of the name says which half of a register they are. */
#define PART_LOADS(op, b)                                                                                        \
  {b "_ubyte", op, AMD_U8, 0, 1, 0}, {b "_sbyte", op, AMD_I8, 0, 1, 0}, {b "_ushort", op, AMD_U16, 0, 1, 0},     \
      {b "_sshort", op, AMD_I16, 0, 1, 0}, {b "_u8", op, AMD_U8, 0, 1, 0}, {b "_i8", op, AMD_I8, 0, 1, 0},       \
      {b "_u16", op, AMD_U16, 0, 1, 0}, {b "_i16", op, AMD_I16, 0, 1, 0}, {b "_ubyte_d16", op, AMD_U8, 0, 1, 0}, \
      {b "_ubyte_d16_hi", op, AMD_U8, 0, 1, 0}, {b "_sbyte_d16", op, AMD_I8, 0, 1, 0},                           \
      {b "_sbyte_d16_hi", op, AMD_I8, 0, 1, 0}, {b "_short_d16", op, AMD_U16, 0, 1, 0},                          \
      {b "_short_d16_hi", op, AMD_U16, 0, 1, 0}, {b "_d16_u8", op, AMD_U8, 0, 1, 0},                             \
      {b "_d16_hi_u8", op, AMD_U8, 0, 1, 0}, {b "_d16_i8", op, AMD_I8, 0, 1, 0},                                 \
      {b "_d16_hi_i8", op, AMD_I8, 0, 1, 0}, {b "_d16_b16", op, AMD_U16, 0, 1, 0}, {                             \
    b "_d16_hi_b16", op, AMD_U16, 0, 1, 0                                                                        \
  }
#define PART_STORES(op, b)                                                                              \
  {b "_byte", op, AMD_U8, 0, 1, 0}, {b "_short", op, AMD_U16, 0, 1, 0}, {b "_b8", op, AMD_U8, 0, 1, 0}, \
      {b "_b16", op, AMD_U16, 0, 1, 0}, {b "_byte_d16_hi", op, AMD_U8, 0, 1, 0},                        \
      {b "_short_d16_hi", op, AMD_U16, 0, 1, 0}, {b "_d16_hi_b8", op, AMD_U8, 0, 1, 0}, {               \
    b "_d16_hi_b16", op, AMD_U16, 0, 1, 0                                                               \
  }
#define LOCAL_PART_LOADS(b)                                                                              \
  {b "_u8", AMD_OP_DS_LOAD, AMD_U8, 0, 1, 0}, {b "_i8", AMD_OP_DS_LOAD, AMD_I8, 0, 1, 0},                \
      {b "_u16", AMD_OP_DS_LOAD, AMD_U16, 0, 1, 0}, {b "_i16", AMD_OP_DS_LOAD, AMD_I16, 0, 1, 0},        \
      {b "_u8_d16", AMD_OP_DS_LOAD, AMD_U8, 0, 1, 0}, {b "_u8_d16_hi", AMD_OP_DS_LOAD, AMD_U8, 0, 1, 0}, \
      {b "_i8_d16", AMD_OP_DS_LOAD, AMD_I8, 0, 1, 0}, {b "_i8_d16_hi", AMD_OP_DS_LOAD, AMD_I8, 0, 1, 0}, \
      {b "_u16_d16", AMD_OP_DS_LOAD, AMD_U16, 0, 1, 0}, {                                                \
    b "_u16_d16_hi", AMD_OP_DS_LOAD, AMD_U16, 0, 1, 0                                                    \
  }
#define LOCAL_PART_STORES(b)                                                                  \
  {b "_b8", AMD_OP_DS_STORE, AMD_U8, 0, 1, 0}, {b "_b16", AMD_OP_DS_STORE, AMD_U16, 0, 1, 0}, \
      {b "_b8_d16_hi", AMD_OP_DS_STORE, AMD_U8, 0, 1, 0}, {                                   \
    b "_b16_d16_hi", AMD_OP_DS_STORE, AMD_U16, 0, 1, 0                                        \
  }
/* A read-modify-write of global and flat memory: by its older and its newer name, of one word and of two.  GFX6 has
 * buffer instructions alone for global memory. */
#define GLOBAL_ATOMIC(older, newer, global, flat, fn)                                                         \
  {"global_atomic_" older, global, fn, 0, 1, 0}, {"global_atomic_" older "_x2", global, fn, 0, 2, 0},         \
      {"global_atomic_" newer "32", global, fn, 0, 1, 0}, {"global_atomic_" newer "64", global, fn, 0, 2, 0}, \
      {"buffer_atomic_" older, global, fn, 0, 1, 0}, {"buffer_atomic_" older "_x2", global, fn, 0, 2, 0},     \
      {"flat_atomic_" older, flat, fn, 0, 1, 0}, {"flat_atomic_" older "_x2", flat, fn, 0, 2, 0},             \
      {"flat_atomic_" newer "32", flat, fn, 0, 1, 0}, {                                                       \
    "flat_atomic_" newer "64", flat, fn, 0, 2, 0                                                              \
  }
#define LOCAL_ATOMIC(name, type, op, fn)                                                        \
  {"ds_" name "_" type "32", op, fn, 0, 1, 0}, {"ds_" name "_rtn_" type "32", op, fn, 0, 1, 1}, \
      {"ds_" name "_" type "64", op, fn, 0, 2, 0}, {                                            \
    "ds_" name "_rtn_" type "64", op, fn, 0, 2, 1                                               \
  }
#define ATOMIC(older, name, type, fn)                                          \
  GLOBAL_ATOMIC(older, name "_" type, AMD_OP_GLOBAL_RMW, AMD_OP_FLAT_RMW, fn), \
      LOCAL_ATOMIC(name, type, AMD_OP_DS_RMW, fn)
/* At one address; at two, by an offset in units of fn2 bytes. */
#define LOCAL_WORDS(older, newer, op)                                                                               \
  {"ds_" older "_b32", op, 0, 0, 1, 0}, {"ds_" newer "_b32", op, 0, 0, 1, 0}, {"ds_" older "_b64", op, 0, 0, 2, 0}, \
      {"ds_" newer "_b64", op, 0, 0, 2, 0}, {"ds_" older "_b96", op, 0, 0, 3, 0},                                   \
      {"ds_" newer "_b96", op, 0, 0, 3, 0}, {"ds_" older "_b128", op, 0, 0, 4, 0},                                  \
      {"ds_" newer "_b128", op, 0, 0, 4, 0}, {"ds_" older "2_b32", op, 0, 4, 2, 0},                                 \
      {"ds_" newer "_2addr_b32", op, 0, 4, 2, 0}, {"ds_" older "2_b64", op, 0, 8, 4, 0},                            \
      {"ds_" newer "_2addr_b64", op, 0, 8, 4, 0}, {"ds_" older "2st64_b32", op, 0, 256, 2, 0},                      \
      {"ds_" newer "_2addr_stride64_b32", op, 0, 256, 2, 0}, {"ds_" older "2st64_b64", op, 0, 512, 4, 0}, {         \
    "ds_" newer "_2addr_stride64_b64", op, 0, 512, 4, 0                                                             \
  }
#define BOTH_WIDTHS(name, op, fn)   \
  {name "_b32", op, fn, 0, 1, 0}, { \
    name "_b64", op, fn, 0, 2, 0    \
  }
#define SIGNED_AND_NOT(name, op, u, i) \
  {name "_u32", op, u, 0, 1, 0}, {     \
    name "_i32", op, i, 0, 1, 0        \
  }
#define COMPARES(prefix, op, ne)                                                                            \
  SIGNED_AND_NOT(prefix "eq", op, AMD_EQ, AMD_EQ), SIGNED_AND_NOT(prefix ne, op, AMD_NE, AMD_NE),           \
      SIGNED_AND_NOT(prefix "lt", op, AMD_LTU, AMD_LTI), SIGNED_AND_NOT(prefix "le", op, AMD_LEU, AMD_LEI), \
      SIGNED_AND_NOT(prefix "gt", op, AMD_GTU, AMD_GTI), SIGNED_AND_NOT(prefix "ge", op, AMD_GEU, AMD_GEI)
#define COMPARES16(prefix, op)                                                          \
  {prefix "eq_u16", op, AMD_EQ, 0, 1, 0}, {prefix "eq_i16", op, AMD_EQ, 0, 1, 0},       \
      {prefix "ne_u16", op, AMD_NE, 0, 1, 0}, {prefix "ne_i16", op, AMD_NE, 0, 1, 0},   \
      {prefix "lt_u16", op, AMD_LTU, 0, 1, 0}, {prefix "lt_i16", op, AMD_LTI, 0, 1, 0}, \
      {prefix "le_u16", op, AMD_LEU, 0, 1, 0}, {prefix "le_i16", op, AMD_LEI, 0, 1, 0}, \
      {prefix "gt_u16", op, AMD_GTU, 0, 1, 0}, {prefix "gt_i16", op, AMD_GTI, 0, 1, 0}, \
      {prefix "ge_u16", op, AMD_GEU, 0, 1, 0}, {                                        \
    prefix "ge_i16", op, AMD_GEI, 0, 1, 0                                               \
  }
#define WIDE_COMPARES(prefix, op)                                                       \
  {prefix "eq_u64", op, AMD_EQ, 0, 2, 0}, {prefix "eq_i64", op, AMD_EQ, 0, 2, 0},       \
      {prefix "ne_u64", op, AMD_NE, 0, 2, 0}, {prefix "ne_i64", op, AMD_NE, 0, 2, 0},   \
      {prefix "lt_u64", op, AMD_LTU, 0, 2, 0}, {prefix "lt_i64", op, AMD_LTI, 0, 2, 0}, \
      {prefix "le_u64", op, AMD_LEU, 0, 2, 0}, {prefix "le_i64", op, AMD_LEI, 0, 2, 0}, \
      {prefix "gt_u64", op, AMD_GTU, 0, 2, 0}, {prefix "gt_i64", op, AMD_GTI, 0, 2, 0}, \
      {prefix "ge_u64", op, AMD_GEU, 0, 2, 0}, {                                        \
    prefix "ge_i64", op, AMD_GEI, 0, 2, 0                                               \
  }

#define FLOAT_COMPARES(prefix, op)                                                          \
  {prefix "lt_f32", op, AMD_FLT, 0, 1, 0}, {prefix "le_f32", op, AMD_FLE, 0, 1, 0},         \
      {prefix "gt_f32", op, AMD_FLT, 1, 1, 0}, {prefix "ge_f32", op, AMD_FLE, 1, 1, 0},     \
      {prefix "eq_f32", op, AMD_FEQ, 0, 1, 0}, {prefix "neq_f32", op, AMD_FNEQ, 0, 1, 0},   \
      {prefix "nlt_f32", op, AMD_FNLT, 0, 1, 0}, {prefix "nle_f32", op, AMD_FNLE, 0, 1, 0}, \
      {prefix "ngt_f32", op, AMD_FNLT, 1, 1, 0}, {                                          \
    prefix "nge_f32", op, AMD_FNLE, 1, 1, 0                                                 \
  }

static const struct amd_name NAMES[] = {
    LOADS(AMD_OP_GLOBAL_LOAD, "global_load"),
    LOADS(AMD_OP_GLOBAL_STORE, "global_store"),
    LOADS(AMD_OP_PRIVATE_LOAD, "buffer_load"),
    LOADS(AMD_OP_PRIVATE_STORE, "buffer_store"),
    LOADS(AMD_OP_PRIVATE_LOAD, "scratch_load"),
    LOADS(AMD_OP_PRIVATE_STORE, "scratch_store"),
    LOADS(AMD_OP_FLAT_LOAD, "flat_load"),
    LOADS(AMD_OP_FLAT_STORE, "flat_store"),
    PART_LOADS(AMD_OP_GLOBAL_LOAD, "global_load"),
    PART_STORES(AMD_OP_GLOBAL_STORE, "global_store"),
    PART_LOADS(AMD_OP_FLAT_LOAD, "flat_load"),
    PART_STORES(AMD_OP_FLAT_STORE, "flat_store"),
    PART_LOADS(AMD_OP_PRIVATE_LOAD, "buffer_load"),
    PART_STORES(AMD_OP_PRIVATE_STORE, "buffer_store"),
    PART_LOADS(AMD_OP_PRIVATE_LOAD, "scratch_load"),
    PART_STORES(AMD_OP_PRIVATE_STORE, "scratch_store"),
    LOADS(AMD_OP_SCALAR_LOAD, "s_load"),
    {"s_load_u8", AMD_OP_SCALAR_LOAD, AMD_U8, 0, 1, 0},
    {"s_load_i8", AMD_OP_SCALAR_LOAD, AMD_I8, 0, 1, 0},
    {"s_load_u16", AMD_OP_SCALAR_LOAD, AMD_U16, 0, 1, 0},
    {"s_load_i16", AMD_OP_SCALAR_LOAD, AMD_I16, 0, 1, 0},
    {"s_load_dwordx8", AMD_OP_SCALAR_LOAD, 0, 0, 8, 0},
    {"s_load_dwordx16", AMD_OP_SCALAR_LOAD, 0, 0, 16, 0},
    {"s_load_b256", AMD_OP_SCALAR_LOAD, 0, 0, 8, 0},
    {"s_load_b512", AMD_OP_SCALAR_LOAD, 0, 0, 16, 0},
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
    LOCAL_PART_LOADS("ds_read"),
    LOCAL_PART_LOADS("ds_load"),
    LOCAL_PART_STORES("ds_write"),
    LOCAL_PART_STORES("ds_store"),
    LOCAL_WORDS("read", "load", AMD_OP_DS_LOAD),
    LOCAL_WORDS("write", "store", AMD_OP_DS_STORE),
    LOCAL_ATOMIC("wrxchg", "b", AMD_OP_DS_RMW, RMW_EXCHANGE),
    LOCAL_ATOMIC("storexchg", "b", AMD_OP_DS_RMW, RMW_EXCHANGE),
    LOCAL_ATOMIC("cmpst", "b", AMD_OP_DS_CAS_OLD, 0),
    LOCAL_ATOMIC("cmpstore", "b", AMD_OP_DS_CAS, 0),

    {"s_waitcnt", AMD_OP_WAIT, 0, 0, 0, 0},
    {"s_waitcnt_vscnt", AMD_OP_WAIT, 0, 0, 0, 0},
    {"s_wait_loadcnt", AMD_OP_WAIT, 0, 0, 0, 0},
    {"s_wait_storecnt", AMD_OP_WAIT, 0, 0, 0, 0},
    {"s_wait_dscnt", AMD_OP_WAIT, 0, 0, 0, 0},
    {"s_wait_kmcnt", AMD_OP_WAIT, 0, 0, 0, 0},
    {"s_wait_loadcnt_dscnt", AMD_OP_WAIT, 0, 0, 0, 0},
    {"s_wait_storecnt_dscnt", AMD_OP_WAIT, 0, 0, 0, 0},
    {"s_barrier", AMD_OP_BARRIER, 0, 0, 0, 0},
    {"s_barrier_signal", AMD_OP_SIGNAL, 0, 0, 0, 0},
    {"s_barrier_wait", AMD_OP_BARRIER_WAIT, 0, 0, 0, 0},

    {"s_branch", AMD_OP_BRANCH, AMD_ALWAYS, 0, 0, 0},
    {"s_cbranch_execz", AMD_OP_BRANCH, AMD_EXECZ, 0, 0, 0},
    {"s_cbranch_execnz", AMD_OP_BRANCH, AMD_EXECNZ, 0, 0, 0},
    {"s_cbranch_vccz", AMD_OP_BRANCH, AMD_VCCZ, 0, 0, 0},
    {"s_cbranch_vccnz", AMD_OP_BRANCH, AMD_VCCNZ, 0, 0, 0},
    {"s_cbranch_scc0", AMD_OP_BRANCH, AMD_SCC0, 0, 0, 0},
    {"s_cbranch_scc1", AMD_OP_BRANCH, AMD_SCC1, 0, 0, 0},

    {"s_getpc_b64", AMD_OP_PROGRAM_COUNTER, 0, 0, 2, 0},
    {"s_get_pc_i64", AMD_OP_PROGRAM_COUNTER, 0, 0, 2, 0},
    BOTH_WIDTHS("s_mov", AMD_OP_MOVE, AMD_COPY),
    BOTH_WIDTHS("s_not", AMD_OP_MOVE, AMD_NOT),
    {"s_movk_i32", AMD_OP_MOVE, AMD_COPY, 0, 1, 0},
    BOTH_WIDTHS("s_and", AMD_OP_BINARY, AMD_AND),
    BOTH_WIDTHS("s_or", AMD_OP_BINARY, AMD_OR),
    BOTH_WIDTHS("s_xor", AMD_OP_BINARY, AMD_XOR),
    BOTH_WIDTHS("s_andn2", AMD_OP_BINARY, AMD_ANDN),
    BOTH_WIDTHS("s_and_not1", AMD_OP_BINARY, AMD_ANDN),
    BOTH_WIDTHS("s_orn2", AMD_OP_BINARY, AMD_ORN),
    BOTH_WIDTHS("s_or_not1", AMD_OP_BINARY, AMD_ORN),
    BOTH_WIDTHS("s_nor", AMD_OP_BINARY, AMD_NOR),
    BOTH_WIDTHS("s_nand", AMD_OP_BINARY, AMD_NAND),
    BOTH_WIDTHS("s_xnor", AMD_OP_BINARY, AMD_XNOR),
    {"v_xnor_b32", AMD_OP_BINARY, AMD_XNOR, 0, 1, 0},
    {"s_pack_ll_b32_b16", AMD_OP_BINARY, AMD_PACK, 0, 1, 0},
    {"s_pack_lh_b32_b16", AMD_OP_BINARY, AMD_PACK, 0, 1, 0},
    {"s_pack_hl_b32_b16", AMD_OP_BINARY, AMD_PACK, 0, 1, 0},
    {"s_pack_hh_b32_b16", AMD_OP_BINARY, AMD_PACK, 0, 1, 0},
    {"s_bitcmp1_b32", AMD_OP_BIT_SCC, 0, 0, 1, 0},
    {"s_bitcmp0_b32", AMD_OP_BIT_SCC, 1, 0, 1, 0},
    {"s_bitcmp1_b64", AMD_OP_BIT_SCC, 0, 0, 2, 0},
    {"s_bitcmp0_b64", AMD_OP_BIT_SCC, 1, 0, 2, 0},
    {"s_bfe_u64", AMD_OP_FIELD, 0, 0, 2, 0},
    {"s_bfe_i64", AMD_OP_FIELD, 0, 1, 2, 0},
    BOTH_WIDTHS("s_lshl", AMD_OP_BINARY, AMD_SHL),
    BOTH_WIDTHS("s_lshr", AMD_OP_BINARY, AMD_SHR),
    {"s_ashr_i32", AMD_OP_BINARY, AMD_SAR, 0, 1, 0},
    {"s_ashr_i64", AMD_OP_BINARY, AMD_SAR, 0, 2, 0},
    {"s_add_i32", AMD_OP_BINARY, AMD_ADD, 0, 1, 0},
    {"s_add_co_i32", AMD_OP_BINARY, AMD_ADD, 0, 1, 0},
    {"s_sub_i32", AMD_OP_BINARY, AMD_SUB, 0, 1, 0},
    {"s_sub_co_i32", AMD_OP_BINARY, AMD_SUB, 0, 1, 0},
    {"s_mul_i32", AMD_OP_BINARY, AMD_MUL, 0, 1, 0},
    {"s_addk_i32", AMD_OP_BINARY, AMD_ADD, 0, 1, 0},
    {"s_mulk_i32", AMD_OP_BINARY, AMD_MUL, 0, 1, 0},
    COMPARES("s_cmpk_", AMD_OP_COMPARE_SCC, "lg"),
    {"s_mul_u64", AMD_OP_BINARY, AMD_MUL, 0, 2, 0},
    {"s_mul_hi_u32", AMD_OP_BINARY, AMD_MULHU, 0, 1, 0},
    {"s_mul_hi_i32", AMD_OP_BINARY, AMD_MULHI, 0, 1, 0},
    {"s_sext_i32_i8", AMD_OP_MOVE, AMD_SEXT8, 0, 1, 0},
    {"s_sext_i32_i16", AMD_OP_MOVE, AMD_SEXT16, 0, 1, 0},
    {"s_lshl1_add_u32", AMD_OP_BINARY, AMD_ADD, 1, 1, 0},
    {"s_lshl2_add_u32", AMD_OP_BINARY, AMD_ADD, 2, 1, 0},
    {"s_lshl3_add_u32", AMD_OP_BINARY, AMD_ADD, 3, 1, 0},
    {"s_lshl4_add_u32", AMD_OP_BINARY, AMD_ADD, 4, 1, 0},
    {"s_min_u32", AMD_OP_BINARY, AMD_MINU, 0, 1, 0},
    {"s_max_u32", AMD_OP_BINARY, AMD_MAXU, 0, 1, 0},
    {"s_min_i32", AMD_OP_BINARY, AMD_MINI, 0, 1, 0},
    {"s_max_i32", AMD_OP_BINARY, AMD_MAXI, 0, 1, 0},
    {"s_add_nc_u64", AMD_OP_BINARY, AMD_ADD, 0, 2, 0},
    {"s_add_u64", AMD_OP_BINARY, AMD_ADD, 0, 2, 0},
    {"s_sub_nc_u64", AMD_OP_BINARY, AMD_SUB, 0, 2, 0},
    {"s_sub_u64", AMD_OP_BINARY, AMD_SUB, 0, 2, 0},
    {"s_add_u32", AMD_OP_CARRY_SCC, AMD_ADD, 0, 1, 0},
    {"s_addc_u32", AMD_OP_CARRY_SCC, AMD_ADD, 1, 1, 0},
    {"s_add_co_u32", AMD_OP_CARRY_SCC, AMD_ADD, 0, 1, 0},
    {"s_add_co_ci_u32", AMD_OP_CARRY_SCC, AMD_ADD, 1, 1, 0},
    {"s_sub_u32", AMD_OP_CARRY_SCC, AMD_SUB, 0, 1, 0},
    {"s_subb_u32", AMD_OP_CARRY_SCC, AMD_SUB, 1, 1, 0},
    {"s_sub_co_u32", AMD_OP_CARRY_SCC, AMD_SUB, 0, 1, 0},
    {"s_sub_co_ci_u32", AMD_OP_CARRY_SCC, AMD_SUB, 1, 1, 0},
    BOTH_WIDTHS("s_cselect", AMD_OP_SELECT_SCC, 0),
    COMPARES("s_cmp_", AMD_OP_COMPARE_SCC, "lg"),
    {"s_cmp_eq_u64", AMD_OP_COMPARE_SCC, AMD_EQ, 0, 2, 0},
    {"s_cmp_lg_u64", AMD_OP_COMPARE_SCC, AMD_NE, 0, 2, 0},
    BOTH_WIDTHS("s_and_saveexec", AMD_OP_SAVE_EXEC, AMD_AND),
    BOTH_WIDTHS("s_or_saveexec", AMD_OP_SAVE_EXEC, AMD_OR),
    BOTH_WIDTHS("s_xor_saveexec", AMD_OP_SAVE_EXEC, AMD_XOR),
    BOTH_WIDTHS("s_andn2_saveexec", AMD_OP_SAVE_EXEC, AMD_ANDN),
    BOTH_WIDTHS("s_and_not1_saveexec", AMD_OP_SAVE_EXEC, AMD_ANDN),

    {"v_mov_b32", AMD_OP_MOVE, AMD_COPY, 0, 1, 0},
    {"v_not_b32", AMD_OP_MOVE, AMD_NOT, 0, 1, 0},
    {"v_bfrev_b32", AMD_OP_MOVE, AMD_REVERSE, 0, 1, 0},
    {"s_brev_b32", AMD_OP_MOVE, AMD_REVERSE, 0, 1, 0},
    {"v_ffbh_u32", AMD_OP_MOVE, AMD_CLZ, 0, 1, 0},
    {"v_clz_i32_u32", AMD_OP_MOVE, AMD_CLZ, 0, 1, 0},
    {"s_flbit_i32_b32", AMD_OP_MOVE, AMD_CLZ, 0, 1, 0},
    {"s_clz_i32_u32", AMD_OP_MOVE, AMD_CLZ, 0, 1, 0},
    {"v_ffbl_b32", AMD_OP_MOVE, AMD_CTZ, 0, 1, 0},
    {"v_ctz_i32_b32", AMD_OP_MOVE, AMD_CTZ, 0, 1, 0},
    {"s_ff1_i32_b32", AMD_OP_MOVE, AMD_CTZ, 0, 1, 0},
    {"s_ctz_i32_b32", AMD_OP_MOVE, AMD_CTZ, 0, 1, 0},
    {"v_bcnt_u32_b32", AMD_OP_BINARY, AMD_COUNT, 0, 1, 0},
    {"s_bcnt1_i32_b32", AMD_OP_MOVE, AMD_COUNT, 0, 1, 0},
    {"v_accvgpr_read_b32", AMD_OP_MOVE, AMD_COPY, 0, 1, 0},
    {"v_accvgpr_write_b32", AMD_OP_MOVE, AMD_COPY, 0, 1, 0},
    {"v_accvgpr_mov_b32", AMD_OP_MOVE, AMD_COPY, 0, 1, 0},
    {"v_readfirstlane_b32", AMD_OP_MOVE, AMD_COPY, 0, 1, 0},
    {"v_mov_b64", AMD_OP_MOVE, AMD_COPY, 0, 2, 0},
    {"v_pk_mov_b32", AMD_OP_MOVE, AMD_COPY, 0, 2, 0},
    {"v_and_b32", AMD_OP_BINARY, AMD_AND, 0, 1, 0},
    {"v_or_b32", AMD_OP_BINARY, AMD_OR, 0, 1, 0},
    {"v_xor_b32", AMD_OP_BINARY, AMD_XOR, 0, 1, 0},
    {"v_add_u32", AMD_OP_BINARY, AMD_ADD, 0, 1, 0},
    {"v_add_nc_u32", AMD_OP_BINARY, AMD_ADD, 0, 1, 0},
    {"v_add_nc_i32", AMD_OP_BINARY, AMD_ADD, 0, 1, 0},
    {"v_add_nc_u64", AMD_OP_BINARY, AMD_ADD, 0, 2, 0},
    {"v_sub_u32", AMD_OP_BINARY, AMD_SUB, 0, 1, 0},
    {"v_sub_nc_u32", AMD_OP_BINARY, AMD_SUB, 0, 1, 0},
    {"v_subrev_u32", AMD_OP_REVERSED, AMD_SUB, 0, 1, 0},
    {"v_subrev_nc_u32", AMD_OP_REVERSED, AMD_SUB, 0, 1, 0},
    {"v_mul_lo_u32", AMD_OP_BINARY, AMD_MUL, 0, 1, 0},
    {"v_mul_u32_u24", AMD_OP_BINARY, AMD_MUL24, 0, 1, 0},
    {"v_mul_hi_u32", AMD_OP_BINARY, AMD_MULHU, 0, 1, 0},
    {"v_mul_hi_i32", AMD_OP_BINARY, AMD_MULHI, 0, 1, 0},
    {"v_mad_u32", AMD_OP_TERNARY, AMD_MUL, AMD_ADD, 1, 0},
    {"v_mad_u32_u24", AMD_OP_TERNARY, AMD_MUL24, AMD_ADD, 1, 0},
    {"v_mad_u64_u32", AMD_OP_MAD_WIDE, AMD_MULHU, 0, 2, 0},
    {"v_mad_co_u64_u32", AMD_OP_MAD_WIDE, AMD_MULHU, 0, 2, 0},
    {"v_mad_nc_u64_u32", AMD_OP_MAD_WIDE, AMD_MULHU, 0, 2, 0},
    {"v_mad_nc_i64_i32", AMD_OP_MAD_WIDE, AMD_MULHI, 0, 2, 0},
    {"v_mad_i64_i32", AMD_OP_MAD_WIDE, AMD_MULHI, 0, 2, 0},
    {"v_mad_co_i64_i32", AMD_OP_MAD_WIDE, AMD_MULHI, 0, 2, 0},
    {"v_lshlrev_b32", AMD_OP_REVERSED, AMD_SHL, 0, 1, 0},
    {"v_lshrrev_b32", AMD_OP_REVERSED, AMD_SHR, 0, 1, 0},
    {"v_ashrrev_i32", AMD_OP_REVERSED, AMD_SAR, 0, 1, 0},
    {"v_lshlrev_b64", AMD_OP_REVERSED, AMD_SHL, 0, 2, 0},
    BOTH_WIDTHS("v_lshl", AMD_OP_BINARY, AMD_SHL),
    BOTH_WIDTHS("v_lshr", AMD_OP_BINARY, AMD_SHR),
    {"v_ashr_i32", AMD_OP_BINARY, AMD_SAR, 0, 1, 0},
    {"v_ashr_i64", AMD_OP_BINARY, AMD_SAR, 0, 2, 0},
    {"v_lshl_add_u32", AMD_OP_TERNARY, AMD_SHL, AMD_ADD, 1, 0},
    {"v_mul_u64", AMD_OP_BINARY, AMD_MUL, 0, 2, 0},
    {"v_lshl_add_u64", AMD_OP_TERNARY, AMD_SHL, AMD_ADD, 2, 0},
    {"v_lshl_or_b32", AMD_OP_TERNARY, AMD_SHL, AMD_OR, 1, 0},
    {"v_and_or_b32", AMD_OP_TERNARY, AMD_AND, AMD_OR, 1, 0},
    {"v_or3_b32", AMD_OP_TERNARY, AMD_OR, AMD_OR, 1, 0},
    {"v_add3_u32", AMD_OP_TERNARY, AMD_ADD, AMD_ADD, 1, 0},
    {"v_add_lshl_u32", AMD_OP_TERNARY, AMD_ADD, AMD_SHL, 1, 0},
    {"v_min_u32", AMD_OP_BINARY, AMD_MINU, 0, 1, 0},
    {"v_max_u32", AMD_OP_BINARY, AMD_MAXU, 0, 1, 0},
    {"v_max_u64", AMD_OP_BINARY, AMD_MAXU, 0, 2, 0},
    {"v_max_i64", AMD_OP_BINARY, AMD_MAXI, 0, 2, 0},
    {"v_min_u64", AMD_OP_BINARY, AMD_MINU, 0, 2, 0},
    {"v_min_i64", AMD_OP_BINARY, AMD_MINI, 0, 2, 0},
    {"v_min_i32", AMD_OP_BINARY, AMD_MINI, 0, 1, 0},
    {"v_max_i32", AMD_OP_BINARY, AMD_MAXI, 0, 1, 0},
    {"v_add_co_u32", AMD_OP_CARRY_OUT, AMD_ADD, 0, 1, 0},
    {"v_sub_co_u32", AMD_OP_CARRY_OUT, AMD_SUB, 0, 1, 0},
    {"v_addc_co_u32", AMD_OP_CARRY_INOUT, AMD_ADD, 0, 1, 0},
    {"v_add_co_ci_u32", AMD_OP_CARRY_INOUT, AMD_ADD, 0, 1, 0},
    {"v_addc_u32", AMD_OP_CARRY_INOUT, AMD_ADD, 0, 1, 0},
    {"v_subb_u32", AMD_OP_CARRY_INOUT, AMD_SUB, 0, 1, 0},
    {"v_subbrev_u32", AMD_OP_CARRY_INOUT, AMD_SUB, 1, 1, 0},
    {"v_subb_co_u32", AMD_OP_CARRY_INOUT, AMD_SUB, 0, 1, 0},
    {"v_sub_co_ci_u32", AMD_OP_CARRY_INOUT, AMD_SUB, 0, 1, 0},
    {"v_subrev_co_u32", AMD_OP_CARRY_OUT, AMD_SUB, 1, 1, 0},
    {"v_subbrev_co_u32", AMD_OP_CARRY_INOUT, AMD_SUB, 1, 1, 0},
    {"v_subrev_co_ci_u32", AMD_OP_CARRY_INOUT, AMD_SUB, 1, 1, 0},
    {"v_cndmask_b32", AMD_OP_SELECT, 0, 0, 1, 0},
    COMPARES("v_cmp_", AMD_OP_COMPARE, "ne"),
    COMPARES("v_cmpx_", AMD_OP_COMPARE_EXEC, "ne"),
    WIDE_COMPARES("v_cmp_", AMD_OP_COMPARE),
    WIDE_COMPARES("v_cmpx_", AMD_OP_COMPARE_EXEC),
    {"v_lshrrev_b64", AMD_OP_REVERSED, AMD_SHR, 0, 2, 0},
    {"v_ashrrev_i64", AMD_OP_REVERSED, AMD_SAR, 0, 2, 0},
    {"v_mov_b16", AMD_OP_MOVE, AMD_COPY, 0, 1, 0},
    {"v_not_b16", AMD_OP_MOVE, AMD_NOT, 0, 1, 0},
    {"v_and_b16", AMD_OP_BINARY, AMD_AND, 0, 1, 0},
    {"v_or_b16", AMD_OP_BINARY, AMD_OR, 0, 1, 0},
    {"v_xor_b16", AMD_OP_BINARY, AMD_XOR, 0, 1, 0},
    {"v_add_u16", AMD_OP_BINARY, AMD_ADD, 0, 1, 0},
    {"v_add_nc_u16", AMD_OP_BINARY, AMD_ADD, 0, 1, 0},
    {"v_add_nc_i16", AMD_OP_BINARY, AMD_ADD, 0, 1, 0},
    {"v_add_i16", AMD_OP_BINARY, AMD_ADD, 0, 1, 0},
    {"v_sub_i16", AMD_OP_BINARY, AMD_SUB, 0, 1, 0},
    {"v_sub_u16", AMD_OP_BINARY, AMD_SUB, 0, 1, 0},
    {"v_sub_nc_u16", AMD_OP_BINARY, AMD_SUB, 0, 1, 0},
    {"v_sub_nc_i16", AMD_OP_BINARY, AMD_SUB, 0, 1, 0},
    {"v_subrev_u16", AMD_OP_REVERSED, AMD_SUB, 0, 1, 0},
    {"v_mul_lo_u16", AMD_OP_BINARY, AMD_MUL, 0, 1, 0},
    {"v_mad_u16", AMD_OP_TERNARY, AMD_MUL, AMD_ADD, 1, 0},
    {"v_mad_legacy_u16", AMD_OP_TERNARY, AMD_MUL, AMD_ADD, 1, 0},
    {"v_lshlrev_b16", AMD_OP_REVERSED, AMD_SHL, 0, 1, 0},
    {"v_lshrrev_b16", AMD_OP_REVERSED, AMD_SHR, 0, 1, 0},
    {"v_ashrrev_i16", AMD_OP_REVERSED, AMD_SAR, 0, 1, 0},
    {"v_min_u16", AMD_OP_BINARY, AMD_MINU, 0, 1, 0},
    {"v_max_u16", AMD_OP_BINARY, AMD_MAXU, 0, 1, 0},
    {"v_min_i16", AMD_OP_BINARY, AMD_MINI, 0, 1, 0},
    {"v_max_i16", AMD_OP_BINARY, AMD_MAXI, 0, 1, 0},
    {"v_cndmask_b16", AMD_OP_SELECT, 0, 0, 1, 0},
    COMPARES16("v_cmp_", AMD_OP_COMPARE),
    COMPARES16("v_cmpx_", AMD_OP_COMPARE_EXEC),
    {"v_bfe_u32", AMD_OP_FIELD, 0, 0, 1, 0},
    {"v_bfe_i32", AMD_OP_FIELD, 0, 1, 1, 0},
    {"s_bfe_u32", AMD_OP_FIELD, 0, 0, 1, 0},
    {"s_bfe_i32", AMD_OP_FIELD, 0, 1, 1, 0},
    {"v_bfi_b32", AMD_OP_INSERT, 0, 0, 1, 0},
    {"v_alignbit_b32", AMD_OP_ALIGN, 0, 0, 1, 0},
    {"v_alignbyte_b32", AMD_OP_ALIGN, 0, 1, 1, 0},
    {"v_perm_b32", AMD_OP_PERMUTE, 0, 0, 1, 0},
    {"v_mul_i32_i24", AMD_OP_BINARY, AMD_MULI24, 0, 1, 0},
    {"v_mad_i32_i24", AMD_OP_TERNARY, AMD_MULI24, AMD_ADD, 1, 0},
    {"v_xad_u32", AMD_OP_TERNARY, AMD_XOR, AMD_ADD, 1, 0},
    {"v_xor3_b32", AMD_OP_TERNARY, AMD_XOR, AMD_XOR, 1, 0},
    {"v_sub_i32", AMD_OP_BINARY, AMD_SUB, 0, 1, 0},
    {"v_subrev_i32", AMD_OP_REVERSED, AMD_SUB, 0, 1, 0},
    {"v_add_i32", AMD_OP_BINARY, AMD_ADD, 0, 1, 0},
    {"v_sub_nc_i32", AMD_OP_BINARY, AMD_SUB, 0, 1, 0},
    {"v_sub_nc_u64", AMD_OP_BINARY, AMD_SUB, 0, 2, 0},
    {"v_bitop2_b32", AMD_OP_BITS, 0, 0, 1, 0},
    {"v_bitop3_b32", AMD_OP_BITS, 0, 0, 1, 0},
    {"v_bitop3_b16", AMD_OP_BITS, 0, 0, 1, 0},
    {"v_med3_u32", AMD_OP_MEDIAN, AMD_MINU, AMD_MAXU, 1, 0},
    {"v_med3_i32", AMD_OP_MEDIAN, AMD_MINI, AMD_MAXI, 1, 0},
    {"v_med3_f32", AMD_OP_MEDIAN, AMD_FMIN, AMD_FMAX, 1, 0},
    {"v_med3_num_f32", AMD_OP_MEDIAN, AMD_FMIN, AMD_FMAX, 1, 0},
    {"v_min3_u32", AMD_OP_TERNARY, AMD_MINU, AMD_MINU, 1, 0},
    {"v_min3_i32", AMD_OP_TERNARY, AMD_MINI, AMD_MINI, 1, 0},
    {"v_max3_u32", AMD_OP_TERNARY, AMD_MAXU, AMD_MAXU, 1, 0},
    {"v_max3_i32", AMD_OP_TERNARY, AMD_MAXI, AMD_MAXI, 1, 0},
    {"v_maxmin_u32", AMD_OP_TERNARY, AMD_MAXU, AMD_MINU, 1, 0},
    {"v_maxmin_i32", AMD_OP_TERNARY, AMD_MAXI, AMD_MINI, 1, 0},
    {"v_minmax_u32", AMD_OP_TERNARY, AMD_MINU, AMD_MAXU, 1, 0},
    {"v_minmax_i32", AMD_OP_TERNARY, AMD_MINI, AMD_MAXI, 1, 0},
    {"v_maxmin_f32", AMD_OP_TERNARY, AMD_FMAX, AMD_FMIN, 1, 0},
    {"v_maxmin_num_f32", AMD_OP_TERNARY, AMD_FMAX, AMD_FMIN, 1, 0},
    {"v_minmax_f32", AMD_OP_TERNARY, AMD_FMIN, AMD_FMAX, 1, 0},
    {"v_minmax_num_f32", AMD_OP_TERNARY, AMD_FMIN, AMD_FMAX, 1, 0},
    {"v_min_f32", AMD_OP_BINARY, AMD_FMIN, 0, 1, 0},
    {"v_min_num_f32", AMD_OP_BINARY, AMD_FMIN, 0, 1, 0},
    {"v_max_f32", AMD_OP_BINARY, AMD_FMAX, 0, 1, 0},
    {"v_max_num_f32", AMD_OP_BINARY, AMD_FMAX, 0, 1, 0},
    {"s_min_num_f32", AMD_OP_BINARY, AMD_FMIN, 0, 1, 0},
    {"s_max_num_f32", AMD_OP_BINARY, AMD_FMAX, 0, 1, 0},
    {"v_ldexp_f32", AMD_OP_BINARY, AMD_FSCALE, 0, 1, 0},
    {"v_fma_f32", AMD_OP_FUSED, 0, 0, 1, 0},
    {"v_fmaak_f32", AMD_OP_FUSED, 0, 0, 1, 0},
    {"v_fmamk_f32", AMD_OP_FUSED, 0, 0, 1, 0},
    {"v_fmac_f32", AMD_OP_FUSED, 0, 0, 1, 0},
    {"s_fmac_f32", AMD_OP_FUSED, 0, 0, 1, 0},
    {"s_fmaak_f32", AMD_OP_FUSED, 0, 0, 1, 0},
    {"s_fmamk_f32", AMD_OP_FUSED, 0, 0, 1, 0},
    {"v_add_f32", AMD_OP_BINARY, AMD_FADD, 0, 1, 0},
    {"v_sub_f32", AMD_OP_BINARY, AMD_FSUB, 0, 1, 0},
    {"v_subrev_f32", AMD_OP_REVERSED, AMD_FSUB, 0, 1, 0},
    {"v_mul_f32", AMD_OP_BINARY, AMD_FMUL, 0, 1, 0},
    {"v_cvt_f32_i32", AMD_OP_MOVE, AMD_FFROM, 0, 1, 0},
    {"v_rcp_iflag_f32", AMD_OP_MOVE, AMD_FRCP, 0, 1, 0}, /* of integers alone: others have v_rcp_f32 */
    {"v_cvt_f32_u32", AMD_OP_MOVE, AMD_FFROMU, 0, 1, 0},
    {"v_cvt_i32_f32", AMD_OP_MOVE, AMD_FTO, 0, 1, 0},
    {"v_cvt_u32_f32", AMD_OP_MOVE, AMD_FTOU, 0, 1, 0},
    {"s_add_f32", AMD_OP_BINARY, AMD_FADD, 0, 1, 0},
    {"s_sub_f32", AMD_OP_BINARY, AMD_FSUB, 0, 1, 0},
    {"s_mul_f32", AMD_OP_BINARY, AMD_FMUL, 0, 1, 0},
    {"s_cvt_f32_i32", AMD_OP_MOVE, AMD_FFROM, 0, 1, 0},
    {"s_cvt_f32_u32", AMD_OP_MOVE, AMD_FFROMU, 0, 1, 0},
    {"s_cvt_i32_f32", AMD_OP_MOVE, AMD_FTO, 0, 1, 0},
    {"s_cvt_u32_f32", AMD_OP_MOVE, AMD_FTOU, 0, 1, 0},
    FLOAT_COMPARES("v_cmp_", AMD_OP_COMPARE),
    FLOAT_COMPARES("v_cmpx_", AMD_OP_COMPARE_EXEC),
    FLOAT_COMPARES("s_cmp_", AMD_OP_COMPARE_SCC),
    {"v_readlane_b32", AMD_OP_READ_LANE, 0, 0, 1, 0},
    {"v_writelane_b32", AMD_OP_WRITE_LANE, 0, 0, 1, 0},
    {"v_mbcnt_lo_u32_b32", AMD_OP_MBCNT, 0, 0, 1, 0},
    {"v_mbcnt_hi_u32_b32", AMD_OP_MBCNT, 0, 0, 1, 0},

    {"s_endpgm", AMD_OP_END, 0, 0, 0, 0},
    {"s_nop", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_clause", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_inst_prefetch", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_set_inst_prefetch_distance", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_delay_alu", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_prefetch_inst", AMD_OP_NOTHING, 0, 0, 0, 0}, /* lines may be fetched at any time anyway */
    {"s_prefetch_inst_pc_rel", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_prefetch_data", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_prefetch_data_pc_rel", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"global_prefetch_b8", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"flat_prefetch_b8", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"v_nop", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_sendmsg", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_setreg_imm32_b32", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_setreg_b32", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_setprio", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_code_end", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_waitcnt_depctr", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_wait_alu", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_wait_samplecnt", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_wait_bvhcnt", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_wait_xcnt", AMD_OP_NOTHING, 0, 0, 0, 0},
    {"s_wait_expcnt", AMD_OP_NOTHING, 0, 0, 0, 0},
};
enum { NAME_COUNT = sizeof NAMES / sizeof *NAMES };

const struct amd_name *amd_name_find(const char *at, size_t length) {
  for (unsigned i = 0; i < NAME_COUNT; i++)
    if (strlen(NAMES[i].text) == length && !memcmp(at, NAMES[i].text, length)) return &NAMES[i];
  return NULL;
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
