litscope verify -variant obj-any litmus/adsm/A4.litmus; echo "status $?"; litscope verify -variant byte -machine lazy litmus/adsm/A3.litmus; echo "status $?"
