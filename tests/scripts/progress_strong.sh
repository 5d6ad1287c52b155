# SPDX-License-Identifier: MIT
# Sorensen and others (OOPSLA 2021) on programs of compare-and-branch: all end under
# the strongly fair scheduler, and so many of this half end only under the strong
# form of each scheduler. None ends only under the weak form.
corpus=${LITSCOPE_CORPUS:-../shared/corpus}/gpu/vulkan/CADP
[ -d "$corpus" ] || { echo "no $corpus"; exit 77; }
schedulers=fair,hsa,obe,hsa+obe,lobe
strong=$(echo "$schedulers" | sed 's/[^,]*/strong:&/g')
litscope progress -q -scheduler "$schedulers,$strong" "$corpus" | awk '
  $1 == "Progress" { answer[$3] = $4 }
  $1 == "Progress" && $3 == "strong:lobe" {
    tests++
    for (scheduler in answer) {
      strong = "strong:" scheduler
      if (!(strong in answer)) continue
      gained[scheduler] += answer[scheduler] == "Endless" && answer[strong] == "Ends"
      if (answer[scheduler] == "Ends" && answer[strong] == "Endless") print "only the weak form ends:", $2, scheduler
    }
    if (answer["strong:fair"] != "Ends") print "endless:", $2
  }
  END { print tests, gained["fair"], gained["hsa"], gained["obe"], gained["hsa+obe"], gained["lobe"] }' >"$TMP/out"
echo "242 79 46 44 53 53" | diff - "$TMP/out"
