# Alone, nobody has to acknowledge an invalidation: the posted one holds its lock no longer either.
litscope cost rsp-ops -csv -params n=1,q=8,d=8 -mapping rsp-original
