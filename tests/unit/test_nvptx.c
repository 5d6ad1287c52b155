/* SPDX-License-Identifier: MIT */
/* PTX as compilers write it, read as columns: instructions, and what is refused.
 * No compiler is needed. */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/vec.h"
#include "checker/ptx/read.h"
#include "tests/unit/unit.h"

static const char HEAD[] =
    "ld.param.b64 %rd1, [t0_param_0];\nld.param.b64 %rd2, [t0_param_1];\nmov.u32 %r90, %tid.x;\n"
    "mul.wide.u32 %rd3, %r90, 4;\nadd.s64 %rd4, %rd2, %rd3;\n";

/* The column of some lines behind the usual ones: cells joined by `; `, or the
 * message that refuses them. */
static const char *read(struct arena *arena, const char *lines) {
  static const unsigned locations[] = {0, 2, 3, 4}, shared[] = {1}, bytes[] = {4, 4, 4, 4, 8};
  static const char *const names[] = {"x", "a", "y[0]", "y[1]", "z"}, *const results[] = {"r0", "r1"};
  char *text = arena_printf(arena, "%s%s\n", HEAD, lines);
  struct source *source = source_from_text(arena, "assembly", text, strlen(text));
  VEC(struct span) spans = {0};
  for (size_t at = 0; text[at]; at += strcspn(text + at, "\n") + 1)
    *vec_push(arena, &spans) = (struct span){(uint32_t)at, (uint32_t)strcspn(text + at, "\n")};
  struct ptx_kernel kernel = {.source = source,
                              .statements = ptx_lines(arena, source, spans.at, spans.count),
                              .statement_count = spans.count,
                              .thread = "P0",
                              .locations = locations,
                              .location_count = 4,
                              .bytes = bytes,
                              .shared = shared,
                              .shared_count = 1,
                              .shared_stride = 1204,
                              .names = names,
                              .results = results,
                              .result_count = 2,
                              .next = 2,
                              .number = 3};
  struct column column = {0};
  struct diags diags = diags_new(arena);
  if (!ptx_read(arena, &kernel, &column, &diags)) return diags.at[0].message;
  const char *joined = "";
  for (size_t i = 0; i < column.count; i++)
    joined = arena_printf(arena, "%s%s%s", joined, i ? "; " : "", column.at[i].text);
  return joined;
}

struct row {
  const char *lines, *expected;
};

static void check(const struct row *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct arena *arena = arena_new();
    assert_string_equal(read(arena, rows[i].lines), rows[i].expected);
    arena_free(arena);
  }
}

