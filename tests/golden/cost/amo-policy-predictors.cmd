litscope cost amo-policy -csv -params amt=16,amtways=2,confmax=3,mdecay=300,mmax=9,fr=40,hb=2
