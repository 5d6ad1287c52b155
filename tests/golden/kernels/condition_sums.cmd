# Sums and differences in conditions: each engine, numbers on both sides, what is passed, and what has no words for them.
message=litmus/kernels/message_device.spvasm
for engine in enumerate solve; do
  for condition in 'exists (data[0] + flag[0] + out[0] == 3)' 'exists (data[0] + flag[0] - out[0] > 3)' \
    'forall (out[0] + 1 <= data[0] + flag[0])' 'not exists (3 - data[0] == out[0] + 1 and flag[0] - 1 == 0)'; do
    echo "$engine: $condition"
    litscope check -engine $engine -speedcheck false -output "$condition" $message | sed -n '/^Test/d; /^Time/,$d; p'
  done
done
litscope check -output 'forall (1 + 2 == 4 - 1)' $message | grep -E '^(Ok|No)'
litscope check -filter '(out[0] + flag[0] == 2)' -output 'forall (out[0] == 1)' $message | grep -E '^(Ok|No)'
litscope check -output 'exists (data + flag - out == 1)' litmus/kernels/message.ptx | grep -E '^(Ok|No)'
litscope check -output 'exists (data[0] + 0.5 == 1)' $message || :
litscope check -output 'exists (data[0] + == 1)' $message || :
litscope check -certify $TMP/certificates -output 'exists (data[0] + flag[0] == 2)' $message >/dev/null || :
litscope compile -mapping vulkan-litmus -output 'exists (counter + counter == 4)' litmus/kernels/lock_vulkan.spvasm || :
litscope check -input writer=1 -output 'forall (writer + 1 == 2)' tests/golden/kernels/same_argument.spvasm | grep -E '^(Ok|No)'
