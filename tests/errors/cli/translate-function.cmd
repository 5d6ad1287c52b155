litscope compile -mapping tests/golden/translate/no-min.xml tests/golden/translate/everything.litmus
