/* SPDX-License-Identifier: MIT */
/* Waits, and instructions that do nothing here: what they name (counters, hardware registers, messages, delays) and the
 * numbers that they have, by GPU.
 */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "hwsem/amd/assembly_internal.h"

/* ---- waits ---- */

static bool set_wait(struct assembler *a, struct amd_instr *instr, const char *name, int64_t most, struct span span) {
  bool saturates = text_ends_in(name, "_sat"); /* of a number that is too large, the largest */
  if (saturates) name = arena_strndup(a->arena, name, strlen(name) - strlen("_sat"));
  const struct amd_counter *counter = amd_target_counter(a->target, name);
  if (!counter) return ASSEMBLER_FAIL(a, span, "%s has no counter %s", a->target->name, name);
  if (saturates && most > counter->most) most = counter->most;
  if (most > counter->most)
    return ASSEMBLER_FAIL(a, span, "%s of %s is at most %u", name, a->target->name, counter->most);
  for (unsigned k = 0; k < AMD_CLASSES; k++)
    if (counter->classes >> k & 1) instr->wait[k] = (int)most;
  return true;
}

/* Where the number of `s_waitcnt 0xc07f` has those of counters: bits from `at` on, and the upper ones of some
 * elsewhere. */
static const struct packed_counter {
  const char *name;
  unsigned gpus, at, bits, upper_at, upper_bits;
} PACKED[] = {
    {"vmcnt", AMD_TO(AMD_GFX8), 0, 4, 0, 0},
    {"vmcnt", AMD_FROM(AMD_GFX900) & AMD_TO(AMD_GFX10_3), 0, 4, 14, 2},
    {"vmcnt", AMD_FROM(AMD_GFX11), 10, 6, 0, 0},
    {"lgkmcnt", AMD_TO(AMD_GFX950), 8, 4, 0, 0},
    {"lgkmcnt", AMD_GFX10 | AMD_GFX10_3, 8, 6, 0, 0},
    {"lgkmcnt", AMD_FROM(AMD_GFX11), 4, 6, 0, 0},
};

/* The largest number of a counter says that nothing is waited for. */
static bool set_packed_wait(struct assembler *a, struct amd_instr *instr, int64_t number, struct span span) {
  ARRAY_EACH (const struct packed_counter, p, PACKED, ARRAY_COUNT(PACKED)) {
    if (!(p->gpus & a->target->gpu)) continue;
    unsigned lower = (unsigned)number >> p->at & ((1u << p->bits) - 1);
    unsigned upper = (unsigned)number >> p->upper_at & ((1u << p->upper_bits) - 1);
    unsigned most = lower | upper << p->bits, none = (1u << (p->bits + p->upper_bits)) - 1;
    if (most != none && !set_wait(a, instr, p->name, most, span)) return false;
  }
  return true;
}

/* `vmcnt(0) lgkmcnt(0)` with `&` or nothing between, or one number for all */
static bool parse_waitcnt(struct assembler *a, struct amd_instr *instr) {
  int64_t most;
  assembler_skip_space(a);
  const char *from = a->at;
  if (assembler_take_number(a, &most) && most >= 0 && most <= UINT16_MAX)
    return set_packed_wait(a, instr, most, assembler_span(a, from, (size_t)(a->at - from)));
  a->at = from;
  do {
    assembler_skip_space(a);
    from = a->at;
    size_t length = assembler_word_length(a);
    const char *counter = arena_strndup(a->arena, from, length);
    a->at += length;
    if (!length || !assembler_take(a, "(") || !assembler_take_number(a, &most) || most < 0 || !assembler_take(a, ")")) {
      a->at = from;
      return assembler_fail_operand(a, instr);
    }
    if (!set_wait(a, instr, counter, most, assembler_span(a, from, (size_t)(a->at - from)))) return false;
  } while (assembler_take(a, "&") || assembler_take(a, ",") || !assembler_at_end(a));
  return true;
}

/* s_wait_storecnt 0x0, s_wait_loadcnt_dscnt 0x0 (two counters: high byte, low byte), s_waitcnt_vscnt null, 0x0,
 * s_wait_idle
 */
