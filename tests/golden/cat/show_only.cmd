# Models with `show` and no check that the search can evaluate on the way.
litscope check -model tests/golden/cat/show_only.cat,tests/golden/cat/show_choice.cat tests/golden/cat/SB.litmus
