sed "s/name=\"hop\" value=\"2\"/name=\"hop\" value=\"4\"/" mappings/timing-amo.xml >$TMP/slow.xml; litscope cost amo-lat -machine $TMP/slow.xml -csv | tail -n +3
