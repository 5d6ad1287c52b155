# Languages in columns: words of an operation, fences in rows of their own, availability.
litscope repair litmus/ptx/MP_weak.litmus litmus/vulkan/MP_no_av.litmus
litscope repair -model hrf-direct tests/golden/repair/direct.litmus
