/* SPDX-License-Identifier: MIT */
/* A block in a context as a program of the machine, and what that can show. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "checker/base/hash_table.h"
#include "checker/base/text.h"
#include "checker/verify/legalizer_blocks_internal.h"

static int64_t constant(const struct expr *e) {
  return e ? e->value : 0;
}

/* An argument's bytes. */
static void put_number(const struct block_case *b, const struct expr *e, unsigned bytes,
                       struct amd_argument *argument) {
  unsigned char *all = ARENA_ARRAY(b->arena, unsigned char, bytes);
  for (unsigned i = 0; i < bytes; i++) all[i] = (unsigned char)((uint64_t)constant(e) >> 8 * i);
  argument->kind = AMD_ARGUMENT_BYTES;
  argument->bytes = all;
  argument->size = bytes;
}

/* The arguments of the block's function. */
static void fill_arguments(const struct block_case *b, const struct instr *instr, struct amd_thread_input *piece) {
  const struct legalizer_function *f = b->op->function;
  struct amd_argument *all = ARENA_ARRAY(b->arena, struct amd_argument, LEGALIZER_PARAMETERS);
  for (unsigned i = 0; i < f->parameter_count; i++) {
    const struct legalizer_parameter *p = &f->parameters[i];
    all[i] = (struct amd_argument){.offset = b->op->arguments + p->offset, .kind = AMD_ARGUMENT_NUMBER};
    bool source = (int)i == f->source;
    if (p->pointer && legalizer_accesses(f) && (i == f->pointer || source)) {
      all[i].kind = AMD_ARGUMENT_LOCATION;
      all[i].location = source ? b->context->test->program->location_count : instr->address.base;
      all[i].flat = p->space == 0;
      all[i].before = source ? f->source_before : f->before;
    } else if (p->pointer && p->space <= 1) {
      all[i].kind = AMD_ARGUMENT_OUT;
    } else if ((int)i == f->value.parameter) {
      put_number(b, instr->value, p->bytes, &all[i]);
    } else if ((int)i == f->expected.parameter) {
      put_number(b, instr->expected, p->bytes, &all[i]);
    }
  }
  piece->arguments = all;
  piece->argument_count = f->parameter_count;
}

/* The registers that hold those of a function that is called, and the stack's end. */
static void fill_registers(const struct block_case *b, struct amd_thread_input *piece) {
  const struct legalizer_function *f = b->op->function;
  struct amd_binding *all = ARENA_ARRAY(b->arena, struct amd_binding, LEGALIZER_PARAMETERS + 1);
  for (unsigned i = 0; i < f->parameter_count; i++) {
    const struct amd_argument *argument = &piece->arguments[i];
    struct amd_binding *binding = &all[i];
    *binding =
        (struct amd_binding){.reg = AMD_V + f->parameters[i].offset / 4, .words = (f->parameters[i].bytes + 3) / 4};
    if (argument->kind == AMD_ARGUMENT_OUT) binding->kind = AMD_BIND_OUT;
    if (argument->kind == AMD_ARGUMENT_LOCATION) binding->kind = AMD_BIND_LOCATION;
    binding->location = argument->location;
    binding->before = argument->before;
    for (size_t k = 0; argument->kind == AMD_ARGUMENT_BYTES && k < argument->size; k++)
      binding->number |= (int64_t)((uint64_t)argument->bytes[k] << 8 * k);
  }
  all[f->parameter_count] = (struct amd_binding){.reg = AMD_S + 32, .words = 1};
  piece->bindings = all;
  piece->binding_count = f->parameter_count + 1;
  piece->arguments = NULL;
  piece->argument_count = 0;
}

/* The context's locations, and where the block's function finds the value that it writes; its
 * private location is the thread's own here.  With strong code in the hole they are the same whoever asks. */
