# Values around a cycle of reads: what does not depend on a read does not hang on
# it; what hangs on itself is free where the model does not forbid the cycle.
for test in same equal zero real; do
  litscope check -model tests/golden/values/no-thin-air-axiom.cat "tests/golden/values/$test.litmus" |
    grep -e '^Test' -e '^[0-9]:' -e '^Observation'
done
litscope check -model tests/golden/values/no-thin-air-axiom.cat tests/golden/values/vulkan.litmus |
  grep -e '^Test' -e '^[0-9]:' -e '^Observation'
