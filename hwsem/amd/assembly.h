/* SPDX-License-Identifier: MIT */
/* AMDGPU assembly: lines of text to instructions with operands.
 *
 * The subset is what the machine gives a meaning to; whatever else a line says
 * is an error with its place, never skipped.  Comments (`;`, `//`), labels and
 * directives are read as LLVM writes them.
 */
#ifndef LITSCOPE_HWSEM_AMD_ASSEMBLY_H
#define LITSCOPE_HWSEM_AMD_ASSEMBLY_H

#include "checker/program/program.h"
#include "hwsem/amd/target.h"

/* Registers are numbered in one row. */
enum amd_reg {
  AMD_S = 0, /* s0 .. s127 */
  AMD_VCC = 128,
  AMD_EXEC = 130,
  AMD_M0 = 132,
  AMD_SCC = 133,
  AMD_FLAT_SCRATCH = 134,
  AMD_NULL = 136,
  AMD_XNACK = 138,
  AMD_TTMP = 144,
  AMD_V = 256, /* v0 .. v255 */
  AMD_A = 512, /* a0 .. a255 */
  AMD_REGISTERS = 768
};

/* The upper words of flat addresses of private memory (src_private_base) and of
 * local memory (src_shared_base).  Code for gfx1250 tells them apart by their highest six bits. */
enum { AMD_PRIVATE_APERTURE = 0x40000000, AMD_LOCAL_APERTURE = 0x20000000 };

/* What an instruction does; `fn` and `words` in amd_instr tell variants apart.  Accesses of one space (amd_op_space)
 * stand together. */
enum amd_op {
  AMD_OP_NOTHING,
  AMD_OP_END,
  AMD_OP_GLOBAL_LOAD,
  AMD_OP_GLOBAL_STORE,
  AMD_OP_GLOBAL_RMW,
  AMD_OP_GLOBAL_CAS, /* data pair: new, expected */
  AMD_OP_DS_LOAD,
  AMD_OP_DS_STORE,
  AMD_OP_DS_RMW,
  AMD_OP_DS_CAS,     /* address, new, expected */
  AMD_OP_DS_CAS_OLD, /* address, expected, new */
  AMD_OP_FLAT_LOAD,  /* of the memory that the address says */
  AMD_OP_FLAT_STORE,
  AMD_OP_FLAT_RMW,
  AMD_OP_FLAT_CAS,     /* as GLOBAL_CAS */
  AMD_OP_PRIVATE_LOAD, /* spills */
  AMD_OP_PRIVATE_STORE,
  AMD_OP_SCALAR_LOAD,
  AMD_OP_WAIT,
  AMD_OP_CACHE, /* invalidates and write-backs: the target knows them by name */
  AMD_OP_BARRIER,
  AMD_OP_SIGNAL,
  AMD_OP_BARRIER_WAIT,
  AMD_OP_BRANCH,
  AMD_OP_PROGRAM_COUNTER, /* dst: 0, as symbols are relative to it */
  AMD_OP_MOVE,            /* dst, a */
  AMD_OP_BINARY,          /* dst, a, b; a is shifted left by fn2 first */
  AMD_OP_REVERSED,        /* dst, b, a */
  AMD_OP_TERNARY,         /* dst, a, b, c: fn of a and b, then fn2 with c */
  AMD_OP_BITS,            /* dst, a, b or dst, a, b, c: bit by bit what the modifier's table says */
  AMD_OP_MEDIAN,          /* dst, a, b, c: that in the middle; fn: the smaller of two, fn2: the greater */
  AMD_OP_FUSED,           /* dst, a, b, c: of floats a * b + c, rounded once; without c: dst */
  AMD_OP_TWO_MOVES,       /* dst, a, b: a word of each; fn2: set of 1 (the upper one of a), 2 (of b) */
  AMD_OP_FIELD,           /* dst, a, b, c: bits of a from number b on, c of them; of a scalar instruction b has both */
  AMD_OP_INSERT,          /* dst, a, b, c: b where a has ones, else c */
  AMD_OP_ALIGN,           /* dst, a, b, c: of a and b after it, the word c bits (fn2: 8 times as many) from b's end */
  AMD_OP_PERMUTE,         /* dst, a, b, c: bytes of a and b, by the numbers in c's bytes */
  AMD_OP_CARRY_OUT,       /* dst, carry, a, b; fn2: b and a change places */
  AMD_OP_CARRY_INOUT,     /* dst, carry, a, b, carry in; fn2 as above */
  AMD_OP_MAD_WIDE,  /* dst, carry, a, b, c: the product of two words and a sum of two words each; fn: of the product the
                       upper one */
  AMD_OP_CARRY_SCC, /* dst, a, b with SCC as carry */
  AMD_OP_COMPARE,   /* mask, a, b */
  AMD_OP_COMPARE_EXEC,
  AMD_OP_COMPARE_SCC,
  AMD_OP_BIT_SCC,    /* SCC := bit number b of a; fn: another value than it */
  AMD_OP_SELECT,     /* dst, a, b, mask */
  AMD_OP_SELECT_SCC, /* dst, a, b */
  AMD_OP_SAVE_EXEC,  /* dst := exec, exec := fn of a and exec */
  AMD_OP_READ_LANE,
  AMD_OP_WRITE_LANE,
  AMD_OP_MBCNT /* dst, mask, base */
};