static void make_locations(struct block_case *b) {
  const struct instr *hole = b->context->operation;
  const struct program *program = b->context->test->program;
  const struct legalizer_function *f = b->op->function;
  struct location *all = ARENA_ARRAY(b->arena, struct location, program->location_count + 1);
  memcpy(all, program->locations, program->location_count * sizeof *all);
  if (legalizer_accesses(f)) all[hole->address.base].bytes = f->bytes;
  if (b->code && legalizer_accesses(f) && f->space == 5) all[hole->address.base].region = REGION_PRIVATE;
  b->locations = all;
  b->location_count = program->location_count + (b->code && f->source >= 0);
  if (!b->code || f->source < 0) return;
  unsigned space = f->parameters[f->source].space;
  all[program->location_count] = (struct location){
      .name = "in",
      .bytes = f->bytes,
      .init = constant(hole->value),
      .region = space == 3   ? REGION_LOCAL
                : space == 5 ? REGION_PRIVATE
                             : REGION_GLOBAL,
  };
}

/* Does an instruction access the location that the block does? */
static bool is_own(const struct block_case *b, const struct instr *instr) {
  const struct instr *hole = b->context->operation;
  return instr_is_access(instr) && instr_is_access(hole) && instr->address.base == hole->address.base;
}

static void fill_bindings(const struct block_case *b, const struct instr *instr, enum region region,
                          struct amd_thread_input *piece) {
  bool global = region == REGION_GLOBAL;
  struct amd_binding *all = ARENA_ARRAY(b->arena, struct amd_binding, 4);
  unsigned words = is_own(b, instr) && b->op->function->bytes == 8 ? 2 : 1;
  unsigned count = 0;
  if (instr_is_access(instr))
    all[count++] = (struct amd_binding){.reg = global ? AMD_S : AMD_V,
                                        .words = global ? 2 : 1,
                                        .kind = AMD_BIND_LOCATION,
                                        .location = instr->address.base};
  all[count++] = (struct amd_binding){.reg = AMD_V + 6, .words = words, .number = constant(instr->value)};
  all[count++] = (struct amd_binding){.reg = AMD_V + 2, .words = words, .number = constant(instr->value)};
  all[count++] = (struct amd_binding){.reg = AMD_V + 2 + words, .words = words, .number = constant(instr->expected)};
  piece->bindings = all;
  piece->binding_count = count;
}

static struct amd_thread_input *make_piece(const struct block_case *b, const struct instr *instr, bool hole,
                                           bool guarded) {
  struct amd_thread_input *piece = ARENA_NEW(b->arena, struct amd_thread_input);
  enum region region = instr_is_access(instr) ? b->locations[instr->address.base].region : REGION_GLOBAL;
  *piece =
      (struct amd_thread_input){.name = "", .single = true, .reads = instr_is_access(instr) && instr->reg != NO_REG};
  if (piece->reads) piece->result = (unsigned)instr->reg;
  if (hole && b->code) {
    piece->code = b->code;
    piece->waits_for_values = b->waits_for_values;
    if (b->op->function->source >= 0) piece->given = &b->locations[b->context->test->program->location_count];
    fill_arguments(b, instr, piece);
    if (b->op->function->called) fill_registers(b, piece);
  } else {
    piece->code = strong_code_for(is_own(b, instr) ? b->own : b->strong, instr, region, guarded);
    fill_bindings(b, instr, region, piece);
  }
  return piece;
}

/* Its registers; and after them its own copy of the block's location, where that is private. */
static void watch(const struct block_case *b, const struct thread *thread, struct amd_thread_input *head) {
  struct amd_watch *all = ARENA_ARRAY(b->arena, struct amd_watch, thread->reg_count + 1);
  unsigned base = b->context->operation->address.base;
  bool private = instr_is_access(b->context->operation) && b->locations[base].region == REGION_PRIVATE;
  for (unsigned r = 0; r < thread->reg_count; r++)
    all[r] = (struct amd_watch){AMD_WATCH_RESULT, r, thread->reg_names[r]};
  if (private) all[thread->reg_count] = (struct amd_watch){AMD_WATCH_PRIVATE, base, b->locations[base].name};
  head->watches = all;
  head->watch_count = thread->reg_count + private;
}

