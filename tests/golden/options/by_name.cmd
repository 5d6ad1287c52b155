# A machine by its name: its knobs, the word that holds first; a model: its default, words and checks.
litscope list machines gpu-weakest amdgpu | head -30
litscope list machines adsm-lazy timing-emitted | head -8
litscope list models rc11 vulkan hrf-rsp-native
litscope list machines gpuu amo >$TMP/amo
litscope list models opencl-rspp
litscope list targets gfx1030 sm_90 | cut -f1,2