/* The memory that an access of the lanes names; a load by the scalar unit does not count. */
enum amd_space { AMD_SPACE_NONE, AMD_SPACE_GLOBAL, AMD_SPACE_LOCAL, AMD_SPACE_FLAT, AMD_SPACE_PRIVATE };
enum amd_space amd_op_space(enum amd_op op);

enum amd_fn {
  AMD_COPY,
  AMD_NOT,
  AMD_AND,
  AMD_OR,
  AMD_XOR,
  AMD_ANDN, /* a & ~b */
  AMD_ORN,
  AMD_NOR,
  AMD_NAND,
  AMD_XNOR,
  AMD_PACK, /* lower halves, of b the upper one */
  AMD_ADD,
  AMD_SUB,
  AMD_MUL,
  AMD_MUL24, /* of the lower 24 bits of each */
  AMD_MULI24,
  AMD_MULHU, /* upper word of the product */
  AMD_MULHI,
  AMD_SEXT8, /* the lower byte of a, with its sign */
  AMD_SEXT16,
  AMD_REVERSE, /* the bits of a, the last one first */
  AMD_COUNT,   /* how many bits of a are set, and b */
  AMD_CLZ,     /* how many are 0 before the first that is set, -1: none is; and after the last */
  AMD_CTZ,
  AMD_SHL,
  AMD_SHR,
  AMD_SAR,
  AMD_MINU,
  AMD_MAXU,
  AMD_MINI,
  AMD_MAXI,
  AMD_EQ,
  AMD_NE,
  AMD_LTU,
  AMD_LEU,
  AMD_GTU,
  AMD_GEU,
  AMD_LTI,
  AMD_LEI,
  AMD_GTI,
  AMD_GEI,
  /* Of floats, by their bits; rounded to the nearest, and to an even one between two. */
  AMD_FADD,
  AMD_FSUB,
  AMD_FMUL,
  AMD_FMIN, /* of a number and what is none, the number */
  AMD_FMAX,
  AMD_FRCP,   /* 1 divided by a; GPUs may be a unit in the last place off, which division of integers puts right */
  AMD_FSCALE, /* times 2 to the power of b, a number with a sign */
  AMD_FLT,    /* comparisons: false of what is no number */
  AMD_FLE,
  AMD_FEQ,
  AMD_FNLT, /* true of that */
  AMD_FNLE,
  AMD_FNEQ,
  AMD_FFROM, /* of a number with a sign, and without one */
  AMD_FFROMU,
  AMD_FTO, /* towards zero; the nearest that there is */
  AMD_FTOU
};

bool amd_fn_compares(enum amd_fn fn);
static inline bool amd_fn_is_bitwise(enum amd_fn fn) {
  return fn == AMD_COPY || fn == AMD_NOT || fn == AMD_AND || fn == AMD_OR || fn == AMD_XOR || fn == AMD_ANDN ||
         fn == AMD_ORN || fn == AMD_NOR || fn == AMD_NAND || fn == AMD_XNOR;
}
static inline bool amd_fn_multiplies(enum amd_fn fn) {
  return fn == AMD_MUL || fn == AMD_MUL24 || fn == AMD_MULI24 || fn == AMD_MULHU || fn == AMD_MULHI;
}
static inline bool amd_fn_is_float(enum amd_fn fn) {
  return fn >= AMD_FADD;
}
static inline bool amd_fn_is_least_or_greatest(enum amd_fn fn) {
  return fn == AMD_MINU || fn == AMD_MAXU || fn == AMD_MINI || fn == AMD_MAXI;
}

