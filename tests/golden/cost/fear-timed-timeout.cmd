# The limit holds from the first step of the preparations on.
litscope cost fear-timed -csv -timeout 0.05 -params W=32,k=1024,ops=9000
