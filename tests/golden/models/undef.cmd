# A read that returns any value is a flag of AMD's model, and the log says what it means; other models have no such line.
litscope check -model amdgpu,vulkan litmus/vulkan/MP_no_av.litmus | grep -E '^(Model|Flag|Bad|Means|Observation)'
litscope check -q -model amdgpu -json - litmus/vulkan/MP_no_av.litmus | grep -o '"flags": .*\]'
