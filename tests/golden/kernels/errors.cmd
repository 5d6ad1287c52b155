# What the reader of kernels refuses or warns of: for each message, a module with one thing wrong.  Some break a
# rule of the validator too, which ends at the first one: those first break one that nothing hangs on.
sed 's/^ *//' litmus/kernels/message_device.spvasm >$TMP/opencl
sed 's/^OpDecorate.*/&\nOpDecorate %id Flat/' $TMP/opencl >$TMP/unchecked
sed 's/^ *//' litmus/kernels/lock_vulkan.spvasm >$TMP/vulkan
# try NAME BASE GLOBALS ENTRY USE EDIT: text before the function, at its start, where the flag was seen set; a sed script.
try() {
  sed -e "s/^%\(kernel\|main\) = OpFunction/$3\n&/; s/^%entry = OpLabel/&\n$4/; s/^%use = OpLabel/&\n$5/; $6" $TMP/$2 |
    sed '/^$/d' >$TMP/$1.spvasm
  litscope check $TMP/$1.spvasm >/dev/null
  echo "$1: $?"
}
held='%at = OpUConvert %ulong %seen'
try scope opencl '' '' 'OpMemoryBarrier %seen %release'
try semantics opencl '' '' 'OpMemoryBarrier %scope %seen'
try computed opencl '' '%two = OpIAdd %uint %one %one\n%four = OpIAdd %uint %two %two' '' 's/%flag %scope %release/%flag %scope %four/'
try barrier opencl '' 'OpControlBarrier %scope %scope %release'
try cross_device vulkan '' '' '' 's/%lock %device %acquire/%lock %zero %acquire/'
try atomic_type unchecked '' '%a = OpAtomicLoad %v3ulong %id %scope %acquire'
try private vulkan '%ptr_own = OpTypePointer Private %uint\n%own = OpVariable %ptr_own Private' '' '' 's/%counter == 2/%own == 2/'
try unknown_value opencl '' '' '' 's/%out\[0\] == 1/%id[0] == 1/'
try constant_operation opencl '%f = OpTypeFloat 32\n%s = OpSpecConstant %f 1\n%t = OpSpecConstantOp %f FNegate %s'
try bitcast unchecked '' '%b = OpBitcast %ulong %one'
try extract unchecked '' '' '%e = OpCompositeExtract %ulong %ids 7'
try halves opencl '%s = OpTypeStruct %ulong %ulong' '' '%h = OpUMulExtended %s %item %item'
try bit_field unchecked '' '' '%f = OpBitFieldUExtract %ulong %item %one %one'
try matrix vulkan '%f = OpTypeFloat 32\n%v2 = OpTypeVector %f 2\n%m = OpTypeMatrix %v2 2\n%s = OpTypeStruct %m\n%ptr_s = OpTypePointer StorageBuffer %s\n%ptr_m = OpTypePointer StorageBuffer %m\n%rows = OpVariable %ptr_s StorageBuffer' '%at = OpAccessChain %ptr_m %rows %zero\n%l = OpLoad %m %at' '' 's/^%void = /OpMemberDecorate %s 0 RowMajor\nOpMemberDecorate %s 0 MatrixStride 8\n&/'
try operand unchecked '' '' '%o = OpIAdd %v3ulong %item %item'
try saturated opencl '' '' '%s = OpExtInst %ulong %cl u_add_sat %item %item' 's/^OpMemoryModel/%cl = OpExtInstImport "OpenCL.std"\n&/'
try interpolated unchecked '' '' '%i = OpExtInst %ulong %gl InterpolateAtCentroid %item' 's/^OpMemoryModel/%gl = OpExtInstImport "GLSL.std.450"\n&/'
try call unchecked '' '%c = OpFunctionCall %void %kernel'
try no_body unchecked '%ft = OpTypeFunction %void\n%f = OpFunction %void None %ft\nOpFunctionEnd' '%c = OpFunctionCall %void %f'
try recursion unchecked '%ft = OpTypeFunction %void\n%f = OpFunction %void None %ft\n%l = OpLabel\n%again = OpFunctionCall %void %f\nOpReturn\nOpFunctionEnd' '%c = OpFunctionCall %void %f'
try composite opencl '' '' '' 's/^%type = .*/& %v3ulong/; s/^%out = .*/&\n%vector = OpFunctionParameter %v3ulong/; s/^; @Config.*/&\n; @Input: %vector = {1, 2, 3, 4}/'
try no_block unchecked '' '' '' 's/OpBranch %end/OpBranch %kernel/'
try no_end unchecked '' '' '' '/^OpReturn/d'
try label_inside unchecked '' '' '' 's/^%end = OpLabel/%further = OpLabel\n&/'
try run_pointer opencl '' '' "$held\n%p = OpConvertUToPtr %ptr_global %at\nOpStore %p %one"
try held_size opencl "%ptr_ulong = OpTypePointer CrossWorkgroup %ulong" '' "$held\n%p = OpPtrAccessChain %ptr_global %data %at\n%q = OpBitcast %ptr_ulong %p\n%l = OpLoad %ulong %q Aligned 4"
try held_many opencl '%far = OpConstant %ulong 600' '%f = OpPtrAccessChain %ptr_global %data %far\nOpStore %f %one' "$held\n%p = OpPtrAccessChain %ptr_global %data %at\n%l = OpLoad %uint %p" '/^; @Input: %data/d'
try far_step opencl '%huge = OpConstant %ulong 0x2000000000000000' '' "$held\n%p = OpPtrAccessChain %ptr_global %data %at\n%q = OpPtrAccessChain %ptr_global %p %huge\n%l = OpLoad %uint %q Aligned 4"
try builtin opencl '' '' '' 's/GlobalInvocationId/FragCoord/'
try read_only unchecked '' '' 'OpStore %id %ids'
try outside opencl '%five = OpConstant %ulong 5' '%o = OpPtrAccessChain %ptr_global %out %five\nOpStore %o %one'
try nothing opencl '%null = OpConstantNull %ptr_global' 'OpStore %null %one'
try copy opencl '' '' "$held\nOpCopyMemorySized %data %out %at"
try length unchecked '' '%l = OpArrayLength %uint %data 9'
try size opencl '%ptr_ulong = OpTypePointer CrossWorkgroup %ulong' '%p = OpBitcast %ptr_ulong %data\n%l = OpLoad %ulong %p Aligned 4'
array='%open = OpTypeRuntimeArray %uint\n%s = OpTypeStruct %open\n%ptr_s = OpTypePointer StorageBuffer %s\n%list = OpVariable %ptr_s StorageBuffer'
try no_length vulkan "$array" '%p = OpAccessChain %ptr %list %zero %one\nOpStore %p %one'
tail='%open = OpTypeRuntimeArray %uint\n%s = OpTypeStruct %uint %open\n%ptr_s = OpTypePointer StorageBuffer %s\n%list = OpVariable %ptr_s StorageBuffer'
offsets='s/^%void = /OpMemberDecorate %s 0 Offset 0\nOpMemberDecorate %s 1 Offset 4\nOpDecorate %open ArrayStride 4\n&/'
try no_tail_length vulkan "$tail" '%p = OpAccessChain %ptr %list %one %one\nOpStore %p %one' '' "$offsets"
try no_tail_held vulkan "$tail" '%h = OpAccessChain %ptr %list %zero\n%n = OpLoad %uint %h\n%p = OpAccessChain %ptr %list %one %n\nOpStore %p %one' '' "$offsets"
try length_asked vulkan "$array" '%l = OpArrayLength %uint %list 0'
try no_block_length vulkan "${tail%\\n*}"'\n%two = OpConstant %uint 2\n%b = OpTypeArray %s %two\n%ptr_b = OpTypePointer StorageBuffer %b\n%list = OpVariable %ptr_b StorageBuffer' '%p = OpAccessChain %ptr %list %one %one %one\nOpStore %p %one' '' "$offsets;s/^OpMemberDecorate %s 0 .*/&\nOpDecorate %b ArrayStride 4/"
fixed() {
  printf %s '%length = OpConstant %uint '"$1"'\n%array = OpTypeArray %uint %length\n%ptr_a = OpTypePointer StorageBuffer %array\n%list = OpVariable %ptr_a StorageBuffer'
}
try many_values vulkan "$(fixed 2)" '' '' 's/^; @Config.*/&\n; @Input: %list = {1, 2, 3}/'
try one_of_two vulkan '%length = OpConstant %uint 2\n%s = OpTypeStruct %uint %uint\n%array = OpTypeArray %s %length\n%ptr_a = OpTypePointer StorageBuffer %array\n%list = OpVariable %ptr_a StorageBuffer' '' '' 's/^; @Config.*/&\n; @Input: %list = {1, {2, 3}}/'
try many_elements vulkan "$(fixed 40000)\n%second = OpVariable %ptr_a StorageBuffer"
try long_array vulkan "$(fixed 70000)"
try many_objects vulkan '%ptr_group = OpTypePointer Workgroup %uint\n%group = OpVariable %ptr_group Workgroup' '' '' 's/^; @Config.*/; @Config: 1, 1, 2100/'
try far vulkan '%s = OpTypeStruct %uint\n%ptr_s = OpTypePointer StorageBuffer %s\n%far = OpVariable %ptr_s StorageBuffer' '' '' 's/^%void = /OpMemberDecorate %s 0 Offset 2000000000\n&/'
try wide_struct vulkan "$(fixed 40000)\n%s = OpTypeStruct %array %array\n%ptr_s = OpTypePointer StorageBuffer %s\n%wide = OpVariable %ptr_s StorageBuffer"
try integer unchecked '%wide = OpTypeInt 128 0\n%w = OpUndef %wide'
try memory_model vulkan '' '' '' '/^OpCapability Vulkan/d; s/Logical Vulkan/Logical Simple/'
try no_entry opencl '' '' '' 's/^OpCapability Kernel/&\nOpCapability Linkage/; /^OpEntryPoint/d'
try fragment opencl '' '' '' 's/^OpEntryPoint Kernel/OpEntryPoint Fragment/'
try entry unchecked '' '' '' 's/^OpEntryPoint Kernel %kernel/OpEntryPoint Kernel %entry/'
try no_input opencl '' '' '' '/%flag = {0}/d'
try no_object opencl '' '' '' 's/%flag = {0}/%flag = {0}, %flags = {0}/'
awk 'function cases(to) { printf "OpSwitch %%seen %s", to; for (i = 1; i <= 13000; i++) printf " %d %s", i, to; print "" }
  /^OpStore %out/ { print; getline; for (n = 1; n < 4; n++) { cases("%more" n); print "%more" n " = OpLabel" } cases("%end"); next } 1' \
  $TMP/opencl >$TMP/steps.spvasm