static struct amd_thread_input *make_thread(const struct block_case *b, const struct thread *thread,
                                            unsigned *operation) {
  struct amd_thread_input *head = NULL, *last = NULL;
  for (unsigned i = 0; i < thread->instr_count; i++) {
    const struct instr *instr = &thread->instrs[i];
    if (instr->kind == INSTR_BRANCH) {
      assert(last); /* the operation that it depends on */
      last->guard = instr->value->kind == EXPR_NE ? AMD_GOES_ON_UNLESS_0 : AMD_GOES_ON_IF_0;
      continue;
    }
    bool guarded = i + 1 < thread->instr_count && thread->instrs[i + 1].kind == INSTR_BRANCH;
    struct amd_thread_input *piece = make_piece(b, instr, (*operation)++ == b->context->hole, guarded);
    if (last)
      last->next = piece;
    else
      head = piece;
    last = piece;
  }
  assert(head);
  head->name = thread->name;
  watch(b, thread, head);
  head->initial = thread->reg_init;
  return head;
}

struct made_threads {
  const struct block_case *b;
  unsigned operations; /* of the threads so far */
  struct diags *diags;
};

/* Does some path come back?  Nodes are left out from which all paths end. */
static bool goes_round(struct arena *arena, const struct amd_tree *tree) {
  bool *ends = ARENA_ARRAY(arena, bool, tree->count + 1);
  unsigned left = tree->loops ? tree->count : 0;
  for (bool more = true; more && left;) {
    more = false;
    for (unsigned i = tree->count; i-- > 0;) {
      const uint16_t *next = tree->nodes[i].next;
      bool end = (next[0] == AMD_NO_NODE || ends[next[0]]) && (next[1] == AMD_NO_NODE || ends[next[1]]);
      if (ends[i] || !end) continue;
      ends[i] = more = true;
      left--;
    }
  }
  return left > 0;
}

static const struct amd_tree *unfold_thread(void *context, unsigned t, struct amd_facts facts) {
  struct made_threads *made = context;
  const struct block_case *b = made->b;
  if (t == 0) made->operations = 0;
  struct amd_thread_input *input = make_thread(b, &b->context->test->program->threads[t], &made->operations);
  input->facts = facts;
  const struct amd_tree *tree = amd_unfold(b->arena, b->target, input, b->locations, b->location_count, made->diags);
  bool loops = tree && goes_round(b->arena, tree);
  if (loops) diag_fail(made->diags, "its code has a loop, and blocks have none");
  return loops ? NULL : tree;
}

static bool make_program(struct block_case *b, struct amd_program *code, struct diags *diags) {
  struct made_threads made = {.b = b, .diags = diags};
  make_locations(b);
  *code = (struct amd_program){.target = b->target, .locations = b->locations, .location_count = b->location_count};
  return amd_program_unfold(b->arena, b->context->test->program, unfold_thread, &made, code);
}

/* ---- programs that the machine was asked about ---- */

struct memo_key {
  uint64_t low, high;
};

struct memo_entry {
  struct memo_key key;
  enum run_answer answer;
  uint64_t states;
};

struct block_memo {
  pthread_mutex_t lock;
  struct arena *arena;
  VEC(struct memo_entry) entries;
  struct hash_table table; /* by the lower half of the key */
};

struct block_memo *block_memo_new(void) {
  struct block_memo *memo = calloc(1, sizeof *memo);
  if (!memo) arena_out_of_memory();
  pthread_mutex_init(&memo->lock, NULL);
  memo->arena = arena_new();
  return memo;
}

void block_memo_free(struct block_memo *memo) {
  pthread_mutex_destroy(&memo->lock);
  arena_free(memo->arena);
  free(memo);
}

static const struct memo_entry *entry_of(const struct block_memo *memo, struct memo_key key) {
  HASH_EACH (at, &memo->table, key.low) {
    const struct memo_entry *entry = &memo->entries.at[hash_number(&memo->table, at)];
    if (entry->key.high == key.high) return entry;
  }
  return NULL;
}

static bool memo_find(struct block_memo *memo, struct memo_key key, enum run_answer *answer) {
  pthread_mutex_lock(&memo->lock);
  const struct memo_entry *entry = entry_of(memo, key);
  if (entry) *answer = entry->answer;
  pthread_mutex_unlock(&memo->lock);
  return entry;
}

