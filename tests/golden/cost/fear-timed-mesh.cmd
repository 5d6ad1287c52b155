# Other meshes: shared addresses behind the private ones, slices that all are used (5 divides 25), the
# rows that fit, and names that say what was run.
litscope cost fear-timed -csv -params W=6,workload=mix,ops=16
litscope cost fear-timed -csv -params W=5,ops=8,workload=mig
litscope cost fear-timed -csv -params ops=8,workload=mix,B=4
