# Words of semantics in any order.
litscope check -dump program tests/golden/program/vulkan_semantics.litmus
