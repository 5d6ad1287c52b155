/* SPDX-License-Identifier: MIT */
/* A kernel on its way to a program: what the files of this folder share.
 *
 * Every work-item's code is specialised to it (control_flow.c).  What is known when the
 * program is built (numbers of work-items, constants, pointers, counters of loops) is
 * computed there and then, by the values that each point of the code can be
 * reached with, so that addresses are cells, loops over them are written out, and
 * storage that only one work-item has (Function, Private, built-ins) is in
 * registers, without any event.  What is read from shared memory stays open: a
 * value is `held` by a register of the program, and branches, loops and indices
 * that depend on it are instructions of the program (program.h).
 *
 *   constants.c                constants, specialised ones, built-in variables
 *   memory_elements.c          the elements of memory, and the variables that they are of
 *   memory_objects.c           memory: one object for each variable (of each work-group), and its cells
 *   functions.c                blocks, loops and live values of functions
 *   scalars.c                  operations on scalars, known or held
 *   scalar_operations.c        and those that SPIR-V has numbers for
 *   arithmetic.c               instructions that compute
 *   vectors.c                  products of vectors and matrices, truth of any or all elements
 *   extended_instructions.c    instructions of OpenCL.std and GLSL.std.450
 *   pointer_targets.c          a scalar at an address
 *   memory.c                   loads, stores, pointers
 *   images.c                   texels
 *   atomics_and_barriers.c     atomic operations, fences, barriers, of both models
 *   group_operations.c         operations of a sub-group or work-group on values of all its work-items
 *   group_copies.c             copies that are made while work-items go on
 *   work_item.c                a work-item at one point of its code
 *   control_flow.c             points of the code and the ways between them
 *   linearize.c                these, put in order as one thread's instructions
 *   merge_redundant_barriers.c barriers with nothing between them
 *   condition.c                @Output and @Filter
 *   operation_changes.c        changes of operations
 *   list_operations.c          operations, and what they say
 *   kernel_launch.c            the source and the arguments, for compilers of machine code
 *
 * So is shared memory that one work-item alone can touch: all code is made twice, first
 * to see who touches what.  Elements that one work-item touches are then its own, and
 * only their last values are stored, if the condition asks for them; elements that
 * nobody writes are what they are at first.
 *
 * A point is a block with the calls around it and what each slot (a scalar of an
 * id, a cell of own memory) has there.  A second way to the same point joins the first
 * where all live slots have the same; else the code is written out again.  Where
 * that would go on for ever, or too long, slots that differ become held, and the
 * ways join (the widening of abstract interpretation): at the head of a loop that
 * is left, if at all, only by what is read.
 */
#ifndef LITSCOPE_SPIRV_KERNEL_INTERNAL_H
#define LITSCOPE_SPIRV_KERNEL_INTERNAL_H

#include "checker/base/hash_table.h"
#include "checker/program/header_comments.h"
#include "checker/spirv/compile.h"
#include "checker/spirv/operation_changes.h"
#include "checker/spirv/spirv.h"
#include "checker/spirv/types.h"

/* ---- values ---- */

enum scalar_kind {
  SCALAR_UNSET, /* nothing was ever put there: any value */
  SCALAR_KNOWN, /* `value` */
  SCALAR_HELD   /* by registers: `expr` */
};

/* Where in its object a pointer of which only a run knows the value may point: `low`, and every `stride` bytes after
 * it (0: nowhere else) before `end`. */
struct reach {
  int64_t low, end;
  unsigned stride;
  bool open; /* `low` and `end` are no limits */
};

/* Integers are kept with sign, whatever their type says, and reduced to its width;
 * floats as the bits of their type; pointers as addresses. */
struct scalar {
  enum scalar_kind kind;
  unsigned object; /* HELD: 1 + the object that it points into, 0: not known */
  int64_t value;
  const struct expr *expr;
  const struct reach *reach; /* HELD, with an object: NULL: anywhere in it */
};

struct value {
  const struct kernel_type *type;
  const struct scalar *at; /* type->leaves of them; NULL: there is no value, and the module has failed */
};

