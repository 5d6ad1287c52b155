/* SPDX-License-Identifier: MIT */
/* Blocks in their contexts. */
#include "checker/verify/legalizer_blocks.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/pool.h"
#include "checker/base/text.h"
#include "checker/verify/legalizer_blocks_internal.h"

const char *block_answer_name(enum block_answer answer) {
  static const char *const NAMES[] = {"Sound", "Unsound", "Vacuous", "Unread"};
  return NAMES[answer];
}

const char *block_need_name(enum block_need need) {
  static const char *const NAMES[] = {"needed", "needed by its value", "not needed", "nothing here"};
  return NAMES[need];
}

/* GPUs that order memory as one of the machine's does: by the sections of LLVM's AMDGPU user guide. */
const char *blocks_target_name(const char *processor) {
  static const char *const SAME[][2] = {{"gfx906", "gfx908"},   {"gfx940", "gfx942"},   {"gfx941", "gfx942"},
                                        {"gfx1010", "gfx1030"}, {"gfx1011", "gfx1030"}, {"gfx1012", "gfx1030"},
                                        {"gfx1031", "gfx1030"}, {"gfx1032", "gfx1030"}, {"gfx1101", "gfx1100"},
                                        {"gfx1102", "gfx1100"}, {"gfx1201", "gfx1200"}};
  for (size_t i = 0; i < ARRAY_COUNT(SAME); i++)
    if (!strcmp(SAME[i][0], processor)) return SAME[i][1];
  return processor;
}

/* ---- what is asked ---- */

/* A distinct block: code, for one operation on one target.  Functions of other names
 * may have the same. */
struct task {
  struct block_operation op;
  const struct amd_target *target;
  const struct strong_code *strong, *own; /* own: for its location */
  unsigned target_number;
  struct amd_code *code;
  block_context_list contexts;
  struct block found; /* the answer */
  bool asked;
  uint64_t explored;
  const char *key;
};

struct asking {
  struct arena *arena;
  const struct blocks_options *options;
  struct block_contexts contexts;
  struct block_memo *memo;
  VEC(struct task *) tasks;
};

/* ---- one context ---- */

struct worker {
  const struct asking *asking;
  struct task *task;
  struct explorer *explorer;
  struct arena *kept; /* of what is said */
};

static struct block_case case_of(const struct task *task, struct arena *arena, const struct block_context *context,
                                 const struct amd_code *code) {
  return (struct block_case){.arena = arena,
                             .op = &task->op,
                             .target = task->target,
                             .strong = task->strong,
                             .own = task->own,
                             .context = context,
                             .code = code};
}

static enum run_answer try(struct worker *w, const struct block_context *context, const struct amd_code *code,
                           bool waits_for_values, struct block_run *run) {
  struct arena *arena = arena_new();
  struct block_case b = case_of(w->task, arena, context, code);
  b.memo = w->asking->memo;
  b.waits_for_values = waits_for_values;
  block_run(&b, w->asking->options, w->explorer, w->kept, run);
  arena_free(arena);
  w->task->explored++;
  return run->answer;
}

/* ---- taking things out ---- */

/* The block's code without elements: those marked in `out`. */
static struct amd_code *without(struct arena *arena, const struct task *task, const bool *out) {
  struct amd_code *code = ARENA_COPY(arena, struct amd_code, task->code, 1);
  code->instrs = ARENA_COPY(arena, struct amd_instr, task->code->instrs, code->count);
  for (unsigned e = 0; e < task->found.element_count; e++) {
    const struct block_element *element = &task->found.elements[e];
    struct amd_instr *instr = &code->instrs[element->instr];
    if (!out[e]) continue;
    if (element->counter < 0) instr->op = AMD_OP_NOTHING;
    for (unsigned k = 0; element->counter >= 0 && k < AMD_CLASSES; k++)
      if (task->target->counters[element->counter].classes >> k & 1) instr->wait[k] = -1;
  }
  return code;
}

static const char *context_name(struct arena *arena, const struct block_context *c) {
  const struct legalizer_function *f = c->function;
  bool named = f->kind == INSTR_RMW && f->op != RMW_EXCHANGE && f->op != RMW_ADD;
  const char *name = arena_printf(arena, "%s: %s%s%s%s", c->name, c->text, c->succeeds ? ", succeeding" : "",
                                  named ? ", with " : "", named ? rmw_name(f->op) : "");
  return f->value.constant ? arena_printf(arena, "%s, of %lld", name, (long long)f->value.number) : name;
}

