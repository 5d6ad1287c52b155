sed "s/high=\"1000000\" unit=\"MB/high=\"2000000\" unit=\"MB/" mappings/timing-adsm.xml >$TMP/m.xml; litscope cost adsm -machine $TMP/m.xml -params up=1500000
