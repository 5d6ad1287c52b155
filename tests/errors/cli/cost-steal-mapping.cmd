printf "<mapping name=\"m\">\n<title>t</title><about>a</about>\n<operation kind=\"load\"><ld/></operation>\n</mapping>\n" >$TMP/m.xml; litscope cost rsp-steal -mapping $TMP/m.xml