/* Two workers that asked at once found the same. */
static void memo_note(struct block_memo *memo, struct memo_key key, enum run_answer answer, uint64_t states) {
  pthread_mutex_lock(&memo->lock);
  if (!entry_of(memo, key)) {
    hash_add(memo->arena, &memo->table, key.low, (uint32_t)memo->entries.count);
    *vec_push(memo->arena, &memo->entries) = (struct memo_entry){key, answer, states};
  }
  pthread_mutex_unlock(&memo->lock);
}

uint64_t block_memo_states(const struct block_memo *memo, size_t *programs) {
  uint64_t states = 0;
  for (size_t i = 0; i < memo->entries.count; i++) states += memo->entries.at[i].states;
  *programs = memo->entries.count;
  return states;
}

/* ---- what a program is known by ---- */

typedef VEC(uint64_t) key_words;

static void put(struct arena *arena, key_words *words, uint64_t what) {
  *vec_push(arena, words) = what;
}

static void put_expression(struct arena *arena, key_words *words, const struct amd_expr *e) {
  put(arena, words, e ? (uint64_t)e->kind + 1 : 0);
  if (!e) return;
  put(arena, words, (uint64_t)e->fn << 48 | (uint64_t)e->word << 40 | (uint64_t)e->slot << 32 | (uint32_t)e->number);
  if (e->kind != AMD_EXPR_FN) return;
  put_expression(arena, words, e->a);
  put_expression(arena, words, e->b);
}

/* A wait that waits for nothing is passed at once. */
static bool does_nothing(const struct amd_node *node) {
  return node->kind == AMD_NODE_WAIT && !node->must;
}

static void put_node(struct arena *arena, key_words *words, const struct amd_node *node, unsigned watch_count) {
  put(arena, words, (uint64_t)node->kind << 32 | (uint64_t)(node->instr ? node->instr->op : 0));
  put(arena, words,
      (uint64_t)node->slot << 48 | (uint64_t)node->location << 32 | (uint64_t)node->passes << 16 |
          (uint64_t)node->caches << 8 | (uint64_t)node->local << 4 | (uint64_t)node->returns << 3 |
          (uint64_t)node->through << 2 | (uint64_t)node->seen << 1 | (uint64_t)node->goes_on);
  put(arena, words, node->op);
  put(arena, words, node->kept);
  put(arena, words, (uint64_t)node->must);
  put(arena, words, (uint64_t)(node->must >> 64));
  for (unsigned w = 0; w < 2; w++) {
    put_expression(arena, words, node->data.word[w]);
    put_expression(arena, words, node->expected.word[w]);
  }
  put_expression(arena, words, node->condition);
  for (unsigned k = 0; node->results && k < watch_count; k++) put_expression(arena, words, node->results[k]);
}

/* From a node to all ends: pieces of code have no loops. */
static void put_tree(struct arena *arena, key_words *words, const struct amd_tree *tree, unsigned at,
                     unsigned watch_count) {
  while (at != AMD_NO_NODE && does_nothing(&tree->nodes[at])) at = tree->nodes[at].next[0];
  put(arena, words, at == AMD_NO_NODE);
  if (at == AMD_NO_NODE) return;
  const struct amd_node *node = &tree->nodes[at];
  put_node(arena, words, node, watch_count);
  for (unsigned k = 0; k < 2; k++) put_tree(arena, words, tree, node->next[k], watch_count);
}

/* All that decides what the machine shows, and what is asked of it. */
static struct memo_key key_of(const struct block_case *b, const struct amd_program *code,
                              const struct amd_knobs *knobs) {
  key_words words = {0};
  const struct litmus_test *test = b->context->test;
  put(b->arena, &words, (uint64_t)(uintptr_t)b->context);
  put(b->arena, &words, (uint64_t)(uintptr_t)b->target);
  put(b->arena, &words, knobs->l2);
  for (unsigned x = 0; x < code->location_count; x++)
    put(b->arena, &words, (uint64_t)code->locations[x].region << 32 | (uint32_t)code->locations[x].init);
  for (unsigned t = 0; t < code->thread_count; t++)
    put_tree(b->arena, &words, code->threads[t].tree, 0,
             test->program->threads[t].reg_count + 1); /* and a private location */
  XXH128_hash_t hash = XXH3_128bits(words.at, words.count * sizeof *words.at);
  return (struct memo_key){hash.low64, hash.high64};
}

/* ---- asking the machine ---- */

