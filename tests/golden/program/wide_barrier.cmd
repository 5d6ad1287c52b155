# A control barrier of device scope in two work-groups: they do not meet, and it is said once.
litscope check litmus/vulkan/Cbar_device.litmus | grep -E '^(Flag|Observation)'
