litscope cost fear-rings -csv