/* ---- memory ---- */

enum memory_kind { OBJECT_SHARED, OBJECT_OWN, OBJECT_FIXED };

struct memory_cell {
  unsigned offset;
  const struct kernel_type *type; /* a scalar one */
  bool hidden;                    /* wider elements are accessed in its place */
  bool coherent;                  /* decorated so */
};

/* Texels of an image are those that are accessed, at coordinates that are known. */
struct texel {
  int64_t image; /* its address */
  unsigned dimensions;
  int64_t at[4];
};

/* Memory of one variable, for one work-group where it is the work-group's. */
struct memory {
  enum memory_kind kind;
  const char *name;
  bool nameless; /* a block of GLSL without a name: it is called as its type, and its members by their own names */
  uint32_t id, storage;
  const struct kernel_type *type;
  const struct memory_cell *cells;
  unsigned cell_count;
  unsigned first;             /* SHARED: the first of its locations; OWN: slot of its first cell */
  const unsigned *order;      /* SHARED: by cell: which of the locations from `first` on is its; NULL: as they are */
  const struct scalar *fixed; /* FIXED: what its cells hold for ever; others: at first */
  int64_t builtin;            /* FIXED: what it holds depends on the work-item; -1: it does not */
  unsigned group;             /* 1 + the work-group whose it is; 0: all have it */
  uint32_t open;              /* the parameter or constant that would give its length, and is not given; 0: none */
  bool spare;                 /* it is longer than it is known to be used */
  int64_t address;
  const struct texel *texels; /* of an image, in the order of its elements; NULL: it is none */
};

typedef VEC(struct memory) memory_list;

/* ---- code ---- */

struct block {
  uint32_t label;
  unsigned first, end; /* instructions after the label */
  unsigned *succs, succ_count;
  unsigned pred_count;
  int head;         /* the loop that begins here, or -1 */
  const bool *live; /* by id: its value may be used from here on (phis apart) */
};

struct loop {
  unsigned head;
  bool *body;    /* by block */
  bool barrier;  /* some barrier is in it: rounds are counted */
  unsigned slot; /* `barrier`: of the count, within the function's slots */
};

struct function {
  const struct inst *inst;
  unsigned first, end; /* instructions between OpFunction and OpFunctionEnd */
  VEC(uint32_t) parameters;
  VEC(struct block) blocks;
  VEC(struct loop) loops;
  memory_list variables; /* Function storage; `first` counts from the frame's base */
  bool *plain;           /* by id, of variables: only loaded and stored as a whole */
  int *slot;             /* by id: of its first scalar; -1: none here */
  unsigned slot_count;
  bool barrier; /* one is in it, or in what it calls */
};

/* What the work-items do to a location, found by making all code. */
struct touch {
  unsigned by; /* 1 + the one that touches it; 0: none, UINT_MAX: several, or some that only a run knows */
  bool written;
};

/* Bytes between elements that are accessed all the same, or elements that are only
 * accessed several at a time, as compilers fill up structs with arrays of bytes. */
struct padding {
  uint32_t id;
  struct memory_cell cell;
};

/* One operation of a group, at one time that it is done: who comes to it and what each gives, in the code as it was
 * made last, and in the code that is being made. */
struct gathering {
  const char *key;
  unsigned members, leaves;
  bool *came, *comes;          /* by member */
  struct scalar *gave, *gives; /* by member and leaf: KNOWN, or else what only a run knows */
  unsigned first;              /* 1 + the first location of what only a run knows; 0: none yet */
};

/* A copy for a work-group: so many elements of so many bytes, from step to step; `before`: one that has the same event.
 */
struct group_copy {
  unsigned at; /* the instruction */
  struct scalar to, from;
  unsigned count, bytes, to_step, from_step;
  int64_t before;
  bool awaited;
  bool *comes, *must; /* by work-item: does it come to it, and whatever a run does? */
};

