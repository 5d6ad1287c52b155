# The value of an mbarrier is shown as its phase and counts.
litscope check -q -why litmus/museum/Early_grid.litmus | grep -m4 'mbarrier)'
