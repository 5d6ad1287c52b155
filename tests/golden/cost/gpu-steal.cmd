# Programs on GPU caches: four scenarios, ten inputs, every answer checked.
litscope cost gpu-steal -csv -params V=1024,lanes=16,iterations=2