struct kernel_code {
  struct arena *arena;
  struct module module;
  struct types types;
  struct header header;
  struct compiled compiled;   /* of a source */
  const char *const *options; /* for its compiler */
  bool asks_all;              /* as in struct spirv_options */
  bool vulkan;
  bool glsl450;                    /* and the module has GLSL450's memory model, which is read as Vulkan's */
  struct shape size;               /* of a work-group, as the module says it */
  bool wraps;                      /* addresses have 32 bits */
  unsigned shift;                  /* log2 of the room that each object has among addresses */
  const struct scalar **constants; /* by id; NULL: none */
  uint64_t *numbers;               /* by id, of integer constants */
  const struct inst *entry;        /* OpEntryPoint */
  memory_list objects;             /* shared and fixed ones */
  VEC(struct location) locations;
  struct touch *touched;        /* by location: in this round of making code, */
  const struct touch *settled;  /* and what is certain of it from the last one; NULL: nothing */
  unsigned cell_count;          /* locations of objects; others are free values */
  const bool *asked;            /* by location: the condition is about it; NULL: not known yet */
  unsigned *argument_locations; /* by id, of what the host sets and no header gives: 1 + the first of its locations */
  VEC(const char *) labels;     /* of barriers, */
  VEC(const char *) label_keys; /* and where each is */
  VEC(struct gathering) gatherings;
  VEC(struct group_copy) copies;
  bool copies_at_once, waits; /* which of them are waited for is not known; some instruction waits */
  VEC(struct function) functions;
  const struct function *main;
  unsigned private_slots; /* of module-scope variables */
  VEC(struct padding) paddings;
  VEC(struct texel) texels; /* found so far */
  unsigned *used;           /* by id, of lengths that are not given: elements used so far */
  bool again;               /* another length is needed: all is to be made again, */
  bool exact; /* and each array as long as it is used; before, twice as long, so that few rounds are needed */
  struct program *program;
  struct spirv_changes changes; /* in place of what the module says */
  bool *reached;                /* by instruction: some work-item comes to it, and it touches shared memory */
};

/* ---- spirv.c ---- */

/* As spirv_make; *k: what it was made with. */
bool spirv_make_code(struct arena *arena, const struct spirv_code *code, struct spirv_changes changes,
                     struct spirv_test *test, struct kernel_code *k, struct diags *diags);

const struct module *spirv_module(const struct spirv_code *code);

/* ---- operation_changes.c ---- */

/* What SPIR-V's numbers say: the order among the bits of memory semantics, and the scope (of others: SCOPE_SYS). */
enum { SCOPE_NUMBERS = 6 };
enum order semantics_order(uint64_t bits);
enum scope number_scope(uint64_t number);

/* What an instruction is to do in place of what it says (`before`: what stands before it); NULL: nothing. */
const struct spirv_change *change_at(const struct kernel_code *k, unsigned inst, bool before);

/* The location of a shared object's cell. */
static inline unsigned memory_location(const struct memory *object, unsigned cell) {
  return object->first + (object->order ? object->order[cell] : cell);
}

/* ---- scalars.c ---- */

struct scalar scalar_known(int64_t value);
const struct expr *scalar_expr(struct arena *arena, struct scalar scalar);

/* An operation, carried out where all is known. */
struct scalar scalar_apply(struct arena *arena, enum expr_kind kind, struct scalar a, struct scalar b);
struct scalar scalar_choose(struct arena *arena, struct scalar condition, struct scalar a, struct scalar b);

/* Reduced to a width; `sign`less: to a number that is not negative. */
struct scalar scalar_fit(struct arena *arena, unsigned bits, struct scalar a);
struct scalar scalar_unsigned(struct arena *arena, unsigned bits, struct scalar a);

/* A float of so many bits as a double, in which it is computed with, and a double as such a float. */
struct scalar scalar_widened(struct arena *arena, unsigned bits, struct scalar a);
struct scalar scalar_narrowed(struct arena *arena, unsigned bits, struct scalar a);

bool scalar_same(struct scalar a, struct scalar b);

/* May both point to the same places of one object? */
bool scalar_reach_same(struct scalar a, struct scalar b);

/* ---- scalar_operations.c: what operations make of scalars, by their numbers in SPIR-V ---- */

