sed "s/low=\"1\"/lowest=\"1\"/" mappings/timing-amo.xml >$TMP/m.xml; litscope cost amo-lat -machine $TMP/m.xml