bool assembler_parse_wait(struct assembler *a, struct amd_instr *instr) {
  bool idle = !strcmp(instr->name, "s_wait_idle"), newer = !strncmp(instr->name, "s_wait_", 7);
  for (int k = 0; k < AMD_CLASSES; k++) instr->wait[k] = idle ? 0 : -1;
  if (idle) return true;
  if (!strcmp(instr->name, "s_waitcnt")) return parse_waitcnt(a, instr);
  int64_t most;
  const char *from = a->at;
  if (!newer && (!assembler_take(a, "null") || !assembler_take(a, ","))) return assembler_fail_operand(a, instr);
  if (!assembler_take_number(a, &most) || most < 0 || most > UINT16_MAX) {
    a->at = from;
    return assembler_fail_operand(a, instr);
  }
  struct span span = assembler_span(a, from, (size_t)(a->at - from));
  const char *counter = instr->name + strlen(newer ? "s_wait_" : "s_waitcnt_");
  const char *second = strchr(counter, '_');
  if (!second) return set_wait(a, instr, counter, most, span);
  return set_wait(a, instr, arena_strndup(a->arena, counter, (size_t)(second - counter)), most >> 8, span) &&
         set_wait(a, instr, second + 1, most & 0xff, span);
}

/* ---- words of instructions that do nothing here ---- */

/* A word and the GPUs whose instructions may have it, as LLVM's assembler knows it. */
struct word {
  const char *text;
  unsigned gpus;
};

#define EVERY AMD_EVERY_GPU
#define GFX9_TO(gpu) (AMD_FROM(AMD_GFX900) & AMD_TO(gpu))

static const struct word REGISTERS[] = {
    {"HW_REG_MODE", EVERY},
    {"HW_REG_STATUS", EVERY},
    {"HW_REG_GPR_ALLOC", EVERY},
    {"HW_REG_LDS_ALLOC", EVERY},
    {"HW_REG_IB_STS", EVERY},
    {"HW_REG_TRAPSTS", AMD_TO(AMD_GFX11_5)},
    {"HW_REG_HW_ID", AMD_TO(AMD_GFX10_3)},
    {"HW_REG_HW_ID1", AMD_FROM(AMD_GFX10)},
    {"HW_REG_HW_ID2", AMD_FROM(AMD_GFX10)},
    {"HW_REG_SH_MEM_BASES", GFX9_TO(AMD_GFX11_5)},
    {"HW_REG_TBA_LO", GFX9_TO(AMD_GFX10_3)},
    {"HW_REG_TBA_HI", GFX9_TO(AMD_GFX10_3)},
    {"HW_REG_TMA_LO", GFX9_TO(AMD_GFX10_3)},
    {"HW_REG_TMA_HI", GFX9_TO(AMD_GFX10_3)},
    {"HW_REG_XCC_ID", AMD_GFX940 | AMD_GFX950},
    {"HW_REG_SQ_PERF_SNAPSHOT_DATA", AMD_GFX940 | AMD_GFX950},
    {"HW_REG_SQ_PERF_SNAPSHOT_DATA1", AMD_GFX940 | AMD_GFX950},
    {"HW_REG_SQ_PERF_SNAPSHOT_PC_LO", AMD_GFX940 | AMD_GFX950},
    {"HW_REG_SQ_PERF_SNAPSHOT_PC_HI", AMD_GFX940 | AMD_GFX950},
    {"HW_REG_FLAT_SCR_LO", AMD_FROM(AMD_GFX10) & AMD_TO(AMD_GFX11_5)},
    {"HW_REG_FLAT_SCR_HI", AMD_FROM(AMD_GFX10) & AMD_TO(AMD_GFX11_5)},
    {"HW_REG_XNACK_MASK", AMD_GFX10 | AMD_GFX12_5},
    {"HW_REG_POPS_PACKER", AMD_GFX10 | AMD_GFX10_3},
    {"HW_REG_SHADER_CYCLES", AMD_FROM(AMD_GFX10_3) & AMD_TO(AMD_GFX11_5)},
    {"HW_REG_PERF_SNAPSHOT_DATA", AMD_FROM(AMD_GFX11)},
    {"HW_REG_PERF_SNAPSHOT_PC_LO", AMD_FROM(AMD_GFX11)},
    {"HW_REG_PERF_SNAPSHOT_PC_HI", AMD_FROM(AMD_GFX11)},
    {"HW_REG_PERF_SNAPSHOT_DATA1", AMD_FROM(AMD_GFX12)},
    {"HW_REG_PERF_SNAPSHOT_DATA2", AMD_FROM(AMD_GFX12)},
    {"HW_REG_SHADER_CYCLES_LO", AMD_FROM(AMD_GFX12)},
    {"HW_REG_SHADER_CYCLES_HI", AMD_FROM(AMD_GFX12)},
    {"HW_REG_WAVE_MODE", AMD_FROM(AMD_GFX12)},
    {"HW_REG_WAVE_STATUS", AMD_FROM(AMD_GFX12)},
    {"HW_REG_WAVE_GPR_ALLOC", AMD_FROM(AMD_GFX12)},
    {"HW_REG_WAVE_LDS_ALLOC", AMD_FROM(AMD_GFX12)},
    {"HW_REG_WAVE_HW_ID1", AMD_FROM(AMD_GFX12)},
    {"HW_REG_WAVE_HW_ID2", AMD_FROM(AMD_GFX12)},
    {"HW_REG_WAVE_SCHED_MODE", AMD_FROM(AMD_GFX12)},
    {"HW_REG_DVGPR_ALLOC_LO", AMD_FROM(AMD_GFX12)},
    {"HW_REG_DVGPR_ALLOC_HI", AMD_FROM(AMD_GFX12)},
    {"HW_REG_WAVE_DVGPR_ALLOC_LO", AMD_FROM(AMD_GFX12)},
    {"HW_REG_WAVE_DVGPR_ALLOC_HI", AMD_FROM(AMD_GFX12)},
    {"HW_REG_EXCP_FLAG_PRIV", AMD_FROM(AMD_GFX12)},
    {"HW_REG_EXCP_FLAG_USER", AMD_FROM(AMD_GFX12)},
    {"HW_REG_WAVE_EXCP_FLAG_PRIV", AMD_FROM(AMD_GFX12)},
    {"HW_REG_WAVE_EXCP_FLAG_USER", AMD_FROM(AMD_GFX12)},
    {"HW_REG_TRAP_CTRL", AMD_FROM(AMD_GFX12)},
    {"HW_REG_WAVE_TRAP_CTRL", AMD_FROM(AMD_GFX12)},
    {"HW_REG_STATE_PRIV", AMD_FROM(AMD_GFX12)},
    {"HW_REG_WAVE_STATE_PRIV", AMD_FROM(AMD_GFX12)},
    {"HW_REG_SCRATCH_BASE_LO", AMD_FROM(AMD_GFX12)},
    {"HW_REG_SCRATCH_BASE_HI", AMD_FROM(AMD_GFX12)},
    {"HW_REG_WAVE_SCRATCH_BASE_LO", AMD_FROM(AMD_GFX12)},
    {"HW_REG_WAVE_SCRATCH_BASE_HI", AMD_FROM(AMD_GFX12)},
    {"HW_REG_IB_STS2", AMD_GFX12_5},
    {"HW_REG_XNACK_STATE_PRIV", AMD_GFX12_5},
    {NULL, 0},
};