/* A result as its type keeps it. */
struct scalar compute_kept(struct arena *arena, const struct kernel_type *type, struct scalar a);

struct scalar compute_not(struct arena *arena, struct scalar a);

/* The integer after an operation with one operand; false: it is none of integers and truth values. */
bool compute_unary(struct arena *arena, uint16_t opcode, const struct kernel_type *to, const struct kernel_type *from,
                   struct scalar *a);

/* Is it an operation with two operands that compute_binary knows? */
bool compute_has_binary(uint16_t opcode);
struct scalar compute_binary(struct arena *arena, uint16_t opcode, const struct kernel_type *to,
                             const struct kernel_type *from, struct scalar a, struct scalar b);

/* Shifted to the right without the sign; the remainder with the sign of the divisor. */
struct scalar compute_shift_right(struct arena *arena, const struct kernel_type *type, struct scalar a,
                                  struct scalar b);
struct scalar compute_modulo(struct arena *arena, struct scalar a, struct scalar b);

/* What an operation on specialisation constants makes of one element each of its operands, three of them, which are
 * integers or truth values; false: it is none that is known. */
bool compute_constant(struct arena *arena, uint16_t opcode, const struct kernel_type *to,
                      const struct kernel_type *from, const struct scalar *operands, struct scalar *result);

/* ---- constants.c ---- */

void constants_find(struct kernel_code *k);
struct value constant_value(const struct kernel_code *k, uint32_t id);

/* What a built-in variable holds for a work-item; false: it is none that is known. */
bool builtin_value(const struct kernel_code *k, uint32_t builtin, unsigned item, unsigned component, int64_t *value);

/* The work-group's size as the module says it: it counts without a @Config, and says how one that only gives as many
 * work-items lies in x, y and z. */
void module_size(struct kernel_code *k, const struct shape *size);

/* The built-in that an id is decorated with, or -1. */
int64_t builtin_of(const struct kernel_code *k, uint32_t id);

/* Does the host choose the constant, which the header does not give: the length of an argument in a work-group's
 * memory? */
bool constant_is_open(struct kernel_code *k, uint32_t id);

/* What a compiler's reflection says of a push constant's word at a byte; -1: nothing. */
int64_t reflected_word(const struct kernel_code *k, unsigned byte);

/* The header's value for an id; NULL: none. */
const struct initial *constant_input(struct kernel_code *k, uint32_t id);

/* A number of the header as a scalar of the type; `given`: one that is none of the type is an error. */
int64_t constant_from(const struct kernel_type *type, const struct initial *from);
struct scalar constant_given(struct kernel_code *k, const struct kernel_type *type, const struct initial *from);

/* Adds the error of what the header gives. */
void constant_misgiven(struct module *module, const struct initial *from, const char *message);

/* ---- memory_objects.c ---- */

void objects_make(struct kernel_code *k);

/* The scalars of a value that the header gives; what it does not give stays as it is. */
void fill_given(struct kernel_code *k, const struct kernel_type *type, const struct initial *given,
                struct scalar *leaves);

/* ---- memory_elements.c ---- */

/* The cells of a variable: of its type, and after them those between its elements. */
const struct memory_cell *cells_of_variable(struct kernel_code *k, uint32_t id, const struct kernel_type *type,
                                            unsigned *count);

/* What the wider cells after a variable's own hold at first. */
void fill_paddings(struct kernel_code *k, const struct memory *object, struct scalar *fixed);

/* The order of an object's locations: those of one member of all structs in an array are neighbours, so that an access
 * to the member by an index that only a run knows is to one of neighbours. */
const unsigned *cells_order(struct kernel_code *k, const struct memory *object);

/* The cells of a type. */
const struct memory_cell *cells_of(struct kernel_code *k, const struct kernel_type *type, unsigned *count);

/* "x[0].next": the name of the element at a cell. */
const char *cell_name(const struct kernel_code *k, const struct memory *object, unsigned cell);

/* The member of a struct with this name; -1: none. */
int member_named(const struct kernel_type *type, const char *name);

