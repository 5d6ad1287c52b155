# Control dependencies where herd7 has no such statement, OpenCL as C, and jumps that reach every later event
# (litmus/README.md, "Dependencies").
litscope check -q -model tests/golden/herd/conditions/depends.cat tests/golden/litmus/conditions/*.litmus |
  grep -e '^Flag' -e '^Observation'
