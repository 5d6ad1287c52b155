# What a right test can spare: every result that cannot be weaker, the weakest first.
litscope repair -weaken tests/golden/repair/spare.litmus
# Nothing of what is not right.
litscope repair -weaken tests/golden/repair/plain.litmus; echo "status $?"