TEST(accesses) {
  static const struct row ROWS[] = {
      {"ld.global.b32 %r1, [%rd4];", "ld.weak r2, x"},
      {"ld.acquire.gpu.global.b32 %r1, [%rd4];", "ld.acquire.gpu r2, x"},
      {"ld.volatile.global.u32 %r1, [%rd4];", "ld.relaxed.sys r2, x"},
      {"ld.global.nc.L1::no_allocate.b32 %r1, [%rd4];", "ld.global.nc r2, x"},
      {"st.v2.b32 [%rd1], {%r1, 7};", "ld r0, r2; ld r1, 7"},
      {"ld.relaxed.cta.b32 %r1, [%rd4];", "ld.relaxed.cta r2, x"},
      {"st.release.sys.global.b32 [%rd4], 7;", "st.release.sys x, 7"},
      {"st.global.b32 [%rd4], %r5;", "st.weak x, r2"},
      {"st.global.b32 [%rd1+4], -1;", "ld r1, -1"},
      {"st.shared.b32 [lds], 1; // local", "st.weak a, 1"},
      {"atom.global.add.u32 %r1, [%rd4], 2;", "atom.relaxed.gpu.add.s32 r2, x, 2"},
      {"atom.acq_rel.cta.global.exch.b32 %r1, [%rd4], 2;", "atom.acq_rel.cta.exch r2, x, 2"},
      {"atom.gpu.global.cas.b32 %r1, [%rd4], 0, 5;", "atom.relaxed.gpu.cas r2, x, 0, 5"},
      {"atom.global.min.u32 %r1, [%rd4], 3;", "atom.relaxed.gpu.min.u32 r2, x, 3; mov.s32 r2, r2"},
      {"ld.param.b64 %rd9, [t0_param_4];\nld.acquire.gpu.b64 %rd8, [%rd9];", "ld.acquire.gpu.s64 r2, z"},
      {"ld.global.u8 %rs1, [%rd4];", "ld.weak.s8 r2, x; and r2, r2, 255"},
      {"st.b32 [%rd4], 0fBF800000;", "st.weak x, -1082130432"},
      /* a register that has one address on one path, and another one on the other */
      {"ld.param.b64 %rd9, [t0_param_2];\n@%p1 bra $L__BB0_1;\nadd.s64 %rd9, %rd9, 4;\n$L__BB0_1:\nst.b32 [%rd9], 1;",
       "ld r2, 0; bne r3, 0, LC300; ld r4, r2; add r2, r4, 4; LC300:; ld r5, r2; ld r6, r2; mul r7, r6, 1; add r7, r7, "
       "0; rem r8, r7, 4; beq r8, 0, LC301; div.s32 r9, 1, 0; LC301:; div r7, r7, 4; st.weak y[r7], 1"},
      {"mov.b64 %rd9, %rd4;\n@%p1 bra $L__BB0_1;\nmov.b64 %rd9, lds;\n$L__BB0_1:\nld.acquire.gpu.b32 %r1, [%rd9];",
       "ld r2, 0; bne r3, 0, LC300; ld r2, 1048576; LC300:; ld r4, r2; ld r5, r2; bne r5, 0, LC302; ld.acquire.gpu r6, "
       "x; goto LC301; LC302:; bne r5, 1048576, LC303; ld.acquire.gpu r6, a; goto LC301; LC303:; div.s32 r7, 1, 0; "
       "LC301:"},
      {"atom.global.min.s32 %r1, [%rd4], 3;", "atom.relaxed.gpu.min.s32 r2, x, 3"},
      {"atom.global.inc.u32 %r1, [%rd4], 3;", "atom.relaxed.gpu.inc.u32 r2, x, 3; mov.s32 r2, r2"},
      {"atom.add.release.gpu.s32 %r11,[%rd4],%r12;", "atom.release.gpu.add.s32 r3, x, r2"},
      {"red.global.add.u32 [%rd4], 2;", "red.relaxed.gpu.add.s32 x, 2"},
      {"atom.global.add.f32 %r1, [%rd4], 0f3F800000;", "mov.f32 r2, 1065353216; atom.relaxed.gpu.add.f32 r3, x, r2"},
      {"ld.param.b64 %rd9, [t0_param_4];\nred.release.gpu.add.f64 [%rd9], %rd8;",
       "mov.f64 r3, r2; red.release.gpu.add.f64 z, r3"},
      {"fence.sc.gpu;", "fence.sc.gpu"},
      {"fence.acq_rel.cta;", "fence.acq_rel.cta"},
      {"membar.gl;", "fence.sc.gpu"},
      {"membar.sys;", "fence.sc.sys"},
      {"bar.sync 0;\nbarrier.sync 0;", "bar.cta.sync 0; bar.cta.sync 1"},
      {"cvta.to.global.u64 %rd9, %rd4;\nld.b32 %r1, [%rd9];", "ld.weak r2, x"},
      {"mov.b64 %rd9, lds;\nld.shared.b32 %r1, [%rd9];", "ld.weak r2, a"},
      {"st.shared.b32 [t0_$_lds], 1;", "st.weak a, 1"},
      /* private memory: a register for each place; addresses and the thread's number are followed through it */
      {"mov.b64 %SPL, __local_depot0;\ncvta.local.u64 %SP, %SPL;\nst.b32 [%SP+8], 7;\nld.b32 %r1, [%SP+8];",
       "ld r2, 7; ld r3, r2"},
      {"mov.b64 %SP, __local_depot0;\nst.b64 [%SP], %rd4;\nadd.s64 %rd5, %SP, 0;\nld.b64 %rd9, [%rd5];\nld.b32 %r1, "
       "[%rd9];",
       "ld.weak r2, x"},
      {"mov.b64 %SP, __local_depot0;\nst.b8 [%SP+4], 257;\nld.b8 %r1, [%SP+4];", "and r2, 257, 255; and r3, r2, 255"},
      {"ld.b32 %r1, [%rd4];\nmul.wide.s32 %rd8, %r1, 4;\nld.param.b64 %rd9, [t0_param_3];\nadd.s64 %rd10, %rd9, %rd8;\n"
       "st.b32 [%rd10+-4], 3;",
       "ld.weak r2, x; ld r3, r2; st.weak y[r3], 3"},
      {"ld.b32 %r1, [%rd4];\nshl.b32 %r2, %r1, 2;\ncvt.s64.s32 %rd8, %r2;\nld.param.b64 %rd9, [t0_param_3];\n"
       "add.s64 %rd10, %rd8, %rd9;\nst.b32 [%rd10+4], 3;",
       "ld.weak r2, x; shl.s32 r3, r2, 2; ld r4, r3; mul r5, r4, 1; add r5, r5, 8; rem r6, r5, 4; beq r6, 0, LC300; "
       "div.s32 r7, 1, 0; LC300:; div r5, r5, 4; st.weak y[r5], 3"},
      {"ld.b32 %r1, [%rd4];\ncvt.u64.u32 %rd8, %r1;\nshr.u64 %rd9, %rd8, 1;\ncvt.u32.u64 %r2, %rd9;",
       "ld.weak r2, x; and r3, r2, 4294967295; mul r4, r3, 1; add r4, r4, 0; shr.u64 r5, r4, 1; cvt.s32.u64 r6, r5"},
      /* a factor without a sign, as LLVM writes it; what 32 bits lose of a product */
      {"ld.b32 %r1, [%rd4];\nmul.wide.u32 %rd8, %r1, -1431655765;\nshr.u64 %rd9, %rd8, 33;\ncvt.u32.u64 %r2, %rd9;",
       "ld.weak r2, x; and r3, r2, 4294967295; mul r4, r3, 2863311531; add r4, r4, 0; shr.u64 r5, r4, 33; cvt.s32.u64 "
       "r6, r5"},
      {"ld.b32 %r1, [%rd4];\nmul.wide.s32 %rd8, %r1, 12;\ncvt.u32.u64 %r2, %rd8;\nst.b32 [%rd4], %r2;",
       "ld.weak r2, x; ld r3, r2; mul r4, r3, 12; add r4, r4, 0; cvt.s32.u64 r5, r4; st.weak x, r5"},
      {"cvt.u64.u32 %rd8, %r90;\nshl.b64 %rd7, %rd8, 2;\nadd.s64 %rd6, %rd2, %rd7;\nld.b32 %r1, [%rd6];",
       "ld.weak r2, x"},
  };
  check(ROWS, ARRAY_COUNT(ROWS));
}

