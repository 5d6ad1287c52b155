litscope gen -cycle "Rfe PodRW Rfe PodRW" -relax Rfe
litscope gen -model rc11 -safe Rfe