/* The object of a variable or parameter for a work-group; NULL: none. */
const struct memory *object_of(const struct kernel_code *k, uint32_t id, unsigned group);

/* An address' room for object `index` (of a work-item: those of the kernel first). */
int64_t object_address(const struct kernel_code *k, size_t index);

/* ---- functions.c ---- */

void functions_find(struct kernel_code *k);
const struct function *function_of(const struct kernel_code *k, uint32_t id);

/* The words of each case of an OpSwitch: its literal is as wide as the selector. */
unsigned switch_case_words(const struct kernel_code *k, const struct inst *inst);

/* ---- control_flow.c ---- */

enum { MOST_CALLS = 24 };

struct frame {
  const struct function *function;
  unsigned base;    /* of its slots */
  unsigned call;    /* instruction that called it */
  unsigned block;   /* where it is */
  unsigned *rounds; /* by loop: times its head was come to since it was entered */
  bool *tests;      /* by loop: in this round, a way out hung on what is known */
};

struct state {
  unsigned depth;
  struct frame *frames;
  struct scalar *slots;
  unsigned slot_count;
};

enum node_end { NODE_OPEN, NODE_GOTO, NODE_BRANCH, NODE_STOP };

/* What a node can be found by: its place, that with the rounds of its loops, all that its state was at first, and its
 * place if it is wide. */
enum likeness { LIKE_PLACE, LIKE_ROUNDS, LIKE_STATE, LIKE_WIDE, LIKENESSES };

/* The last node whose likeness has this hash; from there `older` leads to the others. */
struct way {
  unsigned from, version; /* a node, and which writing of it */
};

/* A piece of the thread's code. */
struct node {
  VEC(struct instr) code;
  enum node_end end;
  const struct expr *condition;
  unsigned to[2]; /* BRANCH: if the condition holds, and else */
  struct span span;
  struct state state;         /* at its start */
  unsigned at;                /* it begins at this instruction of the block; 0: at its first */
  int edge;                   /* it begins by going to this block of the frame's function; -1: in the frame's block */
  bool wide;                  /* one may come here with known values for held slots */
  bool queued;                /* to be written */
  bool chosen;                /* only a run knows whether one comes here, as far as that is told from where it begins */
  unsigned version;           /* times it was written anew */
  unsigned older[LIKENESSES]; /* 1 + the last node before it with the same hash; 0: none */
  VEC(struct way) ways;
};

/* One work-item. */
struct work_item {
  struct kernel_code *k;
  unsigned number;
  struct arena *arena, *scratch; /* of the program, and until it is made */
  int *registers;                /* by slot; -1: none yet */
  unsigned register_room, register_count;
  int *owned;           /* by location: the slot that it has here; -1: none */
  unsigned fixed_slots; /* below those of frames */
  memory_list own;      /* objects of the frames, innermost last, after the kernel's */
  VEC(struct node) nodes;
  VEC(unsigned) queue;
  struct hash_table newest; /* nodes by likeness, the newest of each hash */
  VEC(uint64_t) key;        /* of a likeness, before it is hashed */
  unsigned node;            /* being written */
  struct state state;       /* here */
  unsigned at;              /* instruction being evaluated */
  bool stopped;             /* control does not go on */
  unsigned undefined;       /* free values made so far */
};

static inline const struct inst *item_inst(const struct work_item *w) {
  return &w->k->module.insts[w->at];
}

/* Its place; of what stands in an included file, the place of the call that leads there. */
struct span item_span(const struct work_item *w);

static inline const struct frame *item_frame(const struct work_item *w) {
  return &w->state.frames[w->state.depth - 1];
}

/* The thread's code for a work-item. */
void flow_run(struct work_item *w);

/* ---- work_item.c ---- */

/* The node that is being written. */
struct node *item_node(struct work_item *w);

struct instr *item_emit_into(struct work_item *w, struct node *node, enum instr_kind kind, struct span span);

/* A value in a register, which points where another may. */
struct scalar item_held(struct work_item *w, unsigned reg, struct scalar as);

