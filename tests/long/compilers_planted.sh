#!/bin/sh
# SPDX-License-Identifier: MIT
# Bugs planted in a compiler: an LLVM that never writes one kind of wait, invalidate, write-back or bypass bit.  For every
# target, what the machine needs somewhere is found by a sweep over a few programs of M3 (more of them fail than of the
# real compiler's), and what it never needs is not.  Prints the table of tests/compilers/README.md.
# Skipped where there is no llc-22; rows with several L2s where there is no llc-15.
set -eu
command -v llc-22 > /dev/null || { echo "no llc-22: apt-get install llvm-22"; exit 77; }
failed=0

programs() { # LOCAL: yes, or no local memory
  for text in 'Wxn Wyw | Ryw ! Rxn' 'Wxw Wyw | Ryw Rxw' 'Wxwc Rywc | Wywc Rxwc' 'Wxd | Rxd Rxd' 'Wxd | Rxd Uxd'; do
    printf '%s (wg 0,0)\n' "$text"
  done
  for text in 'Wxsc Rysc | Wysc Rxsc' 'Wxn Wys | Rys ! Rxn' 'Wxdc Rydc | Wydc Rxdc' 'Wxd Wyd | Ryd Wxd' 'Wxn Wyd | Ryd ! Rxn' \
    'Uxdr Fdc Rydc | Uydr Fdc Rxdc'; do
    printf '%s (wg 0,1)\n' "$text"
  done
  printf '%s (wg 0,1,2)\n' 'Wxdc | Rxdc Rydc | Wydc Rxdc' 'Wxdr Uyd | Ryd ! Uzd | Rzd ! Rxdr'
  [ "$1" = yes ] || return 0
  for text in 'Waw Ryd | Wyd Raw' 'Wxn Fwc Wawr | Rawr ! Fwc Rxn' 'Wbwr B | B Rbwr' 'Rbn Xaw | Caw = Wbn'; do
    printf '%s (wg 0,0)\n' "$text"
  done
}

# The programs with several L2s: a write-back, then a release that other waves' lines depend on.
several() {
  printf '%s (wg 0,0,1)\n' 'Wxn B | B Wzd | Rzd ! Rxn' 'Wxn B | B Wzdc | Rzdc ! Rxn' 'Uxdr B | B Uzd | Rzd ! Rxn'
  printf '%s (wg 0,1)\n' 'Wxn Wyd | Ryd ! Rxn' 'Wxd Wyd | Ryd Rxd' 'Wxd Wyd | Ryd Wxd' 'Wxn Wys | Rys ! Rxn'
}

# A compiler that edits what llc writes: VERSION SED.
planted() {
  cat > "$TMP/planted" <<'END'
#!/bin/sh
case " $* " in *" --version "*) exec llc-VERSION --version ;; esac
llc-VERSION "$@" | sed -E -f "$0.sed"
END
  sed -i "s/VERSION/$1/" "$TMP/planted"
  printf '%s\n' "$2" > "$TMP/planted.sed"
  chmod +x "$TMP/planted"
}

# How many programs fail: VERSION TARGET SED.
failing() {
  planted "$1" "$3"
  litscope verify -target "$2" -compiler "$TMP/planted" -knob "$knob" -family "$TMP/family" > "$TMP/log" || [ $? = 1 ]
  awk '/^(Unsound|Hazard|Deadlock) / { n += $2 } END { print n + 0 }' "$TMP/log"
}

plant() { # needed|spare NAME SED
  count=$(failing "$version" "$target" "$3")
  printf '%-16s %-9s %-28s %-7s %2d of %d (as it is: %d)\n' "$target" "llvm-$version" "$2" "$1" "$count" "$all" "$usual"
  case $1 in
    needed) [ "$count" -gt "$usual" ] || failed=1 ;;
    spare) [ "$count" = "$usual" ] || failed=1 ;;
  esac
}

begin() { # VERSION TARGET [KNOB]
  version=$1 target=$2 knob=${3:-reduce=1}
  usual=$(failing "$version" "$target" '')
  all=$(wc -l < "$TMP/family")
}

