litscope help explor
