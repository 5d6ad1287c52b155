/* SPDX-License-Identifier: MIT */
/* Types of a module: what values are made of, and how memory is laid out.
 *
 * A value is the scalars at its leaves, in order; memory is bytes, with an offset
 * for each leaf.  Strides and offsets are the module's; where it gives none
 * (OpenCL, and storage that nobody sees), alignment is the natural one, and a
 * vector of three takes the room of one of four.
 */
#ifndef LITSCOPE_SPIRV_TYPES_H
#define LITSCOPE_SPIRV_TYPES_H

#include "checker/program/program.h"
#include "checker/spirv/module.h"

enum type_kind {
  TYPE_VOID,
  TYPE_BOOL,
  TYPE_INT,
  TYPE_FLOAT,
  TYPE_POINTER,
  TYPE_IMAGE, /* or a sampler: the address of its texels, 0 if nobody writes them */
  TYPE_VECTOR,
  TYPE_ARRAY,
  TYPE_STRUCT,
  TYPE_OTHER
};

struct kernel_type {
  enum type_kind kind;
  uint32_t id;
  unsigned bits;                      /* BOOL, INT, FLOAT, POINTER */
  unsigned count;                     /* VECTOR, ARRAY, STRUCT: elements; 0: a run-time array */
  const struct kernel_type *element;  /* VECTOR, ARRAY */
  const struct kernel_type **members; /* STRUCT */
  unsigned *offsets;                  /* STRUCT: of each member */
  const char **member_names;          /* STRUCT: NULL entries: none */
  bool *coherent;                     /* STRUCT: members that are decorated so; NULL: none is */
  unsigned stride;                    /* VECTOR, ARRAY: of elements, in bytes */
  unsigned size, align;               /* in bytes; a run-time array has size 0 */
  unsigned leaves;                    /* scalars in a value; 0: no values */
  uint32_t storage;                   /* POINTER: SpvStorageClass */
  uint32_t pointee;                   /* POINTER: id of the type pointed to */
  unsigned pointee_stride;            /* POINTER: ArrayStride; 0: none */
};

struct types {
  struct module *module;
  const struct kernel_type **by_id;
  unsigned pointer_bytes;
  const uint64_t *constants; /* by id: values of integer constants, for the lengths of arrays */
};

/* The operand of a decoration of an id, or of a struct's member (-1: the id itself), 0 if it takes none; -1: there is
 * no such decoration. */
int64_t types_decoration(const struct types *types, uint32_t id, int64_t member, uint32_t which);

/* The type of this id, made on first use; on failure the module has failed, and
 * the type is one without values. */
const struct kernel_type *types_get(struct types *types, uint32_t id);

/* What a pointer type points to. */
const struct kernel_type *types_pointee(struct types *types, const struct kernel_type *pointer);

/* The same type with `count` elements in the run-time array at its end (NULL-safe
 * for types without one): for the variable that has so many. */
const struct kernel_type *types_with_length(struct types *types, const struct kernel_type *type, unsigned count);

/* Does the type end in a run-time array? */
bool type_is_open(const struct kernel_type *type);

/* The array that a type is, or that a structure ends in, and where it begins; NULL: there is none. */
const struct kernel_type *type_tail(const struct kernel_type *type, unsigned *offset);

bool type_is_scalar(const struct kernel_type *type);

/* The element or member `index` of a composite; its offset in bytes and the number of
 * leaves before it are added to what the pointers point to, which may be NULL. */
const struct kernel_type *type_part(const struct kernel_type *type, unsigned index, unsigned *offset, unsigned *leaf);

/* How the scalar is kept: reduced to its bits, with sign. */
struct width type_width(const struct kernel_type *type);

#endif