line() { printf '%s\n' "/^[[:space:]]*$1([[:space:]]|\$)/d"; }
# One counter of s_waitcnt; a line that is left with none goes.
counter() { printf '%s\n' "s/^([[:space:]]*s_waitcnt.*) $1\([0-9]+\)/\1/" '/^[[:space:]]*s_waitcnt[[:space:]]*$/d'; }
bit() { printf '%s\n' "s/^([[:space:]]*global_$1_.*) $2( |\$)/\1\2/"; }

for target in gfx908 gfx90a gfx942 gfx942:tgsplit gfx1030 gfx1030:cumode gfx1100 gfx1200; do
  case $target in *tgsplit) local=no ;; *) local=yes ;; esac
  programs $local > "$TMP/family"
  begin 22 "$target"
  case $target in
    gfx1200)
      plant needed 's_wait_loadcnt' "$(line s_wait_loadcnt)"
      plant needed 's_wait_storecnt' "$(line s_wait_storecnt)"
      plant needed 's_wait_dscnt' "$(line s_wait_dscnt)"
      for scope in SE DEV SYS; do
        plant needed "global_inv scope:SCOPE_$scope" "$(line "global_inv scope:SCOPE_$scope")"
        plant needed "load scope:SCOPE_$scope" "$(bit load "scope:SCOPE_$scope")"
        plant spare "store scope:SCOPE_$scope" "$(bit store "scope:SCOPE_$scope")"
      done
      plant spare 'global_wb' "$(line 'global_wb.*')"
      continue
      ;;
  esac
  plant needed 's_waitcnt vmcnt' "$(counter vmcnt)"
  [ $local = no ] || plant needed 's_waitcnt lgkmcnt' "$(counter lgkmcnt)"
  case $target in
    gfx908 | gfx90a)
      plant needed 'buffer_wbinvl1_vol' "$(line 'buffer_wbinvl1(_vol)?')"
      plant needed 'load glc' "$(bit load glc)"
      ;;
    gfx942*)
      plant needed 'buffer_inv sc1' "$(line 'buffer_inv sc1')"
      plant needed 'load sc1' "$(bit load sc1)"
      plant spare 'buffer_wbl2' "$(line 'buffer_wbl2.*')"
      plant spare 'store sc0' "$(bit store sc0)"
      plant spare 'store sc1' "$(bit store sc1)"
      case $target in
        *tgsplit)
          plant needed 'buffer_inv sc0' "$(line 'buffer_inv sc0')"
          plant needed 'load sc0' "$(bit load sc0)"
          ;;
        *) plant spare 'load sc0' "$(bit load sc0)" ;;
      esac
      ;;
    *)
      plant needed 's_waitcnt_vscnt' "$(line 's_waitcnt_vscnt.*')"
      plant needed 'buffer_gl0_inv' "$(line buffer_gl0_inv)"
      plant needed 'buffer_gl1_inv' "$(line buffer_gl1_inv)"
      case $target in
        gfx1100) plant needed 'load glc' "$(bit load glc)" ;;
        *cumode) plant spare 'load glc' "$(bit load glc)" ;;
        *) plant needed 'load glc' "$(bit load glc)" ;;
      esac
      [ "$target" = gfx1100 ] || plant needed 'load dlc' "$(bit load dlc)"
      ;;
  esac
  [ "$target" != gfx90a ] || plant spare 'buffer_wbl2, buffer_invl2' "$(line 'buffer_(wbl2|invl2)')"
done

if command -v llc-15 > /dev/null; then
  several > "$TMP/family"
  begin 15 gfx942 l2=2
  plant needed 'buffer_wbl2 sc1' "$(line 'buffer_wbl2 sc1')"
  plant needed 'buffer_wbl2 sc0 sc1' "$(line 'buffer_wbl2 sc0 sc1')"
  plant needed 's_waitcnt vmcnt' "$(counter vmcnt)"
  plant needed 'buffer_inv sc1' "$(line 'buffer_inv sc1')"
  plant spare 'store sc1' "$(bit store sc1)"
fi
exit $failed
