printf '<?xml version="1.0"?>\n<adsm name="m" %s>\n<title>t</title><about>a</about>\n</adsm>\n' 'protocol="rolling" rolling="1" rolling-per-object="2"' >$TMP/m.xml
litscope explore -machine $TMP/m.xml litmus/adsm/A1.litmus
