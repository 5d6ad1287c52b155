litscope cost amo-policies
