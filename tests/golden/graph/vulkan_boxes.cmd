litscope check -o $TMP -show all litmus/vulkan/Chain.litmus >/dev/null
grep -hoE 'label="?(queue family|work-group|sub-group) [0-9]+' $TMP/Chain-vulkan-0.dot | sort
