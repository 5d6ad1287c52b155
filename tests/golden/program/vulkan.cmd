litscope check -dump program tests/golden/program/vulkan.litmus
