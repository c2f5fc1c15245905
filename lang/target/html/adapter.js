const{_i:r}=meshd$viewer;const{_k:m}=meshd$viewer;const{_g:t}=meshd$viewer;const{_h:i}=meshd$viewer;m(o=>t.on(o,i),o=>r(o,"1"));
