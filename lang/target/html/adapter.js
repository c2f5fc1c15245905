const{_j:r}=meshd$viewer;const{_l:m}=meshd$viewer;const{_h:t}=meshd$viewer;const{_i:i}=meshd$viewer;m(o=>t.on(o,i),o=>r(o,"1"));