static void note_fault(struct worker *w, const struct block_context *c, const struct block_run *run) {
  struct block *found = &w->task->found;
  if (run->answer == RUN_REFUSED) {
    found->answer = BLOCK_UNREAD;
    found->reason = run->message;
    found->span = run->span;
    return;
  }
  if (found->answer == BLOCK_UNSOUND) return;
  found->answer = BLOCK_UNSOUND;
  found->context = context_name(w->kept, c);
  struct block_case b = case_of(w->task, w->kept, c, w->task->code);
  struct blocks_options full = *w->asking->options; /* its first run is a shortest one */
  struct block_run again;
  full.explore.por = false;
  block_run(&b, &full, w->explorer, w->kept, &again);
  found->trace = again.trace;
}

/* In one context.  Where a register is read too early, also whether the order of accesses would be wrong if that were
 * waited for where it is read, and nothing else. */
static enum block_need need_in(struct worker *w, const struct block_context *c, const struct amd_code *code,
                               struct block_run *run) {
  enum run_answer answer = try(w, c, code, false, run);
  bool early = answer == RUN_HAZARD;
  if (early) answer = try(w, c, code, true, run);
  return answer == RUN_BEYOND ? BLOCK_NEEDED : early ? BLOCK_NEEDED_BY_VALUE : BLOCK_NOT_NEEDED;
}

/* Whether the block is still right without some elements; only in contexts where it is right with them. */
static enum block_need need_of(struct worker *w, const bool *out, const bool *fine, const char **context) {
  struct arena *arena = arena_new();
  const struct amd_code *code = without(arena, w->task, out);
  enum block_need need = BLOCK_NOT_NEEDED;
  for (size_t i = 0; i < w->task->contexts.count && need != BLOCK_NEEDED; i++) {
    const struct block_context *c = w->task->contexts.at[i];
    struct block_run run;
    if (!fine[i]) continue;
    enum block_need here = need_in(w, c, code, &run);
    if (run.answer == RUN_REFUSED && run.cut) {
      note_fault(w, c, &run);
      break;
    }
    if (here >= need) continue;
    need = here;
    *context = context_name(w->kept, c);
  }
  arena_free(arena);
  return need;
}

static void ask_needs(struct worker *w, const bool *fine) {
  struct block *found = &w->task->found;
  bool *out = calloc(found->element_count + 1, sizeof *out);
  if (!out) arena_out_of_memory();
  for (unsigned e = 0; e < found->element_count; e++) {
    struct block_element *element = &found->elements[e];
    if (element->need == BLOCK_NOTHING) continue;
    out[e] = true;
    element->need = need_of(w, out, fine, &element->context);
    out[e] = false;
  }
  unsigned removable = 0;
  for (unsigned e = 0; e < found->element_count; e++) removable += out[e] = found->elements[e].need == BLOCK_NOT_NEEDED;
  const char *context;
  found->together = removable < 2 || need_of(w, out, fine, &context) == BLOCK_NOT_NEEDED;
  free(out);
}

/* ---- a task ---- */

/* Is strong code in the hole right on the task's target?  Workers that ask at the same time
 * get the same answer. */
static bool stands(struct worker *w, struct block_context *c) {
  _Atomic unsigned char *known = &c->stands[w->task->target_number];
  struct block_run run;
  if (!*known) {
    *known = try(w, c, NULL, false, &run) == RUN_FINE ? STANDS_YES : STANDS_NO;
    w->task->explored--; /* whose it is is chance */
  }
  return *known == STANDS_YES;
}

static void *ask_task(void *context, size_t index) {
  const struct asking *asking = context;
  struct worker w = {asking, asking->tasks.at[index], explorer_new(), arena_new()};
  struct task *task = w.task;
  bool *fine = calloc(task->contexts.count + 1, sizeof *fine);
  if (!fine) arena_out_of_memory();
  for (size_t i = 0; i < task->contexts.count && task->found.answer != BLOCK_UNREAD; i++) {
    const struct block_context *c = task->contexts.at[i];
    struct block_run run;
    if (!c->usable || !stands(&w, task->contexts.at[i])) continue;
    task->found.contexts++;
    fine[i] = try(&w, c, task->code, false, &run) == RUN_FINE;
    if (!fine[i]) note_fault(&w, c, &run);
  }
  if (task->found.answer != BLOCK_UNREAD) ask_needs(&w, fine);
  task->asked = true;
  free(fine);
  explorer_free(w.explorer);
  return w.kept;
}

