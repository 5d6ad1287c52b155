# slow
litscope cost fear-check -csv
