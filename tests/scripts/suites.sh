# SPDX-License-Identifier: MIT
# plain
# The scripts that run other people's suites do so, on what is here of them.
khronos=${LITSCOPE_CORPUS:-../shared/corpus}/khronos
header=$(find /usr/local/cuda/ -name cuda_ptx_generated.h 2>/dev/null | head -1)
failed=0
run() {
  want=$1 script=$2
  LITSCOPE=$(command -v litscope) tests/suites/"$script" "$3" >"$TMP/out" && grep -q "$want" "$TMP/out" && return
  echo "$script $3:"
  cat "$TMP/out"
  failed=1
}
[ ! -d "$khronos" ] || run '^47 tests, 88 assertions: 84 Ok, 4 No, 0 Unsupported$' khronos.sh "$khronos"
[ -z "$header" ] || run 'operands, 191 of 191$' libcuxx.pl "$header"
cat >"$TMP/header.h" <<'H'
  asm("multimem.ld_reduce.weak.global.add.acc::f32.v4.f16x2 {%0, %1, %2, %3}, [%4];" : "=r"(a) : "l"(b) : "memory");
  asm("cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%0], [%1, {%2, %3, %4, %5, %6}], [%7], %8;" : : "r"(a) : "memory");
  asm("{\n\t .reg .pred P_OUT; \n\t"
      "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 P_OUT, [%1], %2; // 1 \n\t"
      "selp.b32 %0, 1, 0, P_OUT; \n}" : "=r"(a) : : "memory");
H
run '^3 of 3 forms are read; without their types and operands, 3 of 3$' libcuxx.pl "$TMP/header.h"
# Suites that are not here, in small: a list and a log that are right but for one answer each.
lists=$TMP/dat3m/dartagnan/src/test/resources
mkdir -p "$lists" "$TMP/dat3m/litmus/PTX" "$TMP/dat3m/litmus/VULKAN" "$TMP/dat3m/cat"
cp litmus/ptx/MP_*.litmus "$TMP/dat3m/litmus/PTX"
cp litmus/vulkan/MP_av_vis.litmus "$TMP/dat3m/litmus/VULKAN"
cat >"$TMP/dat3m/litmus/VULKAN/Wait.litmus" <<'L'
VULKAN Wait
{ x=0; }
 P0@sg 0,wg 0,qf 0 | P1@sg 0,wg 1,qf 0 ;
 LC00: | st.atom.dv.sc0 x, 1 ;
 ld.atom.dv.sc0 r0, x | ;
 bne r0, 1, LC00 | ;
exists (P0:r0=1)
L
cp models/ptx*.cat models/vulkan*.cat "$TMP/dat3m/cat"
printf '%s\n' '// none' litmus/PTX/MP_cta.litmus,1 litmus/PTX/MP_fence_sc.litmus,1 litmus/PTX/gone.litmus,1 \
  litmus/PTX/MP_rel_acq.litmus,0 >"$lists/PTXv6_0-expected.csv"
echo litmus/VULKAN/MP_av_vis.litmus,0 >"$lists/VULKAN-DR-expected.csv"
printf 'litmus/VULKAN/%s\n' MP_av_vis.litmus,1 Wait.litmus,1 >"$lists/VULKAN-Liveness-Fair-expected.csv"
echo litmus/PTX/MP_fence_sc.litmus >"$lists/dartagnan-skip.csv"
LITSCOPE=$(command -v litscope) tests/suites/dat3m.sh "$TMP/dat3m" PTXv6_0 VULKAN-DR VULKAN-Liveness-Fair LKMM |
  sed "s:$TMP:.:" >"$TMP/out"
diff - "$TMP/out" <<'OUT' || failed=1
PTXv6_0: litmus/PTX/MP_rel_acq.litmus: expected 0, not 1
PTXv6_0: 1 of 2, with -model ./dat3m/cat/ptx-v6.0.cat
PTXv6_0: litmus/PTX/MP_rel_acq.litmus: expected 0, not 1
PTXv6_0: 1 of 2, with -model ptx-v6.0
VULKAN-DR: 1 of 1, with -model ./dat3m/cat/vulkan.cat
VULKAN-DR: 1 of 1, with -model vulkan
VULKAN-Liveness-Fair: 2 of 2, with -scheduler fair
LKMM: left out, since KERNEL names no folder
OUT
ucsc=$TMP/ucsc/2_threads_2_instructions/0
mkdir -p "$ucsc"
printf 'THREAD 0\n0: if (Exch(Mem[0],0) == 1) goto 0;\n\nTHREAD 1\n0: if (Exch(Mem[0],1) == 0) goto END;\n1: Mem[1] = 1;\n' >"$ucsc/0_simple.txt"
for scheduler in WEAK_FAIR HSA OBE HSA_OBE LOBE STRONG_FAIR HSA_STRONG OBE_STRONG HSA_OBE_STRONG LOBE_STRONG; do
  echo "$scheduler - Termination: PASS"
done >"$ucsc/label_0.txt"
run '^10 of 10 answers agree, of 1 programs$' ucsc.pl "$TMP/ucsc"
sed -i 's/^\(LOBE_STRONG.*\)PASS/\1FAIL/' "$ucsc/label_0.txt"
LITSCOPE=$(command -v litscope) tests/suites/ucsc.pl "$TMP/ucsc" | grep -q '_0 under strong:lobe: expected Endless, not Ends' ||
  { echo "an answer that differs is not told"; failed=1; }
mkdir -p "$TMP/linux/cats" "$TMP/linux/tests"
for kind in bell cat def; do cp tests/golden/linux/linux.$kind "$TMP/linux/cats/linux-kernel.$kind"; done
for test in locks sections; do
  cp tests/golden/linux/$test.litmus "$TMP/linux/tests"
  litscope check -q -macros tests/golden/linux/linux.def -bell tests/golden/linux/linux.bell -variant lkmmv2 \
    -model tests/golden/linux/linux.cat tests/golden/linux/$test.litmus >"$TMP/linux/tests/$test.litmus.expected"
done
run '^2 of 2 logs' herd7.sh "$TMP/linux"
sed -i 's/^Positive: /&1/' "$TMP/linux/tests/locks.litmus.expected"
LITSCOPE=$(command -v litscope) tests/suites/herd7.sh "$TMP/linux" | grep -q '^1 of 2 logs' || { echo "a log that differs is not told"; failed=1; }
for blocks in agent failure llvm-23; do
  mkdir -p "$TMP/llvm"
  cp tests/compilers/blocks/$blocks.ll "$TMP/llvm/memory-legalizer-$blocks.ll"
done
echo '; RUN: llc -mtriple=amdgcn--amdhsa < %s' >"$TMP/llvm/memory-legalizer-none.ll"
run '^3 files, 26 blocks: 18 sound, 5 unsound, 1 vacuous, 2 unread$' legalizer.sh "$TMP/llvm"
exit $failed
