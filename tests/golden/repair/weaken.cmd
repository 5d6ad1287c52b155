# What a right test can spare: every result that cannot be weaker, the weakest first.
litscope repair -weaken tests/golden/repair/spare.litmus
# Nothing of what is not right.
litscope repair -weaken tests/golden/repair/plain.litmus; echo "status $?"
# With the execution that needs each word.
litscope repair -q -weaken -why tests/golden/repair/spare.litmus | sed -n '/^Not/,$p'
litscope repair -q -weaken -why litmus/kernels/message_device.spvasm | sed -n '/^Not/,$p'
