# Near and far atomic operations: every policy is sound, since the open one is; the
# protocol without one of its rules is not, and a shortest run shows why.
cd tests/golden/hw/amo
litscope verify -machine amo ./*.litmus
for policy in all-near unique-near present-near dirty-near shared-far all-far; do
  litscope verify -q -machine amo -knob policy=$policy ./*.litmus
done
# Posting reorders, and only posting does.
litscope explore -machine amo reordered.litmus | grep '^Observation'
litscope explore -machine amo -knob post=none reordered.litmus | grep '^Observation'
litscope explore -machine amo -knob policy=unique-near,invalid=near reordered.litmus | grep '^Observation'
# What acquires or consumes is waited for, unless all is posted.
litscope explore -machine amo consume.litmus | grep '^Observation'
litscope explore -machine amo -knob post=all consume.litmus | grep '^Observation'
fault() {
  echo "-- $1"
  litscope verify -machine amo -knob "$1" "$2.litmus" | sed '/^Why/,/^Trace/{/^Trace/!d;}'
}
fault post=all take
fault fences-wait=release take_fence
fault fences-wait=none announce
fault releases-wait=no publish
fault same-line-waits=no own_posted
fault far-snoops=others own
fault far-snoops=none seen
fault near-holds=no increments
fault completion-ack=no increments
# As XML, and in the other commands.
cat >"$TMP/mine.xml" <<'EOF'
<amo name="mine" policy="shared-far" shared-dirty="near" far-snoops="none"><title>t</title><about>a</about></amo>
EOF
litscope verify -machine "$TMP/mine.xml" seen.litmus | head -1
litscope explore -machine amo -knob policy=all-near -outcome '0:r2=1' own.litmus | sed -n '/^Run/,$p'
