litscope report litmus/rsp