static const struct word MESSAGES[] = {
    {"MSG_INTERRUPT", EVERY},
    {"MSG_SAVEWAVE", AMD_FROM(AMD_GFX8) & AMD_TO(AMD_GFX10_3)},
    {"MSG_STALL_WAVE_GEN", GFX9_TO(AMD_GFX11_5)},
    {"MSG_HALT_WAVES", GFX9_TO(AMD_GFX11_5)},
    {"MSG_ORDERED_PS_DONE", GFX9_TO(AMD_GFX10_3)},
    {"MSG_EARLY_PRIM_DEALLOC", GFX9_TO(AMD_GFX10_3)},
    {"MSG_GET_DOORBELL", GFX9_TO(AMD_GFX10_3)},
    {"MSG_GS_ALLOC_REQ", AMD_FROM(AMD_GFX900)},
    {"MSG_GET_DDID", AMD_GFX10 | AMD_GFX10_3},
    {"MSG_HS_TESSFACTOR", AMD_FROM(AMD_GFX11)},
    {"MSG_DEALLOC_VGPRS", AMD_FROM(AMD_GFX11)},
    {"MSG_RTN_GET_DOORBELL", AMD_FROM(AMD_GFX11)},
    {"MSG_RTN_GET_DDID", AMD_FROM(AMD_GFX11)},
    {"MSG_RTN_GET_TMA", AMD_FROM(AMD_GFX11)},
    {"MSG_RTN_GET_REALTIME", AMD_FROM(AMD_GFX11)},
    {"MSG_RTN_SAVE_WAVE", AMD_FROM(AMD_GFX11)},
    {"MSG_RTN_GET_TBA", AMD_FROM(AMD_GFX11)},
    {"MSG_RTN_GET_TBA_TO_PC", AMD_FROM(AMD_GFX11)},
    {"MSG_RTN_GET_SE_AID_ID", AMD_FROM(AMD_GFX12)},
    {"MSG_RTN_GET_CLUSTER_BARRIER_STATE", AMD_GFX12_5},
    {"MSG_SAVEWAVE_HAS_TDM", AMD_GFX12_5},
    {NULL, 0},
};