static bool keep_task(void *context, size_t index, void *result) {
  struct asking *asking = context;
  struct block *found = &asking->tasks.at[index]->found;
  struct arena *arena = asking->arena;
  if (found->reason) found->reason = arena_strdup(arena, found->reason);
  if (found->context) found->context = arena_strdup(arena, found->context);
  if (found->trace) found->trace = arena_strdup(arena, found->trace);
  for (unsigned e = 0; e < found->element_count; e++)
    if (found->elements[e].context) found->elements[e].context = arena_strdup(arena, found->elements[e].context);
  arena_free(result);
  return !is_cancelled(asking->options->explore.cancel);
}

static void drop_task(void *context, void *result) {
  (void)context;
  arena_free(result);
}

/* ---- reading blocks ---- */

/* Is nothing but waits and instructions for caches between an instruction and the next access? */
static bool is_at_access(const struct amd_code *code, unsigned at) {
  unsigned i = at + 1;
  while (i < code->count && (code->instrs[i].op == AMD_OP_WAIT || code->instrs[i].op == AMD_OP_CACHE)) i++;
  return i < code->count && amd_op_space(code->instrs[i].op) != AMD_SPACE_NONE;
}

/* Waits for arguments alone: of the counter that local accesses share with scalar
 * loads, before an access that this counter counts, and nothing else but that.  What comes before the block in a
 * context must not be waited for by them.  One in the place of an operation's own, which orders what comes before,
 * may be for both. */
static void drop_argument_waits(const struct legalizer_function *f, struct amd_code *code) {
  bool pending = false, orders = order_releases(f->order) || f->failure == ORDER_SC;
  for (unsigned i = 0; i < code->count; i++) {
    struct amd_instr *instr = &code->instrs[i];
    enum amd_space space = amd_op_space(instr->op);
    if (space == AMD_SPACE_LOCAL || space == AMD_SPACE_FLAT) return;
    if (instr->op == AMD_OP_SCALAR_LOAD) pending = true;
    if (instr->op != AMD_OP_WAIT || instr->wait[AMD_LOCAL] < 0 || !pending) continue;
    pending = false;
    if (instr->wait[AMD_LOADS] < 0 && instr->wait[AMD_STORES] < 0 && !strcmp(instr->name, "s_waitcnt") &&
        !(orders && is_at_access(code, i)))
      instr->op = AMD_OP_NOTHING;
  }
}

static bool is_load(const struct amd_instr *i) {
  return i->op == AMD_OP_GLOBAL_LOAD || i->op == AMD_OP_DS_LOAD || i->op == AMD_OP_FLAT_LOAD ||
         i->op == AMD_OP_PRIVATE_LOAD;
}

/* GFX6 has buffer instructions alone for global memory. */
static bool has_only_buffers(const struct amd_code *code) {
  for (unsigned i = 0; i < code->count; i++) {
    enum amd_space space = amd_op_space(code->instrs[i].op);
    if (space != AMD_SPACE_NONE && code->instrs[i].name[0] != 'b') return false;
  }
  return true;
}

/* An access of the block's own: not that which reads what it writes, and no spill. */
static bool is_access(const struct task *task, const struct amd_instr *i) {
  const struct legalizer_function *f = task->op.function;
  bool private = legalizer_accesses(f) && (f->space == 5 || (f->space < 2 && has_only_buffers(task->code)));
  enum amd_space space = amd_op_space(i->op);
  if (space == AMD_SPACE_NONE || (space == AMD_SPACE_PRIVATE && !private)) return false;
  return !(f->source >= 0 && is_load(i));
}

static bool any_loads(const struct amd_code *code) {
  for (unsigned i = 0; i < code->count; i++)
    if (is_load(&code->instrs[i])) return true;
  return false;
}

static void add_element(struct arena *arena, struct block *found, struct block_element element) {
  struct block_element *all = ARENA_ARRAY(arena, struct block_element, found->element_count + 1);
  if (found->element_count) memcpy(all, found->elements, found->element_count * sizeof *all);
  all[found->element_count++] = element;
  found->elements = all;
}

static const char *with_bits(struct arena *arena, const struct amd_instr *instr) {
  const char *text = instr->name;
  for (unsigned b = 0; b < AMD_BITS; b++)
    if (instr->bits >> b & 1) text = arena_printf(arena, "%s %s%s", text, amd_bit_field(b), amd_bit_name(b));
  return text;
}

