# A folder's tests, and what is asserted of them.
litscope check tests/golden/khronos | grep -E '^(Test|[0-9]:|Ok|No|Flag|Assertion)'