litscope check $TMP/steps.spvasm >/dev/null
echo "steps: $?"
groups='s/^OpCapability Kernel/&\nOpCapability Groups/; s/1, 1, 2/1, 2, 1/'
try group opencl '%all = OpConstant %uint 0' '' '%g = OpGroupAny %bool %all %is_set' "$groups"
try group_wide opencl '%group = OpConstant %uint 2' '' "$held\n%g = OpGroupIAdd %ulong %group Reduce %at" "$groups"
# What sources and compilers leave out.
try two opencl '' '' '' 's/^OpEntryPoint.*/&\nOpEntryPoint Kernel %kernel "second" %id/'
try other_type unchecked '%queue = OpTypeQueue\n%v = OpUndef %queue' '' '%copy = OpCopyObject %queue %v'
# picture SAMPLED USE: the image's texels are read and written (2), or it is only sampled (1).
picture() {
  printf %s '%v2 = OpTypeVector %uint 2\n%image = OpTypeImage %uint 2D 0 0 0 '"$1"' R32ui\n%ptr_i = OpTypePointer UniformConstant %image\n%picture = OpVariable %ptr_i UniformConstant'
}
try texel unchecked "$(picture 2)" '' '%i = OpLoad %image %picture\n%c = OpCompositeConstruct %v2 %seen %seen\n%r = OpImageRead %uint %i %c'
try sampled_image unchecked "$(picture 1)" '' '%i = OpLoad %image %picture\n%c = OpCompositeConstruct %v2 %one %one\nOpImageWrite %i %c %one'
try texel_list unchecked "$(picture 2)" '' '%i = OpLoad %image %picture' 's/^; @Config.*/&\n; @Input: %picture = {1, 2}/'
try texel_condition unchecked "$(picture 2)" '' '%i = OpLoad %image %picture' 's/^; @Output.*/; @Output: exists (%picture[1][1] == 1)/'
# What a text that is cut short lacks.
head -25 litmus/kernels/message_device.spvasm >$TMP/cut.spvasm
litscope check $TMP/cut.spvasm
# The name of a member of what has a name of its own.
try member vulkan '%s = OpTypeStruct %uint\n%ptr_s = OpTypePointer StorageBuffer %s\n%block = OpVariable %ptr_s StorageBuffer' '' '' 's/%counter == 2/%count == 2/; s/^%void = /OpMemberDecorate %s 0 Offset 0\nOpDecorate %s Block\n&/; s/^OpExecutionMode .*/&\nOpMemberName %s 0 "count"/'
# A word that does not end is not quoted to its end.
awk 'BEGIN { for (i = 0; i < 4096; i++) printf "w" }' >$TMP/word.spvasm
litscope check $TMP/word.spvasm 2>&1 | sed -n 's/.*error: //p'