static const struct word SYSTEM[] = {
    {"SYSMSG_OP_ECC_ERR_INTERRUPT", EVERY},
    {"SYSMSG_OP_REG_RD", EVERY},
    {"SYSMSG_OP_HOST_TRAP_ACK", AMD_TO(AMD_GFX8)},
    {"SYSMSG_OP_TTRACE_PC", EVERY},
    {NULL, 0},
};

static const struct word STREAMS[] = {
    {"GS_OP_CUT", EVERY}, {"GS_OP_EMIT", EVERY}, {"GS_OP_EMIT_CUT", EVERY}, {NULL, 0}};

static const struct word DELAYS[] = {{"NO_DEP", EVERY},
                                     {"VALU_DEP_1", EVERY},
                                     {"VALU_DEP_2", EVERY},
                                     {"VALU_DEP_3", EVERY},
                                     {"VALU_DEP_4", EVERY},
                                     {"TRANS32_DEP_1", EVERY},
                                     {"TRANS32_DEP_2", EVERY},
                                     {"TRANS32_DEP_3", EVERY},
                                     {"SALU_CYCLE_1", EVERY},
                                     {"SALU_CYCLE_2", EVERY},
                                     {"SALU_CYCLE_3", EVERY},
                                     {"FMA_ACCUM_CYCLE_1", EVERY},
                                     {NULL, 0}};

static const struct word SKIPS[] = {{"SAME", EVERY},   {"NEXT", EVERY},   {"SKIP_1", EVERY}, {"SKIP_2", EVERY},
                                    {"SKIP_3", EVERY}, {"SKIP_4", EVERY}, {NULL, 0}};

/* One of the words; another GPU's is an error that says so. */
static bool take_word(struct assembler *a, const struct word *words) {
  assembler_skip_space(a);
  const char *text = arena_strndup(a->arena, a->at, assembler_word_length(a));
  for (; words->text; words++) {
    if (strcmp(words->text, text) != 0) continue;
    if (!(words->gpus & a->target->gpu))
      ASSEMBLER_FAIL(a, assembler_span(a, a->at, strlen(text)), "%s does not have '%s'", a->target->name, text);
    a->at += strlen(text);
    return !a->failed;
  }
  return false;
}

static bool take_between(struct assembler *a, int64_t least, int64_t most) {
  int64_t number;
  return assembler_take_number(a, &number) && number >= least && number <= most;
}

/* `hwreg(HW_REG_MODE, 4, 2)`: a register; of its bits the first, and how many. */
static bool take_register(struct assembler *a) {
  if (!assembler_take(a, "hwreg(") || !(take_between(a, 0, 63) || take_word(a, REGISTERS))) return false;
  if (assembler_take(a, ",") && !(take_between(a, 0, 31) && assembler_take(a, ",") && take_between(a, 1, 32)))
    return false;
  return assembler_take(a, ")");
}

/* After a message's number anything may stand that fits. */
static bool take_numbered_message(struct assembler *a) {
  if (assembler_take(a, ",") && !take_between(a, 0, 7)) return false;
  return !assembler_take(a, ",") || take_between(a, 0, 3);
}

/* `MSG_GS, GS_OP_EMIT, 0`: what is done, and to which stream. */
static bool take_stream_message(struct assembler *a, bool ends) {
  if (a->target->gpu > AMD_GFX10_3 || !assembler_take(a, ",")) return false;
  if (ends && (assembler_take(a, "GS_OP_NOP") || take_between(a, 0, 0))) return true;
  if (!take_word(a, STREAMS) && !take_between(a, 1, 3)) return false;
  return !assembler_take(a, ",") || take_between(a, 0, 3);
}

/* A word, and none that only begins so. */
static bool take_whole(struct assembler *a, const char *word) {
  assembler_skip_space(a);
  return assembler_word_length(a) == strlen(word) && assembler_take(a, word);
}

/* `sendmsg(MSG_INTERRUPT)` */
static bool take_message(struct assembler *a) {
  if (!assembler_take(a, "sendmsg(")) return false;
  bool taken = take_between(a, 0, a->target->gpu >= AMD_GFX11 ? 255 : 15);
  if (taken)
    taken = take_numbered_message(a);
  else if (take_whole(a, "MSG_GS") || take_whole(a, "MSG_GS_DONE"))
    taken = take_stream_message(a, a->at[-1] == 'E');
  else if (take_whole(a, "MSG_SYSMSG"))
    taken = assembler_take(a, ",") && (take_word(a, SYSTEM) || take_between(a, 1, 4));
  else
    taken = take_word(a, MESSAGES);
  return taken && assembler_take(a, ")");
}

