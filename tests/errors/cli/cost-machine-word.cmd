sed "s/name=\"layout\" value=\"rows\"/name=\"layout\" value=\"columns\"/" mappings/timing-fear.xml >$TMP/m.xml; litscope cost fear-rings -machine $TMP/m.xml
