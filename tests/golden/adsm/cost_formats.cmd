litscope cost adsm -params s=8,B=2,R=2,T=2,m=2,pattern=stencil-dump | head -12; litscope cost adsm -svg -o $TMP >$TMP/path; grep -c polyline $TMP/adsm.svg; litscope cost adsm -csv | head -5
