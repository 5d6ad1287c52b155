echo @a >$TMP/@a; cd $TMP && litscope check @a
