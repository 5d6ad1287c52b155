# A machine by its name: its knobs, the word that holds first; a model: its default, words and checks.
litscope machines gpu-weakest amdgpu | head -30
litscope machines adsm-lazy
litscope models rc11 vulkan hrf-rsp-native
litscope machines gpuu amo >$TMP/amo
litscope models opencl-rspp
litscope targets gfx1030 sm_90 | cut -f1,2
