sed "s/words=\"vector-add/words=\"odd vector-add/" mappings/timing-adsm.xml >$TMP/m.xml; litscope cost adsm -machine $TMP/m.xml -params pattern=odd
