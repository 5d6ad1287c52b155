# A policy of one's own, and one kernel.
litscope cost amo-programs -csv -params near=NNFNF,kernel=ttas,size=128,n=4
