# The protocols beside copies by hand, as they are and with kernels that say what they write.
litscope cost adsm -csv | sed -n '/^# Slow/,/^# Block/p'
litscope cost adsm -csv -params pattern=vector-add,kernel=0,annotate=1 | sed -n '/^# Access/,/^# Block/p'
