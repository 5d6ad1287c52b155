#!/bin/sh
# SPDX-License-Identifier: MIT
# Recorded results of LLVM on the AMD machine, ../shared/corpus/compilers/goldens.tsv: all named tests by target and
# compiler (verdicts and states without partial-order reduction, summed), and of the rows of families every 90th that an installed compiler can make
# ($LITSCOPE_GOLDENS: every so-many-th; all of them: long/compilers_goldens): counts, states, kinds, smallest programs.
# Skipped where there is no table, or no llc.
# slow
set -eu
corpus=${LITSCOPE_CORPUS:-../shared/corpus}/compilers
table=$corpus/goldens.tsv
[ -f "$table" ] || { echo "no $table"; exit 77; }
tab=$(printf '\t') nl='
'
failed=0 rows=0

# TARGET MODE COMPILER KNOBS OTHERS...: the counts of a sweep, in a line; then a line for each kind of unsound programs.
counts() {
  target=$1 compiler=$3 knobs=$4
  [ "$2" = default ] || target=$target:$2
  shift 4
  [ "$knobs" = - ] || set -- -knob "$knobs" "$@"
  litscope verify -no-por -target "$target" -compiler "$compiler" "$@" > "$TMP/log" 2>&1 || : # what it says is compared
  awk '/^(Unsound|Hazard|Deadlock|Undecided|States-explored) / { printf "%s ", $2 } /error/ { print } END { print "" }' "$TMP/log"
  # The table has programs without values and devices: Wxn Wyd | Ryd ! Rxn (0,1).
  sed -i '/^Smallest/{s/\([WUXC][a-z]*\)[0-9]*/\1/g;s/|/ | /g;s/(wg \([0-9,]*\) dev [0-9,]*)/(\1)/}' "$TMP/log"
  awk '$1 == "Unsound-of" { count[$2] = $3 } $1 == "Smallest" && $2 in count { k = $2; sub(/^Smallest [^ ]* /, ""); print k "=" count[k], $0 }' \
    "$TMP/log" | sort
}

expect() { # WHAT FOUND WANTED
  rows=$((rows + 1))
  [ "$2" = "$3" ] && return
  printf '%s: found\n%s\nexpected\n%s\n' "$1" "$2" "$3"
  failed=1
}

# KINDS SMALLEST: the table's last columns in the lines of `counts`.
kinds() {
  [ "$1" = - ] || printf '%s\n%s\n' "$1" "$2" |
    awk 'NR == 1 { for (i = 1; i <= NF; i++) { split($i, pair, "="); count[pair[1]] = pair[2] } }
         NR == 2 { n = split($0, all, "; "); for (i = 1; i <= n; i++) { k = all[i]; sub(/:.*/, "", k); sub(/^[^:]*: /, "", all[i]); print k "=" count[k], all[i] } }' |
    sort
}

# Every second program of four kinds, chains on x without relaxed accesses at work-group scope; programs with local memory.
awk -F'\t' '$1 == "M3" && n++ % 2 == 0 && $2 ~ /^(chain|WRCm|MPa|S)$/ && !($2 == "chain" && $4 ~ /xwr/) { print $4 " (wg " $3 ")" }' \
  "$corpus/families.tsv" > "$TMP/several"
awk -F'\t' '$1 == "M3" && $2 ~ /^LDS/ { print $4 " (wg " $3 ")" }' "$corpus/families.tsv" > "$TMP/lds"

# An LLVM that waits for each write-back.
waiting() {
  cat > "$TMP/waiting" <<'END'
#!/bin/sh
case " $* " in *" --version "*) exec llc-VERSION --version ;; esac
llc-VERSION "$@" | sed 's/^\([[:space:]]*buffer_wbl2.*\)$/\1\n\ts_waitcnt vmcnt(0)/'
END
  sed -i "s/VERSION/${1#llvm-}/" "$TMP/waiting"
  chmod +x "$TMP/waiting"
  echo "$TMP/waiting"
}

grep -E "^named$tab.*${tab}(Sound|Unsound)$tab" "$table" | cut -f5-8 | sort -u > "$TMP/groups"
while IFS=$tab read -r compiler target mode knobs; do
  command -v "llc-${compiler#llvm-}" > /dev/null || continue
  awk -F'\t' -v c="$compiler" -v t="$target" -v m="$mode" -v k="$knobs" \
    '$1 == "named" && $5 == c && $6 == t && $7 == m && $8 == k && $9 ~ /^(Sound|Unsound)$/' "$table" > "$TMP/group"
  awk -F'\t' '{ print $3 " (wg " $4 ")" }' "$TMP/group" > "$TMP/family"
  expect "named tests, $target $mode $compiler $knobs" \
    "$(counts "$target" "$mode" "$compiler" "$knobs" -family "$TMP/family" | head -1)" \
    "$(awk -F'\t' '{ unsound += $9 == "Unsound"; states += $10 } END { print unsound " 0 0 0 " states " " }' "$TMP/group")"
done < "$TMP/groups"

awk -F'\t' '$1 == "family"' "$table" > "$TMP/families"
number=0
while IFS=$tab read -r _ family target mode compiler level place knobs _ _ unsound undecided hazards deadlocks states kinds smallest; do
  command -v "llc-${compiler#llvm-}" > /dev/null || continue
  number=$((number + 1))
  [ $((number % ${LITSCOPE_GOLDENS:-90})) = 0 ] || continue
  # Without fetches the table calls two programs stuck that are not: hwsem/amd/README.md, "Reductions".
  [ "$knobs" != fill=0 ] || deadlocks=0
  with=$compiler programs=${family%% *}
  set -- -compiler-option "$level" -place "$place"
  case $family in *wbl2) with=$(waiting "$compiler") ;; esac
  case $family in *"several L2"*) programs=$TMP/several ;; esac
  case $family in *precise-memory) set -- "$@" -compiler-option -mattr=+precise-memory ;; esac
  case $family in *one-as) knobs=scopes=one-as programs=$TMP/lds ;; esac
  wanted=$(echo "$unsound $hazards $deadlocks $undecided $states "; kinds "$kinds" "$smallest")
  found=$(counts "$target" "$mode" "$with" "$knobs" "$@" -family "$programs")
  case $programs in */*) wanted=${wanted%%"$nl"*} ;; esac # programs of a file have no kinds
  expect "$family $target $mode $compiler $level $place $knobs" "$found" "$wanted"
done < "$TMP/families"
[ $rows -gt 0 ] || { echo "none of the table's compilers: apt-get install llvm-22"; exit 77; }
echo "$rows rows"
exit $failed
