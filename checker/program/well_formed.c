/* SPDX-License-Identifier: MIT */
/* One instruction after the other: what program.h says of each kind. */
#include "checker/program/well_formed.h"

#include "checker/base/array.h"

static bool is_register(void *context, unsigned reg) {
  return reg < ((const struct thread *)context)->reg_count;
}

static bool expressions_are_sound(const struct thread *thread, const struct instr *instr) {
  const struct expr *all[INSTR_EXPRESSIONS];
  struct thread within = *thread;
  for (unsigned i = instr_expressions(instr, all); i-- > 0;)
    if (!expr_registers(all[i], is_register, &within)) return false;
  return instr->reg == NO_REG || (instr->reg >= 0 && (unsigned)instr->reg < thread->reg_count);
}

/* Do its cells exist? */
static bool address_is_sound(const struct program *program, const struct address *a) {
  return a->size > 0 && a->base < program->location_count && a->size <= program->location_count - a->base;
}

static bool access_is_sound(const struct program *program, const struct instr *instr) {
  bool needs_value = instr->kind == INSTR_STORE || instr->kind == INSTR_RMW || instr->kind == INSTR_CAS;
  if (needs_value && !instr->value) return false;
  if (instr->alias > program->location_count) return false;
  if (instr->kind == INSTR_CAS && instr->expected_in_memory && !address_is_sound(program, &instr->expected_at))
    return false;
  if (instr->kind == INSTR_CAS && !instr->expected_in_memory && !instr->expected) return false;
  return address_is_sound(program, &instr->address);
}

static bool flow_is_sound(const struct thread *thread, const struct instr *instr) {
  if (instr->target > thread->instr_count) return false;
  return instr->kind != INSTR_BRANCH || (instr->value && instr->condition <= (unsigned)(instr - thread->instrs) + 1);
}

static bool instr_is_sound(const struct program *program, const struct thread *thread, const struct instr *instr) {
  if (!expressions_are_sound(thread, instr)) return false;
  if (instr_is_access(instr)) return access_is_sound(program, instr);
  switch (instr->kind) {
    case INSTR_ASSIGN:
      return instr->value && instr->reg != NO_REG;
    case INSTR_BRANCH:
    case INSTR_JUMP:
      return flow_is_sound(thread, instr);
    case INSTR_CALL:
      return flow_is_sound(thread, instr) && instr->kernel < program->kernel_count;
    case INSTR_ALLOC:
    case INSTR_FREE:
      return instr->object < program->object_count;
    case INSTR_MEET:
      return instr->barrier_label >= 0 && (unsigned)instr->barrier_label < program->barrier_label_count;
    case INSTR_BARRIER:
      return instr->barrier_label < (int)program->barrier_label_count;
    default:
      return true;
  }
}

static bool locations_are_sound(const struct program *program) {
  for (unsigned i = 0; i < program->location_count; i++) {
    const struct location *l = &program->locations[i];
    if (!l->name || l->physical > program->location_count || l->generic > program->location_count) return false;
    if (program->object_count && l->object >= program->object_count) return false;
    if (program_physical(program, program_physical(program, i)) != program_physical(program, i)) return false;
  }
  return true;
}

bool program_is_well_formed(const struct program *program) {
  ARRAY_EACH (const struct thread, thread, program->threads, program->thread_count) {
    if (thread->wg >= program->wg_count || thread->dev >= program->dev_count) return false;
    for (unsigned i = 0; i < thread->instr_count; i++)
      if (!instr_is_sound(program, thread, &thread->instrs[i])) return false;
  }
  return locations_are_sound(program);
}
