/* SPDX-License-Identifier: MIT */
/* PTX as compilers write it, read as columns: instructions, and what is refused.
 * No compiler is needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants these before it */
#include <cmocka.h>
#include <string.h>

#include "checker/base/vec.h"
#include "checker/translate/nvptx_read.h"

static const char HEAD[] =
    "ld.param.b64 %rd1, [t0_param_0];\nld.param.b64 %rd2, [t0_param_1];\nmov.u32 %r90, %tid.x;\n"
    "mul.wide.u32 %rd3, %r90, 4;\nadd.s64 %rd4, %rd2, %rd3;\n";

/* The column of some lines behind the usual ones: cells joined by `; `, or the
 * message that refuses them. */
static const char *read(struct arena *arena, const char *lines) {
  static const unsigned locations[] = {0, 2}, shared[] = {1};
  static const char *const names[] = {"x", "a", "y[1]"}, *const results[] = {"r0", "r1"};
  char *text = arena_printf(arena, "%s%s\n", HEAD, lines);
  struct source *source = source_from_text(arena, "assembly", text, strlen(text));
  VEC(struct span) spans = {0};
  for (size_t at = 0; text[at]; at += strcspn(text + at, "\n") + 1)
    *vec_push(arena, &spans) = (struct span){(uint32_t)at, (uint32_t)strcspn(text + at, "\n")};
  struct ptx_kernel kernel = {.source = source,
                              .lines = spans.at,
                              .line_count = spans.count,
                              .thread = "P0",
                              .locations = locations,
                              .location_count = 2,
                              .shared = shared,
                              .shared_count = 1,
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

static void accesses(void **state) {
  static const struct row ROWS[] = {
      {"ld.global.b32 %r1, [%rd4];", "ld.weak r2, x"},
      {"ld.acquire.gpu.global.b32 %r1, [%rd4];", "ld.acquire.gpu r2, x"},
      {"ld.volatile.global.u32 %r1, [%rd4];", "ld.relaxed.sys r2, x"},
      {"ld.relaxed.cta.b32 %r1, [%rd4];", "ld.relaxed.cta r2, x"},
      {"st.release.sys.global.b32 [%rd4], 7;", "st.release.sys x, 7"},
      {"st.global.b32 [%rd4], %r5;", "st.weak x, r2"},
      {"st.global.b32 [%rd1+4], -1;", "ld r1, -1"},
      {"st.shared.b32 [lds], 1; // local", "st.weak a, 1"},
      {"atom.global.add.u32 %r1, [%rd4], 2;", "atom.relaxed.gpu.add r2, x, 2"},
      {"atom.acq_rel.cta.global.exch.b32 %r1, [%rd4], 2;", "atom.acq_rel.cta.exch r2, x, 2"},
      {"atom.gpu.global.cas.b32 %r1, [%rd4], 0, 5;", "atom.relaxed.gpu.cas r2, x, 0, 5"},
      {"atom.global.min.s32 %r1, [%rd4], 3;", "atom.relaxed.gpu.min r2, x, 3"},
      {"red.global.add.u32 [%rd4], 2;", "red.relaxed.gpu.add x, 2"},
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
      {"ld.b32 %r1, [%rd4];\nmul.wide.s32 %rd8, %r1, 4;\nld.param.b64 %rd9, [t0_param_2];\nadd.s64 %rd10, %rd9, %rd8;\n"
       "st.b32 [%rd10+-4], 3;",
       "ld.weak r2, x; ld r3, r2; st.weak y[r3], 3"},
      {"ld.b32 %r1, [%rd4];\nshl.b32 %r2, %r1, 2;\ncvt.s64.s32 %rd8, %r2;\nld.param.b64 %rd9, [t0_param_2];\n"
       "add.s64 %rd10, %rd8, %rd9;\nst.b32 [%rd10+4], 3;",
       "ld.weak r2, x; shl r3, r2, 2; shl r3, r3, 32; shr r3, r3, 32; ld r4, r3; mul r5, r4, 1; add r5, r5, 8; div r5, "
       "r5, 4; st.weak y[r5], 3"},
      {"ld.b32 %r1, [%rd4];\ncvt.u64.u32 %rd8, %r1;\nshr.u64 %rd9, %rd8, 1;\ncvt.u32.u64 %r2, %rd9;",
       "ld.weak r2, x; and r3, r2, 4294967295; mul r4, r3, 1; add r4, r4, 0; shr r5, r4, 1; and r5, r5, "
       "9223372036854775807; shl r6, r5, 32; shr r6, r6, 32"},
      /* a factor without a sign, as LLVM writes it; what 32 bits lose of a product */
      {"ld.b32 %r1, [%rd4];\nmul.wide.u32 %rd8, %r1, -1431655765;\nshr.u64 %rd9, %rd8, 33;\ncvt.u32.u64 %r2, %rd9;",
       "ld.weak r2, x; and r3, r2, 4294967295; mul r4, r3, 2863311531; add r4, r4, 0; shr r5, r4, 33; and r5, r5, "
       "2147483647; shl r6, r5, 32; shr r6, r6, 32"},
      {"ld.b32 %r1, [%rd4];\nmul.wide.s32 %rd8, %r1, 12;\ncvt.u32.u64 %r2, %rd8;\nst.b32 [%rd4], %r2;",
       "ld.weak r2, x; ld r3, r2; mul r5, r3, 12; add r5, r5, 0; shl r4, r5, 32; shr r4, r4, 32; st.weak x, r4"},
      {"cvt.u64.u32 %rd8, %r90;\nshl.b64 %rd7, %rd8, 2;\nadd.s64 %rd6, %rd2, %rd7;\nld.b32 %r1, [%rd6];",
       "ld.weak r2, x"},
  };
  (void)state;
  check(ROWS, sizeof ROWS / sizeof *ROWS);
}

static void values(void **state) {
  static const struct row ROWS[] = {
      {"mov.b32 %r1, -1;", "ld r2, -1"},
      {"add.s32 %r1, %r2, 1;", "add r3, r2, 1"},
      {"add.s32 %r1, %r2, %r3;", "add r4, r2, r3; shl r4, r4, 32; shr r4, r4, 32"},
      {"mul.lo.s32 %r1, %r2, 3;", "mul r3, r2, 3; shl r3, r3, 32; shr r3, r3, 32"},
      {"shr.s32 %r1, %r2, 3;", "shr r3, r2, 3"},
      {"div.u32 %r1, %r2, %r3;",
       "and r5, r2, 4294967295; and r6, r3, 4294967295; div r4, r5, r6; shl r4, r4, 32; shr r4, r4, 32"},
      {"bfe.u32 %r1, %r2, 9, 8;", "shr r3, r2, 9; and r3, r3, 255"},
      {"bfe.s32 %r1, %r2, 9, 8;", "shl r3, r2, 47; shr r3, r3, 56"},
      {"cvt.u32.u8 %r1, %r2;", "and r2, r3, 255"},
      {"cvt.s32.s16 %r1, %r2;", "and r2, r3, 65535; xor r2, r2, 32768; sub r2, r2, 32768"},
      {"not.b32 %r1, %r2;", "xor r3, r2, -1"},
      {"neg.s32 %r1, %r2;", "sub r3, 0, r2"},
      {"not.pred %p1, %p2;", "set.eq r3, r2, 0"},
      {"setp.ne.b32 %p1, %r1, 1;\nselp.b32 %r3, 1, 0, %p1;", "set.ne r3, r2, 1; selp r4, 1, 0, r3"},
      {"setp.lt.s32 %p1, %r1, 1;", "set.lt r3, r2, 1"},
      {"setp.lt.u32 %p1, %r1, -1;", "and r3, r2, 4294967295; set.lt r4, r3, 4294967295"},
  };
  (void)state;
  check(ROWS, sizeof ROWS / sizeof *ROWS);
}

static void control(void **state) {
  static const struct row ROWS[] = {
      {"@%p1 bra $L__BB0_2;\nst.b32 [%rd4], 1;\n$L__BB0_2:\nret;", "bne r2, 0, LC300; st.weak x, 1; LC300:"},
      {"@!%p1 bra $L__BB0_2;\n$L__BB0_2:", "beq r2, 0, LC300; LC300:"},
      {"bra.uni $L__BB0_1;\n$L__BB0_1:", "goto LC300; LC300:"},
      {"@%p1 ret;\nst.b32 [%rd4], 1;\nret;", "beq r2, 0, LC300; goto LC301; LC300:; st.weak x, 1; LC301:"},
      {"$L__tmp0:\n.loc 1 12 0\n{\n}\n// a comment", ""},
  };
  (void)state;
  check(ROWS, sizeof ROWS / sizeof *ROWS);
}

static void refused(void **state) {
  static const struct row ROWS[] = {
      {"wmma.load.a;", "P0: 'wmma' is not in the instruction set of tests"},
      {"@%p1 wmma.load.a;", "P0: 'wmma' is not in the instruction set of tests"},
      {"ld.global.nc.b32 %r1, [%rd4];", "P0: '.nc' of 'ld' is not known here"},
      {"atom.global.inc.u32 %r1, [%rd4], 3;", "P0: '.inc' of 'atom' is not known here"},
      {"atom.global.min.u32 %r1, [%rd4], 3;", "P0: '.min' of 'atom' is not known here"},
      {"fence.proxy.alias;", "P0: '.proxy' of 'fence' is not known here"},
      {"bfe.u32 %r1, %r2, %r3, 8;", "P0: these operands are not supported"},
      {"mul.hi.u32 %r1, %r2, %r3;", "P0: '.hi' of 'mul' is not known here"},
      {"cvt.u64.u32 %rd8, %r1;\nmul.hi.u64 %rd9, %rd8, 12345;", "P0: '.u64' of 'mul' is not known here"},
      {"mov.b64 %SPL, __local_depot0;\nst.b32 [%SPL+8], 7;\nst.b32 [%SPL+8], %r90;",
       "P0: a place in private memory holds now an address, now a value"},
      {"ld.b32 %r1, [%rd77];", "P0: the address is not known before running"},
      {"ld.b32 %r90, [%rd4];", "P0: an address is not known before running"},
      {"ld.b32 %r1, [%rd4];\nmov.u32 %r1, %tid.x;", "P0: an address is not known before running"},
      {"add.s64 %rd6, %rd5, %rd4;", "P0: an address is used as a value"},
      {"ld.b32 %r1, [%rd4+8];", "P0: this address is of no location of the test"},
      {"ld.b32 %r1, [%rd1];", "P0: a result is read"},
      {"atom.global.add.u32 %r1, [%rd1], 1;", "P0: a result is changed"},
      {"st.b32 [%rd4], %rd1;", "P0: an address is used as a value"},
      {"st.b32 [%rd4], 0fBF800000;", "P0: operand '0fBF800000' is not known here"},
      {"brx.idx %r1, nowhere;", "P0: a list of labels that is not known here"},
      {"bar.sync 0, 32;", "P0: this barrier is not known here"},
      {"mov.b32 %r1;", "P0: 'mov' with 1 operands is not known here"},
      {"st.v2.b32 [%rd1], {%r1, %r2};", "P0: these operands are not supported"},
      {"a.b.c.d.e.f.g.h.i.j.k.l.m %r1;", "P0: an instruction with so many words is not known here"},
      {"ld.param.b64 %rd8, [else];", "P0: a parameter that is not known here"},
      {"what is this", "P0: a line that is not known here"},
  };
  (void)state;
  check(ROWS, sizeof ROWS / sizeof *ROWS);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(accesses), cmocka_unit_test(values), cmocka_unit_test(control),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
