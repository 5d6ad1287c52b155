#!/bin/sh
# SPDX-License-Identifier: MIT
# Which kinds of fault of a compiler each sweep notices: llc-22 with a fault planted in what it reads or writes, by kind,
# for every family and for single operations (-blocks).  A row has, for each sweep, how many programs (blocks) more go
# wrong than without the fault; they must be those of tests/compilers/faults.tsv.  FAULT_TARGETS and FAULT_SWEEPS choose
# others; FAULT_KINDS too.
set -eu
command -v llc-22 >/dev/null || { echo "no llc-22: apt-get install llvm-22"; exit 77; }
kinds='none
invalidates	out	s/.*(buffer_gl[01]_inv|buffer_wbinvl1(_vol)?|buffer_inv|global_inv).*\n//
GL1-invalidate	out	s/.*buffer_gl1_inv.*\n//
invalidates-swapped	out	s/gl([01])_inv/"gl".(1-$1)."_inv"/e
store-waits	out	s/.*(s_waitcnt_vscnt|s_wait_storecnt ).*\n//
load-waits-before-stores	out	if (/vmcnt|loadcnt/) { $held .= $_; $_ = "" } elsif (length $held) { $_ = $held . $_ if !/^\s*(global_store|global_atomic|s_barrier|s_cbranch|v_mov|;)/; $held = "" }
load-bits	out	s/ (glc|dlc|sc[01]|scope:\w+)//g if /global_load/
scope-narrowed	in	s/syncscope\("agent"\)/syncscope("workgroup")/
acquires-forgotten	in	s/\bacquire\b/monotonic/, s/\bacq_rel\b/release/ if !/cmpxchg/ && !/^\s*fence/
acquire-fences-forgotten	in	s/.*\n// if /^\s*fence .*\bacquire$/
releases-forgotten	in	s/\brelease\b/monotonic/, s/\bacq_rel\b/acquire/ if !/cmpxchg/ && !/^\s*fence/
release-fences-forgotten	in	s/.*\n// if /^\s*fence .*\brelease$/
seq_cst-weakened	in	if (/^\s*fence|atomicrmw|cmpxchg/) { s/\bseq_cst\b/acq_rel/ } elsif (/store/) { s/\bseq_cst\b/release/ } else { s/\bseq_cst\b/acquire/ }'
compiler() { # NAME WHERE EDIT
  printf '#!/bin/sh\n[ "$1" = --version ] && exec llc-22 --version\n' > "$TMP/$1"
  case $2 in
    in) printf "perl -pe '%s' | llc-22 \"\$@\"\n" "$3" ;;
    out) printf "llc-22 \"\$@\" | perl -pe '%s'\n" "$3" ;;
    *) echo 'exec llc-22 "$@"' ;;
  esac >> "$TMP/$1"
  chmod +x "$TMP/$1"
}
wrong() { # TARGET SWEEP COMPILER: how many go wrong
  case $2 in
    blocks) litscope verify -blocks -q -j "${JOBS:-2}" -target "$1" -compiler "$3" tests/compilers/blocks/agent.ll ;;
    *) litscope verify -q -j "${JOBS:-2}" -target "$1" -compiler "$3" -family "$2" ;;
  esac 2>&1 | awk '/^(Unsound|Hazard|Deadlock) / { sum += $2 } /error/ { print > "/dev/stderr" } END { print sum + 0 }'
}
{
  printf 'target\tsweep\tfault\twrong\n'
  for target in ${FAULT_TARGETS:-gfx90a gfx942 gfx1030 gfx1030:cumode gfx1100 gfx1200 gfx1250}; do
    for sweep in ${FAULT_SWEEPS:-2x2 G2 M3 blocks}; do
      printf '%s\n' "$kinds" | while IFS="$(printf '\t')" read -r kind where edit; do
        case " ${FAULT_KINDS:-$kind} none " in *" $kind "*) ;; *) continue ;; esac
        compiler "$kind" "${where:-}" "${edit:-}"
        count=$(wrong "$target" "$sweep" "$TMP/$kind")
        [ "$kind" != none ] || right=$count
        printf '%s\t%s\t%s\t%s\n' "$target" "$sweep" "$kind" "$((count - right))"
      done
    done
  done
} > "$TMP/found"
cat "$TMP/found"
sort "$TMP/found" > "$TMP/sorted"
sort tests/compilers/faults.tsv | comm -13 - "$TMP/sorted" > "$TMP/new"
[ ! -s "$TMP/new" ]