/* `instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)` */
static bool take_delays(struct assembler *a) {
  do {
    bool skip = assembler_take(a, "instskip(");
    if (!skip && !assembler_take(a, "instid0(") && !assembler_take(a, "instid1(")) return false;
    if (!take_word(a, skip ? SKIPS : DELAYS) || !assembler_take(a, ")")) return false;
  } while (assembler_take(a, "|"));
  return true;
}

/* `depctr_va_vdst(0) depctr_vm_vsrc(0)`, with `&`, a comma or nothing between: each once */
static bool take_dependencies(struct assembler *a) {
  static const struct {
    const char *text;
    int64_t most;
  } COUNTERS[] = {{"depctr_hold_cnt(", 1}, {"depctr_sa_sdst(", 1},  {"depctr_va_sdst(", 7}, {"depctr_va_ssrc(", 1},
                  {"depctr_va_vcc(", 1},   {"depctr_va_vdst(", 15}, {"depctr_vm_vsrc(", 7}};
  unsigned seen = 0;
  do {
    unsigned k = 0, count = ARRAY_COUNT(COUNTERS);
    while (k < count && !assembler_take(a, COUNTERS[k].text)) k++;
    if (k == count || seen >> k & 1 || (k == 0 && a->target->gpu < AMD_GFX10_3)) return false;
    seen |= 1u << k;
    if (!take_between(a, 0, COUNTERS[k].most) || !assembler_take(a, ")")) return false;
  } while (assembler_take(a, "&") || assembler_take(a, ",") || !assembler_at_end(a));
  return true;
}

/* What an instruction that does nothing here has: nothing, a number, or instead of one words of some kind; and after a
 * register what is written to it. */
static const struct idle_form {
  const char *name;
  bool number;
  bool (*words)(struct assembler *a);
  enum { WRITES_NOTHING, WRITES_NUMBER, WRITES_REGISTER } writes;
} IDLE[] = {
    {"s_nop", true, NULL, WRITES_NOTHING},
    {"s_clause", true, NULL, WRITES_NOTHING},
    {"s_inst_prefetch", true, NULL, WRITES_NOTHING},
    {"s_set_inst_prefetch_distance", true, NULL, WRITES_NOTHING},
    {"s_setprio", true, NULL, WRITES_NOTHING},
    {"s_delay_alu", true, take_delays, WRITES_NOTHING},
    {"s_sendmsg", true, take_message, WRITES_NOTHING},
    {"s_setreg_imm32_b32", true, take_register, WRITES_NUMBER},
    {"s_setreg_b32", true, take_register, WRITES_REGISTER},
    {"s_waitcnt_depctr", true, take_dependencies, WRITES_NOTHING},
    {"s_wait_alu", true, take_dependencies, WRITES_NOTHING},
    {"s_wait_samplecnt", true, NULL, WRITES_NOTHING},
    {"s_wait_bvhcnt", true, NULL, WRITES_NOTHING},
    {"s_wait_xcnt", true, NULL, WRITES_NOTHING},
    {"s_wait_expcnt", true, NULL, WRITES_NOTHING},
    {"s_endpgm", true, NULL, WRITES_NOTHING},
    {"v_nop", false, NULL, WRITES_NOTHING},
    {"s_code_end", false, NULL, WRITES_NOTHING},
};

static bool parse_written(struct assembler *a, struct amd_instr *instr, const struct idle_form *form) {
  struct amd_operand *written = &instr->at[0];
  if (form->writes == WRITES_NOTHING) return true;
  if (!assembler_take(a, ",")) return assembler_fail_operand(a, instr);
  if (!assembler_take_operand(a, instr, written)) return false;
  bool scalar = written->kind == AMD_REG && written->reg < AMD_V && written->words == 1;
  if (form->writes == WRITES_NUMBER ? written->kind == AMD_NUMBER : scalar) return true;
  return ASSEMBLER_FAIL(a, written->span, "%s takes a %s here", instr->name,
                        form->writes == WRITES_NUMBER ? "number" : "scalar register");
}

bool assembler_parse_idle(struct assembler *a, struct amd_instr *instr, bool *known) {
  const struct idle_form *form = FIND_ROW(IDLE, ARRAY_COUNT(IDLE), name, instr->name);
  int64_t number;
  assembler_skip_space(a);
  *known = form != NULL;
  if (!form) return false;
  bool taken, failed = a->failed;
  a->failed = false;
  if (assembler_at_end(a))
    taken = instr->op == AMD_OP_END || !form->number;
  else
    taken = (form->number && assembler_take_number(a, &number)) || (form->words && form->words(a));
  if (taken)
    taken = parse_written(a, instr, form);
  else if (!a->failed)
    assembler_fail_operand(a, instr);
  a->failed |= failed;
  return taken;
}