/* A wait is one element for each counter that it names. */
static void find_elements(struct arena *arena, struct task *task) {
  const struct amd_code *code = task->code;
  bool pending = false, after = false;
  unsigned accesses = 0;
  for (unsigned i = 0; i < code->count; i++) accesses += is_access(task, &code->instrs[i]);
  for (unsigned i = 0; i < code->count; i++) {
    const struct amd_instr *instr = &code->instrs[i];
    struct block_element element = {
        .instr = i, .counter = -1, .kind = with_bits(arena, instr), .need = BLOCK_NOT_NEEDED};
    element.before = accesses && !after;
    if (instr->op == AMD_OP_SCALAR_LOAD) pending = true;
    after |= is_access(task, instr);
    if (instr->op == AMD_OP_CACHE) {
      add_element(arena, &task->found, element);
    } else if (instr->op == AMD_OP_NOTHING && text_begins(instr->name, "s_wait_")) {
      element.need = BLOCK_NOTHING;
      add_element(arena, &task->found, element);
    }
    for (unsigned c = 0; instr->op == AMD_OP_WAIT && c < task->target->counter_count; c++) {
      int most = -1;
      for (unsigned k = 0; k < AMD_CLASSES; k++)
        if (task->target->counters[c].classes >> k & 1) most = instr->wait[k];
      if (most < 0 || task->target->counters[c].classes == 1u << AMD_SCALAR) continue;
      bool joint = !strcmp(instr->name, "s_waitcnt");
      element.counter = (int)c;
      element.argument = joint && pending && task->target->counters[c].classes >> AMD_LOCAL & 1;
      element.kind =
          arena_printf(arena, "%s %s(%d)", joint ? "s_waitcnt" : "wait for", task->target->counters[c].name, most);
      add_element(arena, &task->found, element);
    }
    if (instr->op == AMD_OP_WAIT && instr->wait[AMD_LOCAL] >= 0) pending = false;
  }
}

static void put_value(struct legalizer_value value, FILE *out) {
  fprintf(out, " %d %d %lld", value.parameter, value.constant, (long long)value.number);
}

/* Code and what it is for, as text: the same for two blocks with one answer. */
static const char *key_of(struct arena *arena, const struct task *task) {
  const struct legalizer_function *f = task->op.function;
  struct text text = text_new();
  fprintf(text.out, "%s %d %d %d %d %u %d %d %d %d %u %u %u %u %d %u", task->target->full, task->op.alone, f->called,
          (int)f->kind, (int)f->op, f->bytes, (int)f->order, (int)f->failure, (int)f->scope, f->one_as, f->regions,
          f->space, f->pointer, f->before, f->source, f->source_before);
  put_value(f->value, text.out);
  put_value(f->expected, text.out);
  for (unsigned i = 0; i < f->parameter_count; i++)
    fprintf(text.out, " %d.%u", f->parameters[i].pointer, task->op.arguments + f->parameters[i].offset);
  for (unsigned i = 0; i < task->code->count; i++) {
    const struct span span = task->code->instrs[i].span;
    fprintf(text.out, "\n%.*s", (int)span.length, task->code->source->text + span.at);
  }
  return text_keep(&text, arena);
}

static struct task *same_task(const struct asking *asking, const char *key) {
  for (size_t i = 0; i < asking->tasks.count; i++)
    if (!strcmp(asking->tasks.at[i]->key, key)) return asking->tasks.at[i];
  return NULL;
}

struct reading {
  struct asking asking;
  const struct legalizer *file;
  const struct amd_target *targets;
  unsigned target_count;
  const struct source *compiled; /* of the run */
  bool failed;                   /* the compiler has failed for it */
  bool other;                    /* what is compiled is for another GPU */
  const struct amd_target *target;
  VEC(struct strong_code *) strong; /* of the run; the first is of additions to 32 bits */
  VEC(struct task *) of_block;      /* by block, NULL: it is not read */
  VEC(struct block) blocks;
};

/* A block that is not tried. */
static void note(struct reading *r, struct block block, const char *reason, struct span span) {
  block.reason = reason;
  block.span = span;
  *vec_push(r->asking.arena, &r->blocks) = block;
  *vec_push(r->asking.arena, &r->of_block) = NULL;
}

static void refuse(struct reading *r, struct block block, const char *reason, struct span span) {
  block.answer = BLOCK_UNREAD;
  note(r, block, reason, span);
}

