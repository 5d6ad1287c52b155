# SPDX-License-Identifier: MIT
# plain
# What the specifications' models once got wrong is found by search: each old rule is
# planted in a copy of today's model, and the two part on a variation of a shape of
# two or three threads, which is reduced to the test that the repair was about. Families with other words find the
# same without a shape, two of them at once, and in minutes the others ($OLD_MODELS=all: long/old_models).
shapes=tests/golden/search/shapes
failed=0

# find NAME CLASS SHAPE MODEL,MODEL [OPTION...]: the class's test is met
find_test() {
  name=$1 class=$2 shape=$3 models=$4
  shift 4
  litscope diff -q -model "$models" "$@" "$shapes/$shape.litmus" >"$TMP/$name"
  if grep -q "^Minimal $class" "$TMP/$name"; then return; fi
  echo "$name: no test of $class"
  cat "$TMP/$name"
  failed=1
}

# plant NAME SED-COMMAND: a copy of the models with another vulkan-base.cat
plant() {
  mkdir "$TMP/$1"
  cp models/vulkan*.cat "$TMP/$1"
  sed "$2" models/vulkan-base.cat >"$TMP/$1/vulkan-base.cat"
  if cmp -s models/vulkan-base.cat "$TMP/$1/vulkan-base.cat"; then echo "$1: nothing was planted"; failed=1; fi
}

# Chains whose operations include the one before, as if that were an access (until today's text is followed).
find_test chain only-B-undefined Chain vulkan,vulkan:alloy
# The same, symmetric (before Vulkan-MemoryModel 40).
plant symmetric 's/^  let includes = \(covers.*\)/  let one_way = \1 let includes = one_way | one_way^-1/'
find_test symmetric_chain only-B-undefined Chain "$TMP/symmetric/vulkan.cat:alloy,vulkan:alloy"
# From-reads only where what was read is location-ordered before (before Vulkan-Docs 2402): racy programs only.
plant fr 's/^let fr = (rf^-1; /let fr = ((rf \& (location_ordered | mutually_ordered))^-1; /'
find_test from_reads B-more Same_place "vulkan,$TMP/fr/vulkan.cat" -undefined
# Two read-modify-writes behind one ordinary store (before Vulkan-MemoryModel 36).
plant rmw 's/^let fr = .*/let fr = ([R \\ ATOM]; rf^-1; (location_ordered \& (W * W))) | ((rf \& mutually_ordered)^-1; modification) | (([IW]; rf)^-1; ((loc; [W]) \\ id))/'
find_test increments B-more Increments "vulkan,$TMP/rmw/vulkan.cat"
# PTX without proxies and aliases.
find_test proxies B-more MP_surface ptx-v6.0,ptx-v7.5
find_test aliases B-more Two_names ptx-v6.0,ptx-v7.5

# find_program NAME CLASS MODEL,MODEL FAMILY PROGRAM [OPTION...]: among the family's minimal programs
find_program() {
  name=$1 class=$2 models=$3 family=$4 program=$5
  shift 5
  litscope diff -q -model "$models" -family "$family" "$@" -json "$TMP/$name.json" >"$TMP/$name"
  if sed 's/{"class"/\n&/g' "$TMP/$name.json" | grep "\"class\": \"$class\"" | grep -qF "\"$program\""; then return; fi
  echo "$name: no program $program of $class in $family"
  cat "$TMP/$name"
  failed=1
}

find_program family_from_reads b_more "vulkan,$TMP/fr/vulkan.cat" 2x2,orders=rlx,scopes=dv,words=1 \
  'Wxdr1|Wxdr2 Rx{ld.sc0} (wg 0,1 dev 0,0)' -undefined
find_program family_aliases b_more ptx-v6.0,ptx-v7.5 2x1,scopes=gpu,words=1 'Wxd1|Ux{atom.acq_rel.gpu.add@generic}8 (wg 0,1 dev 0,0)'
find_program family_proxies b_more ptx-v6.0,ptx-v7.5 2x1,scopes=gpu,words=1 'Uxd8|Wx{sust.relaxed.gpu@surface}1 (wg 0,1 dev 0,0)'
[ "${OLD_MODELS-}" = all ] || exit $failed
chains=3x2,guarded,barriers,scopes=dv,words=1
chain='Wxn1 B{cbar.acq_rel.wg.semsc0.semav}|Ryd ! Rxn|B Wyd2 (wg 0,1,0 dev 0,0,0)'
find_program family_chain only_b_undefined vulkan,vulkan:alloy $chains "$chain" -budget 300000
find_program family_symmetric_chain only_b_undefined "$TMP/symmetric/vulkan.cat:alloy,vulkan:alloy" $chains "$chain" -budget 300000
find_program family_increments b_more "vulkan,$TMP/rmw/vulkan.cat" 2x3,guarded,scopes=dv \
  'Rxd ! Uyd8|Wyn1 Wxd2 Uyd16 (wg 0,1 dev 0,0)' -budget 210000
exit $failed