/* What a load or store accesses: words, or a part of one. */
enum amd_part { AMD_WORDS, AMD_U8, AMD_I8, AMD_U16, AMD_I16 };

enum amd_jump { AMD_ALWAYS, AMD_EXECZ, AMD_EXECNZ, AMD_VCCZ, AMD_VCCNZ, AMD_SCC0, AMD_SCC1 };

enum amd_operand_kind { AMD_REG, AMD_NUMBER, AMD_OFF, AMD_NAME };

/* A part of a register: v0.l, v0.h, or as src0_sel:BYTE_1 says. */
enum amd_piece { AMD_WHOLE, AMD_LOW, AMD_HIGH, AMD_BYTE0, AMD_BYTE1, AMD_BYTE2, AMD_BYTE3 };

struct amd_operand {
  enum amd_operand_kind kind;
  unsigned reg, words;  /* first register and how many */
  enum amd_piece piece; /* of one that is read, or written and the rest of it stays as it was */
  bool is_signed;       /* the piece is a number with a sign */
  bool alone;           /* writing the piece makes the rest zero */
  bool named;           /* a number that is in no word of the code: 1.0, src_shared_base */
  uint64_t number;      /* of a symbol: how many bytes after it */
  const char *name;     /* a label or a symbol */
  bool upper;           /* the upper word of a symbol's address */
  struct span span;
};

enum { AMD_OPERANDS = 6 };

struct amd_instr {
  enum amd_op op;
  unsigned fn, fn2;     /* enum amd_fn, amd_jump, rmw_op, amd_part */
  unsigned words;       /* moved or computed on */
  unsigned bytes;       /* of memory that it accesses: a part of a word, or all its words */
  unsigned extends;     /* what it loads is a number with a sign: enum amd_fn */
  enum amd_piece piece; /* of the register that it loads or stores */
  bool vector;          /* does nothing where exec is 0 */
  bool returns;         /* its name says that the old value is returned */
  bool short_numbers;   /* it computes on 16 bits */
  bool clamps;          /* the float that it computes lies between 0 and 1 */
  bool saturates;       /* a sum or difference that does not fit becomes the nearest number that does */
  bool scales;          /* its offset in a register counts pieces of the size that it accesses */
  bool selects;         /* its operands may be pieces of registers, as modifiers say */
  const char *name;     /* without _e32 and _e64 */
  bool longer;          /* it had _e64 */
  struct amd_operand at[AMD_OPERANDS];
  unsigned count;
  unsigned bits; /* set of amd_bit */
  int64_t offset;
  struct span offset_span;
  int64_t second;               /* offset of the second half of a local access at two addresses (fn2); BITS: bit
                                 * 4a+2b+c is what becomes of a, b and c, without c of 0 */
  int wait[AMD_CLASSES];        /* WAIT: most operations outstanding by class; -1: any number */
  unsigned target;              /* BRANCH: index of an instruction */
  bool joins;                   /* a branch leads here */
  const struct amd_instr *dual; /* the other half of v_dual_*: both read before either writes */
  struct span span;
  unsigned source_line; /* of the program it was compiled from; 0: not known */
};

/* `ds_read2_b32` and the like. */
static inline bool amd_has_two_addresses(const struct amd_instr *i) {
  return (i->op == AMD_OP_DS_LOAD || i->op == AMD_OP_DS_STORE) && i->fn2;
}

/* `buffer_load_dword` and the like. */
static inline bool amd_is_buffer(const struct amd_instr *i) {
  return i->name[0] == 'b';
}

/* A thread's code. */
struct amd_code {
  const struct source *source;
  struct amd_instr *instrs;
  unsigned count;
  bool loops;              /* a branch goes backward */
  unsigned user_registers; /* scalar ones that are set before the number of the work-group */
  int kernarg; /* the scalar register that the arguments' address starts in, by the directives; -1: not said */
};

/* Reads lines, given by their spans in the source, in order.  NULL, with
 * diagnostics, on any error. */
struct amd_code *amd_assemble(struct arena *arena, const struct amd_target *target, const struct source *source,
                              const struct span *lines, size_t line_count, struct diags *diags);

/* A register's number from its name (`v2`, `s[0:1]`, `vcc`); `words` says how
 * many it covers.  -1: it is none. */
int amd_register(const char *text, size_t length, unsigned *words);

/* `v2`, `s[4:5]`. */
const char *amd_register_name(struct arena *arena, unsigned reg, unsigned words);

#endif