TEST(values) {
  static const struct row ROWS[] = {
      {"mov.b32 %r1, -1;", "ld r2, -1"},
      {"add.s32 %r1, %r2, 1;", "add.s32 r3, r2, 1"},
      {"add.s32 %r1, %r2, %r3;", "add.s32 r4, r2, r3"},
      {"mul.lo.s32 %r1, %r2, 3;", "mul.lo.s32 r3, r2, 3"},
      {"shr.s32 %r1, %r2, 3;", "shr.s32 r3, r2, 3"},
      {"div.u32 %r1, %r2, %r3;", "div.u32 r4, r2, r3; mov.s32 r4, r4"},
      {"mul.hi.u32 %r1, %r2, %r3;", "mul.hi.u32 r4, r2, r3; mov.s32 r4, r4"},
      {"bfe.u32 %r1, %r2, 9, 8;", "bfe.u32 r3, r2, 9, 8; mov.s32 r3, r3"},
      {"bfe.s32 %r1, %r2, 9, 8;", "bfe.s32 r3, r2, 9, 8"},
      {"cvt.u32.u8 %r1, %r2;", "cvt.s32.u8 r3, r2"},
      {"cvt.s32.s16 %r1, %r2;", "cvt.s32.s16 r3, r2"},
      {"not.b32 %r1, %r2;", "not.s32 r3, r2"},
      {"neg.s32 %r1, %r2;", "neg.s32 r3, r2"},
      {"not.pred %p1, %p2;", "not.pred r3, r2"},
      {"setp.ne.b32 %p1, %r1, 1;\nselp.b32 %r3, 1, 0, %p1;", "setp.ne.s32 r3, r2, 1; selp.s32 r4, 1, 0, r3"},
      {"setp.lt.s32 %p1, %r1, 1;", "setp.lt.s32 r3, r2, 1"},
      {"setp.lt.u32 %p1, %r1, -1;", "setp.lt.u32 r3, r2, -1"},
      {"add.rn.ftz.f32 %r1, %r2, 0f40000000;", "add.rn.ftz.f32 r3, r2, 1073741824"},
      {"cvt.f64.f32 %rd8, %r1;\nfma.rn.f32 %r2, %r1, %r1, %r1;", "cvt.f64.f32 r3, r2; fma.rn.f32 r4, r2, r2, r2"},
      {"cvt.rzi.u32.f32 %r1, %r2;", "cvt.rzi.u32.f32 r3, r2; mov.s32 r3, r3"},
      {"setp.neu.f32 %p1, %r1, %r2;", "setp.neu.f32 r4, r2, r3"},
  };
  check(ROWS, ARRAY_COUNT(ROWS));
}