/* The work-item's last instruction. */
void item_stop(struct work_item *w);

struct instr *item_emit(struct work_item *w, enum instr_kind kind);
unsigned item_register(struct work_item *w, unsigned slot);
unsigned item_temporary(struct work_item *w);

/* The value of an id here; a scalar that is unset becomes a free one. */
struct value item_value(struct work_item *w, uint32_t id);
struct scalar item_scalar(struct work_item *w, uint32_t id);

/* Gives an id, or a slot, its value here. */
void item_define(struct work_item *w, uint32_t id, const struct scalar *scalars, unsigned count);
void item_define_one(struct work_item *w, uint32_t id, struct scalar scalar);
void item_set_slot(struct work_item *w, unsigned slot, struct scalar scalar);

/* The register in which an instruction leaves the scalar `leaf` of its result. */
int item_target(struct work_item *w, uint32_t id, unsigned leaf);

/* Notes that the register of item_target holds it. */
void item_targeted(struct work_item *w, uint32_t id);

/* A value that may be any. */
struct scalar item_free_value(struct work_item *w);
void item_define_free(struct work_item *w, const struct inst *inst); /* all of a result */

/* The scalar `leaf` of an argument that the header does not give: any value, but all work-items have the same. */
struct scalar item_argument(struct work_item *w, uint32_t id, unsigned leaf);

/* The same of what is passed by value, or is read only, at a cell. */
struct scalar item_passed(struct work_item *w, const struct memory *object, unsigned cell);

/* The work-item does something undefined here, and ends; `outside`, in words, if it leaves all objects. */
void item_undefined(struct work_item *w, const char *outside);

/* ... unless this holds, 1 or 0, it leaves the object. */
void item_check_inside(struct work_item *w, const struct memory *object, const struct expr *inside);

/* Vulkan: the tag of an object's storage class; OpenCL: none. */
tag_set memory_class(const struct work_item *w, const struct memory *object);

/* Work-group of the work-item. */
unsigned item_group(const struct work_item *w);

/* ---- arithmetic.c, vectors.c, memory.c, images.c, atomics_and_barriers.c: one instruction; false: it is none of
 * theirs
 * ---- */

bool eval_compute(struct work_item *w);
bool eval_vectors(struct work_item *w);
bool eval_memory(struct work_item *w);
bool eval_image(struct work_item *w);
bool eval_atomic(struct work_item *w);
bool eval_group(struct work_item *w);
bool eval_group_copy(struct work_item *w);

/* group_operations.c: do the work-items of a group meet at the instruction? */
bool group_meets(const struct inst *inst);

/* group_operations.c: what is known of meetings from here on is what was found out since the last time; and does it say
 * the same as before? */
void gatherings_begin(struct kernel_code *k);
bool gatherings_same(const struct kernel_code *k);

/* atomics_and_barriers.c: a fence or a barrier that stands before the instruction, if one is to. */
void eval_inserted(struct work_item *w);

/* atomics_and_barriers.c: an ordinary access that is to be an atomic one: its load into a register, or its store. */
struct instr *emit_made_atomic(struct work_item *w, const struct spirv_words *words, enum instr_kind kind,
                               const struct memory *object);

/* arithmetic.c: values of an operand, with free ones for those that nothing has set; NULL: it has fewer than `count`,
 * and an error was added. */
const struct scalar *compute_operand(struct work_item *w, uint32_t id, unsigned count, const struct kernel_type **type);

/* extended_instructions.c, for eval_compute. */
bool eval_extended(struct work_item *w);

/* group_copies.c: an error for a copy that nothing waits for, or that some work-item of the group does not come to. */
void copies_check(struct kernel_code *k);

/* atomics_and_barriers.c: a barrier of the work-group, for all memory. */
void emit_group_barrier(struct work_item *w);

/* atomics_and_barriers.c: so many work-items of a group meet here, without an order. */
void emit_meeting(struct work_item *w, enum scope scope, unsigned members);

/* atomics_and_barriers.c: what a meeting here is called; NULL: an error was added. */
const char *meeting_key(struct work_item *w, enum scope scope);

