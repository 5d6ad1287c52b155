#!/bin/sh
# SPDX-License-Identifier: MIT
# slow
# A compiler that leaves out every invalidate: 2x2 has no program that shows it, and says so;
# guarded ones show it.  The compiler has a name of its own.
set -u
command -v llc-22 >/dev/null || { echo "no llc-22: apt-get install llvm-22"; exit 77; }
cat > "$TMP/llc-mine" <<'EOF'
#!/bin/sh
[ "$1" = --version ] && exec llc-22 --version
llc-22 "$@" | sed '/buffer_gl[01]_inv/d'
EOF
chmod +x "$TMP/llc-mine"
mkdir "$TMP/other" && cp "$TMP/llc-mine" "$TMP/other"
for family in 2x2 2x1,G2; do
  litscope verify -target gfx1030 -compiler "$TMP/llc-mine" -family $family
done | grep -E '^(Target|Race-free|Guarded|Unsound|Cannot|Smallest)' | sed 's/(22[.0-9]*)/(22)/' > "$TMP/found"
cat > "$TMP/wanted" <<'EOF'
Target gfx1030/llc-mine(22)
Race-free 4569
Guarded 0
Unsound 0
Cannot-show a missing invalidate: no race-free program reads data only once it has seen a flag; those of `-family guarded` do
Target gfx1030/llc-mine(22)
Race-free 1179
Guarded 1152
Unsound 80
Smallest Uxd8 Uyd16|Ryd ! Rxn (wg 0,0 dev 0,0)
EOF
diff "$TMP/wanted" "$TMP/found" || exit 1
litscope verify -target gfx1030 -compiler "$TMP/llc-mine" -compiler "$TMP/other/llc-mine" -family 2x2 2> "$TMP/err" && exit 1
grep -q 'are both called llc-mine(22[.0-9]*): one run cannot have both' "$TMP/err"

# Without tests and families, the guarded ones: of the programs of a shard, as many.
tried() { litscope verify -target gfx1030 "$@" -shard 1/400 | sed -n 's/^of [0-9a-f]* //p; s/^part [0-9a-f]* //; s/ [0-9.]*\\nk.*//p'; }
tried > "$TMP/found"
tried -family guarded > "$TMP/wanted"
[ -s "$TMP/wanted" ] && cmp "$TMP/wanted" "$TMP/found"
