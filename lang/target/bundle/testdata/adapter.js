const{_0:a,_j:d,_1:i,_m:n,_n:r,_3:s}=meshd$core;export{a as Bodies,i as Machine,s as Runtime,d as load,n as nodesOf,r as parse};
