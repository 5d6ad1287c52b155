# The protocols beside copies by hand, as they are and with kernels that say what they write.
litscope cost adsm -csv | grep '^table\|^Slow-down\|^"Bytes'
litscope cost adsm -csv -params pattern=vector-add,kernel=0,annotate=1 | grep '^table\|^Access\|^Slow-down\|^"Bytes'
