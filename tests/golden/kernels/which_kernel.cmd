# A module with several kernels: which is read, and what the host passes that nobody said.
cat >$TMP/two.spvasm <<'END'
; @Config: 1, 1, 1
OpCapability Addresses
OpCapability Kernel
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %a "first"
OpEntryPoint Kernel %b "second"
OpName %out "out"
OpName %n "n"
OpName %m "m"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%one = OpConstant %uint 1
%ptr = OpTypePointer CrossWorkgroup %uint
%ta = OpTypeFunction %void %ptr
%tb = OpTypeFunction %void %ptr %uint %uint
%a = OpFunction %void None %ta
%x = OpFunctionParameter %ptr
%la = OpLabel
OpReturn
OpFunctionEnd
%b = OpFunction %void None %tb
%out = OpFunctionParameter %ptr
%n = OpFunctionParameter %uint
%m = OpFunctionParameter %uint
%lb = OpLabel
%sum = OpIAdd %uint %n %m
OpStore %out %sum Aligned 4
OpReturn
OpFunctionEnd
END
sed '1s/^/; @Kernel: first\n/' $TMP/two.spvasm >$TMP/first.spvasm
for options in "" "-kernel second" "-kernel second -input n=2,m=3" "-kernel third" "-kernel third -kernel first"; do
  litscope check $options -input out=0 $TMP/two.spvasm
done
# The option comes before the comment.
litscope check -kernel second -input out=0,n=2,m=3 -output 'forall (out[0] == 5)' $TMP/first.spvasm
