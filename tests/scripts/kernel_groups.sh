#!/bin/sh
# SPDX-License-Identifier: MIT
# Operations of sub-groups and work-groups on values of all their work-items, known in advance or not. Skipped where there
# is no clang-22 or glslangValidator.
# slow
set -eu
command -v clang-22 >/dev/null || { echo "no clang-22: apt-get install clang-22"; exit 77; }
command -v glslangValidator >/dev/null || { echo "no glslangValidator: apt-get install glslang-tools"; exit 77; }
cd "$TMP"

# found FILE OPTIONS: the states, without names, and what is wrong.
found() {
  file=$1; shift
  litscope check "$@" "$file" >log 2>err || [ $? = 1 ] || cat err
  sed -n 's/[a-z]*\[[^=]*=//g; /^[-0-9]/p; /^Flag/p; s/.*warning: //p' log err
}

# Each expression, and what it is for the four of a sub-group: as it is, and of what an atomic operation has read.
cat >expressions <<'END'
subgroupElect() ? 1 : 2|1; 2; 2; 2;
subgroupAdd(x)|26; 26; 26; 26;
subgroupInclusiveAdd(x)|5; 11; 18; 26;
subgroupExclusiveAdd(x)|0; 5; 11; 18;
subgroupExclusiveMul(x)|1; 5; 30; 210;
subgroupMin(x)|5; 5; 5; 5;
subgroupExclusiveMin(uint(x))|-1; 5; 5; 5;
subgroupExclusiveMax(-x)|-2147483648; -5; -5; -5;
subgroupAnd(x)|0; 0; 0; 0;
subgroupOr(x)|15; 15; 15; 15;
subgroupXor(x)|12; 12; 12; 12;
subgroupXor(x > 5)|1; 1; 1; 1;
subgroupAll(x > 5)|0; 0; 0; 0;
subgroupAny(x > 7)|1; 1; 1; 1;
subgroupAllEqual(x > 4)|1; 1; 1; 1;
subgroupAllEqual(x)|0; 0; 0; 0;
subgroupBroadcast(x, 2)|7; 7; 7; 7;
subgroupBroadcastFirst(x)|5; 5; 5; 5;
subgroupBroadcast(ivec2(i, x), 1).y|6; 6; 6; 6;
subgroupBallot(x > 6).x|12; 12; 12; 12;
subgroupBallotBitCount(subgroupBallot(x > 5))|3; 3; 3; 3;
subgroupBallotInclusiveBitCount(subgroupBallot(x > 5))|0; 1; 2; 3;
subgroupBallotExclusiveBitCount(subgroupBallot(x > 5))|0; 0; 1; 2;
subgroupBallotFindLSB(subgroupBallot(x > 6))|2; 2; 2; 2;
subgroupBallotFindMSB(subgroupBallot(x < 8))|2; 2; 2; 2;
subgroupInverseBallot(subgroupBallot(x != 6))|1; 0; 1; 1;
subgroupBallotBitExtract(subgroupBallot(x != 6), 3 - i)|1; 1; 0; 1;
subgroupShuffle(x, 3 - i)|8; 7; 6; 5;
subgroupShuffleXor(x, 1)|6; 5; 8; 7;
subgroupShuffleUp(x, 1) * min(i, 1)|0; 5; 6; 7;
subgroupShuffleDown(x, 1) * min(3 - i, 1)|6; 7; 8; 0;
subgroupClusteredAdd(x, 2)|11; 11; 15; 15;
subgroupQuadBroadcast(x, 1)|6; 6; 6; 6;
subgroupQuadSwapHorizontal(x)|6; 5; 8; 7;
subgroupQuadSwapVertical(x)|7; 8; 5; 6;
subgroupQuadSwapDiagonal(x)|8; 7; 6; 5;
subgroupAdd(float(x))|26; 26; 26; 26;
subgroupMul(float(x))|1680; 1680; 1680; 1680;
subgroupExclusiveMax(float(x)) > 0|0; 1; 1; 1;
i < 2 ? subgroupAdd(x) : subgroupMax(x) * 100|11; 11; 800; 800;
END
# Of each of N numbers of r, what FORMAT says.
each() { awk -v n="$1" -v format="$2" -v between="$3" 'BEGIN { for (i = 0; i < n; i++) printf "%s" format, i ? between : "", i }'; }
shader() {
  n=$((4 * $(wc -l <"$1")))
  cat <<END
// @Config: 4, 1, 1
// @Input: %r = {$(each $n 0 ', ')}
// @Input: %a = {5, 6, 7, 8}
// @Output: exists ($(each $n '%%r[%d] == -1' ' or '))
#version 450
$(for feature in basic vote arithmetic ballot shuffle shuffle_relative clustered quad; do
  echo "#extension GL_KHR_shader_subgroup_$feature : enable"; done)
layout(local_size_x = 4) in;
layout(binding = 0) buffer R { int r[$n]; };
layout(binding = 1) buffer A { int a[4]; };
void main() {
  int i = int(gl_SubgroupInvocationID);
  int x = $2;
$(awk -F '|' '{ printf "  r[%d + i] = int(%s);\n", 4 * (NR - 1), $1 }' "$1")
}
END
}
for x in 'a[i]' 'atomicAdd(a[i], 0); atomicAdd(a[i ^ 1], 0)'; do
  shader expressions "$x" >all.comp
  [ "$(found all.comp | wc -l)" = 1 ] || { found all.comp; cat err; exit 1; } # one state, and no flag
  sed -n '/^r\[/s/; */\n/gp' log | sed '/^$/d' | sort -t '[' -k 2n | sed 's/.*=//; s/$/;/' | paste -d ' ' - - - - | paste -d '|' expressions - |
    awk -F '|' '$2 != $3 { print; wrong = 1 } END { exit wrong }' || { echo "x = $x"; cat err; exit 1; }