TEST(control) {
  static const struct row ROWS[] = {
      {"@%p1 bra $L__BB0_2;\nst.b32 [%rd4], 1;\n$L__BB0_2:\nret;", "bne r2, 0, LC300; st.weak x, 1; LC300:"},
      {"@!%p1 bra $L__BB0_2;\n$L__BB0_2:", "beq r2, 0, LC300; LC300:"},
      {"bra.uni $L__BB0_1;\n$L__BB0_1:", "goto LC300; LC300:"},
      {"@%p1 ret;\nst.b32 [%rd4], 1;\nret;", "beq r2, 0, LC300; goto LC301; LC300:; st.weak x, 1; LC301:"},
      {"$L__tmp0:\n.loc 1 12 0\n{\n}\n// a comment", ""},
  };
  check(ROWS, ARRAY_COUNT(ROWS));
}

TEST(refused) {
  static const struct row ROWS[] = {
      {"wmma.load.a;", "P0: 'wmma' is not an instruction that is known here"},
      {"@%p1 wmma.load.a;", "P0: 'wmma' is not an instruction that is known here"},
      {"fence.proxy.alias;", "P0: '.proxy' of 'fence' is not known here"},
      {"cvt.u64.u32 %rd8, %r1;\nmul.hi.u64 %rd9, %rd8, 12345;", "P0: '.hi' of 'mul' is not known here"},
      {"add.rz.f32 %f1, %f2, %f3;", "P0: '.rz' of 'add' is not known here"},
      {"div.approx.f32 %f1, %f2, %f3;", "P0: '.approx' of 'div' is not known here"},
      {"atom.add.noftz.f16 %rs1, [%rd4], %rs2;", "P0: '.noftz' of 'atom' is not known here"},
      {"ld.b64 %rd9, [%rd4];", "P0: an access of 64 bits, and the location has 32"},
      {"ld.global %r1, [%rd4];", "P0: an access without a type"},
      {"st.b32 [%rd4], foo;", "P0: operand 'foo' is not known here"},
      {"cvta.to.global.u64 %rd9, %rd77;", "P0: an address is not known before running"},
      {"add.s64 %rd9, %rd7, %rd6;\nmov.b64 %rd9, %rd4;",
       "P0: a register holds now a value, now an address of a location"},
      {"mov.b64 %rd9, %rd4;\nadd.s64 %rd9, %rd7, %rd6;",
       "P0: a register holds now an address of a location, now a value"},
      {"mov.b64 %SP, __local_depot0;\nadd.s64 %rd9, %SP, %rd8;\nst.b32 [%rd9], 1;",
       "P0: which place in private memory this is, only a run knows"},
      {"ld.param.b64 %rd9, [t0_param_4];\n@%p1 bra $L__BB0_1;\nmov.b64 %rd9, lds;\n$L__BB0_1:\nst.b32 [%rd9], 1;",
       "P0: it may point to locations of several sizes"},
      {"mov.b64 %rd9, %rd4;\nmov.b64 %rd9, lds;\nmov.b64 %rd8, lds;\nmov.b64 %rd8, %rd9;",
       "P0: which of several arrays an address is of, only a run knows"},
      {"st.b8 [%rd4], 1;", "P0: an access of 8 bits, and the location has 32"},
      {"mov.b64 %SP, __local_depot0;\nst.b32 [%SP+4], 1;\nld.b8 %r1, [%SP+5];",
       "P0: a place in private memory is a part of another one"},
      {"mov.b64 %SPL, __local_depot0;\nst.b64 [%SPL+8], 7;\nst.b64 [%SPL+8], %rd4;",
       "P0: a place in private memory holds now an address, now a value"},
      {"ld.b32 %r1, [%rd77];", "P0: the address is not known before running"},
      {"ld.b32 %r90, [%rd4];", "P0: this address is of no memory that is known here"},
      {"ld.b32 %r1, [%rd4+8];", "P0: this address is of no memory that is known here"},
      {"ld.b32 %r1, [%rd1];", "P0: a result is read"},
      {"atom.global.add.u32 %r1, [%rd1], 1;", "P0: a result is changed"},
      {"st.b32 [%rd4], %rd1;", "P0: an address is used as a value"},
      {"brx.idx %r1, nowhere;", "P0: a list of labels that is not known here"},
      {"bar.sync 0, 32;", "P0: this barrier is not known here"},
      {"mov.b32 %r1;", "P0: 'mov' with 1 operands is not known here"},
      {"mov.b64 %rd9, {%r1, %r2};", "P0: these operands are not supported"},
      {"setp.eq.s32 %p1|%p2, %r1, 0;", "P0: these operands are not supported"},
      {"a.b.c.d.e.f.g.h.i.j.k.l.m %r1;", "P0: an instruction with so many words is not known here"},
      {"ld.param.b64 %rd8, [else];", "P0: a parameter that is not known here"},
      {"what is this", "P0: a line that is not known here"},
  };
  check(ROWS, ARRAY_COUNT(ROWS));
}