struct stopping {
  const struct block_context *context;
  unsigned width;
};

/* The first outcome beyond the model's is enough. */
static bool is_allowed(void *context, const struct explore_outcome *outcome) {
  const struct stopping *s = context;
  return !outcome->values[s->width] && outcomes_find(&s->context->allowed, outcome->values);
}

static const char *describe(struct arena *arena, const struct machine *machine, struct explorer *explorer,
                            const struct litmus_test *test, const struct explore_outcome *outcome) {
  struct explore_step *steps;
  size_t length = explore_trace(explorer, outcome->state, arena, &steps);
  struct text text = text_new();
  for (unsigned i = 0; i < test->observable_count; i++) {
    struct observable what = test->observables[i];
    if (what.thread >= 0) fprintf(text.out, "%d:", what.thread);
    fprintf(text.out, "%s=%lld; ", observable_name(test->program, what), (long long)outcome->values[i]);
  }
  for (size_t i = 0; i < length; i++) {
    fputs("\n    ", text.out);
    machine->print_step(machine, steps[i].step, steps[i].before, steps[i].after, text.out);
  }
  return text_keep(&text, arena);
}

/* What the model observes, on the machine: a private location is watched as its only thread's. */
static struct amd_observables observables(const struct block_case *b) {
  const struct litmus_test *test = b->context->test;
  struct amd_observable *all = ARENA_ARRAY(b->arena, struct amd_observable, test->observable_count + 1);
  memcpy(all, amd_observables(b->arena, test->program, test->observables, test->observable_count).at,
         test->observable_count * sizeof *all);
  for (unsigned i = 0; i < test->observable_count; i++)
    if (all[i].thread < 0 && b->locations[all[i].index].region == REGION_PRIVATE)
      all[i] = (struct amd_observable){0, test->program->threads[0].reg_count};
  return (struct amd_observables){all, test->observable_count};
}

static void run_with(struct block_case *b, const struct blocks_options *options, const struct amd_knobs *knobs,
                     struct explorer *explorer, struct arena *kept, struct block_run *run) {
  const struct litmus_test *test = b->context->test;
  struct diags diags = diags_new(b->arena);
  struct amd_program code;
  struct machine machine;
  struct exploration found;
  struct stopping stopping = {b->context, test->observable_count};
  struct explore_options explore_options = options->explore;
  explore_options.outcome = is_allowed;
  explore_options.context = &stopping;
  *run = (struct block_run){.answer = RUN_REFUSED, .message = "a limit was reached", .cut = true};
  if (!make_program(b, &code, &diags) || !amd_machine(b->arena, &code, knobs, observables(b), &machine, &diags)) {
    run->cut = false;
    run->message = arena_strdup(kept, diags.count ? diags.at[0].message : "");
    run->span = diags.count ? diags.at[0].span : (struct span){0, 0};
    return;
  }
  struct memo_key key = {0};
  if (b->memo) key = key_of(b, &code, knobs);
  if (b->memo && memo_find(b->memo, key, &run->answer)) return;
  enum explore_end end = explore(explorer, &machine, &explore_options, &found);
  if (end == EXPLORE_DONE || end == EXPLORE_STOPPED) run->answer = RUN_FINE;
  for (size_t i = 0; i < found.outcome_count && run->answer != RUN_REFUSED; i++) {
    const struct explore_outcome *outcome = &found.outcomes[i];
    if (is_allowed(&stopping, outcome)) continue;
    run->answer = outcome->values[stopping.width] ? RUN_HAZARD : RUN_BEYOND;
    if (kept == b->arena) run->trace = describe(kept, &machine, explorer, test, outcome);
    break;
  }
  if (b->memo && run->answer != RUN_REFUSED) memo_note(b->memo, key, run->answer, found.stats.states);
}

void block_run(struct block_case *b, const struct blocks_options *options, struct explorer *explorer,
               struct arena *kept, struct block_run *run) {
  struct amd_knobs knobs = options->knobs;
  run_with(b, options, &knobs, explorer, kept, run);
  if (run->answer != RUN_FINE || knobs.l2 || !b->target->several_l2s) return;
  knobs.l2 = 1;
  run_with(b, options, &knobs, explorer, kept, run);
}
