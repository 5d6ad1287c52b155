litscope cost fear-timed -csv
