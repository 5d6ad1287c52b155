sed "s/name=\"hop\" value=\"2\"/name=\"hop\" value=\"-2\"/" mappings/timing-amo.xml >$TMP/m.xml; litscope cost amo-lat -machine $TMP/m.xml