/* Why a function's blocks are not tried; NULL: they are. */
static const char *unsupported_reason(const struct reading *r, const struct legalizer_function *f) {
  if (f->refusal) return f->refusal;
  if (f->unknown_scope) return "a scope that LLVM does not have on AMD's GPUs";
  if (f->cluster && r->target && r->target->group_l0) return "clusters of work-groups, which the machine does not have";
  bool access = legalizer_accesses(f), private = f->space == 5 && (f->kind == INSTR_LOAD || f->kind == INSTR_STORE);
  if (access && f->space != 0 && f->space != 1 && f->space != 3 && !private)
    return "an address space that is not modelled";
  return NULL;
}

/* Other operations of contexts on the function's location are of its size, and its own function. */
static const struct strong_code *own_strong_code(struct reading *r, const struct legalizer_function *f,
                                                 struct diags *diags) {
  unsigned bytes = legalizer_accesses(f) ? f->bytes : 4;
  enum rmw_op op = f->kind == INSTR_RMW && f->op != RMW_EXCHANGE ? f->op : RMW_ADD;
  for (size_t i = 0; i < r->strong.count; i++)
    if (strong_code_is(r->strong.at[i], bytes, op)) return r->strong.at[i];
  struct strong_code *code = strong_code_new(r->asking.arena, r->target, &r->asking.options->knobs, bytes, op, diags);
  *vec_push(r->asking.arena, &r->strong) = code;
  return code;
}

/* Why no program has the operation; NULL: some has. */
static const char *vacuous_reason(const struct reading *r, const struct legalizer_function *f) {
  if ((f->space == 3 || f->regions == REGION_LOCAL) && !r->target->mode->local)
    return "local memory cannot be allocated in this mode";
  if (f->kind == INSTR_BARRIER && f->order == ORDER_NA) return "a barrier orders no accesses without fences around it";
  return NULL;
}

/* Is there no code of the block to be tried?  `lines`: of it. */
static bool is_left_out(struct reading *r, struct block block, size_t lines) {
  static const struct span NOWHERE = {0, 0};
  const char *reason = NULL, *vacuous = NULL;
  if (!r->target)
    reason = arena_printf(r->asking.arena, "%s is not modelled", r->file->runs[block.run].processor);
  else if (unsupported_reason(r, block.function))
    reason = unsupported_reason(r, block.function);
  else if ((vacuous = vacuous_reason(r, block.function)))
    block.answer = BLOCK_VACUOUS;
  else if (r->failed)
    reason = "the compiler has failed for this GPU";
  else if (!lines)
    reason = "the compiler has emitted no code for it";
  if (vacuous) note(r, block, vacuous, NOWHERE);
  if (reason) refuse(r, block, reason, NOWHERE);
  return vacuous || reason;
}

static void find_contexts(struct reading *r, struct task *task) {
  const struct legalizer_function *f = task->op.function;
  bool has_local = r->target->mode->local;
  block_contexts_for(&r->asking.contexts, &task->op, has_local, &task->contexts);
  if (f->space || !legalizer_accesses(f) || task->op.scalar || !has_local) return;
  struct block_operation local = {.function = f, .local = true, .alone = task->op.alone};
  block_contexts_for(&r->asking.contexts, &local, true, &task->contexts);
}

static void read_block(struct reading *r, unsigned run, unsigned function) {
  struct arena *arena = r->asking.arena;
  const struct legalizer_function *f = &r->file->functions[function];
  struct block block = {.function = f, .run = run};
  size_t count;
  const struct span *lines = r->compiled ? legalizer_compiled(arena, r->compiled, f->name, &count)
                                         : legalizer_code(arena, r->file, run, function, &count);
  struct diags diags = diags_new(arena);
  if (!count && !r->compiled && !r->failed) return; /* the file says nothing of this GPU here */
  if (is_left_out(r, block, count)) return;
  struct task *task = ARENA_NEW(arena, struct task);
  *task =
      (struct task){.op = {.function = f, .local = f->space == 3, .alone = f->most_items <= r->file->runs[run].lanes},
                    .target = r->target,
                    .strong = r->strong.at[0],
                    .own = own_strong_code(r, f, &diags),
                    .target_number = run};
  assert(task->own); /* written for this target */
  task->code = amd_assemble(arena, r->target, r->compiled ? r->compiled : r->file->source, lines, count, &diags);
  if (!task->code) {
    refuse(r, block, diags.at[0].message, diags.at[0].span);
    return;
  }
  drop_argument_waits(f, task->code);
  task->op.scalar = task->found.scalar = f->kind == INSTR_LOAD && !any_loads(task->code);
  task->op.arguments = r->compiled ? 0 : r->file->runs[run].arguments; /* llc is asked for code of HSA's */
  task->key = key_of(arena, task);
  struct task *same = same_task(&r->asking, task->key);
  if (!same) {
    find_elements(arena, task);
    find_contexts(r, task);
    *vec_push(arena, &r->asking.tasks) = task;
  }
  *vec_push(arena, &r->blocks) = block;
  *vec_push(arena, &r->of_block) = same ? same : task;
}

