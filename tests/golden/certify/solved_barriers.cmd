# Barriers meet in what a solver has shown, and a thread that waits for ever is no part of an execution; a kernel's too.
litscope check -q -engine solve -certify "$TMP/cert" litmus/opencl/Barrier_both.litmus litmus/vulkan/Cbar.litmus tests/golden/certify/held.spvasm >"$TMP/log"
litscope-certify "$TMP/cert"
grep '(held' "$TMP/cert" | sort -u
# One of two may stay away: which is not said.
litscope check -q -engine solve -certify "$TMP/cert" tests/golden/certify/held.spvasm >"$TMP/log"
sed 's/(meet \(.*\) 2 wait/(meet \1 1 wait/' "$TMP/cert" >"$TMP/away"
litscope-certify "$TMP/away"
# Nobody is held where both come.
sed 's/(held (node .*))/(held (node 0 3))/' "$TMP/cert" >"$TMP/both"
litscope-certify "$TMP/both"