done

cat >group.cl <<'END'
// @Config: 2, 2, 1
// @Input: %a = {1, 2, 3, 4}
// @Input: %out = {0, 0, 0, 0}
// @Output: exists (%out[0] == -1 or %out[1] == -1 or %out[2] == -1 or %out[3] == -1)
kernel void group(global int *a, global int *out) {
  int i = get_local_id(0), r = 0;
#ifdef READ
  int x = atomic_add(&a[i], 0);
  atomic_add(&a[i ^ 1], 0);
#else
  int x = a[i];
#endif
  for (int round = 0; round < 2; round++)
    r = 10 * r + EXPRESSION;
  out[i] = r;
}
END
while IFS='|' read -r expression expected; do
  for kind in KNOWN READ; do
    states=$(found group.cl -source-options "-DEXPRESSION=$expression -D$kind")
    [ "$states" = "$expected" ] || { echo "$kind $expression: $states"; cat err; exit 1; }
  done
done <<'END'
work_group_reduce_add(x+round)|114; 114; 114; 114;
work_group_scan_inclusive_add(x)|11; 33; 66; 110;
max(0,work_group_scan_exclusive_max(x+round))|0; 12; 23; 34;
work_group_reduce_min((uint)x)|11; 11; 11; 11;
work_group_broadcast(x,2)|33; 33; 33; 33;
work_group_all(x)|11; 11; 11; 11;
work_group_any(x>3+round)|10; 10; 10; 10;
sub_group_reduce_add(x)|33; 33; 77; 77;
sub_group_broadcast(x,1u)|22; 22; 44; 44;
(int)work_group_reduce_max((float)x)|44; 44; 44; 44;
END

# In two dimensions, work-items are named by several ids. What nobody gave may be anything.
sed 's/2, 2, 1/2x2, 1, 1/; s/local_id(0)/local_linear_id()/' group.cl >plane.cl
[ "$(found plane.cl -source-options '-DEXPRESSION=work_group_broadcast(x,0,1)')" = '33; 33; 33; 33;' ] || { cat log err; exit 1; }
echo 'subgroupShuffleUp(7, 1)|' >outside
shader outside 'a[i]' >outside.comp
[ "$(found outside.comp)" = '-1; 7; 7; 7;' ] || { cat log err; exit 1; }

# Copies of a work-group, with and without a wait for them.
cat >copy.cl <<'END'
// @Config: 1, 2, 1
// @Input: %a = {1, 2, 3, 4}
// @Input: %out = {0, 0}
// @Output: forall (%out[0] == 4 and %out[1] == 3 and %a[3] == 9)
kernel void copy(global int *a, global int *out) {
  local int l[4];
  int i = get_local_id(0);
  event_t e = async_work_group_copy(l, a, (size_t)4, 0);
  WAIT;
  out[i] = l[3 - i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 1) l[3] = 9;
  barrier(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy(a, l, 4, e);
  wait_group_events(1, &e);
}
END
[ "$(found copy.cl -source-options '-DWAIT=wait_group_events(1,&e)')" = '9; 4; 3;' ] || { cat log err; exit 1; }
[ "$(found copy.cl -source-options -DWAIT | grep Flag)" = 'Flag data_race' ] || { cat log err; exit 1; }

# What is not supported.
sed 's/round < 2/round < a[4 + i]/; s/{1, 2, 3, 4}/{1, 2, 3, 4, 1, 1, 1, 1}/' group.cl >loop.cl
sed -i 's/r = 10 \* r/atomic_or(\&a[4 + i], 0), &/' loop.cl
found loop.cl -source-options '-DEXPRESSION=work_group_reduce_add(x)' | grep -q \
  'OpGroupIAdd in a loop whose number of rounds is not known in advance is not supported'
sed 's/round < 2/round < 250/; s/r = 10 \* r/r = r % 7/' group.cl >long.cl
found long.cl -source-options '-DEXPRESSION=work_group_reduce_add(x+r)' | grep -q \
  'the results of its group operations did not settle after 200 rounds'

# One who does not come is waited for; memory is not ordered; the values are those of one time.
cat >late.cl <<'END'
// @Config: 1, 3, 1
// @Input: %a = {0}
// @Input: %out = {0, 0, 0}
kernel void late(global atomic_int *a, global int *out) {
  int mine = atomic_fetch_add_explicit(a, 1, memory_order_relaxed);
  if (mine != 1) out[get_global_id(0)] = work_group_reduce_min(mine);
}
END
found late.cl >late
grep -q 'P0 can wait at this barrier for ever: P1 can end without coming to it' late || { cat late; exit 1; }
cat >tickets.cl <<'END'
// @Config: 1, 2, 1
// @Input: %a = {0}
// @Input: %out = {0, 0}
// @Input: %x = {0, 0}
// @Output: forall (%out[0] == 1 and %out[1] == 1)
kernel void tickets(global atomic_int *a, global int *out, global int *x) {
  int i = get_local_id(0);
  x[i] = 1;
  out[i] = work_group_reduce_add(atomic_fetch_add_explicit(a, 1, memory_order_relaxed));
#ifdef RACE
  out[i] += x[1 - i];
#endif
}
END
[ "$(found tickets.cl)" = '1; 1;' ] || { cat log err; exit 1; }
grep -q '^Ok' log
[ "$(found tickets.cl -source-options -DRACE | grep Flag)" = 'Flag data_race' ] || { cat log err; exit 1; }