/* Is assembly that somebody has written of this GPU, as far as it says? */
static bool is_written_for(struct arena *arena, const struct source *written, const char *processor) {
  const char *says = strstr(written->text, ".amdgcn_target");
  if (!says) return true;
  const char *line = arena_strndup(arena, says, strcspn(says, "\n")),
             *at = strstr(line, arena_printf(arena, "-%s", processor));
  return at && !isalnum((unsigned char)at[1 + strlen(processor)]);
}

static bool open_run(struct reading *r, unsigned run, struct diags *diags) {
  struct arena *arena = r->asking.arena;
  const struct blocks_options *options = r->asking.options;
  const struct legalizer_run *from = &r->file->runs[run];
  struct diags own = diags_new(arena);
  const char *name = blocks_target_name(from->processor);
  const char *label = from->mode ? arena_printf(arena, "%s:%s", name, from->mode) : name;
  r->target = amd_target_find(arena, options->targets, options->target_count, label, &own);
  r->strong.count = 0;
  if (r->target) *vec_push(arena, &r->strong) = strong_code_new(arena, r->target, &options->knobs, 4, RMW_ADD, diags);
  r->compiled = NULL;
  r->failed = r->other = false;
  const struct llc *llc = options->llc;
  if (r->target && !r->strong.at[0]) return false;
  if (!llc || !r->target) return true;
  const char *processor = amd_target_processor(r->target, llc->version);
  if (llc->written) {
    r->compiled = llc->written;
    r->other = !is_written_for(arena, llc->written, from->processor);
    return true;
  }
  r->compiled = legalizer_compile(arena, r->file, llc, processor ? processor : from->processor, from, diags);
  r->failed = !r->compiled;
  return true;
}

static int by_function(const void *a, const void *b) {
  const struct block *x = a, *y = b;
  if (x->function != y->function) return x->function < y->function ? -1 : 1;
  return x->run < y->run ? -1 : x->run > y->run;
}

static void collect(struct reading *r, struct blocks_result *result) {
  for (size_t i = 0; i < r->blocks.count; i++) {
    struct block *block = &r->blocks.at[i];
    if (!r->of_block.at[i]) continue;
    const struct legalizer_function *function = block->function;
    unsigned run = block->run;
    *block = r->of_block.at[i]->found;
    if (!r->of_block.at[i]->asked) {
      block->answer = BLOCK_UNREAD;
      block->reason = "it was not tried before the sweep ended";
    }
    block->function = function;
    block->run = run;
  }
  for (size_t i = 0; i < r->asking.tasks.count; i++) result->explored += r->asking.tasks.at[i]->explored;
  if (r->blocks.count) qsort(r->blocks.at, r->blocks.count, sizeof *r->blocks.at, by_function);
  result->at = r->blocks.at;
  result->count = r->blocks.count;
  result->contexts = r->asking.contexts.all.count;
}

bool blocks_verify(struct arena *arena, const struct legalizer *file, const struct blocks_options *options,
                   struct blocks_result *result, struct diags *diags) {
  struct reading r = {.asking = {.arena = arena, .options = options, .contexts = {.arena = arena}}, .file = file};
  *result = (struct blocks_result){0};
  if (file->run_count > BLOCK_TARGETS)
    return diag_error(diags, file->source, (struct span){0, 0}, "more than %d RUN lines", BLOCK_TARGETS);
  for (unsigned run = 0; run < file->run_count; run++) {
    if (options->wanted && !options->wanted(options->context, file->runs[run].label)) continue;
    if (!open_run(&r, run, diags)) return false;
    for (unsigned f = 0; f < file->function_count && !r.other; f++) read_block(&r, run, f);
  }
  block_contexts_judge(&r.asking.contexts, options);
  struct pool_jobs jobs = {&r.asking, ask_task, keep_task, drop_task};
  r.asking.memo = block_memo_new();
  result->stopped = !pool_run(r.asking.tasks.count, options->workers, &jobs);
  result->states = block_memo_states(r.asking.memo, &result->programs);
  block_memo_free(r.asking.memo);
  collect(&r, result);
  return true;
}
