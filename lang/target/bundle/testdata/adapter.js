const{_0:a,_i:d,_1:i,_k:n,_l:r,_3:s}=meshd$core;export{a as Bodies,i as Machine,s as Runtime,d as load,n as nodesOf,r as parse};
