# The published models know no sub-groups, and opencl-published lets fences synchronise through an access at work-item
# scope.  And `!=` is printed as herd prints it.
litscope check -model opencl,opencl-rsp,opencl-published,opencl-rsp-published \
  tests/golden/herd/sub_group.litmus tests/golden/herd/carrier.litmus | grep -E '^(Model|Test|Flag|Bad|Condition|Observation)'
# The herd of 2015 goes on counting bad executions after the first of a choice of reads; asked for by path, the model
# counts those that are.
litscope check -q -model opencl-rsp-published,models/opencl-rsp-published.cat tests/golden/herd/bad_after_bad.litmus |
  grep ^Bad