/* atomics_and_barriers.c: a scope by its id; false: it is none, and an error was added. */
bool memory_scope(struct work_item *w, uint32_t id, enum scope *scope);

/* ---- memory.c ---- */

struct place;

/* One scalar of what an instruction loads, its `leaf`, or stores; its memory operands are from operand `at` on. */
struct scalar memory_load(struct work_item *w, const struct place *place, unsigned leaf, unsigned at);
void memory_store(struct work_item *w, const struct place *place, struct scalar value, unsigned at);

/* The work-item stores any value where the pointer of this id points to. */
void memory_set_free(struct work_item *w, uint32_t pointer);

/* OpenCL's vload and vstore: elements of a vector that are one after the other in memory, `half`: as floats of 16 bits,
 * `aligned`: of which three take the room of four. */
void memory_vector(struct work_item *w, bool load, bool half, bool aligned);

/* ---- images.c ---- */

/* The texels of an image, at `address`: elements of an array. */
struct memory image_memory(struct kernel_code *k, const struct kernel_type *image, int64_t address);

/* Those of the image that a variable or parameter is; NULL: nobody writes them. */
const struct memory *image_texels(const struct kernel_code *k, uint32_t id);

/* The element of a texel by its coordinates, and after them the component's number if it has several; -1: nobody
 * accesses it. */
int image_find_cell(const struct memory *object, const int64_t *indices, unsigned count);

/* ---- pointer_targets.c ---- */

/* One scalar at an address. */
struct place {
  const struct memory *object; /* NULL: out of bounds, said already */
  struct address address;      /* SHARED; also HELD addresses */
  unsigned cell;               /* known, and not mixed */
  unsigned bytes;              /* not known, or mixed */
  unsigned at;                 /* mixed: the first of the bytes in the object */
  int slot;                    /* known, and the work-item's own; else -1 */
  struct scalar pointer;
  bool known, coherent;
  bool mixed; /* known bytes of the work-item's own memory, or of what is read only, that are no cell's */
  bool kept;  /* nobody writes there, whichever place it is */
};

/* Finds the cell of a scalar type at `pointer` + `offset`. */
struct place place_find(struct work_item *w, struct scalar pointer, unsigned offset, const struct kernel_type *type);

/* The object of this index: the kernel's, then the work-item's own; NULL: there is none. */
const struct memory *place_object(const struct work_item *w, size_t index);

/* An array whose length nobody gives is used at this byte of its object; is that none yet, so that all is to be made
 * again? */
bool place_grows(struct work_item *w, const struct memory *object, int64_t at);

/* The work-item gets outside an object (NULL: follows a pointer to nothing), which ends it.  Warns of it, unless only a
 * run knows whether the work-item comes here. */
void place_outside(struct work_item *w, const struct memory *object, int64_t offset);

/* Notes that the work-item touches the place. */
void place_touch(struct work_item *w, const struct place *place, bool writes);

/* Is no event needed for an access?  Reads and writes of a work-item's own memory, and of what nobody writes. */
bool place_is_own(const struct place *place);

struct scalar place_read_own(struct work_item *w, const struct place *place);
void place_write_own(struct work_item *w, const struct place *place, struct scalar value);

/* ---- linearize.c ---- */

void layout_thread(struct work_item *w, struct thread *thread);

/* ---- merge_redundant_barriers.c ---- */

/* Leaves out barriers that follow others with nothing in between. */
void barriers_join(struct kernel_code *k, struct program *program);

/* ---- kernel_launch.c ---- */

/* Says of the program which kernel it is, for who compiles it once more. */
void kernel_launch_make(struct kernel_code *k, struct program *program);

/* ---- condition.c ---- */

void condition_make(struct kernel_code *k, struct spirv_test *test);

/* atomics_and_barriers.c: makes one atomic operation of an ordinary load, the last access that was written here, and a
 * store of what comes of it to the same place.  False: they are not one. */
bool emit_update(struct work_item *w, const struct spirv_words *words, const struct place *place,
                 const struct expr *value);

#endif
