# plain: sanitizers need more memory
# An array whose length the host gives turns out to be longer with each of 1000 stores, and the code is made again: of what
# was too short nothing is kept.
{
  cat <<'END'
; @Config: 1, 1, 2
OpCapability Shader
OpCapability VulkanMemoryModel
OpMemoryModel Logical Vulkan
%set = OpExtInstImport "NonSemantic.ClspvReflection.5"
OpEntryPoint GLCompute %main "main" %cells
OpExecutionMode %main LocalSize 1 1 1
%name = OpString "main"
OpDecorate %length SpecId 3
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%length = OpSpecConstant %uint 1
%array = OpTypeArray %uint %length
%pointer = OpTypePointer Workgroup %array
%element = OpTypePointer Workgroup %uint
%type = OpTypeFunction %void
%cells = OpVariable %pointer Workgroup
END
  seq 0 999 | sed 's/.*/%i& = OpConstant %uint &/'
  echo '%main = OpFunction %void None %type'
  echo '%entry = OpLabel'
  seq 0 999 | sed 's/.*/%p& = OpAccessChain %element %cells %i&\nOpStore %p& %i1/'
  echo OpReturn
  echo OpFunctionEnd
  echo '%kernel = OpExtInst %void %set Kernel %main %name %i1 %i0 %name'
  echo '%info = OpExtInst %void %set ArgumentInfo %name'
  echo '%argument = OpExtInst %void %set ArgumentWorkgroup %kernel %i0 %i3 %i4 %info'
} >$TMP/grows.spvasm
ulimit -v 150000
litscope check -q -output 'forall (%cells[999] == 1)' $TMP/grows.spvasm 2>&1 | grep -E 'memory|^(Ok|No|Flag)'
