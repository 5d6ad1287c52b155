litscope check -select 'a(b' litmus/rsp
