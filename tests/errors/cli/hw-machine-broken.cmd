printf %s\\n "<gpu name=\"g\" write-back=\"some\"><title>t</title><about>a</about></gpu>" > $TMP/g.xml
litscope explore -machine $TMP/g.xml tests/errors/carrier.litmus
