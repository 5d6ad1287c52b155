# slow
# As the model was published, a remote operation never races with an ordinary access that it reaches.
litscope verify -family 2x2,locations=1 -mapping rsp-corrected,rsp-revised -variant remote-any -j 2 | grep -E '^(Mapping|Rac|Unsound)'
litscope verify -family 2x2 -mapping rsp-corrected,rsp-revised -j 2
