"use strict";(()=>{var Rd="scene/1",sg=new Set(["v","name","source_sha256","compiler","files","metadata","environment","post","assets","geometries","materials","nodes","animations","timelines","ui","program","pipelines","agents","domain","losses"]);function Cd(s){return Il(JSON.parse(s))}function Il(s){if(typeof s!="object"||s===null||s.v!==Rd)throw new Error(`this viewer reads ${Rd}, the document is ${String(s?.v)}`);let e=Object.keys(s).filter(t=>!sg.has(t));return e.length>0&&console.warn(`scene: passing over ${e.join(", ")}`),s}function Cs(s){return s.label||s.name||s.path}var rg=["view","play","select","camera","theme","presence","emit","input","shot"],Pd=64;function Id(s,e){let t;addEventListener("message",i=>{t||i.source!==window.parent||i.ports.length!==1||_r(i.data)?.v!==1||(t=i.ports[0],t.onmessage=r=>{try{og(s,r.data,n)}catch(o){n({type:"error",code:"scene_invalid",node:"",text:String(o instanceof Error?o.message:o)})}})});let n=i=>t?.postMessage({v:1,...i});return window.parent.postMessage({v:1,type:"ready",viewer:e,features:rg},"*"),n}function _r(s){return typeof s=="object"&&s!==null&&!Array.isArray(s)?s:void 0}function rs(s){return typeof s=="number"&&Number.isFinite(s)}function Ld(s){return Array.isArray(s)&&s.length<=Pd&&s.every(e=>typeof e=="string")}function og(s,e,t){let n=_r(e);if(n?.v===1)switch(n.type){case"scene":{if(!rs(n.seq)||!_r(n.scene))return;let i=performance.now(),{nodes:r,triangles:o}=s.open(Il(n.scene));t({type:"applied",seq:n.seq,ms:Math.round(performance.now()-i),nodes:r,triangles:o});return}case"mode":(n.mode==="edit"||n.mode==="play"||n.mode==="view")&&s.mode(n.mode);return;case"select":Ld(n.ids)&&s.select(n.ids);return;case"camera":typeof n.view=="string"&&(n.id===void 0||typeof n.id=="string")&&s.view(n.view,n.id);return;case"theme":typeof n.dark=="boolean"&&s.theme(n.dark,n.reduced_motion===!0);return;case"presence":Array.isArray(n.people)&&n.people.length<=Pd&&n.people.every(ag)&&s.presence(n.people);return;case"emit":typeof n.node=="string"&&typeof n.event=="string"&&/^[a-z_][a-z0-9_]{0,63}$/i.test(n.event)&&s.emit(n.node,n.event,n.payload??null);return;case"input":typeof n.kind=="string"&&rs(n.x)&&rs(n.y)&&s.input(n.kind,n.x,n.y);return;case"shot":{if(!rs(n.seq)||!rs(n.w)||!rs(n.h)||n.w<1||n.h<1||n.w>4096||n.h>4096)return;t({type:"shot",seq:n.seq,png:s.shot(Math.round(n.w),Math.round(n.h))})}}}function ag(s){let e=_r(s),t=_r(e?.camera),n=(i,r)=>Array.isArray(i)&&i.length===r&&i.every(rs);return e!==void 0&&typeof e.name=="string"&&typeof e.color=="string"&&/^#[0-9a-f]{6}$/i.test(e.color)&&(e.camera===void 0||t!==void 0&&n(t.t,3)&&n(t.r,4))&&(e.ids===void 0||Ld(e.ids))}function Dd(s,e){let t=s.nodes??[],n=e.nodes??[];if(t.length!==n.length)return;let i=o=>JSON.stringify({...o,source_sha256:"",nodes:[]});if(i(s)!==i(e))return;let r=[];for(let o=0;o<t.length;o++){let a=c=>JSON.stringify({...c,t:0,r:0,s:0,visible:0,src:0});if(a(t[o])!==a(n[o]))return;JSON.stringify([t[o].t,t[o].r,t[o].s,t[o].visible])!==JSON.stringify([n[o].t,n[o].r,n[o].s,n[o].visible])&&r.push(n[o])}return r}var _f=0,mh=1,Sf=2;var ys=1,wf=2,ir=3,Bn=0,fn=1,pn=2,so=0,Zi=1,ro=2,gh=3,xh=4,Ef=5;var vs=100,Af=101,Tf=102,Rf=103,Cf=104,Pf=200,If=201,Lf=202,Df=203,yh=204,vh=205,Nf=206,Uf=207,Ff=208,Bf=209,Of=210,kf=211,Vf=212,zf=213,Gf=214,ga=0,xa=1,ya=2,Hs=3,va=4,Ma=5,ba=6,_a=7,Mh=0,Hf=1,Wf=2,On=0,oo=1,bh=2,_h=3,Sh=4,ao=5,wh=6,Eh=7,nh="attached",Xf="detached",Ah=300,co=301,za=302,Ga=303,Ha=304,Hi=1e3,Fn=1001,Ws=1002,At=1003,Wa=1004;var Ms=1005;var Lt=1006,sr=1007;var kn=1008;var _n=1009,Th=1010,Rh=1011,rr=1012,Xa=1013,Kn=1014,Tn=1015,Rn=1016,qa=1017,ja=1018,bs=1020,Ch=35902,Ph=35899,Ih=1021,Lh=1022,Vn=1023,bi=1026,Ci=1027,Ya=1028,$a=1029,Qi=1030,Ka=1031;var Za=1033,lo=33776,ho=33777,uo=33778,fo=33779,Qa=35840,Ja=35841,ec=35842,tc=35843,nc=36196,ic=37492,sc=37496,rc=37488,oc=37489,po=37490,ac=37491,cc=37808,lc=37809,hc=37810,uc=37811,dc=37812,fc=37813,pc=37814,mc=37815,gc=37816,xc=37817,yc=37818,vc=37819,Mc=37820,bc=37821,_c=36492,Sc=36494,wc=36495,Ec=36283,Ac=36284,mo=36285,Tc=36286;var us=2300,ds=2301,pa=2302,ih=2303,sh=2400,rh=2401,oh=2402,qf=2500;var Dh=0,go=1,or=2,jf=3200;var Rc=0,Yf=1,Zn="",Et="srgb",an="srgb-linear",Dr="linear",st="srgb";var ma=7680;var $f=519,Kf=512,Zf=513,Qf=514,Nh=515,Jf=516,ep=517,Uh=518,Fh=519,Bh=35044;var Oh="300 es",qn=2e3,Nr=2001;function cg(s){for(let e=s.length-1;e>=0;--e)if(s[e]>=65535)return!0;return!1}function lg(s){return ArrayBuffer.isView(s)&&!(s instanceof DataView)}function Cc(s){return document.createElementNS("http://www.w3.org/1999/xhtml",s)}function tp(){let s=Cc("canvas");return s.style.display="block",s}var Nd={},Xs=null;function Pc(...s){let e="THREE."+s.shift();Xs?Xs("log",e,...s):console.log(e,...s)}function np(s){let e=s[0];if(typeof e=="string"&&e.startsWith("TSL:")){let t=s[1];t&&t.isStackTrace?s[0]+=" "+t.getLocation():s[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return s}function Ae(...s){s=np(s);let e="THREE."+s.shift();if(Xs)Xs("warn",e,...s);else{let t=s[0];t&&t.isStackTrace?console.warn(t.getError(e)):console.warn(e,...s)}}function Le(...s){s=np(s);let e="THREE."+s.shift();if(Xs)Xs("error",e,...s);else{let t=s[0];t&&t.isStackTrace?console.error(t.getError(e)):console.error(e,...s)}}function hs(...s){let e=s.join(" ");e in Nd||(Nd[e]=!0,Ae(...s))}function ip(s,e,t){return new Promise(function(n,i){function r(){switch(s.clientWaitSync(e,s.SYNC_FLUSH_COMMANDS_BIT,0)){case s.WAIT_FAILED:i();break;case s.TIMEOUT_EXPIRED:setTimeout(r,t);break;default:n()}}setTimeout(r,t)})}var sp={[ga]:ga,[ya]:ba,[va]:va,[Hs]:Ma,[xa]:xa,[ba]:ya,[_a]:_a,[Ma]:Hs},si=class{addEventListener(e,t){this._e===void 0&&(this._e={});let n=this._e;n[e]===void 0&&(n[e]=[]),n[e].indexOf(t)===-1&&n[e].push(t)}hasEventListener(e,t){let n=this._e;return n===void 0?!1:n[e]!==void 0&&n[e].indexOf(t)!==-1}removeEventListener(e,t){let n=this._e;if(n===void 0)return;let i=n[e];if(i!==void 0){let r=i.indexOf(t);r!==-1&&i.splice(r,1)}}dispatchEvent(e){let t=this._e;if(t===void 0)return;let n=t[e.type];if(n!==void 0){e.target=this;let i=n.slice(0);for(let r=0,o=i.length;r<o;r++)i[r].call(this,e);e.target=null}}},rn=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],Ud=1234567,Ir=Math.PI/180,fs=180/Math.PI;function ci(){let s=Math.random()*4294967295|0,e=Math.random()*4294967295|0,t=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(rn[s&255]+rn[s>>8&255]+rn[s>>16&255]+rn[s>>24&255]+"-"+rn[e&255]+rn[e>>8&255]+"-"+rn[e>>16&15|64]+rn[e>>24&255]+"-"+rn[t&63|128]+rn[t>>8&255]+"-"+rn[t>>16&255]+rn[t>>24&255]+rn[n&255]+rn[n>>8&255]+rn[n>>16&255]+rn[n>>24&255]).toLowerCase()}function $e(s,e,t){return Math.max(e,Math.min(t,s))}function kh(s,e){return(s%e+e)%e}function hg(s,e,t,n,i){return n+(s-e)*(i-n)/(t-e)}function ug(s,e,t){return s!==e?(t-s)/(e-s):0}function Lr(s,e,t){return(1-t)*s+t*e}function dg(s,e,t,n){return Lr(s,e,1-Math.exp(-t*n))}function fg(s,e=1){return e-Math.abs(kh(s,e*2)-e)}function pg(s,e,t){return s<=e?0:s>=t?1:(s=(s-e)/(t-e),s*s*(3-2*s))}function mg(s,e,t){return s<=e?0:s>=t?1:(s=(s-e)/(t-e),s*s*s*(s*(s*6-15)+10))}function gg(s,e){return s+Math.floor(Math.random()*(e-s+1))}function xg(s,e){return s+Math.random()*(e-s)}function yg(s){return s*(.5-Math.random())}function vg(s){s!==void 0&&(Ud=s);let e=Ud+=1831565813;return e=Math.imul(e^e>>>15,e|1),e^=e+Math.imul(e^e>>>7,e|61),((e^e>>>14)>>>0)/4294967296}function Mg(s){return s*Ir}function bg(s){return s*fs}function _g(s){return s>0&&Number.isInteger(s)&&2**Math.round(Math.log2(s))===s}function Sg(s){return Math.pow(2,Math.ceil(Math.log(s)/Math.LN2))}function wg(s){return Math.pow(2,Math.floor(Math.log(s)/Math.LN2))}function Eg(s,e,t,n,i){let r=Math.cos,o=Math.sin,a=r(t/2),c=o(t/2),l=r((e+n)/2),h=o((e+n)/2),d=r((e-n)/2),u=o((e-n)/2),f=r((n-e)/2),g=o((n-e)/2);switch(i){case"XYX":s.set(a*h,c*d,c*u,a*l);break;case"YZY":s.set(c*u,a*h,c*d,a*l);break;case"ZXZ":s.set(c*d,c*u,a*h,a*l);break;case"XZX":s.set(a*h,c*g,c*f,a*l);break;case"YXY":s.set(c*f,a*h,c*g,a*l);break;case"ZYZ":s.set(c*g,c*f,a*h,a*l);break;default:Ae("MathUtils: .setQuaternionFromProperEuler() encountered an unknown order: "+i)}}function Ic(s){switch(s.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function Vh(s,e){if(e.constructor===Float32Array)return s;let t=Ic(e);if(t===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(s/t,-1)}function zh(s,e){if(e.constructor===Float32Array)return s;let t=Ic(e);if(t===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(s*t)}var Lc={DEG2RAD:Ir,RAD2DEG:fs,generateUUID:ci,clamp:$e,euclideanModulo:kh,mapLinear:hg,inverseLerp:ug,lerp:Lr,damp:dg,pingpong:fg,smoothstep:pg,smootherstep:mg,randInt:gg,randFloat:xg,randFloatSpread:yg,seededRandom:vg,degToRad:Mg,radToDeg:bg,isPowerOfTwo:_g,ceilPowerOfTwo:Sg,floorPowerOfTwo:wg,setQuaternionFromProperEuler:Eg,normalize:zh,denormalize:Vh},Ge=class{static{this.prototype.isVector2=!0}constructor(e=0,t=0){this.x=e,this.y=t}get width(){return this.x}set width(e){this.x=e}get height(){return this.y}set height(e){this.y=e}set(e,t){return this.x=e,this.y=t,this}setScalar(e){return this.x=e,this.y=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;default:throw new Error("THREE.Vector2: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y)}copy(e){return this.x=e.x,this.y=e.y,this}add(e){return this.x+=e.x,this.y+=e.y,this}addScalar(e){return this.x+=e,this.y+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this}subScalar(e){return this.x-=e,this.y-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this}multiply(e){return this.x*=e.x,this.y*=e.y,this}multiplyScalar(e){return this.x*=e,this.y*=e,this}divide(e){return this.x/=e.x,this.y/=e.y,this}divideScalar(e){return this.multiplyScalar(1/e)}applyMatrix3(e){let t=this.x,n=this.y,i=e.elements;return this.x=i[0]*t+i[3]*n+i[6],this.y=i[1]*t+i[4]*n+i[7],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this}clamp(e,t){return this.x=$e(this.x,e.x,t.x),this.y=$e(this.y,e.y,t.y),this}clampScalar(e,t){return this.x=$e(this.x,e,t),this.y=$e(this.y,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar($e(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(e){return this.x*e.x+this.y*e.y}cross(e){return this.x*e.y-this.y*e.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos($e(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y;return t*t+n*n}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this}equals(e){return e.x===this.x&&e.y===this.y}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this}rotateAround(e,t){let n=Math.cos(t),i=Math.sin(t),r=this.x-e.x,o=this.y-e.y;return this.x=r*n-o*i+e.x,this.y=r*i+o*n+e.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},Dt=class{constructor(e=0,t=0,n=0,i=1){this.isQuaternion=!0,this.e=e,this.o=t,this.u=n,this.M=i}static slerpFlat(e,t,n,i,r,o,a){let c=n[i+0],l=n[i+1],h=n[i+2],d=n[i+3],u=r[o+0],f=r[o+1],g=r[o+2],M=r[o+3];if(d!==M||c!==u||l!==f||h!==g){let m=c*u+l*f+h*g+d*M;m<0&&(u=-u,f=-f,g=-g,M=-M,m=-m);let p=1-a;if(m<.9995){let b=Math.acos(m),T=Math.sin(b);p=Math.sin(p*b)/T,a=Math.sin(a*b)/T,c=c*p+u*a,l=l*p+f*a,h=h*p+g*a,d=d*p+M*a}else{c=c*p+u*a,l=l*p+f*a,h=h*p+g*a,d=d*p+M*a;let b=1/Math.sqrt(c*c+l*l+h*h+d*d);c*=b,l*=b,h*=b,d*=b}}e[t]=c,e[t+1]=l,e[t+2]=h,e[t+3]=d}static multiplyQuaternionsFlat(e,t,n,i,r,o){let a=n[i],c=n[i+1],l=n[i+2],h=n[i+3],d=r[o],u=r[o+1],f=r[o+2],g=r[o+3];return e[t]=a*g+h*d+c*f-l*u,e[t+1]=c*g+h*u+l*d-a*f,e[t+2]=l*g+h*f+a*u-c*d,e[t+3]=h*g-a*d-c*u-l*f,e}get x(){return this.e}set x(e){this.e=e,this.A()}get y(){return this.o}set y(e){this.o=e,this.A()}get z(){return this.u}set z(e){this.u=e,this.A()}get w(){return this.M}set w(e){this.M=e,this.A()}set(e,t,n,i){return this.e=e,this.o=t,this.u=n,this.M=i,this.A(),this}clone(){return new this.constructor(this.e,this.o,this.u,this.M)}copy(e){return this.e=e.x,this.o=e.y,this.u=e.z,this.M=e.w,this.A(),this}setFromEuler(e,t=!0){let n=e.e,i=e.o,r=e.u,o=e.I,a=Math.cos,c=Math.sin,l=a(n/2),h=a(i/2),d=a(r/2),u=c(n/2),f=c(i/2),g=c(r/2);switch(o){case"XYZ":this.e=u*h*d+l*f*g,this.o=l*f*d-u*h*g,this.u=l*h*g+u*f*d,this.M=l*h*d-u*f*g;break;case"YXZ":this.e=u*h*d+l*f*g,this.o=l*f*d-u*h*g,this.u=l*h*g-u*f*d,this.M=l*h*d+u*f*g;break;case"ZXY":this.e=u*h*d-l*f*g,this.o=l*f*d+u*h*g,this.u=l*h*g+u*f*d,this.M=l*h*d-u*f*g;break;case"ZYX":this.e=u*h*d-l*f*g,this.o=l*f*d+u*h*g,this.u=l*h*g-u*f*d,this.M=l*h*d+u*f*g;break;case"YZX":this.e=u*h*d+l*f*g,this.o=l*f*d+u*h*g,this.u=l*h*g-u*f*d,this.M=l*h*d-u*f*g;break;case"XZY":this.e=u*h*d-l*f*g,this.o=l*f*d-u*h*g,this.u=l*h*g+u*f*d,this.M=l*h*d+u*f*g;break;default:Ae("Quaternion: .setFromEuler() encountered an unknown order: "+o)}return t===!0&&this.A(),this}setFromAxisAngle(e,t){let n=t/2,i=Math.sin(n);return this.e=e.x*i,this.o=e.y*i,this.u=e.z*i,this.M=Math.cos(n),this.A(),this}setFromRotationMatrix(e){let t=e.elements,n=t[0],i=t[4],r=t[8],o=t[1],a=t[5],c=t[9],l=t[2],h=t[6],d=t[10],u=n+a+d;if(u>0){let f=.5/Math.sqrt(u+1);this.M=.25/f,this.e=(h-c)*f,this.o=(r-l)*f,this.u=(o-i)*f}else if(n>a&&n>d){let f=2*Math.sqrt(1+n-a-d);this.M=(h-c)/f,this.e=.25*f,this.o=(i+o)/f,this.u=(r+l)/f}else if(a>d){let f=2*Math.sqrt(1+a-n-d);this.M=(r-l)/f,this.e=(i+o)/f,this.o=.25*f,this.u=(c+h)/f}else{let f=2*Math.sqrt(1+d-n-a);this.M=(o-i)/f,this.e=(r+l)/f,this.o=(c+h)/f,this.u=.25*f}return this.A(),this}setFromUnitVectors(e,t){let n=e.dot(t)+1;return n<1e-8?(n=0,Math.abs(e.x)>Math.abs(e.z)?(this.e=-e.y,this.o=e.x,this.u=0,this.M=n):(this.e=0,this.o=-e.z,this.u=e.y,this.M=n)):(this.e=e.y*t.z-e.z*t.y,this.o=e.z*t.x-e.x*t.z,this.u=e.x*t.y-e.y*t.x,this.M=n),this.normalize()}angleTo(e){return 2*Math.acos(Math.abs($e(this.dot(e),-1,1)))}rotateTowards(e,t){let n=this.angleTo(e);if(n===0)return this;let i=Math.min(1,t/n);return this.slerp(e,i),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this.e*=-1,this.o*=-1,this.u*=-1,this.A(),this}dot(e){return this.e*e.e+this.o*e.o+this.u*e.u+this.M*e.M}lengthSq(){return this.e*this.e+this.o*this.o+this.u*this.u+this.M*this.M}length(){return Math.sqrt(this.e*this.e+this.o*this.o+this.u*this.u+this.M*this.M)}normalize(){let e=this.length();return e===0?(this.e=0,this.o=0,this.u=0,this.M=1):(e=1/e,this.e=this.e*e,this.o=this.o*e,this.u=this.u*e,this.M=this.M*e),this.A(),this}multiply(e){return this.multiplyQuaternions(this,e)}premultiply(e){return this.multiplyQuaternions(e,this)}multiplyQuaternions(e,t){let n=e.e,i=e.o,r=e.u,o=e.M,a=t.e,c=t.o,l=t.u,h=t.M;return this.e=n*h+o*a+i*l-r*c,this.o=i*h+o*c+r*a-n*l,this.u=r*h+o*l+n*c-i*a,this.M=o*h-n*a-i*c-r*l,this.A(),this}slerp(e,t){let n=e.e,i=e.o,r=e.u,o=e.M,a=this.dot(e);a<0&&(n=-n,i=-i,r=-r,o=-o,a=-a);let c=1-t;if(a<.9995){let l=Math.acos(a),h=Math.sin(l);c=Math.sin(c*l)/h,t=Math.sin(t*l)/h,this.e=this.e*c+n*t,this.o=this.o*c+i*t,this.u=this.u*c+r*t,this.M=this.M*c+o*t,this.A()}else this.e=this.e*c+n*t,this.o=this.o*c+i*t,this.u=this.u*c+r*t,this.M=this.M*c+o*t,this.normalize();return this}slerpQuaternions(e,t,n){return this.copy(e).slerp(t,n)}random(){let e=2*Math.PI*Math.random(),t=2*Math.PI*Math.random(),n=Math.random(),i=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(i*Math.sin(e),i*Math.cos(e),r*Math.sin(t),r*Math.cos(t))}equals(e){return e.e===this.e&&e.o===this.o&&e.u===this.u&&e.M===this.M}fromArray(e,t=0){return this.e=e[t],this.o=e[t+1],this.u=e[t+2],this.M=e[t+3],this.A(),this}toArray(e=[],t=0){return e[t]=this.e,e[t+1]=this.o,e[t+2]=this.u,e[t+3]=this.M,e}fromBufferAttribute(e,t){return this.e=e.getX(t),this.o=e.getY(t),this.u=e.getZ(t),this.M=e.getW(t),this.A(),this}et(e){return this.A=e,this}A(){}*[Symbol.iterator](){yield this.e,yield this.o,yield this.u,yield this.M}},L=class{static{this.prototype.isVector3=!0}constructor(e=0,t=0,n=0){this.x=e,this.y=t,this.z=n}set(e,t,n){return n===void 0&&(n=this.z),this.x=e,this.y=t,this.z=n,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;default:throw new Error("THREE.Vector3: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this}multiplyVectors(e,t){return this.x=e.x*t.x,this.y=e.y*t.y,this.z=e.z*t.z,this}applyEuler(e){return this.applyQuaternion(Fd.setFromEuler(e))}applyAxisAngle(e,t){return this.applyQuaternion(Fd.setFromAxisAngle(e,t))}applyMatrix3(e){let t=this.x,n=this.y,i=this.z,r=e.elements;return this.x=r[0]*t+r[3]*n+r[6]*i,this.y=r[1]*t+r[4]*n+r[7]*i,this.z=r[2]*t+r[5]*n+r[8]*i,this}applyNormalMatrix(e){return this.applyMatrix3(e).normalize()}applyMatrix4(e){let t=this.x,n=this.y,i=this.z,r=e.elements,o=1/(r[3]*t+r[7]*n+r[11]*i+r[15]);return this.x=(r[0]*t+r[4]*n+r[8]*i+r[12])*o,this.y=(r[1]*t+r[5]*n+r[9]*i+r[13])*o,this.z=(r[2]*t+r[6]*n+r[10]*i+r[14])*o,this}applyQuaternion(e){let t=this.x,n=this.y,i=this.z,r=e.x,o=e.y,a=e.z,c=e.w,l=2*(o*i-a*n),h=2*(a*t-r*i),d=2*(r*n-o*t);return this.x=t+c*l+o*d-a*h,this.y=n+c*h+a*l-r*d,this.z=i+c*d+r*h-o*l,this}project(e){return this.applyMatrix4(e.matrixWorldInverse).applyMatrix4(e.projectionMatrix)}unproject(e){return this.applyMatrix4(e.projectionMatrixInverse).applyMatrix4(e.matrixWorld)}transformDirection(e){let t=this.x,n=this.y,i=this.z,r=e.elements;return this.x=r[0]*t+r[4]*n+r[8]*i,this.y=r[1]*t+r[5]*n+r[9]*i,this.z=r[2]*t+r[6]*n+r[10]*i,this.normalize()}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this}divideScalar(e){return this.multiplyScalar(1/e)}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this}clamp(e,t){return this.x=$e(this.x,e.x,t.x),this.y=$e(this.y,e.y,t.y),this.z=$e(this.z,e.z,t.z),this}clampScalar(e,t){return this.x=$e(this.x,e,t),this.y=$e(this.y,e,t),this.z=$e(this.z,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar($e(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this}cross(e){return this.crossVectors(this,e)}crossVectors(e,t){let n=e.x,i=e.y,r=e.z,o=t.x,a=t.y,c=t.z;return this.x=i*c-r*a,this.y=r*o-n*c,this.z=n*a-i*o,this}projectOnVector(e){let t=e.lengthSq();if(t===0)return this.set(0,0,0);let n=e.dot(this)/t;return this.copy(e).multiplyScalar(n)}projectOnPlane(e){return Ll.copy(this).projectOnVector(e),this.sub(Ll)}reflect(e){return this.sub(Ll.copy(e).multiplyScalar(2*this.dot(e)))}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos($e(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y,i=this.z-e.z;return t*t+n*n+i*i}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)+Math.abs(this.z-e.z)}setFromSpherical(e){return this.setFromSphericalCoords(e.radius,e.phi,e.theta)}setFromSphericalCoords(e,t,n){let i=Math.sin(t)*e;return this.x=i*Math.sin(n),this.y=Math.cos(t)*e,this.z=i*Math.cos(n),this}setFromCylindrical(e){return this.setFromCylindricalCoords(e.radius,e.theta,e.y)}setFromCylindricalCoords(e,t,n){return this.x=e*Math.sin(t),this.y=n,this.z=e*Math.cos(t),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this}setFromMatrixScale(e){let t=this.setFromMatrixColumn(e,0).length(),n=this.setFromMatrixColumn(e,1).length(),i=this.setFromMatrixColumn(e,2).length();return this.x=t,this.y=n,this.z=i,this}setFromMatrixColumn(e,t){return this.fromArray(e.elements,t*4)}setFromMatrix3Column(e,t){return this.fromArray(e.elements,t*3)}setFromEuler(e){return this.x=e.e,this.y=e.o,this.z=e.u,this}setFromColor(e){return this.x=e.r,this.y=e.g,this.z=e.b,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let e=Math.random()*Math.PI*2,t=Math.random()*2-1,n=Math.sqrt(1-t*t);return this.x=n*Math.cos(e),this.y=t,this.z=n*Math.sin(e),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},Ll=new L,Fd=new Dt,Ue=class{static{this.prototype.isMatrix3=!0}constructor(e,t,n,i,r,o,a,c,l){this.elements=[1,0,0,0,1,0,0,0,1],e!==void 0&&this.set(e,t,n,i,r,o,a,c,l)}set(e,t,n,i,r,o,a,c,l){let h=this.elements;return h[0]=e,h[1]=i,h[2]=a,h[3]=t,h[4]=r,h[5]=c,h[6]=n,h[7]=o,h[8]=l,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],this}extractBasis(e,t,n){return e.setFromMatrix3Column(this,0),t.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(e){let t=e.elements;return this.set(t[0],t[4],t[8],t[1],t[5],t[9],t[2],t[6],t[10]),this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,i=t.elements,r=this.elements,o=n[0],a=n[3],c=n[6],l=n[1],h=n[4],d=n[7],u=n[2],f=n[5],g=n[8],M=i[0],m=i[3],p=i[6],b=i[1],T=i[4],S=i[7],A=i[2],E=i[5],x=i[8];return r[0]=o*M+a*b+c*A,r[3]=o*m+a*T+c*E,r[6]=o*p+a*S+c*x,r[1]=l*M+h*b+d*A,r[4]=l*m+h*T+d*E,r[7]=l*p+h*S+d*x,r[2]=u*M+f*b+g*A,r[5]=u*m+f*T+g*E,r[8]=u*p+f*S+g*x,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[3]*=e,t[6]*=e,t[1]*=e,t[4]*=e,t[7]*=e,t[2]*=e,t[5]*=e,t[8]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[1],i=e[2],r=e[3],o=e[4],a=e[5],c=e[6],l=e[7],h=e[8];return t*o*h-t*a*l-n*r*h+n*a*c+i*r*l-i*o*c}invert(){let e=this.elements,t=e[0],n=e[1],i=e[2],r=e[3],o=e[4],a=e[5],c=e[6],l=e[7],h=e[8],d=h*o-a*l,u=a*c-h*r,f=l*r-o*c,g=t*d+n*u+i*f;if(g===0)return this.set(0,0,0,0,0,0,0,0,0);let M=1/g;return e[0]=d*M,e[1]=(i*l-h*n)*M,e[2]=(a*n-i*o)*M,e[3]=u*M,e[4]=(h*t-i*c)*M,e[5]=(i*r-a*t)*M,e[6]=f*M,e[7]=(n*c-l*t)*M,e[8]=(o*t-n*r)*M,this}transpose(){let e,t=this.elements;return e=t[1],t[1]=t[3],t[3]=e,e=t[2],t[2]=t[6],t[6]=e,e=t[5],t[5]=t[7],t[7]=e,this}getNormalMatrix(e){return this.setFromMatrix4(e).invert().transpose()}transposeIntoArray(e){let t=this.elements;return e[0]=t[0],e[1]=t[3],e[2]=t[6],e[3]=t[1],e[4]=t[4],e[5]=t[7],e[6]=t[2],e[7]=t[5],e[8]=t[8],this}setUvTransform(e,t,n,i,r,o,a){let c=Math.cos(r),l=Math.sin(r);return this.set(n*c,n*l,-n*(c*o+l*a)+o+e,-i*l,i*c,-i*(-l*o+c*a)+a+t,0,0,1),this}scale(e,t){return hs("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply(Dl.makeScale(e,t)),this}rotate(e){return hs("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply(Dl.makeRotation(-e)),this}translate(e,t){return hs("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply(Dl.makeTranslation(e,t)),this}makeTranslation(e,t){return e.isVector2?this.set(1,0,e.x,0,1,e.y,0,0,1):this.set(1,0,e,0,1,t,0,0,1),this}makeRotation(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,n,t,0,0,0,1),this}makeScale(e,t){return this.set(e,0,0,0,t,0,0,0,1),this}equals(e){let t=this.elements,n=e.elements;for(let i=0;i<9;i++)if(t[i]!==n[i])return!1;return!0}fromArray(e,t=0){for(let n=0;n<9;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e}clone(){return new this.constructor().fromArray(this.elements)}},Dl=new Ue,Bd=new Ue().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),Od=new Ue().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function Ag(){let s={enabled:!0,workingColorSpace:an,spaces:{},convert:function(i,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===st&&(i.r=zs(i.r),i.g=zs(i.g),i.b=zs(i.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(i.applyMatrix3(this.spaces[r].toXYZ),i.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===st&&(i.r=Gs(i.r),i.g=Gs(i.g),i.b=Gs(i.b))),i},workingToColorSpace:function(i,r){return this.convert(i,this.workingColorSpace,r)},colorSpaceToWorking:function(i,r){return this.convert(i,r,this.workingColorSpace)},getPrimaries:function(i){return this.spaces[i].primaries},getTransfer:function(i){return i===Zn?Dr:this.spaces[i].transfer},getToneMappingMode:function(i){return this.spaces[i].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(i,r=this.workingColorSpace){return i.fromArray(this.spaces[r].luminanceCoefficients)},define:function(i){Object.assign(this.spaces,i)},Pn:function(i,r,o){return i.copy(this.spaces[o].fromXYZ).multiply(this.spaces[r].toXYZ)},Ln:function(i){return this.spaces[i].outputColorSpaceConfig.drawingBufferColorSpace},Dn:function(i=this.workingColorSpace){return this.spaces[i].workingColorSpaceConfig.unpackColorSpace}},e=[.64,.33,.3,.6,.15,.06],t=[.2126,.7152,.0722],n=[.3127,.329];return s.define({[an]:{primaries:e,whitePoint:n,transfer:Dr,toXYZ:Bd,fromXYZ:Od,luminanceCoefficients:t,workingColorSpaceConfig:{unpackColorSpace:Et},outputColorSpaceConfig:{drawingBufferColorSpace:Et}},[Et]:{primaries:e,whitePoint:n,transfer:st,toXYZ:Bd,fromXYZ:Od,luminanceCoefficients:t,outputColorSpaceConfig:{drawingBufferColorSpace:Et}}}),s}var je=Ag();function zs(s){return s<.04045?s*.0773993808:Math.pow(s*.9478672986+.0521327014,2.4)}function Gs(s){return s<.0031308?s*12.92:1.055*Math.pow(s,.41666)-.055}var Tg=0,qs=class{constructor(e=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:Tg++}),this.uuid=ci(),this.data=e,this.dataReady=!0,this.version=0}getSize(e){let t=this.data;return typeof HTMLVideoElement<"u"&&t instanceof HTMLVideoElement?e.set(t.videoWidth,t.videoHeight,0):typeof VideoFrame<"u"&&t instanceof VideoFrame?e.set(t.displayWidth,t.displayHeight,0):t!==null?e.set(t.width||0,t.height||0,t.depth||0):e.set(0,0,0),e}set needsUpdate(e){e===!0&&this.version++}};var Rg=0,Nl=new L,Tt=class s extends si{constructor(e=s.DEFAULT_IMAGE,t=s.DEFAULT_MAPPING,n=Fn,i=Fn,r=Lt,o=kn,a=Vn,c=_n,l=s.DEFAULT_ANISOTROPY,h=Zn){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:Rg++}),this.uuid=ci(),this.name="",this.source=new qs(e),this.mipmaps=[],this.mapping=t,this.channel=0,this.wrapS=n,this.wrapT=i,this.magFilter=r,this.minFilter=o,this.anisotropy=l,this.format=a,this.internalFormat=null,this.type=c,this.offset=new Ge(0,0),this.repeat=new Ge(1,1),this.center=new Ge(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new Ue,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=h,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(e&&e.depth&&e.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(Nl).x}get height(){return this.source.getSize(Nl).y}get depth(){return this.source.getSize(Nl).z}get image(){return this.source.data}set image(e){this.source.data=e}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(e){return this.name=e.name,this.source=e.source,this.mipmaps=e.mipmaps.slice(0),this.mapping=e.mapping,this.channel=e.channel,this.wrapS=e.wrapS,this.wrapT=e.wrapT,this.magFilter=e.magFilter,this.minFilter=e.minFilter,this.anisotropy=e.anisotropy,this.format=e.format,this.internalFormat=e.internalFormat,this.type=e.type,this.normalized=e.normalized,this.offset.copy(e.offset),this.repeat.copy(e.repeat),this.center.copy(e.center),this.rotation=e.rotation,this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrix.copy(e.matrix),this.generateMipmaps=e.generateMipmaps,this.mipmapsAutoUpdate=e.mipmapsAutoUpdate,this.premultiplyAlpha=e.premultiplyAlpha,this.flipY=e.flipY,this.unpackAlignment=e.unpackAlignment,this.colorSpace=e.colorSpace,this.renderTarget=e.renderTarget,this.isRenderTargetTexture=e.isRenderTargetTexture,this.isPMREMTexture=e.isPMREMTexture,this.isArrayTexture=e.isArrayTexture,this.userData=JSON.parse(JSON.stringify(e.userData)),this.needsUpdate=!0,this}setValues(e){for(let t in e){let n=e[t];if(n===void 0){Ae(`Texture.setValues(): parameter '${t}' has value of undefined.`);continue}let i=this[t];if(i===void 0){Ae(`Texture.setValues(): property '${t}' does not exist.`);continue}i&&n&&i.isVector2&&n.isVector2||i&&n&&i.isVector3&&n.isVector3||i&&n&&i.isMatrix3&&n.isMatrix3?i.copy(n):this[t]=n}}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(e){if(this.mapping!==Ah)return e;if(e.applyMatrix3(this.matrix),e.x<0||e.x>1)switch(this.wrapS){case Hi:e.x=e.x-Math.floor(e.x);break;case Fn:e.x=e.x<0?0:1;break;case Ws:Math.abs(Math.floor(e.x)%2)===1?e.x=Math.ceil(e.x)-e.x:e.x=e.x-Math.floor(e.x);break}if(e.y<0||e.y>1)switch(this.wrapT){case Hi:e.y=e.y-Math.floor(e.y);break;case Fn:e.y=e.y<0?0:1;break;case Ws:Math.abs(Math.floor(e.y)%2)===1?e.y=Math.ceil(e.y)-e.y:e.y=e.y-Math.floor(e.y);break}return this.flipY&&(e.y=1-e.y),e}set needsUpdate(e){e===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(e){e===!0&&this.pmremVersion++}};Tt.DEFAULT_IMAGE=null;Tt.DEFAULT_MAPPING=Ah;Tt.DEFAULT_ANISOTROPY=1;var lt=class{static{this.prototype.isVector4=!0}constructor(e=0,t=0,n=0,i=1){this.x=e,this.y=t,this.z=n,this.w=i}get width(){return this.z}set width(e){this.z=e}get height(){return this.w}set height(e){this.w=e}set(e,t,n,i){return this.x=e,this.y=t,this.z=n,this.w=i,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this.w=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setW(e){return this.w=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;case 3:this.w=t;break;default:throw new Error("THREE.Vector4: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this.w=e.w!==void 0?e.w:1,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this.w+=e.w,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this.w+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this.w=e.w+t.w,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this.w+=e.w*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this.w-=e.w,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this.w-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this.w=e.w-t.w,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this.w*=e.w,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this.w*=e,this}applyMatrix4(e){let t=this.x,n=this.y,i=this.z,r=this.w,o=e.elements;return this.x=o[0]*t+o[4]*n+o[8]*i+o[12]*r,this.y=o[1]*t+o[5]*n+o[9]*i+o[13]*r,this.z=o[2]*t+o[6]*n+o[10]*i+o[14]*r,this.w=o[3]*t+o[7]*n+o[11]*i+o[15]*r,this}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this.w/=e.w,this}divideScalar(e){return this.multiplyScalar(1/e)}setAxisAngleFromQuaternion(e){this.w=2*Math.acos(e.w);let t=Math.sqrt(1-e.w*e.w);return t<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=e.x/t,this.y=e.y/t,this.z=e.z/t),this}setAxisAngleFromRotationMatrix(e){let t,n,i,r,c=e.elements,l=c[0],h=c[4],d=c[8],u=c[1],f=c[5],g=c[9],M=c[2],m=c[6],p=c[10];if(Math.abs(h-u)<.01&&Math.abs(d-M)<.01&&Math.abs(g-m)<.01){if(Math.abs(h+u)<.1&&Math.abs(d+M)<.1&&Math.abs(g+m)<.1&&Math.abs(l+f+p-3)<.1)return this.set(1,0,0,0),this;t=Math.PI;let T=(l+1)/2,S=(f+1)/2,A=(p+1)/2,E=(h+u)/4,x=(d+M)/4,_=(g+m)/4;return T>S&&T>A?T<.01?(n=0,i=.707106781,r=.707106781):(n=Math.sqrt(T),i=E/n,r=x/n):S>A?S<.01?(n=.707106781,i=0,r=.707106781):(i=Math.sqrt(S),n=E/i,r=_/i):A<.01?(n=.707106781,i=.707106781,r=0):(r=Math.sqrt(A),n=x/r,i=_/r),this.set(n,i,r,t),this}let b=Math.sqrt((m-g)*(m-g)+(d-M)*(d-M)+(u-h)*(u-h));return Math.abs(b)<.001&&(b=1),this.x=(m-g)/b,this.y=(d-M)/b,this.z=(u-h)/b,this.w=Math.acos((l+f+p-1)/2),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this.w=t[15],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this.w=Math.min(this.w,e.w),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this.w=Math.max(this.w,e.w),this}clamp(e,t){return this.x=$e(this.x,e.x,t.x),this.y=$e(this.y,e.y,t.y),this.z=$e(this.z,e.z,t.z),this.w=$e(this.w,e.w,t.w),this}clampScalar(e,t){return this.x=$e(this.x,e,t),this.y=$e(this.y,e,t),this.z=$e(this.z,e,t),this.w=$e(this.w,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar($e(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z+this.w*e.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this.w+=(e.w-this.w)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this.w=e.w+(t.w-e.w)*n,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z&&e.w===this.w}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this.w=e[t+3],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e[t+3]=this.w,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this.w=e.getW(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},Sa=class extends si{constructor(e=1,t=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:Lt,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=e,this.height=t,this.depth=n.depth,this.scissor=new lt(0,0,e,t),this.scissorTest=!1,this.viewport=new lt(0,0,e,t),this.textures=[];let i=n.count;for(let r=0;r<i;r++)this.textures[r]=new Tt({width:e,height:t,depth:n.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this.Se(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this.we=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}Se(e={}){let t={minFilter:Lt,generateMipmaps:!1,flipY:!1,internalFormat:null};e.mapping!==void 0&&(t.mapping=e.mapping),e.wrapS!==void 0&&(t.wrapS=e.wrapS),e.wrapT!==void 0&&(t.wrapT=e.wrapT),e.wrapR!==void 0&&(t.wrapR=e.wrapR),e.magFilter!==void 0&&(t.magFilter=e.magFilter),e.minFilter!==void 0&&(t.minFilter=e.minFilter),e.format!==void 0&&(t.format=e.format),e.type!==void 0&&(t.type=e.type),e.anisotropy!==void 0&&(t.anisotropy=e.anisotropy),e.colorSpace!==void 0&&(t.colorSpace=e.colorSpace),e.flipY!==void 0&&(t.flipY=e.flipY),e.generateMipmaps!==void 0&&(t.generateMipmaps=e.generateMipmaps),e.mipmapsAutoUpdate!==void 0&&(t.mipmapsAutoUpdate=e.mipmapsAutoUpdate),e.internalFormat!==void 0&&(t.internalFormat=e.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(t)}get texture(){return this.textures[0]}set texture(e){this.textures[0]=e}set depthTexture(e){this.we!==null&&this.we.renderTarget===this&&(this.we.renderTarget=null),e!==null&&e.renderTarget===null&&(e.renderTarget=this),this.we=e}get depthTexture(){return this.we}setSize(e,t,n=1){if(this.width!==e||this.height!==t||this.depth!==n){this.width=e,this.height=t,this.depth=n;for(let i=0,r=this.textures.length;i<r;i++)this.textures[i].image.width=e,this.textures[i].image.height=t,this.textures[i].image.depth=n,this.textures[i].isData3DTexture!==!0&&(this.textures[i].isArrayTexture=this.textures[i].image.depth>1);this.dispose()}this.viewport.set(0,0,e,t),this.scissor.set(0,0,e,t)}clone(){return new this.constructor().copy(this)}copy(e){this.width=e.width,this.height=e.height,this.depth=e.depth,this.scissor.copy(e.scissor),this.scissorTest=e.scissorTest,this.viewport.copy(e.viewport),this.textures.length=0;for(let t=0,n=e.textures.length;t<n;t++){this.textures[t]=e.textures[t].clone(),this.textures[t].isRenderTargetTexture=!0,this.textures[t].renderTarget=this;let i=Object.assign({},e.textures[t].image);this.textures[t].source=new qs(i)}if(this.depthBuffer=e.depthBuffer,this.stencilBuffer=e.stencilBuffer,this.resolveColorBuffer=e.resolveColorBuffer,this.resolveDepthBuffer=e.resolveDepthBuffer,this.resolveStencilBuffer=e.resolveStencilBuffer,this.storeMultisampledColorBuffer=e.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=e.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=e.storeMultisampledStencilBuffer,e.depthTexture!==null)if(e.depthTexture.renderTarget===e){let t=e.depthTexture.clone();t.renderTarget=null,this.depthTexture=t}else this.depthTexture=e.depthTexture;else this.depthTexture=null;return this.samples=e.samples,this.multiview=e.multiview,this.useArrayDepthTexture=e.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}},cn=class extends Sa{constructor(e=1,t=1,n={}){super(e,t,n),this.isWebGLRenderTarget=!0}},Ur=class extends Tt{constructor(e=null,t=1,n=1,i=1){super(null),this.isDataArrayTexture=!0,this.image={data:e,width:t,height:n,depth:i},this.magFilter=At,this.minFilter=At,this.wrapR=Fn,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}addLayerUpdate(e){this.layerUpdates.add(e)}clearLayerUpdates(){this.layerUpdates.clear()}};var wa=class extends Tt{constructor(e=null,t=1,n=1,i=1){super(null),this.isData3DTexture=!0,this.image={data:e,width:t,height:n,depth:i},this.magFilter=At,this.minFilter=At,this.wrapR=Fn,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}};var ke=class s{static{this.prototype.isMatrix4=!0}constructor(e,t,n,i,r,o,a,c,l,h,d,u,f,g,M,m){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],e!==void 0&&this.set(e,t,n,i,r,o,a,c,l,h,d,u,f,g,M,m)}set(e,t,n,i,r,o,a,c,l,h,d,u,f,g,M,m){let p=this.elements;return p[0]=e,p[4]=t,p[8]=n,p[12]=i,p[1]=r,p[5]=o,p[9]=a,p[13]=c,p[2]=l,p[6]=h,p[10]=d,p[14]=u,p[3]=f,p[7]=g,p[11]=M,p[15]=m,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new s().fromArray(this.elements)}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],t[9]=n[9],t[10]=n[10],t[11]=n[11],t[12]=n[12],t[13]=n[13],t[14]=n[14],t[15]=n[15],this}copyPosition(e){let t=this.elements,n=e.elements;return t[12]=n[12],t[13]=n[13],t[14]=n[14],this}setFromMatrix3(e){let t=e.elements;return this.set(t[0],t[3],t[6],0,t[1],t[4],t[7],0,t[2],t[5],t[8],0,0,0,0,1),this}extractBasis(e,t,n){return this.determinantAffine()===0?(e.set(1,0,0),t.set(0,1,0),n.set(0,0,1),this):(e.setFromMatrixColumn(this,0),t.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(e,t,n){return this.set(e.x,t.x,n.x,0,e.y,t.y,n.y,0,e.z,t.z,n.z,0,0,0,0,1),this}extractRotation(e){if(e.determinantAffine()===0)return this.identity();let t=this.elements,n=e.elements,i=1/Ps.setFromMatrixColumn(e,0).length(),r=1/Ps.setFromMatrixColumn(e,1).length(),o=1/Ps.setFromMatrixColumn(e,2).length();return t[0]=n[0]*i,t[1]=n[1]*i,t[2]=n[2]*i,t[3]=0,t[4]=n[4]*r,t[5]=n[5]*r,t[6]=n[6]*r,t[7]=0,t[8]=n[8]*o,t[9]=n[9]*o,t[10]=n[10]*o,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromEuler(e){let t=this.elements,n=e.x,i=e.y,r=e.z,o=Math.cos(n),a=Math.sin(n),c=Math.cos(i),l=Math.sin(i),h=Math.cos(r),d=Math.sin(r);if(e.order==="XYZ"){let u=o*h,f=o*d,g=a*h,M=a*d;t[0]=c*h,t[4]=-c*d,t[8]=l,t[1]=f+g*l,t[5]=u-M*l,t[9]=-a*c,t[2]=M-u*l,t[6]=g+f*l,t[10]=o*c}else if(e.order==="YXZ"){let u=c*h,f=c*d,g=l*h,M=l*d;t[0]=u+M*a,t[4]=g*a-f,t[8]=o*l,t[1]=o*d,t[5]=o*h,t[9]=-a,t[2]=f*a-g,t[6]=M+u*a,t[10]=o*c}else if(e.order==="ZXY"){let u=c*h,f=c*d,g=l*h,M=l*d;t[0]=u-M*a,t[4]=-o*d,t[8]=g+f*a,t[1]=f+g*a,t[5]=o*h,t[9]=M-u*a,t[2]=-o*l,t[6]=a,t[10]=o*c}else if(e.order==="ZYX"){let u=o*h,f=o*d,g=a*h,M=a*d;t[0]=c*h,t[4]=g*l-f,t[8]=u*l+M,t[1]=c*d,t[5]=M*l+u,t[9]=f*l-g,t[2]=-l,t[6]=a*c,t[10]=o*c}else if(e.order==="YZX"){let u=o*c,f=o*l,g=a*c,M=a*l;t[0]=c*h,t[4]=M-u*d,t[8]=g*d+f,t[1]=d,t[5]=o*h,t[9]=-a*h,t[2]=-l*h,t[6]=f*d+g,t[10]=u-M*d}else if(e.order==="XZY"){let u=o*c,f=o*l,g=a*c,M=a*l;t[0]=c*h,t[4]=-d,t[8]=l*h,t[1]=u*d+M,t[5]=o*h,t[9]=f*d-g,t[2]=g*d-f,t[6]=a*h,t[10]=M*d+u}return t[3]=0,t[7]=0,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromQuaternion(e){return this.compose(Cg,e,Pg)}lookAt(e,t,n){let i=this.elements;return wn.subVectors(e,t),wn.lengthSq()===0&&(wn.z=1),wn.normalize(),Bi.crossVectors(n,wn),Bi.lengthSq()===0&&(Math.abs(n.z)===1?wn.x+=1e-4:wn.z+=1e-4,wn.normalize(),Bi.crossVectors(n,wn)),Bi.normalize(),Go.crossVectors(wn,Bi),i[0]=Bi.x,i[4]=Go.x,i[8]=wn.x,i[1]=Bi.y,i[5]=Go.y,i[9]=wn.y,i[2]=Bi.z,i[6]=Go.z,i[10]=wn.z,this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,i=t.elements,r=this.elements,o=n[0],a=n[4],c=n[8],l=n[12],h=n[1],d=n[5],u=n[9],f=n[13],g=n[2],M=n[6],m=n[10],p=n[14],b=n[3],T=n[7],S=n[11],A=n[15],E=i[0],x=i[4],_=i[8],U=i[12],I=i[1],N=i[5],O=i[9],H=i[13],C=i[2],G=i[6],q=i[10],z=i[14],ne=i[3],X=i[7],J=i[11],ee=i[15];return r[0]=o*E+a*I+c*C+l*ne,r[4]=o*x+a*N+c*G+l*X,r[8]=o*_+a*O+c*q+l*J,r[12]=o*U+a*H+c*z+l*ee,r[1]=h*E+d*I+u*C+f*ne,r[5]=h*x+d*N+u*G+f*X,r[9]=h*_+d*O+u*q+f*J,r[13]=h*U+d*H+u*z+f*ee,r[2]=g*E+M*I+m*C+p*ne,r[6]=g*x+M*N+m*G+p*X,r[10]=g*_+M*O+m*q+p*J,r[14]=g*U+M*H+m*z+p*ee,r[3]=b*E+T*I+S*C+A*ne,r[7]=b*x+T*N+S*G+A*X,r[11]=b*_+T*O+S*q+A*J,r[15]=b*U+T*H+S*z+A*ee,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[4]*=e,t[8]*=e,t[12]*=e,t[1]*=e,t[5]*=e,t[9]*=e,t[13]*=e,t[2]*=e,t[6]*=e,t[10]*=e,t[14]*=e,t[3]*=e,t[7]*=e,t[11]*=e,t[15]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[4],i=e[8],r=e[12],o=e[1],a=e[5],c=e[9],l=e[13],h=e[2],d=e[6],u=e[10],f=e[14],g=e[3],M=e[7],m=e[11],p=e[15],b=c*f-l*u,T=a*f-l*d,S=a*u-c*d,A=o*f-l*h,E=o*u-c*h,x=o*d-a*h;return t*(M*b-m*T+p*S)-n*(g*b-m*A+p*E)+i*(g*T-M*A+p*x)-r*(g*S-M*E+m*x)}determinantAffine(){let e=this.elements,t=e[0],n=e[4],i=e[8],r=e[1],o=e[5],a=e[9],c=e[2],l=e[6],h=e[10];return t*(o*h-a*l)-n*(r*h-a*c)+i*(r*l-o*c)}transpose(){let e=this.elements,t;return t=e[1],e[1]=e[4],e[4]=t,t=e[2],e[2]=e[8],e[8]=t,t=e[6],e[6]=e[9],e[9]=t,t=e[3],e[3]=e[12],e[12]=t,t=e[7],e[7]=e[13],e[13]=t,t=e[11],e[11]=e[14],e[14]=t,this}setPosition(e,t,n){let i=this.elements;return e.isVector3?(i[12]=e.x,i[13]=e.y,i[14]=e.z):(i[12]=e,i[13]=t,i[14]=n),this}invert(){let e=this.elements,t=e[0],n=e[1],i=e[2],r=e[3],o=e[4],a=e[5],c=e[6],l=e[7],h=e[8],d=e[9],u=e[10],f=e[11],g=e[12],M=e[13],m=e[14],p=e[15],b=t*a-n*o,T=t*c-i*o,S=t*l-r*o,A=n*c-i*a,E=n*l-r*a,x=i*l-r*c,_=h*M-d*g,U=h*m-u*g,I=h*p-f*g,N=d*m-u*M,O=d*p-f*M,H=u*p-f*m,C=b*H-T*O+S*N+A*I-E*U+x*_;if(C===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let G=1/C;return e[0]=(a*H-c*O+l*N)*G,e[1]=(i*O-n*H-r*N)*G,e[2]=(M*x-m*E+p*A)*G,e[3]=(u*E-d*x-f*A)*G,e[4]=(c*I-o*H-l*U)*G,e[5]=(t*H-i*I+r*U)*G,e[6]=(m*S-g*x-p*T)*G,e[7]=(h*x-u*S+f*T)*G,e[8]=(o*O-a*I+l*_)*G,e[9]=(n*I-t*O-r*_)*G,e[10]=(g*E-M*S+p*b)*G,e[11]=(d*S-h*E-f*b)*G,e[12]=(a*U-o*N-c*_)*G,e[13]=(t*N-n*U+i*_)*G,e[14]=(M*T-g*A-m*b)*G,e[15]=(h*A-d*T+u*b)*G,this}scale(e){let t=this.elements,n=e.x,i=e.y,r=e.z;return t[0]*=n,t[4]*=i,t[8]*=r,t[1]*=n,t[5]*=i,t[9]*=r,t[2]*=n,t[6]*=i,t[10]*=r,t[3]*=n,t[7]*=i,t[11]*=r,this}getMaxScaleOnAxis(){let e=this.elements,t=e[0]*e[0]+e[1]*e[1]+e[2]*e[2],n=e[4]*e[4]+e[5]*e[5]+e[6]*e[6],i=e[8]*e[8]+e[9]*e[9]+e[10]*e[10];return Math.sqrt(Math.max(t,n,i))}makeTranslation(e,t,n){return e.isVector3?this.set(1,0,0,e.x,0,1,0,e.y,0,0,1,e.z,0,0,0,1):this.set(1,0,0,e,0,1,0,t,0,0,1,n,0,0,0,1),this}makeRotationX(e){let t=Math.cos(e),n=Math.sin(e);return this.set(1,0,0,0,0,t,-n,0,0,n,t,0,0,0,0,1),this}makeRotationY(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,0,n,0,0,1,0,0,-n,0,t,0,0,0,0,1),this}makeRotationZ(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,0,n,t,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(e,t){let n=Math.cos(t),i=Math.sin(t),r=1-n,o=e.x,a=e.y,c=e.z,l=r*o,h=r*a;return this.set(l*o+n,l*a-i*c,l*c+i*a,0,l*a+i*c,h*a+n,h*c-i*o,0,l*c-i*a,h*c+i*o,r*c*c+n,0,0,0,0,1),this}makeScale(e,t,n){return this.set(e,0,0,0,0,t,0,0,0,0,n,0,0,0,0,1),this}makeShear(e,t,n,i,r,o){return this.set(1,n,r,0,e,1,o,0,t,i,1,0,0,0,0,1),this}compose(e,t,n){let i=this.elements,r=t.e,o=t.o,a=t.u,c=t.M,l=r+r,h=o+o,d=a+a,u=r*l,f=r*h,g=r*d,M=o*h,m=o*d,p=a*d,b=c*l,T=c*h,S=c*d,A=n.x,E=n.y,x=n.z;return i[0]=(1-(M+p))*A,i[1]=(f+S)*A,i[2]=(g-T)*A,i[3]=0,i[4]=(f-S)*E,i[5]=(1-(u+p))*E,i[6]=(m+b)*E,i[7]=0,i[8]=(g+T)*x,i[9]=(m-b)*x,i[10]=(1-(u+M))*x,i[11]=0,i[12]=e.x,i[13]=e.y,i[14]=e.z,i[15]=1,this}decompose(e,t,n){let i=this.elements;e.x=i[12],e.y=i[13],e.z=i[14];let r=this.determinantAffine();if(r===0)return n.set(1,1,1),t.identity(),this;let o=Ps.set(i[0],i[1],i[2]).length(),a=Ps.set(i[4],i[5],i[6]).length(),c=Ps.set(i[8],i[9],i[10]).length();r<0&&(o=-o),Hn.copy(this);let l=1/o,h=1/a,d=1/c;return Hn.elements[0]*=l,Hn.elements[1]*=l,Hn.elements[2]*=l,Hn.elements[4]*=h,Hn.elements[5]*=h,Hn.elements[6]*=h,Hn.elements[8]*=d,Hn.elements[9]*=d,Hn.elements[10]*=d,t.setFromRotationMatrix(Hn),n.x=o,n.y=a,n.z=c,this}makePerspective(e,t,n,i,r,o,a=qn,c=!1){let l=this.elements,h=2*r/(t-e),d=2*r/(n-i),u=(t+e)/(t-e),f=(n+i)/(n-i),g,M;if(c)g=r/(o-r),M=o*r/(o-r);else if(a===qn)g=-(o+r)/(o-r),M=-2*o*r/(o-r);else if(a===Nr)g=-o/(o-r),M=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return l[0]=h,l[4]=0,l[8]=u,l[12]=0,l[1]=0,l[5]=d,l[9]=f,l[13]=0,l[2]=0,l[6]=0,l[10]=g,l[14]=M,l[3]=0,l[7]=0,l[11]=-1,l[15]=0,this}makeOrthographic(e,t,n,i,r,o,a=qn,c=!1){let l=this.elements,h=2/(t-e),d=2/(n-i),u=-(t+e)/(t-e),f=-(n+i)/(n-i),g,M;if(c)g=1/(o-r),M=o/(o-r);else if(a===qn)g=-2/(o-r),M=-(o+r)/(o-r);else if(a===Nr)g=-1/(o-r),M=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return l[0]=h,l[4]=0,l[8]=0,l[12]=u,l[1]=0,l[5]=d,l[9]=0,l[13]=f,l[2]=0,l[6]=0,l[10]=g,l[14]=M,l[3]=0,l[7]=0,l[11]=0,l[15]=1,this}equals(e){let t=this.elements,n=e.elements;for(let i=0;i<16;i++)if(t[i]!==n[i])return!1;return!0}fromArray(e,t=0){for(let n=0;n<16;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e[t+9]=n[9],e[t+10]=n[10],e[t+11]=n[11],e[t+12]=n[12],e[t+13]=n[13],e[t+14]=n[14],e[t+15]=n[15],e}},Ps=new L,Hn=new ke,Cg=new L(0,0,0),Pg=new L(1,1,1),Bi=new L,Go=new L,wn=new L,kd=new ke,Vd=new Dt,_i=class s{constructor(e=0,t=0,n=0,i=s.DEFAULT_ORDER){this.isEuler=!0,this.e=e,this.o=t,this.u=n,this.I=i}get x(){return this.e}set x(e){this.e=e,this.A()}get y(){return this.o}set y(e){this.o=e,this.A()}get z(){return this.u}set z(e){this.u=e,this.A()}get order(){return this.I}set order(e){this.I=e,this.A()}set(e,t,n,i=this.I){return this.e=e,this.o=t,this.u=n,this.I=i,this.A(),this}clone(){return new this.constructor(this.e,this.o,this.u,this.I)}copy(e){return this.e=e.e,this.o=e.o,this.u=e.u,this.I=e.I,this.A(),this}setFromRotationMatrix(e,t=this.I,n=!0){let i=e.elements,r=i[0],o=i[4],a=i[8],c=i[1],l=i[5],h=i[9],d=i[2],u=i[6],f=i[10];switch(t){case"XYZ":this.o=Math.asin($e(a,-1,1)),Math.abs(a)<.9999999?(this.e=Math.atan2(-h,f),this.u=Math.atan2(-o,r)):(this.e=Math.atan2(u,l),this.u=0);break;case"YXZ":this.e=Math.asin(-$e(h,-1,1)),Math.abs(h)<.9999999?(this.o=Math.atan2(a,f),this.u=Math.atan2(c,l)):(this.o=Math.atan2(-d,r),this.u=0);break;case"ZXY":this.e=Math.asin($e(u,-1,1)),Math.abs(u)<.9999999?(this.o=Math.atan2(-d,f),this.u=Math.atan2(-o,l)):(this.o=0,this.u=Math.atan2(c,r));break;case"ZYX":this.o=Math.asin(-$e(d,-1,1)),Math.abs(d)<.9999999?(this.e=Math.atan2(u,f),this.u=Math.atan2(c,r)):(this.e=0,this.u=Math.atan2(-o,l));break;case"YZX":this.u=Math.asin($e(c,-1,1)),Math.abs(c)<.9999999?(this.e=Math.atan2(-h,l),this.o=Math.atan2(-d,r)):(this.e=0,this.o=Math.atan2(a,f));break;case"XZY":this.u=Math.asin(-$e(o,-1,1)),Math.abs(o)<.9999999?(this.e=Math.atan2(u,l),this.o=Math.atan2(a,r)):(this.e=Math.atan2(-h,f),this.o=0);break;default:Ae("Euler: .setFromRotationMatrix() encountered an unknown order: "+t)}return this.I=t,n===!0&&this.A(),this}setFromQuaternion(e,t,n){return kd.makeRotationFromQuaternion(e),this.setFromRotationMatrix(kd,t,n)}setFromVector3(e,t=this.I){return this.set(e.x,e.y,e.z,t)}reorder(e){return Vd.setFromEuler(this),this.setFromQuaternion(Vd,e)}equals(e){return e.e===this.e&&e.o===this.o&&e.u===this.u&&e.I===this.I}fromArray(e){return this.e=e[0],this.o=e[1],this.u=e[2],e[3]!==void 0&&(this.I=e[3]),this.A(),this}toArray(e=[],t=0){return e[t]=this.e,e[t+1]=this.o,e[t+2]=this.u,e[t+3]=this.I,e}et(e){return this.A=e,this}A(){}*[Symbol.iterator](){yield this.e,yield this.o,yield this.u,yield this.I}};_i.DEFAULT_ORDER="XYZ";var js=class{constructor(){this.mask=1}set(e){this.mask=(1<<e|0)>>>0}enable(e){this.mask|=1<<e|0}enableAll(){this.mask=-1}toggle(e){this.mask^=1<<e|0}disable(e){this.mask&=~(1<<e|0)}disableAll(){this.mask=0}test(e){return(this.mask&e.mask)!==0}isEnabled(e){return(this.mask&(1<<e|0))!==0}},Ig=0,zd=new L,Is=new Dt,mi=new ke,Ho=new L,Sr=new L,Lg=new L,Dg=new Dt,Gd=new L(1,0,0),Hd=new L(0,1,0),Wd=new L(0,0,1),Xd={type:"added"},Ng={type:"removed"},Ls={type:"childadded",child:null},Ul={type:"childremoved",child:null},gt=class s extends si{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:Ig++}),this.uuid=ci(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=s.DEFAULT_UP.clone();let e=new L,t=new _i,n=new Dt,i=new L(1,1,1);function r(){n.setFromEuler(t,!1)}function o(){t.setFromQuaternion(n,void 0,!1)}t.et(r),n.et(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:e},rotation:{configurable:!0,enumerable:!0,value:t},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:i},modelViewMatrix:{value:new ke},normalMatrix:{value:new Ue}}),this.matrix=new ke,this.matrixWorld=new ke,this.matrixAutoUpdate=s.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=s.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new js,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(e){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(e),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(e){return this.quaternion.premultiply(e),this}setRotationFromAxisAngle(e,t){this.quaternion.setFromAxisAngle(e,t)}setRotationFromEuler(e){this.quaternion.setFromEuler(e,!0)}setRotationFromMatrix(e){this.quaternion.setFromRotationMatrix(e)}setRotationFromQuaternion(e){this.quaternion.copy(e)}rotateOnAxis(e,t){return Is.setFromAxisAngle(e,t),this.quaternion.multiply(Is),this}rotateOnWorldAxis(e,t){return Is.setFromAxisAngle(e,t),this.quaternion.premultiply(Is),this}rotateX(e){return this.rotateOnAxis(Gd,e)}rotateY(e){return this.rotateOnAxis(Hd,e)}rotateZ(e){return this.rotateOnAxis(Wd,e)}translateOnAxis(e,t){return zd.copy(e).applyQuaternion(this.quaternion),this.position.add(zd.multiplyScalar(t)),this}translateX(e){return this.translateOnAxis(Gd,e)}translateY(e){return this.translateOnAxis(Hd,e)}translateZ(e){return this.translateOnAxis(Wd,e)}localToWorld(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(this.matrixWorld)}worldToLocal(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(mi.copy(this.matrixWorld).invert())}lookAt(e,t,n){e.isVector3?Ho.copy(e):Ho.set(e,t,n);let i=this.parent;this.updateWorldMatrix(!0,!1),Sr.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?mi.lookAt(Sr,Ho,this.up):mi.lookAt(Ho,Sr,this.up),this.quaternion.setFromRotationMatrix(mi),i&&(mi.extractRotation(i.matrixWorld),Is.setFromRotationMatrix(mi),this.quaternion.premultiply(Is.invert()))}add(e){if(arguments.length>1){for(let t=0;t<arguments.length;t++)this.add(arguments[t]);return this}return e===this?(Le("Object3D.add: object can't be added as a child of itself.",e),this):(e&&e.isObject3D?(e.removeFromParent(),e.parent=this,this.children.push(e),e.dispatchEvent(Xd),Ls.child=e,this.dispatchEvent(Ls),Ls.child=null):Le("Object3D.add: object not an instance of THREE.Object3D.",e),this)}remove(e){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}let t=this.children.indexOf(e);return t!==-1&&(e.parent=null,this.children.splice(t,1),e.dispatchEvent(Ng),Ul.child=e,this.dispatchEvent(Ul),Ul.child=null),this}removeFromParent(){let e=this.parent;return e!==null&&e.remove(this),this}clear(){return this.remove(...this.children)}attach(e){return this.updateWorldMatrix(!0,!1),mi.copy(this.matrixWorld).invert(),e.parent!==null&&(e.parent.updateWorldMatrix(!0,!1),mi.multiply(e.parent.matrixWorld)),e.applyMatrix4(mi),e.removeFromParent(),e.parent=this,this.children.push(e),e.updateWorldMatrix(!1,!0),e.dispatchEvent(Xd),Ls.child=e,this.dispatchEvent(Ls),Ls.child=null,this}getObjectById(e){return this.getObjectByProperty("id",e)}getObjectByName(e){return this.getObjectByProperty("name",e)}getObjectByProperty(e,t){if(this[e]===t)return this;for(let n=0,i=this.children.length;n<i;n++){let o=this.children[n].getObjectByProperty(e,t);if(o!==void 0)return o}}getObjectsByProperty(e,t,n=[]){this[e]===t&&n.push(this);let i=this.children;for(let r=0,o=i.length;r<o;r++)i[r].getObjectsByProperty(e,t,n);return n}getWorldPosition(e){return this.updateWorldMatrix(!0,!1),e.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Sr,e,Lg),e}getWorldScale(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Sr,Dg,e),e}getWorldDirection(e){this.updateWorldMatrix(!0,!1);let t=this.matrixWorld.elements;return e.set(t[8],t[9],t[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(e){e(this);let t=this.children;for(let n=0,i=t.length;n<i;n++)t[n].traverse(e)}traverseVisible(e){if(this.visible===!1)return;e(this);let t=this.children;for(let n=0,i=t.length;n<i;n++)t[n].traverseVisible(e)}traverseAncestors(e){let t=this.parent;t!==null&&(e(t),t.traverseAncestors(e))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let e=this.pivot;if(e!==null){let t=e.x,n=e.y,i=e.z,r=this.matrix.elements;r[12]+=t-r[0]*t-r[4]*n-r[8]*i,r[13]+=n-r[1]*t-r[5]*n-r[9]*i,r[14]+=i-r[2]*t-r[6]*n-r[10]*i}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(e){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||e)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,e=!0);let t=this.children;for(let n=0,i=t.length;n<i;n++)t[n].updateMatrixWorld(e)}updateWorldMatrix(e,t,n=!1){let i=this.parent;if(e===!0&&i!==null&&i.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),t===!0){let r=this.children;for(let o=0,a=r.length;o<a;o++)r[o].updateWorldMatrix(!1,!0,n)}}clone(e){return new this.constructor().copy(this,e)}copy(e,t=!0){if(this.name=e.name,this.up.copy(e.up),this.position.copy(e.position),this.rotation.order=e.rotation.order,this.quaternion.copy(e.quaternion),this.scale.copy(e.scale),this.pivot=e.pivot!==null?e.pivot.clone():null,this.matrix.copy(e.matrix),this.matrixWorld.copy(e.matrixWorld),this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrixWorldAutoUpdate=e.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=e.matrixWorldNeedsUpdate,this.layers.mask=e.layers.mask,this.visible=e.visible,this.castShadow=e.castShadow,this.receiveShadow=e.receiveShadow,this.frustumCulled=e.frustumCulled,this.renderOrder=e.renderOrder,this.static=e.static,this.animations=e.animations.slice(),this.userData=JSON.parse(JSON.stringify(e.userData)),t===!0)for(let n=0;n<e.children.length;n++){let i=e.children[n];this.add(i.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}};gt.DEFAULT_UP=new L(0,1,0);gt.DEFAULT_MATRIX_AUTO_UPDATE=!0;gt.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var jt=class extends gt{constructor(){super(),this.isGroup=!0,this.type="Group"}},Ug={type:"move"},Ys=class{constructor(){this.U=null,this.L=null,this.k=null}getHandSpace(){return this.k===null&&(this.k=new jt,this.k.matrixAutoUpdate=!1,this.k.visible=!1,this.k.joints={},this.k.inputState={pinching:!1}),this.k}getTargetRaySpace(){return this.U===null&&(this.U=new jt,this.U.matrixAutoUpdate=!1,this.U.visible=!1,this.U.hasLinearVelocity=!1,this.U.linearVelocity=new L,this.U.hasAngularVelocity=!1,this.U.angularVelocity=new L),this.U}getGripSpace(){return this.L===null&&(this.L=new jt,this.L.matrixAutoUpdate=!1,this.L.visible=!1,this.L.hasLinearVelocity=!1,this.L.linearVelocity=new L,this.L.hasAngularVelocity=!1,this.L.angularVelocity=new L,this.L.eventsEnabled=!1),this.L}dispatchEvent(e){return this.U!==null&&this.U.dispatchEvent(e),this.L!==null&&this.L.dispatchEvent(e),this.k!==null&&this.k.dispatchEvent(e),this}connect(e){if(e&&e.hand){let t=this.k;if(t)for(let n of e.hand.values())this.Ut(t,n)}return this.dispatchEvent({type:"connected",data:e}),this}disconnect(e){return this.dispatchEvent({type:"disconnected",data:e}),this.U!==null&&(this.U.visible=!1),this.L!==null&&(this.L.visible=!1),this.k!==null&&(this.k.visible=!1),this}update(e,t,n){let i=null,r=null,o=null,a=this.U,c=this.L,l=this.k;if(e&&t.session.visibilityState!=="visible-blurred"){if(l&&e.hand){o=!0;for(let M of e.hand.values()){let m=t.getJointPose(M,n),p=this.Ut(l,M);m!==null&&(p.matrix.fromArray(m.transform.matrix),p.matrix.decompose(p.position,p.quaternion,p.scale),p.matrixWorldNeedsUpdate=!0,p.jointRadius=m.radius),p.visible=m!==null}let h=l.joints["index-finger-tip"],d=l.joints["thumb-tip"],u=h.position.distanceTo(d.position),f=.02,g=.005;l.inputState.pinching&&u>f+g?(l.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:e.handedness,target:this})):!l.inputState.pinching&&u<=f-g&&(l.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:e.handedness,target:this}))}else c!==null&&e.gripSpace&&(r=t.getPose(e.gripSpace,n),r!==null&&(c.matrix.fromArray(r.transform.matrix),c.matrix.decompose(c.position,c.quaternion,c.scale),c.matrixWorldNeedsUpdate=!0,r.linearVelocity?(c.hasLinearVelocity=!0,c.linearVelocity.copy(r.linearVelocity)):c.hasLinearVelocity=!1,r.angularVelocity?(c.hasAngularVelocity=!0,c.angularVelocity.copy(r.angularVelocity)):c.hasAngularVelocity=!1,c.eventsEnabled&&c.dispatchEvent({type:"gripUpdated",data:e,target:this})));a!==null&&(i=t.getPose(e.targetRaySpace,n),i===null&&r!==null&&(i=r),i!==null&&(a.matrix.fromArray(i.transform.matrix),a.matrix.decompose(a.position,a.quaternion,a.scale),a.matrixWorldNeedsUpdate=!0,i.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(i.linearVelocity)):a.hasLinearVelocity=!1,i.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(i.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(Ug)))}return a!==null&&(a.visible=i!==null),c!==null&&(c.visible=r!==null),l!==null&&(l.visible=o!==null),this}Ut(e,t){if(e.joints[t.jointName]===void 0){let n=new jt;n.matrixAutoUpdate=!1,n.visible=!1,e.joints[t.jointName]=n,e.add(n)}return e.joints[t.jointName]}},rp={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},Oi={h:0,s:0,l:0},Wo={h:0,s:0,l:0};function Fl(s,e,t){return t<0&&(t+=1),t>1&&(t-=1),t<1/6?s+(e-s)*6*t:t<1/2?e:t<2/3?s+(e-s)*6*(2/3-t):s}var Re=class{constructor(e,t,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(e,t,n)}set(e,t,n){if(t===void 0&&n===void 0){let i=e;i&&i.isColor?this.copy(i):typeof i=="number"?this.setHex(i):typeof i=="string"&&this.setStyle(i)}else this.setRGB(e,t,n);return this}setScalar(e){return this.r=e,this.g=e,this.b=e,this}setHex(e,t=Et){return e=Math.floor(e),this.r=(e>>16&255)/255,this.g=(e>>8&255)/255,this.b=(e&255)/255,je.colorSpaceToWorking(this,t),this}setRGB(e,t,n,i=je.workingColorSpace){return this.r=e,this.g=t,this.b=n,je.colorSpaceToWorking(this,i),this}setHSL(e,t,n,i=je.workingColorSpace){if(e=kh(e,1),t=$e(t,0,1),n=$e(n,0,1),t===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+t):n+t-n*t,o=2*n-r;this.r=Fl(o,r,e+1/3),this.g=Fl(o,r,e),this.b=Fl(o,r,e-1/3)}return je.colorSpaceToWorking(this,i),this}setStyle(e,t=Et){function n(r){r!==void 0&&parseFloat(r)<1&&Ae("Color: Alpha component of "+e+" will be ignored.")}let i;if(i=/^(\w+)\(([^\)]*)\)/.exec(e)){let r,o=i[1],a=i[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,t);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,t);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,t);break;default:Ae("Color: Unknown color model "+e)}}else if(i=/^\#([A-Fa-f\d]+)$/.exec(e)){let r=i[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,t);if(o===6)return this.setHex(parseInt(r,16),t);Ae("Color: Invalid hex color "+e)}else if(e&&e.length>0)return this.setColorName(e,t);return this}setColorName(e,t=Et){let n=rp[e.toLowerCase()];return n!==void 0?this.setHex(n,t):Ae("Color: Unknown color "+e),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(e){return this.r=e.r,this.g=e.g,this.b=e.b,this}copySRGBToLinear(e){return this.r=zs(e.r),this.g=zs(e.g),this.b=zs(e.b),this}copyLinearToSRGB(e){return this.r=Gs(e.r),this.g=Gs(e.g),this.b=Gs(e.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(e=Et){return je.workingToColorSpace(on.copy(this),e),Math.round($e(on.r*255,0,255))*65536+Math.round($e(on.g*255,0,255))*256+Math.round($e(on.b*255,0,255))}getHexString(e=Et){return("000000"+this.getHex(e).toString(16)).slice(-6)}getHSL(e,t=je.workingColorSpace){je.workingToColorSpace(on.copy(this),t);let n=on.r,i=on.g,r=on.b,o=Math.max(n,i,r),a=Math.min(n,i,r),c,l,h=(a+o)/2;if(a===o)c=0,l=0;else{let d=o-a;switch(l=h<=.5?d/(o+a):d/(2-o-a),o){case n:c=(i-r)/d+(i<r?6:0);break;case i:c=(r-n)/d+2;break;case r:c=(n-i)/d+4;break}c/=6}return e.h=c,e.s=l,e.l=h,e}getRGB(e,t=je.workingColorSpace){return je.workingToColorSpace(on.copy(this),t),e.r=on.r,e.g=on.g,e.b=on.b,e}getStyle(e=Et){je.workingToColorSpace(on.copy(this),e);let t=on.r,n=on.g,i=on.b;return e!==Et?`color(${e} ${t.toFixed(3)} ${n.toFixed(3)} ${i.toFixed(3)})`:`rgb(${Math.round(t*255)},${Math.round(n*255)},${Math.round(i*255)})`}offsetHSL(e,t,n){return this.getHSL(Oi),this.setHSL(Oi.h+e,Oi.s+t,Oi.l+n)}add(e){return this.r+=e.r,this.g+=e.g,this.b+=e.b,this}addColors(e,t){return this.r=e.r+t.r,this.g=e.g+t.g,this.b=e.b+t.b,this}addScalar(e){return this.r+=e,this.g+=e,this.b+=e,this}sub(e){return this.r=Math.max(0,this.r-e.r),this.g=Math.max(0,this.g-e.g),this.b=Math.max(0,this.b-e.b),this}multiply(e){return this.r*=e.r,this.g*=e.g,this.b*=e.b,this}multiplyScalar(e){return this.r*=e,this.g*=e,this.b*=e,this}lerp(e,t){return this.r+=(e.r-this.r)*t,this.g+=(e.g-this.g)*t,this.b+=(e.b-this.b)*t,this}lerpColors(e,t,n){return this.r=e.r+(t.r-e.r)*n,this.g=e.g+(t.g-e.g)*n,this.b=e.b+(t.b-e.b)*n,this}lerpHSL(e,t){this.getHSL(Oi),e.getHSL(Wo);let n=Lr(Oi.h,Wo.h,t),i=Lr(Oi.s,Wo.s,t),r=Lr(Oi.l,Wo.l,t);return this.setHSL(n,i,r),this}setFromVector3(e){return this.r=e.x,this.g=e.y,this.b=e.z,this}applyMatrix3(e){let t=this.r,n=this.g,i=this.b,r=e.elements;return this.r=r[0]*t+r[3]*n+r[6]*i,this.g=r[1]*t+r[4]*n+r[7]*i,this.b=r[2]*t+r[5]*n+r[8]*i,this}equals(e){return e.r===this.r&&e.g===this.g&&e.b===this.b}fromArray(e,t=0){return this.r=e[t],this.g=e[t+1],this.b=e[t+2],this}toArray(e=[],t=0){return e[t]=this.r,e[t+1]=this.g,e[t+2]=this.b,e}fromBufferAttribute(e,t){return this.r=e.getX(t),this.g=e.getY(t),this.b=e.getZ(t),this}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},on=new Re;Re.NAMES=rp;var Fr=class s{constructor(e,t=25e-5){this.isFogExp2=!0,this.name="",this.color=new Re(e),this.density=t}clone(){return new s(this.color,this.density)}};var Br=class extends gt{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new _i,this.environmentIntensity=1,this.environmentRotation=new _i,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(e,t){return super.copy(e,t),this.background=e.background!==null?e.background.clone():null,this.environment=e.environment!==null?e.environment.clone():null,this.fog=e.fog!==null?e.fog.clone():null,this.backgroundBlurriness=e.backgroundBlurriness,this.backgroundIntensity=e.backgroundIntensity,this.backgroundRotation.copy(e.backgroundRotation),this.environmentIntensity=e.environmentIntensity,this.environmentRotation.copy(e.environmentRotation),this.overrideMaterial=e.overrideMaterial!==null?e.overrideMaterial.clone():null,this.matrixAutoUpdate=e.matrixAutoUpdate,this}},Wn=new L,gi=new L,Bl=new L,xi=new L,Ds=new L,Ns=new L,qd=new L,Ol=new L,kl=new L,Vl=new L,zl=new lt,Gl=new lt,Hl=new lt,Gi=class s{constructor(e=new L,t=new L,n=new L){this.a=e,this.b=t,this.c=n}static getNormal(e,t,n,i){i.subVectors(n,t),Wn.subVectors(e,t),i.cross(Wn);let r=i.lengthSq();return r>0?i.multiplyScalar(1/Math.sqrt(r)):i.set(0,0,0)}static getBarycoord(e,t,n,i,r){Wn.subVectors(i,t),gi.subVectors(n,t),Bl.subVectors(e,t);let o=Wn.dot(Wn),a=Wn.dot(gi),c=Wn.dot(Bl),l=gi.dot(gi),h=gi.dot(Bl),d=o*l-a*a;if(d===0)return r.set(0,0,0),null;let u=1/d,f=(l*c-a*h)*u,g=(o*h-a*c)*u;return r.set(1-f-g,g,f)}static containsPoint(e,t,n,i){return this.getBarycoord(e,t,n,i,xi)===null?!1:xi.x>=0&&xi.y>=0&&xi.x+xi.y<=1}static getInterpolation(e,t,n,i,r,o,a,c){return this.getBarycoord(e,t,n,i,xi)===null?(c.x=0,c.y=0,"z"in c&&(c.z=0),"w"in c&&(c.w=0),null):(c.setScalar(0),c.addScaledVector(r,xi.x),c.addScaledVector(o,xi.y),c.addScaledVector(a,xi.z),c)}static getInterpolatedAttribute(e,t,n,i,r,o){return zl.setScalar(0),Gl.setScalar(0),Hl.setScalar(0),zl.fromBufferAttribute(e,t),Gl.fromBufferAttribute(e,n),Hl.fromBufferAttribute(e,i),o.setScalar(0),o.addScaledVector(zl,r.x),o.addScaledVector(Gl,r.y),o.addScaledVector(Hl,r.z),o}static isFrontFacing(e,t,n,i){return Wn.subVectors(n,t),gi.subVectors(e,t),Wn.cross(gi).dot(i)<0}set(e,t,n){return this.a.copy(e),this.b.copy(t),this.c.copy(n),this}setFromPointsAndIndices(e,t,n,i){return this.a.copy(e[t]),this.b.copy(e[n]),this.c.copy(e[i]),this}setFromAttributeAndIndices(e,t,n,i){return this.a.fromBufferAttribute(e,t),this.b.fromBufferAttribute(e,n),this.c.fromBufferAttribute(e,i),this}clone(){return new this.constructor().copy(this)}copy(e){return this.a.copy(e.a),this.b.copy(e.b),this.c.copy(e.c),this}getArea(){return Wn.subVectors(this.c,this.b),gi.subVectors(this.a,this.b),Wn.cross(gi).length()*.5}getMidpoint(e){return e.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(e){return s.getNormal(this.a,this.b,this.c,e)}getPlane(e){return e.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(e,t){return s.getBarycoord(e,this.a,this.b,this.c,t)}getInterpolation(e,t,n,i,r){return s.getInterpolation(e,this.a,this.b,this.c,t,n,i,r)}containsPoint(e){return s.containsPoint(e,this.a,this.b,this.c)}isFrontFacing(e){return s.isFrontFacing(this.a,this.b,this.c,e)}intersectsBox(e){return e.intersectsTriangle(this)}closestPointToPoint(e,t){let n=this.a,i=this.b,r=this.c,o,a;Ds.subVectors(i,n),Ns.subVectors(r,n),Ol.subVectors(e,n);let c=Ds.dot(Ol),l=Ns.dot(Ol);if(c<=0&&l<=0)return t.copy(n);kl.subVectors(e,i);let h=Ds.dot(kl),d=Ns.dot(kl);if(h>=0&&d<=h)return t.copy(i);let u=c*d-h*l;if(u<=0&&c>=0&&h<=0&&c-h>0)return o=c/(c-h),t.copy(n).addScaledVector(Ds,o);Vl.subVectors(e,r);let f=Ds.dot(Vl),g=Ns.dot(Vl);if(g>=0&&f<=g)return t.copy(r);let M=f*l-c*g;if(M<=0&&l>=0&&g<=0)return a=l/(l-g),t.copy(n).addScaledVector(Ns,a);let m=h*g-f*d;if(m<=0&&d-h>=0&&f-g>=0)return qd.subVectors(r,i),a=(d-h)/(d-h+(f-g)),t.copy(i).addScaledVector(qd,a);let p=1/(m+M+u);return o=M*p,a=u*p,t.copy(n).addScaledVector(Ds,o).addScaledVector(Ns,a)}equals(e){return e.a.equals(this.a)&&e.b.equals(this.b)&&e.c.equals(this.c)}},Yt=class{constructor(e=new L(1/0,1/0,1/0),t=new L(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=e,this.max=t}set(e,t){return this.min.copy(e),this.max.copy(t),this}setFromArray(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t+=3)this.expandByPoint(Xn.fromArray(e,t));return this}setFromBufferAttribute(e){this.makeEmpty();for(let t=0,n=e.count;t<n;t++)this.expandByPoint(Xn.fromBufferAttribute(e,t));return this}setFromPoints(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t++)this.expandByPoint(e[t]);return this}setFromCenterAndSize(e,t){let n=Xn.copy(t).multiplyScalar(.5);return this.min.copy(e).sub(n),this.max.copy(e).add(n),this}setFromObject(e,t=!1){return this.makeEmpty(),this.expandByObject(e,t)}clone(){return new this.constructor().copy(this)}copy(e){return this.min.copy(e.min),this.max.copy(e.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(e){return this.isEmpty()?e.set(0,0,0):e.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(e){return this.isEmpty()?e.set(0,0,0):e.subVectors(this.max,this.min)}expandByPoint(e){return this.min.min(e),this.max.max(e),this}expandByVector(e){return this.min.sub(e),this.max.add(e),this}expandByScalar(e){return this.min.addScalar(-e),this.max.addScalar(e),this}expandByObject(e,t=!1){e.updateWorldMatrix(!1,!1);let n=e.geometry;if(n!==void 0){let r=n.getAttribute("position");if(t===!0&&r!==void 0&&e.isInstancedMesh!==!0&&e.isBatchedMesh!==!0)for(let o=0,a=r.count;o<a;o++)e.isMesh===!0?e.getVertexPosition(o,Xn):Xn.fromBufferAttribute(r,o),Xn.applyMatrix4(e.matrixWorld),this.expandByPoint(Xn);else e.boundingBox!==void 0?(e.boundingBox===null&&e.computeBoundingBox(),Xo.copy(e.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),Xo.copy(n.boundingBox)),Xo.applyMatrix4(e.matrixWorld),this.union(Xo)}let i=e.children;for(let r=0,o=i.length;r<o;r++)this.expandByObject(i[r],t);return this}containsPoint(e){return e.x>=this.min.x&&e.x<=this.max.x&&e.y>=this.min.y&&e.y<=this.max.y&&e.z>=this.min.z&&e.z<=this.max.z}containsBox(e){return this.min.x<=e.min.x&&e.max.x<=this.max.x&&this.min.y<=e.min.y&&e.max.y<=this.max.y&&this.min.z<=e.min.z&&e.max.z<=this.max.z}getParameter(e,t){return t.set((e.x-this.min.x)/(this.max.x-this.min.x),(e.y-this.min.y)/(this.max.y-this.min.y),(e.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(e){return e.max.x>=this.min.x&&e.min.x<=this.max.x&&e.max.y>=this.min.y&&e.min.y<=this.max.y&&e.max.z>=this.min.z&&e.min.z<=this.max.z}intersectsSphere(e){return this.clampPoint(e.center,Xn),Xn.distanceToSquared(e.center)<=e.radius*e.radius}intersectsPlane(e){let t,n;return e.normal.x>0?(t=e.normal.x*this.min.x,n=e.normal.x*this.max.x):(t=e.normal.x*this.max.x,n=e.normal.x*this.min.x),e.normal.y>0?(t+=e.normal.y*this.min.y,n+=e.normal.y*this.max.y):(t+=e.normal.y*this.max.y,n+=e.normal.y*this.min.y),e.normal.z>0?(t+=e.normal.z*this.min.z,n+=e.normal.z*this.max.z):(t+=e.normal.z*this.max.z,n+=e.normal.z*this.min.z),t<=-e.constant&&n>=-e.constant}intersectsTriangle(e){if(this.isEmpty())return!1;this.getCenter(wr),qo.subVectors(this.max,wr),Us.subVectors(e.a,wr),Fs.subVectors(e.b,wr),Bs.subVectors(e.c,wr),ki.subVectors(Fs,Us),Vi.subVectors(Bs,Fs),os.subVectors(Us,Bs);let t=[0,-ki.z,ki.y,0,-Vi.z,Vi.y,0,-os.z,os.y,ki.z,0,-ki.x,Vi.z,0,-Vi.x,os.z,0,-os.x,-ki.y,ki.x,0,-Vi.y,Vi.x,0,-os.y,os.x,0];return!Wl(t,Us,Fs,Bs,qo)||(t=[1,0,0,0,1,0,0,0,1],!Wl(t,Us,Fs,Bs,qo))?!1:(jo.crossVectors(ki,Vi),t=[jo.x,jo.y,jo.z],Wl(t,Us,Fs,Bs,qo))}clampPoint(e,t){return t.copy(e).clamp(this.min,this.max)}distanceToPoint(e){return this.clampPoint(e,Xn).distanceTo(e)}getBoundingSphere(e){return this.isEmpty()?e.makeEmpty():(this.getCenter(e.center),e.radius=this.getSize(Xn).length()*.5),e}intersect(e){return this.min.max(e.min),this.max.min(e.max),this.isEmpty()&&this.makeEmpty(),this}union(e){return this.min.min(e.min),this.max.max(e.max),this}applyMatrix4(e){return this.isEmpty()?this:(yi[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(e),yi[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(e),yi[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(e),yi[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(e),yi[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(e),yi[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(e),yi[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(e),yi[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(e),this.setFromPoints(yi),this)}translate(e){return this.min.add(e),this.max.add(e),this}equals(e){return e.min.equals(this.min)&&e.max.equals(this.max)}},yi=[new L,new L,new L,new L,new L,new L,new L,new L],Xn=new L,Xo=new Yt,Us=new L,Fs=new L,Bs=new L,ki=new L,Vi=new L,os=new L,wr=new L,qo=new L,jo=new L,as=new L;function Wl(s,e,t,n,i){for(let r=0,o=s.length-3;r<=o;r+=3){as.fromArray(s,r);let a=i.x*Math.abs(as.x)+i.y*Math.abs(as.y)+i.z*Math.abs(as.z),c=e.dot(as),l=t.dot(as),h=n.dot(as);if(Math.max(-Math.max(c,l,h),Math.min(c,l,h))>a)return!1}return!0}var It=new L,Yo=new Ge,Fg=0,_t=class extends si{constructor(e,t,n=!1){if(super(),Array.isArray(e))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:Fg++}),this.name="",this.array=e,this.itemSize=t,this.count=e!==void 0?e.length/t:0,this.normalized=n,this.usage=Bh,this.updateRanges=[],this.gpuType=Tn,this.version=0,this.se=e!==void 0?Ic(e):void 0}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.name=e.name,this.array=new e.array.constructor(e.array),this.itemSize=e.itemSize,this.count=e.count,this.normalized=e.normalized,this.usage=e.usage,this.gpuType=e.gpuType,this.se=e.se,this}copyAt(e,t,n){e*=this.itemSize,n*=t.itemSize;for(let i=0,r=this.itemSize;i<r;i++)this.array[e+i]=t.array[n+i];return this}copyArray(e){return this.array.set(e),this}applyMatrix3(e){if(this.itemSize===2)for(let t=0,n=this.count;t<n;t++)Yo.fromBufferAttribute(this,t),Yo.applyMatrix3(e),this.setXY(t,Yo.x,Yo.y);else if(this.itemSize===3)for(let t=0,n=this.count;t<n;t++)It.fromBufferAttribute(this,t),It.applyMatrix3(e),this.setXYZ(t,It.x,It.y,It.z);return this}applyMatrix4(e){for(let t=0,n=this.count;t<n;t++)It.fromBufferAttribute(this,t),It.applyMatrix4(e),this.setXYZ(t,It.x,It.y,It.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)It.fromBufferAttribute(this,t),It.applyNormalMatrix(e),this.setXYZ(t,It.x,It.y,It.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)It.fromBufferAttribute(this,t),It.transformDirection(e),this.setXYZ(t,It.x,It.y,It.z);return this}set(e,t=0){return this.array.set(e,t),this}getComponent(e,t){let n=this.array[e*this.itemSize+t];return this.normalized&&(n=this.W(n)),n}setComponent(e,t,n){return this.normalized&&(n=this.E(n)),this.array[e*this.itemSize+t]=n,this}getX(e){let t=this.array[e*this.itemSize];return this.normalized&&(t=this.W(t)),t}setX(e,t){return this.normalized&&(t=this.E(t)),this.array[e*this.itemSize]=t,this}getY(e){let t=this.array[e*this.itemSize+1];return this.normalized&&(t=this.W(t)),t}setY(e,t){return this.normalized&&(t=this.E(t)),this.array[e*this.itemSize+1]=t,this}getZ(e){let t=this.array[e*this.itemSize+2];return this.normalized&&(t=this.W(t)),t}setZ(e,t){return this.normalized&&(t=this.E(t)),this.array[e*this.itemSize+2]=t,this}getW(e){let t=this.array[e*this.itemSize+3];return this.normalized&&(t=this.W(t)),t}setW(e,t){return this.normalized&&(t=this.E(t)),this.array[e*this.itemSize+3]=t,this}setXY(e,t,n){return e*=this.itemSize,this.normalized&&(t=this.E(t),n=this.E(n)),this.array[e+0]=t,this.array[e+1]=n,this}setXYZ(e,t,n,i){return e*=this.itemSize,this.normalized&&(t=this.E(t),n=this.E(n),i=this.E(i)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=i,this}setXYZW(e,t,n,i,r){return e*=this.itemSize,this.normalized&&(t=this.E(t),n=this.E(n),i=this.E(i),r=this.E(r)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=i,this.array[e+3]=r,this}onUpload(e){return this.onUploadCallback=e,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}dispose(){this.dispatchEvent({type:"dispose"})}W(e){let t=this.se;return t!==void 0?Math.max(e/t,-1):Vh(e,this.array)}E(e){let t=this.se;return t!==void 0?Math.round(e*t):zh(e,this.array)}};var Or=class extends _t{constructor(e,t,n){super(new Uint16Array(e),t,n)}};var kr=class extends _t{constructor(e,t,n){super(new Uint32Array(e),t,n)}};var at=class extends _t{constructor(e,t,n){super(new Float32Array(e),t,n)}},Bg=new Yt,Er=new L,Xl=new L,yn=class{constructor(e=new L,t=-1){this.isSphere=!0,this.center=e,this.radius=t}set(e,t){return this.center.copy(e),this.radius=t,this}setFromPoints(e,t){let n=this.center;t!==void 0?n.copy(t):Bg.setFromPoints(e).getCenter(n);let i=0;for(let r=0,o=e.length;r<o;r++)i=Math.max(i,n.distanceToSquared(e[r]));return this.radius=Math.sqrt(i),this}copy(e){return this.center.copy(e.center),this.radius=e.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(e){return e.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(e){return e.distanceTo(this.center)-this.radius}intersectsSphere(e){let t=this.radius+e.radius;return e.center.distanceToSquared(this.center)<=t*t}intersectsBox(e){return e.intersectsSphere(this)}intersectsPlane(e){return Math.abs(e.distanceToPoint(this.center))<=this.radius}clampPoint(e,t){let n=this.center.distanceToSquared(e);return t.copy(e),n>this.radius*this.radius&&(t.sub(this.center).normalize(),t.multiplyScalar(this.radius).add(this.center)),t}getBoundingBox(e){return this.isEmpty()?(e.makeEmpty(),e):(e.set(this.center,this.center),e.expandByScalar(this.radius),e)}applyMatrix4(e){return this.center.applyMatrix4(e),this.radius=this.radius*e.getMaxScaleOnAxis(),this}translate(e){return this.center.add(e),this}expandByPoint(e){if(this.isEmpty())return this.center.copy(e),this.radius=0,this;Er.subVectors(e,this.center);let t=Er.lengthSq();if(t>this.radius*this.radius){let n=Math.sqrt(t),i=(n-this.radius)*.5;this.center.addScaledVector(Er,i/n),this.radius+=i}return this}union(e){return e.isEmpty()?this:this.isEmpty()?(this.copy(e),this):(this.center.equals(e.center)===!0?this.radius=Math.max(this.radius,e.radius):(Xl.subVectors(e.center,this.center).setLength(e.radius),this.expandByPoint(Er.copy(e.center).add(Xl)),this.expandByPoint(Er.copy(e.center).sub(Xl))),this)}equals(e){return e.center.equals(this.center)&&e.radius===this.radius}clone(){return new this.constructor().copy(this)}},Og=0,Un=new ke,ql=new gt,Os=new L,En=new Yt,Ar=new Yt,qt=new L,St=class s extends si{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:Og++}),this.uuid=ci(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this.He=!1}getIndex(){return this.index}setIndex(e){return Array.isArray(e)?this.index=new(cg(e)?kr:Or)(e,1):this.index=e,this}setIndirect(e,t=0){return this.indirect=e,this.indirectOffset=t,this}getIndirect(){return this.indirect}getAttribute(e){return this.attributes[e]}setAttribute(e,t){return this.attributes[e]=t,this}deleteAttribute(e){return delete this.attributes[e],this}hasAttribute(e){return this.attributes[e]!==void 0}addGroup(e,t,n=0){this.groups.push({start:e,count:t,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(e,t){this.drawRange.start=e,this.drawRange.count=t}applyMatrix4(e){let t=this.attributes.position;t!==void 0&&(t.applyMatrix4(e),t.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let r=new Ue().getNormalMatrix(e);n.applyNormalMatrix(r),n.needsUpdate=!0}let i=this.attributes.tangent;return i!==void 0&&(i.transformDirection(e),i.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this.He=!0,this}applyQuaternion(e){return Un.makeRotationFromQuaternion(e),this.applyMatrix4(Un),this}rotateX(e){return Un.makeRotationX(e),this.applyMatrix4(Un),this}rotateY(e){return Un.makeRotationY(e),this.applyMatrix4(Un),this}rotateZ(e){return Un.makeRotationZ(e),this.applyMatrix4(Un),this}translate(e,t,n){return Un.makeTranslation(e,t,n),this.applyMatrix4(Un),this}scale(e,t,n){return Un.makeScale(e,t,n),this.applyMatrix4(Un),this}lookAt(e){return ql.lookAt(e),ql.updateMatrix(),this.applyMatrix4(ql.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(Os).negate(),this.translate(Os.x,Os.y,Os.z),this}setFromPoints(e){let t=this.getAttribute("position");if(t===void 0){let n=[];for(let i=0,r=e.length;i<r;i++){let o=e[i];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new at(n,3))}else{let n=Math.min(e.length,t.count);for(let i=0;i<n;i++){let r=e[i];t.setXYZ(i,r.x,r.y,r.z||0)}e.length>t.count&&Ae("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),t.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new Yt);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute){Le("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new L(-1/0,-1/0,-1/0),new L(1/0,1/0,1/0));return}if(e!==void 0){if(this.boundingBox.setFromBufferAttribute(e),t)for(let n=0,i=t.length;n<i;n++){let r=t[n];En.setFromBufferAttribute(r),this.morphTargetsRelative?(qt.addVectors(this.boundingBox.min,En.min),this.boundingBox.expandByPoint(qt),qt.addVectors(this.boundingBox.max,En.max),this.boundingBox.expandByPoint(qt)):(this.boundingBox.expandByPoint(En.min),this.boundingBox.expandByPoint(En.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&Le('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new yn);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute){Le("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new L,1/0);return}if(e){let n=this.boundingSphere.center;if(En.setFromBufferAttribute(e),t)for(let r=0,o=t.length;r<o;r++){let a=t[r];Ar.setFromBufferAttribute(a),this.morphTargetsRelative?(qt.addVectors(En.min,Ar.min),En.expandByPoint(qt),qt.addVectors(En.max,Ar.max),En.expandByPoint(qt)):(En.expandByPoint(Ar.min),En.expandByPoint(Ar.max))}En.getCenter(n);let i=0;for(let r=0,o=e.count;r<o;r++)qt.fromBufferAttribute(e,r),i=Math.max(i,n.distanceToSquared(qt));if(t)for(let r=0,o=t.length;r<o;r++){let a=t[r],c=this.morphTargetsRelative;for(let l=0,h=a.count;l<h;l++)qt.fromBufferAttribute(a,l),c&&(Os.fromBufferAttribute(e,l),qt.add(Os)),i=Math.max(i,n.distanceToSquared(qt))}this.boundingSphere.radius=Math.sqrt(i),isNaN(this.boundingSphere.radius)&&Le('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let e=this.index,t=this.attributes;if(e===null||t.position===void 0||t.normal===void 0||t.uv===void 0){Le("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let n=t.position,i=t.normal,r=t.uv,o=this.getAttribute("tangent");(o===void 0||o.count!==n.count)&&(o=new _t(new Float32Array(4*n.count),4),this.setAttribute("tangent",o));let a=[],c=[],l=new Uint8Array(n.count);for(let U=0;U<n.count;U++)a[U]=new L,c[U]=new L;let h=new L,d=new L,u=new L,f=new Ge,g=new Ge,M=new Ge,m=new L,p=new L;function b(U,I,N){l[U]=l[I]=l[N]=1,h.fromBufferAttribute(n,U),d.fromBufferAttribute(n,I),u.fromBufferAttribute(n,N),f.fromBufferAttribute(r,U),g.fromBufferAttribute(r,I),M.fromBufferAttribute(r,N),d.sub(h),u.sub(h),g.sub(f),M.sub(f);let O=1/(g.x*M.y-M.x*g.y);isFinite(O)&&(m.copy(d).multiplyScalar(M.y).addScaledVector(u,-g.y).multiplyScalar(O),p.copy(u).multiplyScalar(g.x).addScaledVector(d,-M.x).multiplyScalar(O),a[U].add(m),a[I].add(m),a[N].add(m),c[U].add(p),c[I].add(p),c[N].add(p))}let T=this.groups;T.length===0&&(T=[{start:0,count:e.count}]);for(let U=0,I=T.length;U<I;++U){let N=T[U],O=N.start,H=N.count;for(let C=O,G=O+H;C<G;C+=3)b(e.getX(C+0),e.getX(C+1),e.getX(C+2))}let S=new L,A=new L,E=new L,x=new L;function _(U){E.fromBufferAttribute(i,U),x.copy(E);let I=a[U];S.copy(I),S.sub(E.multiplyScalar(E.dot(I))).normalize(),A.crossVectors(x,I);let O=A.dot(c[U])<0?-1:1;o.setXYZW(U,S.x,S.y,S.z,O)}for(let U=0,I=n.count;U<I;++U)l[U]&&_(U);this.He=!0}computeVertexNormals(){let e=this.index,t=this.getAttribute("position");if(t!==void 0){let n=this.getAttribute("normal");if(n===void 0||n.count!==t.count)n=new _t(new Float32Array(t.count*3),3),this.setAttribute("normal",n);else for(let u=0,f=n.count;u<f;u++)n.setXYZ(u,0,0,0);let i=new L,r=new L,o=new L,a=new L,c=new L,l=new L,h=new L,d=new L;if(e)for(let u=0,f=e.count;u<f;u+=3){let g=e.getX(u+0),M=e.getX(u+1),m=e.getX(u+2);i.fromBufferAttribute(t,g),r.fromBufferAttribute(t,M),o.fromBufferAttribute(t,m),h.subVectors(o,r),d.subVectors(i,r),h.cross(d),a.fromBufferAttribute(n,g),c.fromBufferAttribute(n,M),l.fromBufferAttribute(n,m),a.add(h),c.add(h),l.add(h),n.setXYZ(g,a.x,a.y,a.z),n.setXYZ(M,c.x,c.y,c.z),n.setXYZ(m,l.x,l.y,l.z)}else for(let u=0,f=t.count;u<f;u+=3)i.fromBufferAttribute(t,u+0),r.fromBufferAttribute(t,u+1),o.fromBufferAttribute(t,u+2),h.subVectors(o,r),d.subVectors(i,r),h.cross(d),n.setXYZ(u+0,h.x,h.y,h.z),n.setXYZ(u+1,h.x,h.y,h.z),n.setXYZ(u+2,h.x,h.y,h.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let e=this.attributes.normal;for(let t=0,n=e.count;t<n;t++)qt.fromBufferAttribute(e,t),qt.normalize(),e.setXYZ(t,qt.x,qt.y,qt.z)}toNonIndexed(){function e(a,c){let l=a.array,h=a.itemSize,d=a.normalized,u=new l.constructor(c.length*h),f=0,g=0;for(let M=0,m=c.length;M<m;M++){a.isInterleavedBufferAttribute?f=c[M]*a.data.stride+a.offset:f=c[M]*h;for(let p=0;p<h;p++)u[g++]=l[f++]}return new _t(u,h,d)}if(this.index===null)return Ae("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let t=new s,n=this.index.array,i=this.attributes;for(let a in i){let c=i[a],l=e(c,n);t.setAttribute(a,l)}let r=this.morphAttributes;for(let a in r){let c=[],l=r[a];for(let h=0,d=l.length;h<d;h++){let u=l[h],f=e(u,n);c.push(f)}t.morphAttributes[a]=c}t.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,c=o.length;a<c;a++){let l=o[a];t.addGroup(l.start,l.count,l.materialIndex)}return t}clone(){return new this.constructor().copy(this)}copy(e){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let t={};this.name=e.name;let n=e.index;n!==null&&this.setIndex(n.clone());let i=e.attributes;for(let l in i){let h=i[l];this.setAttribute(l,h.clone(t))}let r=e.morphAttributes;for(let l in r){let h=[],d=r[l];for(let u=0,f=d.length;u<f;u++)h.push(d[u].clone(t));this.morphAttributes[l]=h}this.morphTargetsRelative=e.morphTargetsRelative;let o=e.groups;for(let l=0,h=o.length;l<h;l++){let d=o[l];this.addGroup(d.start,d.count,d.materialIndex)}let a=e.boundingBox;a!==null&&(this.boundingBox=a.clone());let c=e.boundingSphere;return c!==null&&(this.boundingSphere=c.clone()),this.drawRange.start=e.drawRange.start,this.drawRange.count=e.drawRange.count,this.userData=e.userData,this.He=e.He,this}dispose(){this.dispatchEvent({type:"dispose"})}},$s=class{constructor(e,t){this.isInterleavedBuffer=!0,this.array=e,this.stride=t,this.count=e!==void 0?e.length/t:0,this.usage=Bh,this.updateRanges=[],this.version=0,this.uuid=ci()}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.array=new e.array.constructor(e.array),this.count=e.count,this.stride=e.stride,this.usage=e.usage,this}copyAt(e,t,n){e*=this.stride,n*=t.stride;for(let i=0,r=this.stride;i<r;i++)this.array[e+i]=t.array[n+i];return this}set(e,t=0){return this.array.set(e,t),this}clone(e){e.arrayBuffers===void 0&&(e.arrayBuffers={});let t=kg(this.array);e.arrayBuffers[t]===void 0&&(e.arrayBuffers[t]=this.array.slice(0).buffer);let n=new this.array.constructor(e.arrayBuffers[t]),i=new this.constructor(n,this.stride);return i.setUsage(this.usage),i}onUpload(e){return this.onUploadCallback=e,this}};function kg(s){return s.buffer.tt===void 0&&(s.buffer.tt=ci()),s.byteOffset===0&&s.byteLength===s.buffer.byteLength?s.buffer.tt:s.buffer.tt+":"+s.byteOffset+":"+s.byteLength}var dn=new L,Ks=class s{constructor(e,t,n,i=!1){this.isInterleavedBufferAttribute=!0,this.name="",this.data=e,this.itemSize=t,this.offset=n,this.normalized=i,this.se=e!==void 0?Ic(e.array):void 0}get count(){return this.data.count}get array(){return this.data.array}set needsUpdate(e){this.data.needsUpdate=e}applyMatrix4(e){for(let t=0,n=this.data.count;t<n;t++)dn.fromBufferAttribute(this,t),dn.applyMatrix4(e),this.setXYZ(t,dn.x,dn.y,dn.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)dn.fromBufferAttribute(this,t),dn.applyNormalMatrix(e),this.setXYZ(t,dn.x,dn.y,dn.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)dn.fromBufferAttribute(this,t),dn.transformDirection(e),this.setXYZ(t,dn.x,dn.y,dn.z);return this}getComponent(e,t){let n=this.array[e*this.data.stride+this.offset+t];return this.normalized&&(n=this.W(n)),n}setComponent(e,t,n){return this.normalized&&(n=this.E(n)),this.data.array[e*this.data.stride+this.offset+t]=n,this}setX(e,t){return this.normalized&&(t=this.E(t)),this.data.array[e*this.data.stride+this.offset]=t,this}setY(e,t){return this.normalized&&(t=this.E(t)),this.data.array[e*this.data.stride+this.offset+1]=t,this}setZ(e,t){return this.normalized&&(t=this.E(t)),this.data.array[e*this.data.stride+this.offset+2]=t,this}setW(e,t){return this.normalized&&(t=this.E(t)),this.data.array[e*this.data.stride+this.offset+3]=t,this}getX(e){let t=this.data.array[e*this.data.stride+this.offset];return this.normalized&&(t=this.W(t)),t}getY(e){let t=this.data.array[e*this.data.stride+this.offset+1];return this.normalized&&(t=this.W(t)),t}getZ(e){let t=this.data.array[e*this.data.stride+this.offset+2];return this.normalized&&(t=this.W(t)),t}getW(e){let t=this.data.array[e*this.data.stride+this.offset+3];return this.normalized&&(t=this.W(t)),t}setXY(e,t,n){return e=e*this.data.stride+this.offset,this.normalized&&(t=this.E(t),n=this.E(n)),this.data.array[e+0]=t,this.data.array[e+1]=n,this}setXYZ(e,t,n,i){return e=e*this.data.stride+this.offset,this.normalized&&(t=this.E(t),n=this.E(n),i=this.E(i)),this.data.array[e+0]=t,this.data.array[e+1]=n,this.data.array[e+2]=i,this}setXYZW(e,t,n,i,r){return e=e*this.data.stride+this.offset,this.normalized&&(t=this.E(t),n=this.E(n),i=this.E(i),r=this.E(r)),this.data.array[e+0]=t,this.data.array[e+1]=n,this.data.array[e+2]=i,this.data.array[e+3]=r,this}clone(e){if(e===void 0){Pc("InterleavedBufferAttribute.clone(): Cloning an interleaved buffer attribute will de-interleave buffer data.");let t=[];for(let n=0;n<this.count;n++){let i=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)t.push(this.data.array[i+r])}return new _t(new this.array.constructor(t),this.itemSize,this.normalized)}else return e.interleavedBuffers===void 0&&(e.interleavedBuffers={}),e.interleavedBuffers[this.data.uuid]===void 0&&(e.interleavedBuffers[this.data.uuid]=this.data.clone(e)),new s(e.interleavedBuffers[this.data.uuid],this.itemSize,this.offset,this.normalized)}W(e){let t=this.se;return t!==void 0?Math.max(e/t,-1):Vh(e,this.data.array)}E(e){let t=this.se;return t!==void 0?Math.round(e*t):zh(e,this.data.array)}},jl=new L,Vg=new L,zg=new Ue,ni=class{constructor(e=new L(1,0,0),t=0){this.isPlane=!0,this.normal=e,this.constant=t}set(e,t){return this.normal.copy(e),this.constant=t,this}setComponents(e,t,n,i){return this.normal.set(e,t,n),this.constant=i,this}setFromNormalAndCoplanarPoint(e,t){return this.normal.copy(e),this.constant=-t.dot(this.normal),this}setFromCoplanarPoints(e,t,n){let i=jl.subVectors(n,t).cross(Vg.subVectors(e,t)).normalize();return this.setFromNormalAndCoplanarPoint(i,e),this}copy(e){return this.normal.copy(e.normal),this.constant=e.constant,this}normalize(){let e=1/this.normal.length();return this.normal.multiplyScalar(e),this.constant*=e,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(e){return this.normal.dot(e)+this.constant}distanceToSphere(e){return this.distanceToPoint(e.center)-e.radius}projectPoint(e,t){return t.copy(e).addScaledVector(this.normal,-this.distanceToPoint(e))}intersectLine(e,t,n=!0){let i=e.delta(jl),r=this.normal.dot(i);if(r===0)return this.distanceToPoint(e.start)===0?t.copy(e.start):null;let o=-(e.start.dot(this.normal)+this.constant)/r;return n===!0&&(o<0||o>1)?null:t.copy(e.start).addScaledVector(i,o)}intersectsLine(e){let t=this.distanceToPoint(e.start),n=this.distanceToPoint(e.end);return t<0&&n>0||n<0&&t>0}intersectsBox(e){return e.intersectsPlane(this)}intersectsSphere(e){return e.intersectsPlane(this)}coplanarPoint(e){return e.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(e,t){let n=t||zg.getNormalMatrix(e),i=this.coplanarPoint(jl).applyMatrix4(e),r=this.normal.applyMatrix3(n).normalize();return this.constant=-i.dot(r),this}translate(e){return this.constant-=e.dot(this.normal),this}equals(e){return e.normal.equals(this.normal)&&e.constant===this.constant}clone(){return new this.constructor().copy(this)}},Gg=0,vn=class extends si{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:Gg++}),this.uuid=ci(),this.name="",this.type="Material",this.blending=Zi,this.side=Bn,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=yh,this.blendDst=vh,this.blendEquation=vs,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new Re(0,0,0),this.blendAlpha=0,this.depthFunc=Hs,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=$f,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=ma,this.stencilZFail=ma,this.stencilZPass=ma,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this.nt=0}get alphaTest(){return this.nt}set alphaTest(e){this.nt>0!=e>0&&this.version++,this.nt=e}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(e){if(e!==void 0)for(let t in e){let n=e[t];if(n===void 0){Ae(`Material: parameter '${t}' has value of undefined.`);continue}let i=this[t];if(i===void 0){Ae(`Material: '${t}' is not a property of THREE.${this.type}.`);continue}i&&i.isColor?i.set(n):i&&i.isVector2&&n&&n.isVector2||i&&i.isEuler&&n&&n.isEuler||i&&i.isVector3&&n&&n.isVector3?i.copy(n):this[t]=n}}clone(){return new this.constructor().copy(this)}copy(e){this.name=e.name,this.blending=e.blending,this.side=e.side,this.vertexColors=e.vertexColors,this.opacity=e.opacity,this.transparent=e.transparent,this.blendSrc=e.blendSrc,this.blendDst=e.blendDst,this.blendEquation=e.blendEquation,this.blendSrcAlpha=e.blendSrcAlpha,this.blendDstAlpha=e.blendDstAlpha,this.blendEquationAlpha=e.blendEquationAlpha,this.blendColor.copy(e.blendColor),this.blendAlpha=e.blendAlpha,this.depthFunc=e.depthFunc,this.depthTest=e.depthTest,this.depthWrite=e.depthWrite,this.stencilWriteMask=e.stencilWriteMask,this.stencilFunc=e.stencilFunc,this.stencilRef=e.stencilRef,this.stencilFuncMask=e.stencilFuncMask,this.stencilFail=e.stencilFail,this.stencilZFail=e.stencilZFail,this.stencilZPass=e.stencilZPass,this.stencilWrite=e.stencilWrite;let t=e.clippingPlanes,n=null;if(t!==null){let i=t.length;n=new Array(i);for(let r=0;r!==i;++r)n[r]=t[r].clone()}return this.clippingPlanes=n,this.clipIntersection=e.clipIntersection,this.clipShadows=e.clipShadows,this.shadowSide=e.shadowSide,this.colorWrite=e.colorWrite,this.precision=e.precision,this.polygonOffset=e.polygonOffset,this.polygonOffsetFactor=e.polygonOffsetFactor,this.polygonOffsetUnits=e.polygonOffsetUnits,this.dithering=e.dithering,this.alphaTest=e.alphaTest,this.alphaHash=e.alphaHash,this.alphaToCoverage=e.alphaToCoverage,this.premultipliedAlpha=e.premultipliedAlpha,this.forceSinglePass=e.forceSinglePass,this.allowOverride=e.allowOverride,this.visible=e.visible,this.toneMapped=e.toneMapped,this.userData=JSON.parse(JSON.stringify(e.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(e){e===!0&&this.version++}};var vi=new L,Yl=new L,$o=new L,Ko=new L,Wi=class{constructor(e=new L,t=new L(0,0,-1)){this.origin=e,this.direction=t}set(e,t){return this.origin.copy(e),this.direction.copy(t),this}copy(e){return this.origin.copy(e.origin),this.direction.copy(e.direction),this}at(e,t){return t.copy(this.origin).addScaledVector(this.direction,e)}lookAt(e){return this.direction.copy(e).sub(this.origin).normalize(),this}recast(e){return this.origin.copy(this.at(e,vi)),this}closestPointToPoint(e,t){t.subVectors(e,this.origin);let n=t.dot(this.direction);return n<0?t.copy(this.origin):t.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(e){return Math.sqrt(this.distanceSqToPoint(e))}distanceSqToPoint(e){let t=vi.subVectors(e,this.origin).dot(this.direction);return t<0?this.origin.distanceToSquared(e):(vi.copy(this.origin).addScaledVector(this.direction,t),vi.distanceToSquared(e))}distanceSqToSegment(e,t,n,i){Yl.copy(e).add(t).multiplyScalar(.5),$o.copy(t).sub(e).normalize(),Ko.copy(this.origin).sub(Yl);let r=e.distanceTo(t)*.5,o=-this.direction.dot($o),a=Ko.dot(this.direction),c=-Ko.dot($o),l=Ko.lengthSq(),h=Math.abs(1-o*o),d,u,f,g;if(h>0)if(d=o*c-a,u=o*a-c,g=r*h,d>=0)if(u>=-g)if(u<=g){let M=1/h;d*=M,u*=M,f=d*(d+o*u+2*a)+u*(o*d+u+2*c)+l}else u=r,d=Math.max(0,-(o*u+a)),f=-d*d+u*(u+2*c)+l;else u=-r,d=Math.max(0,-(o*u+a)),f=-d*d+u*(u+2*c)+l;else u<=-g?(d=Math.max(0,-(-o*r+a)),u=d>0?-r:Math.min(Math.max(-r,-c),r),f=-d*d+u*(u+2*c)+l):u<=g?(d=0,u=Math.min(Math.max(-r,-c),r),f=u*(u+2*c)+l):(d=Math.max(0,-(o*r+a)),u=d>0?r:Math.min(Math.max(-r,-c),r),f=-d*d+u*(u+2*c)+l);else u=o>0?-r:r,d=Math.max(0,-(o*u+a)),f=-d*d+u*(u+2*c)+l;return n&&n.copy(this.origin).addScaledVector(this.direction,d),i&&i.copy(Yl).addScaledVector($o,u),f}intersectSphere(e,t){if(e.radius<0)return null;vi.subVectors(e.center,this.origin);let n=vi.dot(this.direction),i=vi.dot(vi)-n*n,r=e.radius*e.radius;if(i>r)return null;let o=Math.sqrt(r-i),a=n-o,c=n+o;return c<0?null:a<0?this.at(c,t):this.at(a,t)}intersectsSphere(e){return e.radius<0?!1:this.distanceSqToPoint(e.center)<=e.radius*e.radius}distanceToPlane(e){let t=e.normal.dot(this.direction);if(t===0)return e.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(e.normal)+e.constant)/t;return n>=0?n:null}intersectPlane(e,t){let n=this.distanceToPlane(e);return n===null?null:this.at(n,t)}intersectsPlane(e){let t=e.distanceToPoint(this.origin);return t===0||e.normal.dot(this.direction)*t<0}intersectBox(e,t){let n,i,r,o,a,c,l=1/this.direction.x,h=1/this.direction.y,d=1/this.direction.z,u=this.origin;return l>=0?(n=(e.min.x-u.x)*l,i=(e.max.x-u.x)*l):(n=(e.max.x-u.x)*l,i=(e.min.x-u.x)*l),h>=0?(r=(e.min.y-u.y)*h,o=(e.max.y-u.y)*h):(r=(e.max.y-u.y)*h,o=(e.min.y-u.y)*h),n>o||r>i||((r>n||isNaN(n))&&(n=r),(o<i||isNaN(i))&&(i=o),d>=0?(a=(e.min.z-u.z)*d,c=(e.max.z-u.z)*d):(a=(e.max.z-u.z)*d,c=(e.min.z-u.z)*d),n>c||a>i)||((a>n||n!==n)&&(n=a),(c<i||i!==i)&&(i=c),i<0)?null:this.at(n>=0?n:i,t)}intersectsBox(e){return this.intersectBox(e,vi)!==null}intersectTriangle(e,t,n,i,r){let o=this.origin,a=this.direction,c=a.x,l=a.y,h=a.z,d=e.x-o.x,u=e.y-o.y,f=e.z-o.z,g=t.x-o.x,M=t.y-o.y,m=t.z-o.z,p=n.x-o.x,b=n.y-o.y,T=n.z-o.z,S=Math.abs(c),A=Math.abs(l),E=Math.abs(h),x,_,U,I,N,O,H,C,G,q,z,ne;if(S>=A&&S>=E?(U=c,O=d,G=g,ne=p,c>=0?(x=l,_=h,I=u,N=f,H=M,C=m,q=b,z=T):(x=h,_=l,I=f,N=u,H=m,C=M,q=T,z=b)):A>=E?(U=l,O=u,G=M,ne=b,l>=0?(x=h,_=c,I=f,N=d,H=m,C=g,q=T,z=p):(x=c,_=h,I=d,N=f,H=g,C=m,q=p,z=T)):(U=h,O=f,G=m,ne=T,h>=0?(x=c,_=l,I=d,N=u,H=g,C=M,q=p,z=b):(x=l,_=c,I=u,N=d,H=M,C=g,q=b,z=p)),U===0)return null;let X=x/U,J=_/U,ee=1/U,_e=I-X*O,Be=N-J*O,$=H-X*G,me=C-J*G,ve=q-X*ne,Ce=z-J*ne,ge=ve*me-Ce*$,Ve=_e*Ce-Be*ve,Ct=$*Be-me*_e;if(i){if(ge<0||Ve<0||Ct<0)return null}else if((ge<0||Ve<0||Ct<0)&&(ge>0||Ve>0||Ct>0))return null;let Ie=ge+Ve+Ct;if(Ie===0)return null;let rt=ee*(ge*O+Ve*G+Ct*ne);return(Ie>0?rt<0:rt>0)?null:this.at(rt/Ie,r)}applyMatrix4(e){return this.origin.applyMatrix4(e),this.direction.transformDirection(e),this}equals(e){return e.origin.equals(this.origin)&&e.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},Bt=class extends vn{constructor(e){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new Re(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new _i,this.combine=Mh,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.specularMap=e.specularMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.combine=e.combine,this.reflectivity=e.reflectivity,this.refractionRatio=e.refractionRatio,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.fog=e.fog,this}},jd=new ke,cs=new Wi,Zo=new yn,Yd=new L,Qo=new L,Jo=new L,ea=new L,$l=new L,ta=new L,$d=new L,na=new L,ht=class extends gt{constructor(e=new St,t=new Bt){super(),this.isMesh=!0,this.type="Mesh",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}updateMorphTargets(){let t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){let i=t[n[0]];if(i!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=i.length;r<o;r++){let a=i[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(e,t){let n=this.geometry,i=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;t.fromBufferAttribute(i,e);let a=this.morphTargetInfluences;if(r&&a){ta.set(0,0,0);for(let c=0,l=r.length;c<l;c++){let h=a[c],d=r[c];h!==0&&($l.fromBufferAttribute(d,e),o?ta.addScaledVector($l,h):ta.addScaledVector($l.sub(t),h))}t.add(ta)}return t}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,i=this.material,r=this.matrixWorld;i!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),Zo.copy(n.boundingSphere),Zo.applyMatrix4(r),cs.copy(e.ray).recast(e.near),!(Zo.containsPoint(cs.origin)===!1&&(cs.intersectSphere(Zo,Yd)===null||cs.origin.distanceToSquared(Yd)>(e.far-e.near)**2))&&(jd.copy(r).invert(),cs.copy(e.ray).applyMatrix4(jd),!(n.boundingBox!==null&&cs.intersectsBox(n.boundingBox)===!1)&&this.Bt(e,t,cs)))}Bt(e,t,n){let i,r=this.geometry,o=this.material,a=r.index,c=r.attributes.position,l=r.attributes.uv,h=r.attributes.uv1,d=r.attributes.normal,u=r.groups,f=r.drawRange;if(a!==null)if(Array.isArray(o))for(let g=0,M=u.length;g<M;g++){let m=u[g],p=o[m.materialIndex],b=Math.max(m.start,f.start),T=Math.min(a.count,Math.min(m.start+m.count,f.start+f.count));for(let S=b,A=T;S<A;S+=3){let E=a.getX(S),x=a.getX(S+1),_=a.getX(S+2);i=ia(this,p,e,n,l,h,d,E,x,_),i&&(i.faceIndex=Math.floor(S/3),i.face.materialIndex=m.materialIndex,t.push(i))}}else{let g=Math.max(0,f.start),M=Math.min(a.count,f.start+f.count);for(let m=g,p=M;m<p;m+=3){let b=a.getX(m),T=a.getX(m+1),S=a.getX(m+2);i=ia(this,o,e,n,l,h,d,b,T,S),i&&(i.faceIndex=Math.floor(m/3),t.push(i))}}else if(c!==void 0)if(Array.isArray(o))for(let g=0,M=u.length;g<M;g++){let m=u[g],p=o[m.materialIndex],b=Math.max(m.start,f.start),T=Math.min(c.count,Math.min(m.start+m.count,f.start+f.count));for(let S=b,A=T;S<A;S+=3){let E=S,x=S+1,_=S+2;i=ia(this,p,e,n,l,h,d,E,x,_),i&&(i.faceIndex=Math.floor(S/3),i.face.materialIndex=m.materialIndex,t.push(i))}}else{let g=Math.max(0,f.start),M=Math.min(c.count,f.start+f.count);for(let m=g,p=M;m<p;m+=3){let b=m,T=m+1,S=m+2;i=ia(this,o,e,n,l,h,d,b,T,S),i&&(i.faceIndex=Math.floor(m/3),t.push(i))}}}};function Hg(s,e,t,n,i,r,o,a){let c;if(e.side===fn?c=n.intersectTriangle(o,r,i,!0,a):c=n.intersectTriangle(i,r,o,e.side===Bn,a),c===null)return null;na.copy(a),na.applyMatrix4(s.matrixWorld);let l=t.ray.origin.distanceTo(na);return l<t.near||l>t.far?null:{distance:l,point:na.clone(),object:s}}function ia(s,e,t,n,i,r,o,a,c,l){s.getVertexPosition(a,Qo),s.getVertexPosition(c,Jo),s.getVertexPosition(l,ea);let h=Hg(s,e,t,n,Qo,Jo,ea,$d);if(h){let d=new L;Gi.getBarycoord($d,Qo,Jo,ea,d),i&&(h.uv=Gi.getInterpolatedAttribute(i,a,c,l,d,new Ge)),r&&(h.uv1=Gi.getInterpolatedAttribute(r,a,c,l,d,new Ge)),o&&(h.normal=Gi.getInterpolatedAttribute(o,a,c,l,d,new L),h.normal.dot(n.direction)>0&&h.normal.multiplyScalar(-1));let u={a,b:c,c:l,normal:new L,materialIndex:0};Gi.getNormal(Qo,Jo,ea,u.normal),h.face=u,h.barycoord=d}return h}var Tr=new lt,Kd=new lt,Zd=new lt,Wg=new lt,Qd=new ke,sa=new L,Kl=new yn,Jd=new ke,Zl=new Wi,Vr=class extends ht{constructor(e,t){super(e,t),this.isSkinnedMesh=!0,this.type="SkinnedMesh",this.bindMode=nh,this.bindMatrix=new ke,this.bindMatrixInverse=new ke,this.boundingBox=null,this.boundingSphere=null}computeBoundingBox(){let e=this.geometry;this.boundingBox===null&&(this.boundingBox=new Yt),this.boundingBox.makeEmpty();let t=e.getAttribute("position");for(let n=0;n<t.count;n++)this.getVertexPosition(n,sa),this.boundingBox.expandByPoint(sa)}computeBoundingSphere(){let e=this.geometry;this.boundingSphere===null&&(this.boundingSphere=new yn),this.boundingSphere.makeEmpty();let t=e.getAttribute("position");for(let n=0;n<t.count;n++)this.getVertexPosition(n,sa),this.boundingSphere.expandByPoint(sa)}copy(e,t){return super.copy(e,t),this.bindMode=e.bindMode,this.bindMatrix.copy(e.bindMatrix),this.bindMatrixInverse.copy(e.bindMatrixInverse),this.skeleton=e.skeleton,this.boundingBox=e.boundingBox!==null?e.boundingBox.clone():null,this.boundingSphere=e.boundingSphere!==null?e.boundingSphere.clone():null,this}raycast(e,t){let n=this.material,i=this.matrixWorld;n!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),Kl.copy(this.boundingSphere),Kl.applyMatrix4(i),e.ray.intersectsSphere(Kl)!==!1&&(Jd.copy(i).invert(),Zl.copy(e.ray).applyMatrix4(Jd),!(this.boundingBox!==null&&Zl.intersectsBox(this.boundingBox)===!1)&&this.Bt(e,t,Zl)))}getVertexPosition(e,t){return super.getVertexPosition(e,t),this.applyBoneTransform(e,t),t}bind(e,t){this.skeleton=e,t===void 0&&(this.updateMatrixWorld(!0),this.skeleton.calculateInverses(),t=this.matrixWorld),this.bindMatrix.copy(t),this.bindMatrixInverse.copy(t).invert()}pose(){this.skeleton.pose()}normalizeSkinWeights(){let e=new lt,t=this.geometry.attributes.skinWeight;for(let n=0,i=t.count;n<i;n++){e.fromBufferAttribute(t,n);let r=1/e.manhattanLength();r!==1/0?e.multiplyScalar(r):e.set(1,0,0,0),t.setXYZW(n,e.x,e.y,e.z,e.w)}}updateMatrixWorld(e){super.updateMatrixWorld(e),this.bindMode===nh?this.bindMatrixInverse.copy(this.matrixWorld).invert():this.bindMode===Xf?this.bindMatrixInverse.copy(this.bindMatrix).invert():Ae("SkinnedMesh: Unrecognized bindMode: "+this.bindMode)}applyBoneTransform(e,t){let n=this.skeleton,i=this.geometry;Kd.fromBufferAttribute(i.attributes.skinIndex,e),Zd.fromBufferAttribute(i.attributes.skinWeight,e),t.isVector4?(Tr.copy(t),t.set(0,0,0,0)):(Tr.set(t.x,t.y,t.z,1),t.set(0,0,0)),Tr.applyMatrix4(this.bindMatrix);for(let r=0;r<4;r++){let o=Zd.getComponent(r);if(o!==0){let a=Kd.getComponent(r);Qd.multiplyMatrices(n.bones[a].matrixWorld,n.boneInverses[a]),t.addScaledVector(Wg.copy(Tr).applyMatrix4(Qd),o)}}return t.isVector4&&(t.w=Tr.w),t.applyMatrix4(this.bindMatrixInverse)}},zr=class extends gt{constructor(){super(),this.isBone=!0,this.type="Bone"}},Zs=class extends Tt{constructor(e=null,t=1,n=1,i,r,o,a,c,l=At,h=At,d,u){super(null,o,a,c,l,h,i,r,d,u),this.isDataTexture=!0,this.image={data:e,width:t,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}},ef=new ke,Xg=new ke,Gr=class s{constructor(e=[],t=[]){this.uuid=ci(),this.bones=e.slice(0),this.boneInverses=t,this.boneMatrices=null,this.previousBoneMatrices=null,this.boneTexture=null,this.previousBoneTexture=null,this.init()}init(){let e=this.bones,t=this.boneInverses;if(this.boneMatrices=new Float32Array(e.length*16),t.length===0)this.calculateInverses();else if(e.length!==t.length){Ae("Skeleton: Number of inverse bone matrices does not match amount of bones."),this.boneInverses=[];for(let n=0,i=this.bones.length;n<i;n++)this.boneInverses.push(new ke)}}calculateInverses(){this.boneInverses.length=0;for(let e=0,t=this.bones.length;e<t;e++){let n=new ke;this.bones[e]&&n.copy(this.bones[e].matrixWorld).invert(),this.boneInverses.push(n)}}pose(){for(let e=0,t=this.bones.length;e<t;e++){let n=this.bones[e];n&&n.matrixWorld.copy(this.boneInverses[e]).invert()}for(let e=0,t=this.bones.length;e<t;e++){let n=this.bones[e];n&&(n.parent&&n.parent.isBone?(n.matrix.copy(n.parent.matrixWorld).invert(),n.matrix.multiply(n.matrixWorld)):n.matrix.copy(n.matrixWorld),n.matrix.decompose(n.position,n.quaternion,n.scale))}}update(){let e=this.bones,t=this.boneInverses,n=this.boneMatrices,i=this.boneTexture;for(let r=0,o=e.length;r<o;r++){let a=e[r]?e[r].matrixWorld:Xg;ef.multiplyMatrices(a,t[r]),ef.toArray(n,r*16)}i!==null&&(i.needsUpdate=!0)}clone(){return new s(this.bones,this.boneInverses)}computeBoneTexture(){let e=Math.sqrt(this.bones.length*4);e=Math.ceil(e/4)*4,e=Math.max(e,4);let t=new Float32Array(e*e*4);t.set(this.boneMatrices);let n=new Zs(t,e,e,Vn,Tn);return n.needsUpdate=!0,this.boneMatrices=t,this.boneTexture=n,this}getBoneByName(e){for(let t=0,n=this.bones.length;t<n;t++){let i=this.bones[t];if(i.name===e)return i}}dispose(){this.boneTexture!==null&&(this.boneTexture.dispose(),this.boneTexture=null),this.previousBoneTexture!==null&&(this.previousBoneTexture.dispose(),this.previousBoneTexture=null)}},Si=class extends _t{constructor(e,t,n,i=1){super(e,t,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=i}copy(e){return super.copy(e),this.meshPerAttribute=e.meshPerAttribute,this}},ks=new ke,tf=new ke,ra=[],nf=new Yt,qg=new ke,Rr=new ht,Cr=new yn,Hr=class extends ht{constructor(e,t,n){super(e,t),this.isInstancedMesh=!0,this.instanceMatrix=new Si(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let i=0;i<n;i++)this.setMatrixAt(i,qg)}computeBoundingBox(){let e=this.geometry,t=this.count;this.boundingBox===null&&(this.boundingBox=new Yt),e.boundingBox===null&&e.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<t;n++)this.getMatrixAt(n,ks),nf.copy(e.boundingBox).applyMatrix4(ks),this.boundingBox.union(nf)}computeBoundingSphere(){let e=this.geometry,t=this.count;this.boundingSphere===null&&(this.boundingSphere=new yn),e.boundingSphere===null&&e.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<t;n++)this.getMatrixAt(n,ks),Cr.copy(e.boundingSphere).applyMatrix4(ks),this.boundingSphere.union(Cr)}copy(e,t){return super.copy(e,t),this.instanceMatrix.copy(e.instanceMatrix),this.morphTexture=e.morphTexture!==null?e.morphTexture.clone():null,this.instanceColor=e.instanceColor!==null?e.instanceColor.clone():null,this.count=e.count,this.boundingBox=e.boundingBox!==null?e.boundingBox.clone():null,this.boundingSphere=e.boundingSphere!==null?e.boundingSphere.clone():null,this}getColorAt(e,t){return this.instanceColor===null?t.setRGB(1,1,1):t.fromArray(this.instanceColor.array,e*3)}getMatrixAt(e,t){return t.fromArray(this.instanceMatrix.array,e*16)}getMorphAt(e,t){let n=t.morphTargetInfluences,i=this.morphTexture.source.data.data,r=n.length+1,o=e*r+1;for(let a=0;a<n.length;a++)n[a]=i[o+a]}raycast(e,t){let n=this.matrixWorld,i=this.count;if(Rr.geometry=this.geometry,Rr.material=this.material,Rr.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),Cr.copy(this.boundingSphere),Cr.applyMatrix4(n),e.ray.intersectsSphere(Cr)!==!1))for(let r=0;r<i;r++){this.getMatrixAt(r,ks),tf.multiplyMatrices(n,ks),Rr.matrixWorld=tf,Rr.raycast(e,ra);for(let o=0,a=ra.length;o<a;o++){let c=ra[o];c.instanceId=r,c.object=this,t.push(c)}ra.length=0}}setColorAt(e,t){return this.instanceColor===null&&(this.instanceColor=new Si(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),t.toArray(this.instanceColor.array,e*3),this}setMatrixAt(e,t){return t.toArray(this.instanceMatrix.array,e*16),this}setMorphAt(e,t){let n=t.morphTargetInfluences,i=n.length+1;this.morphTexture===null&&(this.morphTexture=new Zs(new Float32Array(i*this.count),i,this.count,Ya,Tn));let r=this.morphTexture.source.data.data,o=0;for(let l=0;l<n.length;l++)o+=n[l];let a=this.geometry.morphTargetsRelative?1:1-o,c=i*e;return r[c]=a,r.set(n,c+1),this}updateMorphTargets(){}dispose(){super.dispose(),this.instanceMatrix.dispose(),this.instanceColor!==null&&this.instanceColor.dispose(),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}},ls=new yn,jg=new Ge(.5,.5),oa=new L,Xi=class{constructor(e=new ni,t=new ni,n=new ni,i=new ni,r=new ni,o=new ni){this.planes=[e,t,n,i,r,o]}set(e,t,n,i,r,o){let a=this.planes;return a[0].copy(e),a[1].copy(t),a[2].copy(n),a[3].copy(i),a[4].copy(r),a[5].copy(o),this}copy(e){let t=this.planes;for(let n=0;n<6;n++)t[n].copy(e.planes[n]);return this}setFromProjectionMatrix(e,t=qn,n=!1){let i=this.planes,r=e.elements,o=r[0],a=r[1],c=r[2],l=r[3],h=r[4],d=r[5],u=r[6],f=r[7],g=r[8],M=r[9],m=r[10],p=r[11],b=r[12],T=r[13],S=r[14],A=r[15];if(i[0].setComponents(l-o,f-h,p-g,A-b).normalize(),i[1].setComponents(l+o,f+h,p+g,A+b).normalize(),i[2].setComponents(l+a,f+d,p+M,A+T).normalize(),i[3].setComponents(l-a,f-d,p-M,A-T).normalize(),n)i[4].setComponents(c,u,m,S).normalize(),i[5].setComponents(l-c,f-u,p-m,A-S).normalize();else if(i[4].setComponents(l-c,f-u,p-m,A-S).normalize(),t===qn)i[5].setComponents(l+c,f+u,p+m,A+S).normalize();else if(t===Nr)i[5].setComponents(c,u,m,S).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+t);return this}intersectsObject(e){if(e.boundingSphere!==void 0)e.boundingSphere===null&&e.computeBoundingSphere(),ls.copy(e.boundingSphere).applyMatrix4(e.matrixWorld);else{let t=e.geometry;t.boundingSphere===null&&t.computeBoundingSphere(),ls.copy(t.boundingSphere).applyMatrix4(e.matrixWorld)}return this.intersectsSphere(ls)}intersectsSprite(e){ls.center.set(0,0,0);let t=jg.distanceTo(e.center);return ls.radius=.7071067811865476+t,ls.applyMatrix4(e.matrixWorld),this.intersectsSphere(ls)}intersectsSphere(e){let t=this.planes,n=e.center,i=-e.radius;for(let r=0;r<6;r++)if(t[r].distanceToPoint(n)<i)return!1;return!0}intersectsBox(e){let t=this.planes;for(let n=0;n<6;n++){let i=t[n];if(oa.x=i.normal.x>0?e.max.x:e.min.x,oa.y=i.normal.y>0?e.max.y:e.min.y,oa.z=i.normal.z>0?e.max.z:e.min.z,i.distanceToPoint(oa)<0)return!1}return!0}containsPoint(e){let t=this.planes;for(let n=0;n<6;n++)if(t[n].distanceToPoint(e)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},sf=new ke,Ea=class s{constructor(){this.coordinateSystem=qn,this.K=[],this.Z=0}setFromArrayCamera(e){let t=e.cameras,n=this.K;for(let i=0;i<t.length;i++){let r=t[i];sf.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[i]===void 0&&(n[i]=new Xi),n[i].setFromProjectionMatrix(sf,r.coordinateSystem,r.reversedDepth)}return this.Z=t.length,this}getFrustum(e){return this.K[e]}intersectsObject(e){let t=this.K;for(let n=0;n<this.Z;n++)if(t[n].intersectsObject(e))return!0;return!1}intersectsSprite(e){let t=this.K;for(let n=0;n<this.Z;n++)if(t[n].intersectsSprite(e))return!0;return!1}intersectsSphere(e){let t=this.K;for(let n=0;n<this.Z;n++)if(t[n].intersectsSphere(e))return!0;return!1}intersectsBox(e){let t=this.K;for(let n=0;n<this.Z;n++)if(t[n].intersectsBox(e))return!0;return!1}containsPoint(e){let t=this.K;for(let n=0;n<this.Z;n++)if(t[n].containsPoint(e))return!0;return!1}copy(e){this.coordinateSystem=e.coordinateSystem;let t=this.K,n=e.K;for(let i=0;i<e.Z;i++)t[i]===void 0&&(t[i]=new Xi),t[i].copy(n[i]);return this.Z=e.Z,this}clone(){return new s().copy(this)}};var wi=class extends vn{constructor(e){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new Re(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.linewidth=e.linewidth,this.linecap=e.linecap,this.linejoin=e.linejoin,this.fog=e.fog,this}},Aa=new L,Ta=new L,rf=new ke,Pr=new Wi,aa=new yn,Ql=new L,of=new L,Ei=class extends gt{constructor(e=new St,t=new wi){super(),this.isLine=!0,this.type="Line",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}computeLineDistances(){let e=this.geometry;if(e.index===null){let t=e.attributes.position,n=[0];for(let i=1,r=t.count;i<r;i++)Aa.fromBufferAttribute(t,i-1),Ta.fromBufferAttribute(t,i),n[i]=n[i-1],n[i]+=Aa.distanceTo(Ta);e.setAttribute("lineDistance",new at(n,1))}else Ae("Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,i=this.matrixWorld,r=e.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),aa.copy(n.boundingSphere),aa.applyMatrix4(i),aa.radius+=r,e.ray.intersectsSphere(aa)===!1)return;rf.copy(i).invert(),Pr.copy(e.ray).applyMatrix4(rf);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),c=a*a,l=this.isLineSegments?2:1,h=n.index,u=n.attributes.position;if(h!==null){let f=Math.max(0,o.start),g=Math.min(h.count,o.start+o.count);for(let M=f,m=g-1;M<m;M+=l){let p=h.getX(M),b=h.getX(M+1),T=ca(this,e,Pr,c,p,b,M);T&&t.push(T)}if(this.isLineLoop){let M=h.getX(g-1),m=h.getX(f),p=ca(this,e,Pr,c,M,m,g-1);p&&t.push(p)}}else{let f=Math.max(0,o.start),g=Math.min(u.count,o.start+o.count);for(let M=f,m=g-1;M<m;M+=l){let p=ca(this,e,Pr,c,M,M+1,M);p&&t.push(p)}if(this.isLineLoop){let M=ca(this,e,Pr,c,g-1,f,g-1);M&&t.push(M)}}}updateMorphTargets(){let t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){let i=t[n[0]];if(i!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=i.length;r<o;r++){let a=i[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function ca(s,e,t,n,i,r,o){let a=s.geometry.attributes.position;if(Aa.fromBufferAttribute(a,i),Ta.fromBufferAttribute(a,r),t.distanceSqToSegment(Aa,Ta,Ql,of)>n)return;Ql.applyMatrix4(s.matrixWorld);let l=e.ray.origin.distanceTo(Ql);if(!(l<e.near||l>e.far))return{distance:l,point:of.clone().applyMatrix4(s.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:s}}var af=new L,cf=new L,Qs=class extends Ei{constructor(e,t){super(e,t),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let e=this.geometry;if(e.index===null){let t=e.attributes.position,n=[];for(let i=0,r=t.count;i<r;i+=2)af.fromBufferAttribute(t,i),cf.fromBufferAttribute(t,i+1),n[i]=i===0?0:n[i-1],n[i+1]=n[i]+af.distanceTo(cf);e.setAttribute("lineDistance",new at(n,1))}else Ae("LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}},Wr=class extends Ei{constructor(e,t){super(e,t),this.isLineLoop=!0,this.type="LineLoop"}},qi=class extends vn{constructor(e){super(),this.isPointsMaterial=!0,this.type="PointsMaterial",this.color=new Re(16777215),this.map=null,this.alphaMap=null,this.size=1,this.sizeAttenuation=!0,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.alphaMap=e.alphaMap,this.size=e.size,this.sizeAttenuation=e.sizeAttenuation,this.fog=e.fog,this}},lf=new ke,ah=new Wi,la=new yn,ha=new L,ps=class extends gt{constructor(e=new St,t=new qi){super(),this.isPoints=!0,this.type="Points",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,i=this.matrixWorld,r=e.params.Points.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),la.copy(n.boundingSphere),la.applyMatrix4(i),la.radius+=r,e.ray.intersectsSphere(la)===!1)return;lf.copy(i).invert(),ah.copy(e.ray).applyMatrix4(lf);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),c=a*a,l=n.index,d=n.attributes.position;if(l!==null){let u=Math.max(0,o.start),f=Math.min(l.count,o.start+o.count);for(let g=u,M=f;g<M;g++){let m=l.getX(g);ha.fromBufferAttribute(d,m),hf(ha,m,c,i,e,t,this)}}else{let u=Math.max(0,o.start),f=Math.min(d.count,o.start+o.count);for(let g=u,M=f;g<M;g++)ha.fromBufferAttribute(d,g),hf(ha,g,c,i,e,t,this)}}updateMorphTargets(){let t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){let i=t[n[0]];if(i!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=i.length;r<o;r++){let a=i[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function hf(s,e,t,n,i,r,o){let a=ah.distanceSqToPoint(s);if(a<t){let c=new L;ah.closestPointToPoint(s,c),c.applyMatrix4(n);let l=i.ray.origin.distanceTo(c);if(l<i.near||l>i.far)return;r.push({distance:l,distanceToRay:Math.sqrt(a),point:c,index:e,face:null,faceIndex:null,barycoord:null,object:o})}}var Xr=class extends Tt{constructor(e=[],t=co,n,i,r,o,a,c,l,h){super(e,t,n,i,r,o,a,c,l,h),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(e){this.image=e}},qr=class extends Tt{constructor(e,t,n,i,r,o,a,c,l){super(e,t,n,i,r,o,a,c,l),this.isCanvasTexture=!0,this.needsUpdate=!0}};var Ai=class extends Tt{constructor(e,t,n=Kn,i,r,o,a=At,c=At,l,h=bi,d=1){if(h!==bi&&h!==Ci)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");let u={width:e,height:t,depth:d};super(u,i,r,o,a,c,h,n,l),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(e){return super.copy(e),this.source=new qs(Object.assign({},e.image)),this.compareFunction=e.compareFunction,this}},jr=class extends Ai{constructor(e,t=Kn,n=co,i,r,o=At,a=At,c,l=bi){let h={width:e,height:e,depth:1},d=[h,h,h,h,h,h];super(e,e,t,n,i,r,o,a,c,l),this.image=d,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(e){this.image=e}},Yr=class extends Tt{constructor(e=null){super(),this.sourceTexture=e,this.isExternalTexture=!0}copy(e){return super.copy(e),this.sourceTexture=e.sourceTexture,this}},Js=class extends St{constructor(e=1,t=1,n=1,i=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:e,height:t,depth:n,widthSegments:i,heightSegments:r,depthSegments:o};let a=this;i=Math.floor(i),r=Math.floor(r),o=Math.floor(o);let c=[],l=[],h=[],d=[],u=0,f=0;g("z","y","x",-1,-1,n,t,e,o,r,0),g("z","y","x",1,-1,n,t,-e,o,r,1),g("x","z","y",1,1,e,n,t,i,o,2),g("x","z","y",1,-1,e,n,-t,i,o,3),g("x","y","z",1,-1,e,t,n,i,r,4),g("x","y","z",-1,-1,e,t,-n,i,r,5),this.setIndex(c),this.setAttribute("position",new at(l,3)),this.setAttribute("normal",new at(h,3)),this.setAttribute("uv",new at(d,2));function g(M,m,p,b,T,S,A,E,x,_,U){let I=S/x,N=A/_,O=S/2,H=A/2,C=E/2,G=x+1,q=_+1,z=0,ne=0,X=new L;for(let J=0;J<q;J++){let ee=J*N-H;for(let _e=0;_e<G;_e++){let Be=_e*I-O;X[M]=Be*b,X[m]=ee*T,X[p]=C,l.push(X.x,X.y,X.z),X[M]=0,X[m]=0,X[p]=E>0?1:-1,h.push(X.x,X.y,X.z),d.push(_e/x),d.push(1-J/_),z+=1}}for(let J=0;J<_;J++)for(let ee=0;ee<x;ee++){let _e=u+ee+G*J,Be=u+ee+G*(J+1),$=u+(ee+1)+G*(J+1),me=u+(ee+1)+G*J;c.push(_e,Be,me),c.push(Be,$,me),ne+=6}a.addGroup(f,ne,U),f+=ne,u+=z}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}};var Ra=class extends St{constructor(e=1,t=1,n=1,i=32,r=1,o=!1,a=0,c=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:e,radiusBottom:t,height:n,radialSegments:i,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:c};let l=this;i=Math.floor(i),r=Math.floor(r);let h=[],d=[],u=[],f=[],g=0,M=[],m=n/2,p=0;b(),o===!1&&(e>0&&T(!0),t>0&&T(!1)),this.setIndex(h),this.setAttribute("position",new at(d,3)),this.setAttribute("normal",new at(u,3)),this.setAttribute("uv",new at(f,2));function b(){let S=new L,A=new L,E=0,x=(t-e)/n;for(let _=0;_<=r;_++){let U=[],I=_/r,N=I*(t-e)+e;for(let O=0;O<=i;O++){let H=O/i,C=H*c+a,G=Math.sin(C),q=Math.cos(C);A.x=N*G,A.y=-I*n+m,A.z=N*q,d.push(A.x,A.y,A.z),S.set(G,x,q).normalize(),u.push(S.x,S.y,S.z),f.push(H,1-I),U.push(g++)}M.push(U)}for(let _=0;_<i;_++)for(let U=0;U<r;U++){let I=M[U][_],N=M[U+1][_],O=M[U+1][_+1],H=M[U][_+1];(e>0||U!==0)&&(h.push(I,N,H),E+=3),(t>0||U!==r-1)&&(h.push(N,O,H),E+=3)}l.addGroup(p,E,0),p+=E}function T(S){let A=g,E=new Ge,x=new L,_=0,U=S===!0?e:t,I=S===!0?1:-1;for(let O=1;O<=i;O++)d.push(0,m*I,0),u.push(0,I,0),f.push(.5,.5),g++;let N=g;for(let O=0;O<=i;O++){let C=O/i*c+a,G=Math.cos(C),q=Math.sin(C);x.x=U*q,x.y=m*I,x.z=U*G,d.push(x.x,x.y,x.z),u.push(0,I,0),E.x=G*.5+.5,E.y=q*.5*I+.5,f.push(E.x,E.y),g++}for(let O=0;O<i;O++){let H=A+O,C=N+O;S===!0?h.push(C,C+1,H):h.push(C+1,C,H),_+=3}l.addGroup(p,_,S===!0?1:2),p+=_}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}},$r=class extends Ra{constructor(e=1,t=1,n=32,i=1,r=!1,o=0,a=Math.PI*2){super(0,e,t,n,i,r,o,a),this.type="ConeGeometry",this.parameters={radius:e,height:t,radialSegments:n,heightSegments:i,openEnded:r,thetaStart:o,thetaLength:a}}};var Ti=class extends St{constructor(e=1,t=1,n=1,i=1){super(),this.type="PlaneGeometry",this.parameters={width:e,height:t,widthSegments:n,heightSegments:i};let r=e/2,o=t/2,a=Math.floor(n),c=Math.floor(i),l=a+1,h=c+1,d=e/a,u=t/c,f=[],g=[],M=[],m=[];for(let p=0;p<h;p++){let b=p*u-o;for(let T=0;T<l;T++){let S=T*d-r;g.push(S,-b,0),M.push(0,0,1),m.push(T/a),m.push(1-p/c)}}for(let p=0;p<c;p++)for(let b=0;b<a;b++){let T=b+l*p,S=b+l*(p+1),A=b+1+l*(p+1),E=b+1+l*p;f.push(T,S,E),f.push(S,A,E)}this.setIndex(f),this.setAttribute("position",new at(g,3)),this.setAttribute("normal",new at(M,3)),this.setAttribute("uv",new at(m,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}};var Kr=class extends St{constructor(e=1,t=32,n=16,i=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:e,widthSegments:t,heightSegments:n,phiStart:i,phiLength:r,thetaStart:o,thetaLength:a},t=Math.max(3,Math.floor(t)),n=Math.max(2,Math.floor(n));let c=Math.min(o+a,Math.PI),l=0,h=[],d=new L,u=new L,f=[],g=[],M=[],m=[];for(let p=0;p<=n;p++){let b=[],T=p/n,S=o+T*a,A=e*Math.cos(S),E=Math.sqrt(e*e-A*A),x=0;p===0&&o===0?x=.5/t:p===n&&c===Math.PI&&(x=-.5/t);for(let _=0;_<=t;_++){let U=_/t,I=i+U*r;d.x=-E*Math.cos(I),d.y=A,d.z=E*Math.sin(I),g.push(d.x,d.y,d.z),u.copy(d).normalize(),M.push(u.x,u.y,u.z),m.push(U+x,1-T),b.push(l++)}h.push(b)}for(let p=0;p<n;p++)for(let b=0;b<t;b++){let T=h[p][b+1],S=h[p][b],A=h[p+1][b],E=h[p+1][b+1];(p!==0||o>0)&&f.push(T,S,E),(p!==n-1||c<Math.PI)&&f.push(S,A,E)}this.setIndex(f),this.setAttribute("position",new at(g,3)),this.setAttribute("normal",new at(M,3)),this.setAttribute("uv",new at(m,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}};function ar(s){let e={};for(let t in s){e[t]={};for(let n in s[t]){let i=s[t][n];if(uf(i))i.isRenderTargetTexture?(Ae("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),e[t][n]=null):e[t][n]=i.clone();else if(Array.isArray(i))if(uf(i[0])){let r=[];for(let o=0,a=i.length;o<a;o++)r[o]=i[o].clone();e[t][n]=r}else e[t][n]=i.slice();else e[t][n]=i}}return e}function ln(s){let e={};for(let t=0;t<s.length;t++){let n=ar(s[t]);for(let i in n)e[i]=n[i]}return e}function uf(s){return s&&(s.isColor||s.isMatrix3||s.isMatrix4||s.isVector2||s.isVector3||s.isVector4||s.isTexture||s.isQuaternion)}function Yg(s){let e=[];for(let t=0;t<s.length;t++)e.push(s[t].clone());return e}function Gh(s){let e=s.getRenderTarget();return e===null?s.outputColorSpace:e.isXRRenderTarget===!0?e.texture.colorSpace:je.workingColorSpace}var op={clone:ar,merge:ln},$g=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,Kg=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,jn=class extends vn{constructor(e){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=$g,this.fragmentShader=Kg,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,e!==void 0&&this.setValues(e)}copy(e){return super.copy(e),this.fragmentShader=e.fragmentShader,this.vertexShader=e.vertexShader,this.uniforms=ar(e.uniforms),this.uniformsGroups=Yg(e.uniformsGroups),this.defines=Object.assign({},e.defines),this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.fog=e.fog,this.lights=e.lights,this.clipping=e.clipping,this.extensions=Object.assign({},e.extensions),this.glslVersion=e.glslVersion,this.defaultAttributeValues=Object.assign({},e.defaultAttributeValues),this.index0AttributeName=e.index0AttributeName,this.uniformsNeedUpdate=e.uniformsNeedUpdate,this}},Ca=class extends jn{constructor(e){super(e),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}},Mn=class extends vn{constructor(e){super(),this.isMeshStandardMaterial=!0,this.type="MeshStandardMaterial",this.defines={STANDARD:""},this.color=new Re(16777215),this.roughness=1,this.metalness=0,this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new Re(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=Rc,this.normalScale=new Ge(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.roughnessMap=null,this.metalnessMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new _i,this.envMapIntensity=1,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.defines={STANDARD:""},this.color.copy(e.color),this.roughness=e.roughness,this.metalness=e.metalness,this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.emissive.copy(e.emissive),this.emissiveMap=e.emissiveMap,this.emissiveIntensity=e.emissiveIntensity,this.bumpMap=e.bumpMap,this.bumpScale=e.bumpScale,this.normalMap=e.normalMap,this.normalMapType=e.normalMapType,this.normalScale.copy(e.normalScale),this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.roughnessMap=e.roughnessMap,this.metalnessMap=e.metalnessMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.envMapIntensity=e.envMapIntensity,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.flatShading=e.flatShading,this.fog=e.fog,this}},Jt=class extends Mn{constructor(e){super(),this.isMeshPhysicalMaterial=!0,this.defines={STANDARD:"",PHYSICAL:""},this.type="MeshPhysicalMaterial",this.anisotropyRotation=0,this.anisotropyMap=null,this.clearcoatMap=null,this.clearcoatRoughness=0,this.clearcoatRoughnessMap=null,this.clearcoatNormalScale=new Ge(1,1),this.clearcoatNormalMap=null,this.diffuseRoughnessMap=null,this.ior=1.5,Object.defineProperty(this,"reflectivity",{get:function(){return $e(2.5*(this.ior-1)/(this.ior+1),0,1)},set:function(t){this.ior=(1+.4*t)/(1-.4*t)}}),this.iridescenceMap=null,this.iridescenceIOR=1.3,this.iridescenceThicknessMinimum=100,this.iridescenceThicknessMaximum=400,this.iridescenceThicknessMap=null,this.sheenColor=new Re(0),this.sheenColorMap=null,this.sheenRoughness=1,this.sheenRoughnessMap=null,this.transmissionMap=null,this.thickness=0,this.thicknessMap=null,this.attenuationDistance=1/0,this.attenuationColor=new Re(1,1,1),this.specularIntensity=1,this.specularIntensityMap=null,this.specularColor=new Re(1,1,1),this.specularColorMap=null,this.rt=0,this.ot=0,this.ct=0,this.lt=0,this.ht=0,this.ut=0,this.dt=0,this.ft=0,this.setValues(e)}get anisotropy(){return this.rt}set anisotropy(e){this.rt>0!=e>0&&this.version++,this.rt=e}get clearcoat(){return this.ot}set clearcoat(e){this.ot>0!=e>0&&this.version++,this.ot=e}get diffuseRoughness(){return this.ct}set diffuseRoughness(e){this.ct>0!=e>0&&this.version++,this.ct=e}get iridescence(){return this.ht}set iridescence(e){this.ht>0!=e>0&&this.version++,this.ht=e}get dispersion(){return this.lt}set dispersion(e){this.lt>0!=e>0&&this.version++,this.lt=e}get retroreflectivity(){return this.ut}set retroreflectivity(e){this.ut>0!=e>0&&this.version++,this.ut=e}get sheen(){return this.dt}set sheen(e){this.dt>0!=e>0&&this.version++,this.dt=e}get transmission(){return this.ft}set transmission(e){this.ft>0!=e>0&&this.version++,this.ft=e}get iridescenceThicknessRange(){return hs('MeshPhysicalMaterial: The "iridescenceThicknessRange" property has been replaced by "iridescenceThicknessMinimum" and "iridescenceThicknessMaximum".'),[this.iridescenceThicknessMinimum,this.iridescenceThicknessMaximum]}set iridescenceThicknessRange(e){hs('MeshPhysicalMaterial: The "iridescenceThicknessRange" property has been replaced by "iridescenceThicknessMinimum" and "iridescenceThicknessMaximum".'),this.iridescenceThicknessMinimum=e[0],this.iridescenceThicknessMaximum=e[1]}copy(e){return super.copy(e),this.defines={STANDARD:"",PHYSICAL:""},this.anisotropy=e.anisotropy,this.anisotropyRotation=e.anisotropyRotation,this.anisotropyMap=e.anisotropyMap,this.clearcoat=e.clearcoat,this.clearcoatMap=e.clearcoatMap,this.clearcoatRoughness=e.clearcoatRoughness,this.clearcoatRoughnessMap=e.clearcoatRoughnessMap,this.clearcoatNormalMap=e.clearcoatNormalMap,this.clearcoatNormalScale.copy(e.clearcoatNormalScale),this.diffuseRoughness=e.diffuseRoughness,this.diffuseRoughnessMap=e.diffuseRoughnessMap,this.dispersion=e.dispersion,this.ior=e.ior,this.iridescence=e.iridescence,this.iridescenceMap=e.iridescenceMap,this.iridescenceIOR=e.iridescenceIOR,this.iridescenceThicknessMinimum=e.iridescenceThicknessMinimum,this.iridescenceThicknessMaximum=e.iridescenceThicknessMaximum,this.iridescenceThicknessMap=e.iridescenceThicknessMap,this.retroreflectivity=e.retroreflectivity,this.sheen=e.sheen,this.sheenColor.copy(e.sheenColor),this.sheenColorMap=e.sheenColorMap,this.sheenRoughness=e.sheenRoughness,this.sheenRoughnessMap=e.sheenRoughnessMap,this.transmission=e.transmission,this.transmissionMap=e.transmissionMap,this.thickness=e.thickness,this.thicknessMap=e.thicknessMap,this.attenuationDistance=e.attenuationDistance,this.attenuationColor.copy(e.attenuationColor),this.specularIntensity=e.specularIntensity,this.specularIntensityMap=e.specularIntensityMap,this.specularColor.copy(e.specularColor),this.specularColorMap=e.specularColorMap,this}};var Pa=class extends vn{constructor(e){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=jf,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(e)}copy(e){return super.copy(e),this.depthPacking=e.depthPacking,this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this}},Ia=class extends vn{constructor(e){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(e)}copy(e){return super.copy(e),this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this}};function df(s,e){return!s||s.constructor===e?s:typeof e.BYTES_PER_ELEMENT=="number"?new e(s):Array.prototype.slice.call(s)}function Jl(s){return s!==void 0&&s.inTangents!==void 0&&s.outTangents!==void 0}var ri=class{constructor(e,t,n,i){this.parameterPositions=e,this.ge=0,this.resultBuffer=i!==void 0?i:new t.constructor(n),this.sampleValues=t,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(e){let t=this.parameterPositions,n=this.ge,i=t[n],r=t[n-1];e:{t:{let o;n:{i:if(!(e<i)){for(let a=n+2;;){if(i===void 0){if(e<r)break i;return n=t.length,this.ge=n,this.copySampleValue_(n-1)}if(n===a)break;if(r=i,i=t[++n],e<i)break t}o=t.length;break n}if(!(e>=r)){let a=t[1];e<a&&(n=2,r=a);for(let c=n-2;;){if(r===void 0)return this.ge=0,this.copySampleValue_(0);if(n===c)break;if(i=r,r=t[--n-1],e>=r)break t}o=n,n=0;break n}break e}for(;n<o;){let a=n+o>>>1;e<t[a]?o=a:n=a+1}if(i=t[n],r=t[n-1],r===void 0)return this.ge=0,this.copySampleValue_(0);if(i===void 0)return n=t.length,this.ge=n,this.copySampleValue_(n-1)}this.ge=n,this.intervalChanged_(n,r,i)}return this.interpolate_(n,r,e,i)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(e){let t=this.resultBuffer,n=this.sampleValues,i=this.valueSize,r=e*i;for(let o=0;o!==i;++o)t[o]=n[r+o];return t}interpolate_(){throw new Error("THREE.Interpolant: Call to abstract method.")}intervalChanged_(){}},La=class extends ri{constructor(e,t,n,i){super(e,t,n,i),this.Xt=-0,this.qt=-0,this.jt=-0,this.Yt=-0,this.DefaultSettings_={endingStart:sh,endingEnd:sh}}intervalChanged_(e,t,n){let i=this.parameterPositions,r=e-2,o=e+1,a=i[r],c=i[o];if(a===void 0)switch(this.getSettings_().endingStart){case rh:r=e,a=2*t-n;break;case oh:r=i.length-2,a=t+i[r]-i[r+1];break;default:r=e,a=n}if(c===void 0)switch(this.getSettings_().endingEnd){case rh:o=e,c=2*n-t;break;case oh:o=1,c=n+i[1]-i[0];break;default:o=e-1,c=t}let l=(n-t)*.5,h=this.valueSize;this.Xt=l/(t-a),this.jt=l/(c-n),this.qt=r*h,this.Yt=o*h}interpolate_(e,t,n,i){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=e*a,l=c-a,h=this.qt,d=this.Yt,u=this.Xt,f=this.jt,g=(n-t)/(i-t),M=g*g,m=M*g,p=-u*m+2*u*M-u*g,b=(1+u)*m+(-1.5-2*u)*M+(-.5+u)*g+1,T=(-1-f)*m+(1.5+f)*M+.5*g,S=f*m-f*M;for(let A=0;A!==a;++A)r[A]=p*o[h+A]+b*o[l+A]+T*o[c+A]+S*o[d+A];return r}},Da=class extends ri{constructor(e,t,n,i){super(e,t,n,i)}interpolate_(e,t,n,i){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=e*a,l=c-a,h=(n-t)/(i-t),d=1-h;for(let u=0;u!==a;++u)r[u]=o[l+u]*d+o[c+u]*h;return r}},Na=class extends ri{constructor(e,t,n,i){super(e,t,n,i)}interpolate_(e){return this.copySampleValue_(e-1)}},Ua=class extends ri{interpolate_(e,t,n,i){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=e*a,l=c-a,h=this.inTangents,d=this.outTangents;if(!h||!d){let g=(n-t)/(i-t),M=1-g;for(let m=0;m!==a;++m)r[m]=o[l+m]*M+o[c+m]*g;return r}let u=a*2,f=e-1;for(let g=0;g!==a;++g){let M=o[l+g],m=o[c+g],p=f*u+g*2,b=d[p],T=d[p+1],S=e*u+g*2,A=h[S],E=h[S+1],x=Qg(n,t,b,A,i);r[g]=ap(x,M,T,E,m)}return r}};function ap(s,e,t,n,i){let r=1-s;return r*r*r*e+3*r*r*s*t+3*r*s*s*n+s*s*s*i}function Zg(s,e,t,n,i){let r=1-s;return 3*r*r*(t-e)+6*r*s*(n-t)+3*s*s*(i-n)}function Qg(s,e,t,n,i){let r=(s-e)/(i-e);for(let o=0;o<8;o++){let a=ap(r,e,t,n,i)-s;if(Math.abs(a)<1e-10)break;let c=Zg(r,e,t,n,i);if(Math.abs(c)<1e-10)break;r=Math.max(0,Math.min(1,r-a/c))}return r}var An=class{constructor(e,t,n,i){if(e===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(t===void 0||t.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+e);this.name=e,this.times=df(t,this.TimeBufferType),this.values=df(n,this.ValueBufferType),this.setInterpolation(i||this.DefaultInterpolation)}InterpolantFactoryMethodDiscrete(e){return new Na(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodLinear(e){return new Da(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodSmooth(e){return new La(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodBezier(e){let t=new Ua(this.times,this.values,this.getValueSize(),e);return this.settings&&(t.inTangents=this.settings.inTangents,t.outTangents=this.settings.outTangents),t}setInterpolation(e){let t;switch(e){case us:t=this.InterpolantFactoryMethodDiscrete;break;case ds:t=this.InterpolantFactoryMethodLinear;break;case pa:t=this.InterpolantFactoryMethodSmooth;break;case ih:t=this.InterpolantFactoryMethodBezier;break}if(t===void 0){let n="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(e!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(n);return Ae("KeyframeTrack:",n),this}return this.createInterpolant=t,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return us;case this.InterpolantFactoryMethodLinear:return ds;case this.InterpolantFactoryMethodSmooth:return pa;case this.InterpolantFactoryMethodBezier:return ih}}getValueSize(){return this.values.length/this.times.length}shift(e){if(e!==0){let t=this.times;for(let n=0,i=t.length;n!==i;++n)t[n]+=e;Jl(this.settings)&&(ff(this.settings.inTangents,e),ff(this.settings.outTangents,e))}return this}scale(e){if(e!==1){let t=this.times;for(let n=0,i=t.length;n!==i;++n)t[n]*=e;Jl(this.settings)&&(pf(this.settings.inTangents,e),pf(this.settings.outTangents,e))}return this}trim(e,t){let n=this.times,i=n.length,r=0,o=i-1;for(;r!==i&&n[r]<e;)++r;for(;o!==-1&&n[o]>t;)--o;if(++o,r!==0||o!==i){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=n.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let e=!0,t=this.getValueSize();t-Math.floor(t)!==0&&(Le("KeyframeTrack: Invalid value size in track.",this),e=!1);let n=this.times,i=this.values,r=n.length;r===0&&(Le("KeyframeTrack: Track is empty.",this),e=!1);let o=null;for(let a=0;a!==r;a++){let c=n[a];if(typeof c=="number"&&isNaN(c)){Le("KeyframeTrack: Time is not a valid number.",this,a,c),e=!1;break}if(o!==null&&o>c){Le("KeyframeTrack: Out of order keys.",this,a,c,o),e=!1;break}o=c}if(i!==void 0&&lg(i))for(let a=0,c=i.length;a!==c;++a){let l=i[a];if(isNaN(l)){Le("KeyframeTrack: Value is not a valid number.",this,a,l),e=!1;break}}return e}optimize(){let e=this.times.slice(),t=this.values.slice(),n=this.getValueSize(),i=this.getInterpolation()===pa,r=e.length-1,o=1;for(let a=1;a<r;++a){let c=!1,l=e[a],h=e[a+1];if(l!==h&&(a!==1||l!==e[0]))if(i)c=!0;else{let d=a*n,u=d-n,f=d+n;for(let g=0;g!==n;++g){let M=t[d+g];if(M!==t[u+g]||M!==t[f+g]){c=!0;break}}}if(c){if(a!==o){e[o]=e[a];let d=a*n,u=o*n;for(let f=0;f!==n;++f)t[u+f]=t[d+f]}++o}}if(r>0){e[o]=e[r];for(let a=r*n,c=o*n,l=0;l!==n;++l)t[c+l]=t[a+l];++o}return o!==e.length?(this.times=e.slice(0,o),this.values=t.slice(0,o*n)):(this.times=e,this.values=t),this}clone(){let e=this.times.slice(),t=this.values.slice(),n=this.constructor,i=new n(this.name,e,t);return i.createInterpolant=this.createInterpolant,Jl(this.settings)&&(i.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),i}};function ff(s,e){for(let t=0,n=s.length;t!==n;t+=2)s[t]+=e}function pf(s,e){for(let t=0,n=s.length;t!==n;t+=2)s[t]*=e}An.prototype.ValueTypeName="";An.prototype.TimeBufferType=Float32Array;An.prototype.ValueBufferType=Float32Array;An.prototype.DefaultInterpolation=ds;var ji=class extends An{constructor(e,t,n){super(e,t,n)}};ji.prototype.ValueTypeName="bool";ji.prototype.ValueBufferType=Array;ji.prototype.DefaultInterpolation=us;ji.prototype.InterpolantFactoryMethodLinear=void 0;ji.prototype.InterpolantFactoryMethodSmooth=void 0;var Fa=class extends An{constructor(e,t,n,i){super(e,t,n,i)}};Fa.prototype.ValueTypeName="color";var ms=class extends An{constructor(e,t,n,i){super(e,t,n,i)}};ms.prototype.ValueTypeName="number";var Ba=class extends ri{constructor(e,t,n,i){super(e,t,n,i)}interpolate_(e,t,n,i){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=(n-t)/(i-t),l=e*a;for(let h=l+a;l!==h;l+=4)Dt.slerpFlat(r,0,o,l-a,o,l,c);return r}},Yi=class extends An{constructor(e,t,n,i){super(e,t,n,i)}InterpolantFactoryMethodLinear(e){return new Ba(this.times,this.values,this.getValueSize(),e)}};Yi.prototype.ValueTypeName="quaternion";Yi.prototype.InterpolantFactoryMethodSmooth=void 0;var $i=class extends An{constructor(e,t,n){super(e,t,n)}};$i.prototype.ValueTypeName="string";$i.prototype.ValueBufferType=Array;$i.prototype.DefaultInterpolation=us;$i.prototype.InterpolantFactoryMethodLinear=void 0;$i.prototype.InterpolantFactoryMethodSmooth=void 0;var gs=class extends An{constructor(e,t,n,i){super(e,t,n,i)}};gs.prototype.ValueTypeName="vector";var Zr=class{constructor(e="",t=-1,n=[],i=qf){this.name=e,this.tracks=n,this.duration=t,this.blendMode=i,this.uuid=ci(),this.userData={},this.duration<0&&this.resetDuration()}static findByName(e,t){let n=e;if(!Array.isArray(e)){let i=e;n=i.geometry&&i.geometry.animations||i.animations}for(let i=0;i<n.length;i++)if(n[i].name===t)return n[i];return null}resetDuration(){let e=this.tracks,t=0;for(let n=0,i=e.length;n!==i;++n){let r=this.tracks[n];t=Math.max(t,r.times[r.times.length-1])}return this.duration=t,this}trim(){for(let e=0;e<this.tracks.length;e++)this.tracks[e].trim(0,this.duration);return this}validate(){let e=!0;for(let t=0;t<this.tracks.length;t++)e=e&&this.tracks[t].validate();return e}optimize(){for(let e=0;e<this.tracks.length;e++)this.tracks[e].optimize();return this}clone(){let e=[];for(let n=0;n<this.tracks.length;n++)e.push(this.tracks[n].clone());let t=new this.constructor(this.name,this.duration,e,this.blendMode);return t.userData=JSON.parse(JSON.stringify(this.userData)),t}};var ii={enabled:!1,files:{},add:function(s,e){this.enabled!==!1&&(mf(s)||(this.files[s]=e))},get:function(s){if(this.enabled!==!1&&!mf(s))return this.files[s]},remove:function(s){delete this.files[s]},clear:function(){this.files={}}};function mf(s){try{let e=s.slice(s.indexOf(":")+1);return new URL(e).protocol==="blob:"}catch{return!1}}var Oa=class{constructor(e,t,n){let i=this,r=!1,o=0,a=0,c,l=[];this.onStart=void 0,this.onLoad=e,this.onProgress=t,this.onError=n,this.B=null,this.itemStart=function(h){a++,r===!1&&i.onStart!==void 0&&i.onStart(h,o,a),r=!0},this.itemEnd=function(h){o++,i.onProgress!==void 0&&i.onProgress(h,o,a),o===a&&(r=!1,i.onLoad!==void 0&&i.onLoad())},this.itemError=function(h){i.onError!==void 0&&i.onError(h)},this.resolveURL=function(h){return h=h.normalize("NFC"),c?c(h):h},this.setURLModifier=function(h){return c=h,this},this.addHandler=function(h,d){return l.push(h,d),this},this.removeHandler=function(h){let d=l.indexOf(h);return d!==-1&&l.splice(d,2),this},this.getHandler=function(h){for(let d=0,u=l.length;d<u;d+=2){let f=l[d],g=l[d+1];if(f.global&&(f.lastIndex=0),f.test(h))return g}return null},this.abort=function(){return this.abortController.abort(),this.B=null,this}}get abortController(){return this.B||(this.B=new AbortController),this.B}},cp=new Oa,oi=class{constructor(e){this.manager=e!==void 0?e:cp,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={},this.priority="auto",this.cache="default",typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}load(){}loadAsync(e,t){let n=this;return new Promise(function(i,r){n.load(e,i,t,r)})}parse(){}setCrossOrigin(e){return this.crossOrigin=e,this}setWithCredentials(e){return this.withCredentials=e,this}setPath(e){return this.path=e,this}setResourcePath(e){return this.resourcePath=e,this}setRequestHeader(e){return this.requestHeader=e,this}setPriority(e){return this.priority=e,this}setCache(e){return this.cache=e,this}abort(){return this}};oi.DEFAULT_MATERIAL_NAME="__DEFAULT";var Mi={},ch=class extends Error{constructor(e,t){super(e),this.response=t}},er=class extends oi{constructor(e){super(e),this.mimeType="",this.responseType="",this.B=new AbortController}load(e,t,n,i){e===void 0&&(e=""),this.path!==void 0&&(e=this.path+e),e=this.manager.resolveURL(e);let r=ii.get(`file:${e}`);if(r!==void 0){this.manager.itemStart(e),setTimeout(()=>{t&&t(r),this.manager.itemEnd(e)},0);return}if(Mi[e]!==void 0){Mi[e].push({onLoad:t,onProgress:n,onError:i});return}Mi[e]=[],Mi[e].push({onLoad:t,onProgress:n,onError:i});let o=new Request(e,{headers:new Headers(this.requestHeader),credentials:this.withCredentials?"include":"same-origin",priority:this.priority,cache:this.cache,signal:typeof AbortSignal.any=="function"?AbortSignal.any([this.B.signal,this.manager.abortController.signal]):this.B.signal}),a=this.mimeType,c=this.responseType;fetch(o).then(l=>{if(l.status===200||l.status===0){if(l.status===0&&Ae("FileLoader: HTTP Status 0 received."),typeof ReadableStream>"u"||l.body===void 0||l.body.getReader===void 0)return l;let h=Mi[e],d=l.body.getReader(),u=l.headers.get("X-File-Size")||l.headers.get("Content-Length"),f=u?parseInt(u):0,g=f!==0,M=0,m=new ReadableStream({start(p){b();function b(){d.read().then(({done:T,value:S})=>{if(T)p.close();else{M+=S.byteLength;let A=new ProgressEvent("progress",{lengthComputable:g,loaded:M,total:f});for(let E=0,x=h.length;E<x;E++){let _=h[E];_.onProgress&&_.onProgress(A)}p.enqueue(S),b()}},T=>{p.error(T)})}}});return new Response(m)}else throw new ch(`fetch for "${l.url}" responded with ${l.status}: ${l.statusText}`,l)}).then(l=>{switch(c){case"arraybuffer":return l.arrayBuffer();case"blob":return l.blob();case"document":return l.text().then(h=>new DOMParser().parseFromString(h,a));case"json":return l.json();default:if(a==="")return l.text();{let d=/charset="?([^;"\s]*)"?/i.exec(a),u=d&&d[1]?d[1].toLowerCase():void 0,f=new TextDecoder(u);return l.arrayBuffer().then(g=>f.decode(g))}}}).then(l=>{ii.add(`file:${e}`,l);let h=Mi[e];delete Mi[e];for(let d=0,u=h.length;d<u;d++){let f=h[d];f.onLoad&&f.onLoad(l)}}).catch(l=>{let h=Mi[e];if(h===void 0)throw this.manager.itemError(e),l;delete Mi[e];for(let d=0,u=h.length;d<u;d++){let f=h[d];f.onError&&f.onError(l)}this.manager.itemError(e)}).finally(()=>{this.manager.itemEnd(e)}),this.manager.itemStart(e)}setResponseType(e){return this.responseType=e,this}setMimeType(e){return this.mimeType=e,this}abort(){return this.B.abort(),this.B=new AbortController,this}};var Vs=new WeakMap,ka=class extends oi{constructor(e){super(e)}load(e,t,n,i){this.path!==void 0&&(e=this.path+e),e=this.manager.resolveURL(e);let r=this,o=ii.get(`image:${e}`);if(o!==void 0){if(o.complete===!0)r.manager.itemStart(e),setTimeout(function(){t&&t(o),r.manager.itemEnd(e)},0);else{let d=Vs.get(o);d===void 0&&(d=[],Vs.set(o,d)),d.push({onLoad:t,onError:i})}return o}let a=Cc("img");function c(){h(),t&&t(this);let d=Vs.get(this)||[];for(let u=0;u<d.length;u++){let f=d[u];f.onLoad&&f.onLoad(this)}Vs.delete(this),r.manager.itemEnd(e)}function l(d){h(),i&&i(d),ii.remove(`image:${e}`);let u=Vs.get(this)||[];for(let f=0;f<u.length;f++){let g=u[f];g.onError&&g.onError(d)}Vs.delete(this),r.manager.itemError(e),r.manager.itemEnd(e)}function h(){a.removeEventListener("load",c,!1),a.removeEventListener("error",l,!1)}return a.addEventListener("load",c,!1),a.addEventListener("error",l,!1),e.slice(0,5)!=="data:"&&this.crossOrigin!==void 0&&(a.crossOrigin=this.crossOrigin),ii.add(`image:${e}`,a),r.manager.itemStart(e),a.fetchPriority=this.priority,a.src=e,a}};var Qr=class extends oi{constructor(e){super(e)}load(e,t,n,i){let r=new Tt,o=new ka(this.manager);return o.setPriority(this.priority),o.setCache(this.cache),o.setCrossOrigin(this.crossOrigin),o.setPath(this.path),o.load(e,function(a){r.image=a,r.needsUpdate=!0,t!==void 0&&t(r)},n,i),r}},Yn=class extends gt{static registerNode(e){this.prototype.Bi=e}constructor(e,t=1){super(),this.isLight=!0,this.type="Light",this.color=new Re(e),this.intensity=t}copy(e,t){return super.copy(e,t),this.color.copy(e.color),this.intensity=e.intensity,this}},Jr=class extends Yn{constructor(e,t,n){super(e,n),this.isHemisphereLight=!0,this.type="HemisphereLight",this.position.copy(gt.DEFAULT_UP),this.updateMatrix(),this.groundColor=new Re(t)}copy(e,t){return super.copy(e,t),this.groundColor.copy(e.groundColor),this}},eh=new ke,gf=new L,xf=new L,tr=class{constructor(e){this.camera=e,this.intensity=1,this.bias=0,this.biasNode=null,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new Ge(512,512),this.mapType=_n,this.map=null,this.mapPass=null,this.matrix=new ke,this.autoUpdate=!0,this.needsUpdate=!1,this.pt=new Xi,this.Kt=new Ge(1,1),this.Un=1,this.Bn=[new lt(0,0,1,1)]}getViewportCount(){return this.Un}getCamera(){return this.camera}getFrustum(){return this.pt}updateMatrices(e){let t=this.camera;gf.setFromMatrixPosition(e.matrixWorld),t.position.copy(gf),xf.setFromMatrixPosition(e.target.matrixWorld),t.lookAt(xf),t.updateMatrixWorld(),this.On(t,this.matrix,this.pt)}On(e,t,n,i){eh.multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse),n.setFromProjectionMatrix(eh,e.coordinateSystem,e.reversedDepth);let r=this.Kt,o=i?i.z/r.x:1,a=i?i.w/r.y:1,c=i?i.x/r.x:0,l=i?i.y/r.y:0;e.coordinateSystem===Nr||e.reversedDepth?t.set(.5*o,0,0,.5*o+c,0,.5*a,0,.5*a+l,0,0,1,0,0,0,0,1):t.set(.5*o,0,0,.5*o+c,0,.5*a,0,.5*a+l,0,0,.5,.5,0,0,0,1),t.multiply(eh)}getViewport(e){return this.Bn[e]}getFrameExtents(){return this.Kt}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(e){return this.camera=e.camera.clone(),this.intensity=e.intensity,this.bias=e.bias,this.radius=e.radius,this.autoUpdate=e.autoUpdate,this.needsUpdate=e.needsUpdate,this.normalBias=e.normalBias,this.blurSamples=e.blurSamples,this.mapSize.copy(e.mapSize),this.mapType=e.mapType,this.biasNode=e.biasNode,this}clone(){return new this.constructor().copy(this)}},ua=new L,da=new Dt,ti=new L,eo=class extends gt{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new ke,this.projectionMatrix=new ke,this.projectionMatrixInverse=new ke,this.coordinateSystem=qn,this.mt=!1}get reversedDepth(){return this.mt}copy(e,t){return super.copy(e,t),this.matrixWorldInverse.copy(e.matrixWorldInverse),this.projectionMatrix.copy(e.projectionMatrix),this.projectionMatrixInverse.copy(e.projectionMatrixInverse),this.coordinateSystem=e.coordinateSystem,this}getWorldDirection(e){return super.getWorldDirection(e).negate()}updateMatrixWorld(e){super.updateMatrixWorld(e),this.matrixWorld.decompose(ua,da,ti),ti.x===1&&ti.y===1&&ti.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(ua,da,ti.set(1,1,1)).invert()}updateWorldMatrix(e,t,n=!1){super.updateWorldMatrix(e,t,n),this.matrixWorld.decompose(ua,da,ti),ti.x===1&&ti.y===1&&ti.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(ua,da,ti.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},zi=new L,yf=new Ge,vf=new Ge,Ot=class extends eo{constructor(e=50,t=1,n=.1,i=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=e,this.zoom=1,this.near=n,this.far=i,this.focus=10,this.aspect=t,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.fov=e.fov,this.zoom=e.zoom,this.near=e.near,this.far=e.far,this.focus=e.focus,this.aspect=e.aspect,this.view=e.view===null?null:Object.assign({},e.view),this.filmGauge=e.filmGauge,this.filmOffset=e.filmOffset,this}setFocalLength(e){let t=.5*this.getFilmHeight()/e;this.fov=fs*2*Math.atan(t),this.updateProjectionMatrix()}getFocalLength(){let e=Math.tan(Ir*.5*this.fov);return .5*this.getFilmHeight()/e}getEffectiveFOV(){return fs*2*Math.atan(Math.tan(Ir*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(e,t,n){zi.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),t.set(zi.x,zi.y).multiplyScalar(-e/zi.z),zi.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(zi.x,zi.y).multiplyScalar(-e/zi.z)}getViewSize(e,t){return this.getViewBounds(e,yf,vf),t.subVectors(vf,yf)}setViewOffset(e,t,n,i,r,o){this.aspect=e/t,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=i,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=this.near,t=e*Math.tan(Ir*.5*this.fov)/this.zoom,n=2*t,i=this.aspect*n,r=-.5*i,o=this.view;if(this.view!==null&&this.view.enabled){let c=o.fullWidth,l=o.fullHeight;r+=o.offsetX*i/c,t-=o.offsetY*n/l,i*=o.width/c,n*=o.height/l}let a=this.filmOffset;a!==0&&(r+=e*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+i,t,t-n,e,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}},lh=class extends tr{constructor(){super(new Ot(50,1,.5,500)),this.isSpotLightShadow=!0,this.focus=1,this.aspect=1}updateMatrices(e){let t=this.camera,n=fs*2*e.angle*this.focus,i=this.mapSize.width/this.mapSize.height*this.aspect,r=e.distance||t.far;(n!==t.fov||i!==t.aspect||r!==t.far)&&(t.fov=n,t.aspect=i,t.far=r,t.updateProjectionMatrix()),super.updateMatrices(e)}copy(e){return super.copy(e),this.focus=e.focus,this.aspect=e.aspect,this}},ai=class extends Yn{constructor(e,t,n=0,i=Math.PI/3,r=0,o=2){super(e,t),this.isSpotLight=!0,this.type="SpotLight",this.position.copy(gt.DEFAULT_UP),this.updateMatrix(),this.target=new gt,this.distance=n,this.angle=i,this.penumbra=r,this.decay=o,this.map=null,this.shadow=new lh}get power(){return this.intensity*Math.PI}set power(e){this.intensity=e/Math.PI}dispose(){super.dispose(),this.shadow.dispose()}copy(e,t){return super.copy(e,t),this.distance=e.distance,this.angle=e.angle,this.penumbra=e.penumbra,this.decay=e.decay,this.target=e.target.clone(),this.map=e.map,this.shadow=e.shadow.clone(),this}},hh=class extends tr{constructor(){super(new Ot(90,1,.5,500)),this.isPointLightShadow=!0}},Ki=class extends Yn{constructor(e,t,n=0,i=2){super(e,t),this.isPointLight=!0,this.type="PointLight",this.distance=n,this.decay=i,this.shadow=new hh}get power(){return this.intensity*4*Math.PI}set power(e){this.intensity=e/(4*Math.PI)}dispose(){super.dispose(),this.shadow.dispose()}copy(e,t){return super.copy(e,t),this.distance=e.distance,this.decay=e.decay,this.shadow=e.shadow.clone(),this}},bn=class extends eo{constructor(e=-1,t=1,n=1,i=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=e,this.right=t,this.top=n,this.bottom=i,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.left=e.left,this.right=e.right,this.top=e.top,this.bottom=e.bottom,this.near=e.near,this.far=e.far,this.zoom=e.zoom,this.view=e.view===null?null:Object.assign({},e.view),this}setViewOffset(e,t,n,i,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=i,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=(this.right-this.left)/(2*this.zoom),t=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,i=(this.top+this.bottom)/2,r=n-e,o=n+e,a=i+t,c=i-t;if(this.view!==null&&this.view.enabled){let l=(this.right-this.left)/this.view.fullWidth/this.zoom,h=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=l*this.view.offsetX,o=r+l*this.view.width,a-=h*this.view.offsetY,c=a-h*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,c,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}},uh=class extends tr{constructor(){super(new bn(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}},$n=class extends Yn{constructor(e,t){super(e,t),this.isDirectionalLight=!0,this.type="DirectionalLight",this.position.copy(gt.DEFAULT_UP),this.updateMatrix(),this.target=new gt,this.shadow=new uh}dispose(){super.dispose(),this.shadow.dispose()}copy(e){return super.copy(e),this.target=e.target.clone(),this.shadow=e.shadow.clone(),this}},nr=class extends Yn{constructor(e,t){super(e,t),this.isAmbientLight=!0,this.type="AmbientLight"}};var Ri=class{static extractUrlBase(e){let t=e.lastIndexOf("/");return t===-1?"./":e.slice(0,t+1)}static resolveURL(e,t){return typeof e!="string"||e===""?"":(/^https?:\/\//i.test(t)&&/^\//.test(e)&&(t=t.replace(/(^https?:\/\/[^\/]+).*/i,"$1")),/^(https?:)?\/\//i.test(e)||/^data:.*,.*$/i.test(e)||/^blob:.*$/i.test(e)?e:t+e)}};var th=new WeakMap,to=class extends oi{constructor(e){super(e),this.isImageBitmapLoader=!0,typeof createImageBitmap>"u"&&Ae("ImageBitmapLoader: createImageBitmap() not supported."),typeof fetch>"u"&&Ae("ImageBitmapLoader: fetch() not supported."),this.options={premultiplyAlpha:"none"},this.B=new AbortController}setOptions(e){return this.options=e,this}load(e,t,n,i){e===void 0&&(e=""),this.path!==void 0&&(e=this.path+e),e=this.manager.resolveURL(e);let r=this,o=ii.get(`image-bitmap:${e}`);if(o!==void 0){if(r.manager.itemStart(e),o.then){o.then(l=>{th.has(o)===!0?(i&&i(th.get(o)),r.manager.itemError(e),r.manager.itemEnd(e)):(t&&t(l),r.manager.itemEnd(e))});return}setTimeout(function(){t&&t(o),r.manager.itemEnd(e)},0);return}let a={};a.credentials=this.withCredentials||this.crossOrigin!=="anonymous"?"include":"same-origin",a.headers=this.requestHeader,a.priority=this.priority,a.cache=this.cache,a.signal=typeof AbortSignal.any=="function"?AbortSignal.any([this.B.signal,this.manager.abortController.signal]):this.B.signal;let c=fetch(e,a).then(function(l){return l.blob()}).then(function(l){return createImageBitmap(l,Object.assign({},r.options,{colorSpaceConversion:"none"}))}).then(function(l){return ii.add(`image-bitmap:${e}`,l),t&&t(l),r.manager.itemEnd(e),l}).catch(function(l){i&&i(l),th.set(c,l),ii.remove(`image-bitmap:${e}`),r.manager.itemError(e),r.manager.itemEnd(e)});ii.add(`image-bitmap:${e}`,c),r.manager.itemStart(e)}abort(){return this.B.abort(),this.B=new AbortController,this}};var Va=class extends Ot{constructor(e=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=e,this.perCameraFrustumCulled=!1}},no=class{constructor(){this.Zt=0,this.We=0,this.ne=performance.now(),this.Xe=0,this.Qt=0,this.gt=1,this.Ce=null,this.xe=null}connect(e){this.Ce=e,e.hidden!==void 0&&(this.xe=Jg.bind(this),e.addEventListener("visibilitychange",this.xe,!1))}disconnect(){this.xe!==null&&(this.Ce.removeEventListener("visibilitychange",this.xe),this.xe=null),this.Ce=null}getDelta(){return this.Xe/1e3}getElapsed(){return this.Qt/1e3}getTimescale(){return this.gt}setTimescale(e){return this.gt=e,this}reset(){return this.We=performance.now()-this.ne,this}dispose(){this.disconnect()}update(e){return this.xe!==null&&this.Ce.hidden===!0?this.Xe=0:(this.Zt=this.We,this.We=(e!==void 0?e:performance.now())-this.ne,this.Xe=(this.We-this.Zt)*this.gt,this.Qt+=this.Xe),this}};function Jg(){this.Ce.hidden===!1&&this.reset()}var Hh="\\[\\]\\.:\\/",e0=new RegExp("["+Hh+"]","g"),Wh="[^"+Hh+"]",t0="[^"+Hh.replace("\\.","")+"]",n0=/((?:WC+[\/:])*)/.source.replace("WC",Wh),i0=/(WCOD+)?/.source.replace("WCOD",t0),s0=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",Wh),r0=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",Wh),o0=new RegExp("^"+n0+i0+s0+r0+"$"),a0=["material","materials","bones","map"],dh=class{constructor(e,t,n){let i=n||ft.parseTrackName(t);this.je=e,this.P=e.subscribe_(t,i)}getValue(e,t){this.bind();let n=this.je.nCachedObjects_,i=this.P[n];i!==void 0&&i.getValue(e,t)}setValue(e,t){let n=this.P;for(let i=this.je.nCachedObjects_,r=n.length;i!==r;++i)n[i].setValue(e,t)}bind(){let e=this.P;for(let t=this.je.nCachedObjects_,n=e.length;t!==n;++t)e[t].bind()}unbind(){let e=this.P;for(let t=this.je.nCachedObjects_,n=e.length;t!==n;++t)e[t].unbind()}},ft=class s{constructor(e,t,n){this.path=t,this.parsedPath=n||s.parseTrackName(t),this.node=s.findNode(e,this.parsedPath.nodeName),this.rootNode=e,this.getValue=this.an,this.setValue=this.cn}static create(e,t,n){return e&&e.isAnimationObjectGroup?new s.Composite(e,t,n):new s(e,t,n)}static sanitizeNodeName(e){return e.replace(/\s/g,"_").replace(e0,"")}static parseTrackName(e){let t=o0.exec(e);if(t===null)throw new Error("THREE.PropertyBinding: Cannot parse trackName: "+e);let n={nodeName:t[2],objectName:t[3],objectIndex:t[4],propertyName:t[5],propertyIndex:t[6]},i=n.nodeName&&n.nodeName.lastIndexOf(".");if(i!==void 0&&i!==-1){let r=n.nodeName.substring(i+1);a0.indexOf(r)!==-1&&(n.nodeName=n.nodeName.substring(0,i),n.objectName=r)}if(n.propertyName===null||n.propertyName.length===0)throw new Error("THREE.PropertyBinding: can not parse propertyName from trackName: "+e);return n}static findNode(e,t){if(t===void 0||t===""||t==="."||t===-1||t===e.name||t===e.uuid)return e;if(e.skeleton){let n=e.skeleton.getBoneByName(t);if(n!==void 0)return n}if(e.children){let n=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===t||a.uuid===t)return a;let c=n(a.children);if(c)return c}return null},i=n(e.children);if(i)return i}return null}jn(){}Yn(){}$n(e,t){e[t]=this.targetObject[this.propertyName]}Kn(e,t){let n=this.resolvedProperty;for(let i=0,r=n.length;i!==r;++i)e[t++]=n[i]}Zn(e,t){e[t]=this.resolvedProperty[this.propertyIndex]}Qn(e,t){this.resolvedProperty.toArray(e,t)}Jn(e,t){this.targetObject[this.propertyName]=e[t]}ei(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.needsUpdate=!0}ti(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}ni(e,t){let n=this.resolvedProperty;for(let i=0,r=n.length;i!==r;++i)n[i]=e[t++]}ii(e,t){let n=this.resolvedProperty;for(let i=0,r=n.length;i!==r;++i)n[i]=e[t++];this.targetObject.needsUpdate=!0}si(e,t){let n=this.resolvedProperty;for(let i=0,r=n.length;i!==r;++i)n[i]=e[t++];this.targetObject.matrixWorldNeedsUpdate=!0}ri(e,t){this.resolvedProperty[this.propertyIndex]=e[t]}oi(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.needsUpdate=!0}ai(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}ci(e,t){this.resolvedProperty.fromArray(e,t)}li(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.needsUpdate=!0}hi(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.matrixWorldNeedsUpdate=!0}an(e,t){this.bind(),this.getValue(e,t)}cn(e,t){this.bind(),this.setValue(e,t)}bind(){let e=this.node,t=this.parsedPath,n=t.objectName,i=t.propertyName,r=t.propertyIndex;if(e||(e=s.findNode(this.rootNode,t.nodeName),this.node=e),this.getValue=this.jn,this.setValue=this.Yn,!e){Ae("PropertyBinding: No target node found for track: "+this.path+".");return}if(n){let l=t.objectIndex;switch(n){case"materials":if(!e.material){Le("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!e.material.materials){Le("PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}e=e.material.materials;break;case"bones":if(!e.skeleton){Le("PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}e=e.skeleton.bones;for(let h=0;h<e.length;h++)if(e[h].name===l){l=h;break}break;case"map":if("map"in e){e=e.map;break}if(!e.material){Le("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!e.material.map){Le("PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}e=e.material.map;break;default:if(e[n]===void 0){Le("PropertyBinding: Can not bind to objectName of node undefined.",this);return}e=e[n]}if(l!==void 0){if(e[l]===void 0){Le("PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,e);return}e=e[l]}}let o=e[i];if(o===void 0){let l=t.nodeName;Le("PropertyBinding: Trying to update property for track: "+l+"."+i+" but it wasn't found.",e);return}let a=this.Versioning.None;this.targetObject=e,e.isMaterial===!0?a=this.Versioning.NeedsUpdate:e.isObject3D===!0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let c=this.BindingType.Direct;if(r!==void 0){if(i==="morphTargetInfluences"){if(!e.geometry){Le("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!e.geometry.morphAttributes){Le("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}e.morphTargetDictionary[r]!==void 0&&(r=e.morphTargetDictionary[r])}c=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(c=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(c=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=i;this.getValue=this.GetterByBindingType[c],this.setValue=this.SetterByBindingTypeAndVersioning[c][a]}unbind(){this.node=null,this.getValue=this.an,this.setValue=this.cn}};ft.Composite=dh;ft.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};ft.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};ft.prototype.GetterByBindingType=[ft.prototype.$n,ft.prototype.Kn,ft.prototype.Zn,ft.prototype.Qn];ft.prototype.SetterByBindingTypeAndVersioning=[[ft.prototype.Jn,ft.prototype.ei,ft.prototype.ti],[ft.prototype.ni,ft.prototype.ii,ft.prototype.si],[ft.prototype.ri,ft.prototype.oi,ft.prototype.ai],[ft.prototype.ci,ft.prototype.li,ft.prototype.hi]];var Kb=new Float32Array(1);var Mf=new ke,xs=class{constructor(e,t,n=0,i=1/0){this.ray=new Wi(e,t),this.near=n,this.far=i,this.camera=null,this.layers=new js,this.params={Mesh:{},Line:{threshold:1},LOD:{},Points:{threshold:1},Sprite:{}}}set(e,t){this.ray.set(e,t)}setFromCamera(e,t){t.isPerspectiveCamera?(this.ray.origin.setFromMatrixPosition(t.matrixWorld),this.ray.direction.set(e.x,e.y,.5).unproject(t).sub(this.ray.origin).normalize(),this.camera=t):t.isOrthographicCamera?(this.ray.origin.set(e.x,e.y,t.projectionMatrix.elements[14]).unproject(t),this.ray.direction.set(0,0,-1).transformDirection(t.matrixWorld),this.camera=t):Le("Raycaster: Unsupported camera type: "+t.type)}setFromXRController(e){return Mf.identity().extractRotation(e.matrixWorld),this.ray.origin.setFromMatrixPosition(e.matrixWorld),this.ray.direction.set(0,0,-1).applyMatrix4(Mf),this}intersectObject(e,t=!0,n=[]){return fh(e,this,n,t),n.sort(bf),n}intersectObjects(e,t=!0,n=[]){for(let i=0,r=e.length;i<r;i++)fh(e[i],this,n,t);return n.sort(bf),n}};function bf(s,e){return s.distance-e.distance}function fh(s,e,t,n){let i=!0;if(s.layers.test(e.layers)&&s.raycast(e,t)===!1&&(i=!1),i===!0&&n===!0){let r=s.children;for(let o=0,a=r.length;o<a;o++)fh(r[o],e,t,!0)}}var ph=class{static{this.prototype.isMatrix2=!0}constructor(e,t,n,i){this.elements=[1,0,0,1],e!==void 0&&this.set(e,t,n,i)}identity(){return this.set(1,0,0,1),this}fromArray(e,t=0){for(let n=0;n<4;n++)this.elements[n]=e[n+t];return this}set(e,t,n,i){let r=this.elements;return r[0]=e,r[2]=t,r[1]=n,r[3]=i,this}};var fa=new Yt,io=class extends Qs{constructor(e,t=16776960){let n=new Uint16Array([0,1,1,2,2,3,3,0,4,5,5,6,6,7,7,4,0,4,1,5,2,6,3,7]),i=new Float32Array(24),r=new St;r.setIndex(new _t(n,1)),r.setAttribute("position",new _t(i,3)),super(r,new wi({color:t,toneMapped:!1})),this.object=e,this.type="BoxHelper",this.matrixAutoUpdate=!1,this.update()}update(){if(this.object!==void 0&&fa.setFromObject(this.object),fa.isEmpty())return;let e=fa.min,t=fa.max,n=this.geometry.attributes.position,i=n.array;i[0]=t.x,i[1]=t.y,i[2]=t.z,i[3]=e.x,i[4]=t.y,i[5]=t.z,i[6]=e.x,i[7]=e.y,i[8]=t.z,i[9]=t.x,i[10]=e.y,i[11]=t.z,i[12]=t.x,i[13]=t.y,i[14]=e.z,i[15]=e.x,i[16]=t.y,i[17]=e.z,i[18]=e.x,i[19]=e.y,i[20]=e.z,i[21]=t.x,i[22]=e.y,i[23]=e.z,n.needsUpdate=!0,this.geometry.computeBoundingSphere()}setFromObject(e){return this.object=e,this.update(),this}copy(e,t){return super.copy(e,t),this.object=e.object,this}dispose(){super.dispose(),this.geometry.dispose(),this.material.dispose()}};function Xh(s,e,t,n){let i=c0(n);switch(t){case Ih:return s*e;case Ya:return s*e/i.components*i.byteLength;case $a:return s*e/i.components*i.byteLength;case Qi:return s*e*2/i.components*i.byteLength;case Ka:return s*e*2/i.components*i.byteLength;case Lh:return s*e*3/i.components*i.byteLength;case Vn:return s*e*4/i.components*i.byteLength;case Za:return s*e*4/i.components*i.byteLength;case lo:case ho:return Math.floor((s+3)/4)*Math.floor((e+3)/4)*8;case uo:case fo:return Math.floor((s+3)/4)*Math.floor((e+3)/4)*16;case Ja:case tc:return Math.max(s,16)*Math.max(e,8)/4;case Qa:case ec:return Math.max(s,8)*Math.max(e,8)/2;case nc:case ic:case rc:case oc:return Math.floor((s+3)/4)*Math.floor((e+3)/4)*8;case sc:case po:case ac:return Math.floor((s+3)/4)*Math.floor((e+3)/4)*16;case cc:return Math.floor((s+3)/4)*Math.floor((e+3)/4)*16;case lc:return Math.floor((s+4)/5)*Math.floor((e+3)/4)*16;case hc:return Math.floor((s+4)/5)*Math.floor((e+4)/5)*16;case uc:return Math.floor((s+5)/6)*Math.floor((e+4)/5)*16;case dc:return Math.floor((s+5)/6)*Math.floor((e+5)/6)*16;case fc:return Math.floor((s+7)/8)*Math.floor((e+4)/5)*16;case pc:return Math.floor((s+7)/8)*Math.floor((e+5)/6)*16;case mc:return Math.floor((s+7)/8)*Math.floor((e+7)/8)*16;case gc:return Math.floor((s+9)/10)*Math.floor((e+4)/5)*16;case xc:return Math.floor((s+9)/10)*Math.floor((e+5)/6)*16;case yc:return Math.floor((s+9)/10)*Math.floor((e+7)/8)*16;case vc:return Math.floor((s+9)/10)*Math.floor((e+9)/10)*16;case Mc:return Math.floor((s+11)/12)*Math.floor((e+9)/10)*16;case bc:return Math.floor((s+11)/12)*Math.floor((e+11)/12)*16;case _c:case Sc:case wc:return Math.ceil(s/4)*Math.ceil(e/4)*16;case Ec:case Ac:return Math.ceil(s/4)*Math.ceil(e/4)*8;case mo:case Tc:return Math.ceil(s/4)*Math.ceil(e/4)*16}throw new Error(`Unable to determine texture byte length for ${t} format.`)}function c0(s){switch(s){case _n:case Th:return{byteLength:1,components:1};case rr:case Rh:case Rn:return{byteLength:2,components:1};case qa:case ja:return{byteLength:2,components:4};case Kn:case Xa:case Tn:return{byteLength:4,components:1};case Ch:case Ph:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${s}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.Si?Ae("WARNING: Multiple instances of Three.js being imported."):window.Si="187");function Ap(){let s=null,e=!1,t=null,n=null;function i(r,o){n=s.requestAnimationFrame(i),t(r,o)}return{start:function(){e!==!0&&t!==null&&s!==null&&(n=s.requestAnimationFrame(i),e=!0)},stop:function(){s!==null&&s.cancelAnimationFrame(n),e=!1},setAnimationLoop:function(r){t=r},setContext:function(r){s=r}}}function h0(s){let e=new WeakMap;function t(a,c){let l=a.array,h=a.usage,d=l.byteLength,u=s.createBuffer();s.bindBuffer(c,u),s.bufferData(c,l,h),a.onUploadCallback();let f;if(l instanceof Float32Array)f=s.FLOAT;else if(typeof Float16Array<"u"&&l instanceof Float16Array)f=s.HALF_FLOAT;else if(l instanceof Uint16Array)a.isFloat16BufferAttribute?f=s.HALF_FLOAT:f=s.UNSIGNED_SHORT;else if(l instanceof Int16Array)f=s.SHORT;else if(l instanceof Uint32Array)f=s.UNSIGNED_INT;else if(l instanceof Int32Array)f=s.INT;else if(l instanceof Int8Array)f=s.BYTE;else if(l instanceof Uint8Array)f=s.UNSIGNED_BYTE;else if(l instanceof Uint8ClampedArray)f=s.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+l);return{buffer:u,type:f,bytesPerElement:l.BYTES_PER_ELEMENT,version:a.version,size:d}}function n(a,c,l){let h=c.array,d=c.updateRanges;if(s.bindBuffer(l,a),d.length===0)s.bufferSubData(l,0,h);else{d.sort((f,g)=>f.start-g.start);let u=0;for(let f=1;f<d.length;f++){let g=d[u],M=d[f];M.start<=g.start+g.count+1?g.count=Math.max(g.count,M.start+M.count-g.start):(++u,d[u]=M)}d.length=u+1;for(let f=0,g=d.length;f<g;f++){let M=d[f];s.bufferSubData(l,M.start*h.BYTES_PER_ELEMENT,h,M.start,M.count)}c.clearUpdateRanges()}c.onUploadCallback()}function i(a){return a.isInterleavedBufferAttribute&&(a=a.data),e.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let c=e.get(a);c&&(s.deleteBuffer(c.buffer),e.delete(a))}function o(a,c){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let h=e.get(a);(!h||h.version<a.version)&&e.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let l=e.get(a);if(l===void 0)e.set(a,t(a,c));else if(l.version<a.version){if(l.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(l.buffer,a,c),l.version=a.version}}return{get:i,remove:r,update:o}}var u0=`#ifdef USE_ALPHAHASH
if(diffuseColor.a<getAlphaHashThreshold(vPosition))discard;
#endif`,d0=`#ifdef USE_ALPHAHASH
const float ALPHA_HASH_SCALE=0.05;
float hash2D(vec2 value){
return fract(1.0e4*sin(17.0*value.x+0.1*value.y)*(0.1+abs(sin(13.0*value.y+value.x))));
}
float hash3D(vec3 value){
return hash2D(vec2(hash2D(value.xy),value.z));
}
float getAlphaHashThreshold(vec3 position){
float maxDeriv=max(
length(dFdx(position.xyz)),
length(dFdy(position.xyz))
);
float pixScale=1.0/(ALPHA_HASH_SCALE*maxDeriv);
vec2 pixScales=vec2(
exp2(floor(log2(pixScale))),
exp2(ceil(log2(pixScale)))
);
vec2 alpha=vec2(
hash3D(floor(pixScales.x*position.xyz)),
hash3D(floor(pixScales.y*position.xyz))
);
float lerpFactor=fract(log2(pixScale));
float x=(1.0-lerpFactor)*alpha.x+lerpFactor*alpha.y;
float a=min(lerpFactor,1.0-lerpFactor);
vec3 cases=vec3(
x*x/(2.0*a*(1.0-a)),
(x-0.5*a)/(1.0-a),
1.0-((1.0-x)*(1.0-x)/(2.0*a*(1.0-a)))
);
float threshold=(x<(1.0-a))
?((x<a)?cases.x:cases.y)
:cases.z;
return clamp(threshold,1.0e-6,1.0);
}
#endif`,f0=`#ifdef USE_ALPHAMAP
diffuseColor.a*=texture2D(alphaMap,vAlphaMapUv).g;
#endif`,p0=`#ifdef USE_ALPHAMAP
uniform sampler2D alphaMap;
#endif`,m0=`#ifdef USE_ALPHATEST
#ifdef ALPHA_TO_COVERAGE
diffuseColor.a=smoothstep(alphaTest,alphaTest+fwidth(diffuseColor.a),diffuseColor.a);
if(diffuseColor.a==0.0)discard;
#else
if(diffuseColor.a<alphaTest)discard;
#endif
#endif`,g0=`#ifdef USE_ALPHATEST
uniform float alphaTest;
#endif`,x0=`#ifdef USE_AOMAP
float ambientOcclusion=(texture2D(aoMap,vAoMapUv).r-1.0)*aoMapIntensity+1.0;
reflectedLight.indirectDiffuse*=ambientOcclusion;
#if defined( USE_CLEARCOAT )
clearcoatSpecularIndirect*=ambientOcclusion;
#endif
#if defined( USE_SHEEN )
sheenSpecularIndirect*=ambientOcclusion;
#endif
#if defined( USE_ENVMAP ) && defined( STANDARD )
float dotNV=saturate(dot(geometryNormal,geometryViewDir));
reflectedLight.indirectSpecular*=computeSpecularOcclusion(dotNV,ambientOcclusion,material.roughness);
#endif
#endif`,y0=`#ifdef USE_AOMAP
uniform sampler2D aoMap;
uniform float aoMapIntensity;
#endif`,v0=`#ifdef USE_BATCHING
#if ! defined( GL_ANGLE_multi_draw )
#define gl_DrawID _gl_DrawID
uniform int _gl_DrawID;
#endif
uniform highp sampler2D batchingTexture;
uniform highp usampler2D batchingIdTexture;
mat4 getBatchingMatrix(const in float i){
int size=textureSize(batchingTexture,0).x;
int j=int(i)*4;
int x=j % size;
int y=j/size;
vec4 v1=texelFetch(batchingTexture,ivec2(x,y),0);
vec4 v2=texelFetch(batchingTexture,ivec2(x+1,y),0);
vec4 v3=texelFetch(batchingTexture,ivec2(x+2,y),0);
vec4 v4=texelFetch(batchingTexture,ivec2(x+3,y),0);
return mat4(v1,v2,v3,v4);
}
float getIndirectIndex(const in int i){
int size=textureSize(batchingIdTexture,0).x;
int x=i % size;
int y=i/size;
return float(texelFetch(batchingIdTexture,ivec2(x,y),0).r);
}
#endif
#ifdef USE_BATCHING_COLOR
uniform sampler2D batchingColorTexture;
vec4 getBatchingColor(const in float i){
int size=textureSize(batchingColorTexture,0).x;
int j=int(i);
int x=j % size;
int y=j/size;
return texelFetch(batchingColorTexture,ivec2(x,y),0);
}
#endif`,M0=`#ifdef USE_BATCHING
mat4 batchingMatrix=getBatchingMatrix(getIndirectIndex(gl_DrawID));
#endif`,b0=`vec3 transformed=vec3(position);
#ifdef USE_ALPHAHASH
vPosition=vec3(position);
#endif`,_0=`vec3 objectNormal=vec3(normal);
#ifdef USE_TANGENT
vec3 objectTangent=vec3(tangent.xyz);
#endif`,S0=`float G_BlinnPhong_Implicit(){
return 0.25;
}
float D_BlinnPhong(const in float shininess,const in float dotNH){
return RECIPROCAL_PI*(shininess*0.5+1.0)*pow(dotNH,shininess);
}
vec3 BRDF_BlinnPhong(const in vec3 lightDir,const in vec3 viewDir,const in vec3 normal,const in vec3 specularColor,const in float shininess){
vec3 halfDir=normalize(lightDir+viewDir);
float dotNH=saturate(dot(normal,halfDir));
float dotVH=saturate(dot(viewDir,halfDir));
vec3 F=F_Schlick(specularColor,1.0,dotVH);
float G=G_BlinnPhong_Implicit();
float D=D_BlinnPhong(shininess,dotNH);
return F*(G*D);
}`,w0=`#ifdef USE_IRIDESCENCE
const mat3 XYZ_TO_REC709=mat3(
3.2404542,-0.9692660,0.0556434,
-1.5371385,1.8760108,-0.2040259,
-0.4985314,0.0415560,1.0572252
);
vec3 Fresnel0ToIor(vec3 fresnel0){
vec3 sqrtF0=sqrt(fresnel0);
return(vec3(1.0)+sqrtF0)/(vec3(1.0)-sqrtF0);
}
vec3 IorToFresnel0(vec3 transmittedIor,float incidentIor){
return pow2((transmittedIor-vec3(incidentIor))/(transmittedIor+vec3(incidentIor)));
}
float IorToFresnel0(float transmittedIor,float incidentIor){
return pow2((transmittedIor-incidentIor)/(transmittedIor+incidentIor));
}
vec3 evalSensitivity(float OPD,vec3 shift){
float phase=2.0*PI*OPD*1.0e-9;
vec3 val=vec3(5.4856e-13,4.4201e-13,5.2481e-13);
vec3 pos=vec3(1.6810e+06,1.7953e+06,2.2084e+06);
vec3 var=vec3(4.3278e+09,9.3046e+09,6.6121e+09);
vec3 xyz=val*sqrt(2.0*PI*var)*cos(pos*phase+shift)*exp(-pow2(phase)*var);
xyz.x+=9.7470e-14*sqrt(2.0*PI*4.5282e+09)*cos(2.2399e+06*phase+shift[ 0 ])*exp(-4.5282e+09*pow2(phase));
xyz/=1.0685e-7;
vec3 rgb=XYZ_TO_REC709*xyz;
return rgb;
}
vec3 evalIridescence(float outsideIOR,float eta2,float cosTheta1,float thinFilmThickness,vec3 baseF0){
vec3 I;
float iridescenceIOR=mix(outsideIOR,eta2,smoothstep(0.0,0.03,thinFilmThickness));
float sinTheta2Sq=pow2(outsideIOR/iridescenceIOR)*(1.0-pow2(cosTheta1));
float cosTheta2Sq=1.0-sinTheta2Sq;
if(cosTheta2Sq<0.0){
return vec3(1.0);
}
float cosTheta2=sqrt(cosTheta2Sq);
float R0=IorToFresnel0(iridescenceIOR,outsideIOR);
float R12=F_Schlick(R0,1.0,cosTheta1);
float T121=1.0-R12;
float phi12=0.0;
if(iridescenceIOR<outsideIOR)phi12=PI;
float phi21=PI-phi12;
vec3 baseIOR=Fresnel0ToIor(clamp(baseF0,0.0,0.9999));vec3 R1=IorToFresnel0(baseIOR,iridescenceIOR);
vec3 R23=F_Schlick(R1,1.0,cosTheta2);
vec3 phi23=vec3(0.0);
if(baseIOR[ 0 ]<iridescenceIOR)phi23[ 0 ]=PI;
if(baseIOR[ 1 ]<iridescenceIOR)phi23[ 1 ]=PI;
if(baseIOR[ 2 ]<iridescenceIOR)phi23[ 2 ]=PI;
float OPD=2.0*iridescenceIOR*thinFilmThickness*cosTheta2;
vec3 phi=vec3(phi21)+phi23;
vec3 R123=clamp(R12*R23,1e-5,0.9999);
vec3 r123=sqrt(R123);
vec3 Rs=pow2(T121)*R23/(vec3(1.0)-R123);
vec3 C0=R12+Rs;
I=C0;
vec3 Cm=Rs-T121;
for(int m=1;m<=2;++m){
Cm*=r123;
vec3 Sm=2.0*evalSensitivity(float(m)*OPD,float(m)*phi);
I+=Cm*Sm;
}
return max(I,vec3(0.0));
}
#endif`,E0=`#ifdef USE_BUMPMAP
uniform sampler2D bumpMap;
uniform float bumpScale;
vec2 dHdxy_fwd(){
vec2 dSTdx=dFdx(vBumpMapUv);
vec2 dSTdy=dFdy(vBumpMapUv);
float Hll=bumpScale*texture2D(bumpMap,vBumpMapUv).x;
float dBx=bumpScale*texture2D(bumpMap,vBumpMapUv+dSTdx).x-Hll;
float dBy=bumpScale*texture2D(bumpMap,vBumpMapUv+dSTdy).x-Hll;
return vec2(dBx,dBy);
}
vec3 perturbNormalArb(vec3 surf_pos,vec3 surf_norm,vec2 dHdxy,float faceDirection){
vec3 vSigmaX=normalize(dFdx(surf_pos.xyz));
vec3 vSigmaY=normalize(dFdy(surf_pos.xyz));
vec3 vN=surf_norm;
vec3 R1=cross(vSigmaY,vN);
vec3 R2=cross(vN,vSigmaX);
float fDet=dot(vSigmaX,R1)*faceDirection;
vec3 vGrad=sign(fDet)*(dHdxy.x*R1+dHdxy.y*R2);
return normalize(abs(fDet)*surf_norm-vGrad);
}
#endif`,A0=`#if NUM_CLIPPING_PLANES > 0
vec4 plane;
#ifdef ALPHA_TO_COVERAGE
float distanceToPlane,distanceGradient;
float clipOpacity=1.0;
#pragma unroll_loop_start
for(int i=0;i<UNION_CLIPPING_PLANES;i++){
plane=clippingPlanes[ i ];
distanceToPlane=-dot(vClipPosition,plane.xyz)+plane.w;
distanceGradient=fwidth(distanceToPlane)/2.0;
clipOpacity*=smoothstep(-distanceGradient,distanceGradient,distanceToPlane);
if(clipOpacity==0.0)discard;
}
#pragma unroll_loop_end
#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
float unionClipOpacity=1.0;
#pragma unroll_loop_start
for(int i=UNION_CLIPPING_PLANES;i<NUM_CLIPPING_PLANES;i++){
plane=clippingPlanes[ i ];
distanceToPlane=-dot(vClipPosition,plane.xyz)+plane.w;
distanceGradient=fwidth(distanceToPlane)/2.0;
unionClipOpacity*=1.0-smoothstep(-distanceGradient,distanceGradient,distanceToPlane);
}
#pragma unroll_loop_end
clipOpacity*=1.0-unionClipOpacity;
#endif
diffuseColor.a*=clipOpacity;
if(diffuseColor.a==0.0)discard;
#else
#pragma unroll_loop_start
for(int i=0;i<UNION_CLIPPING_PLANES;i++){
plane=clippingPlanes[ i ];
if(dot(vClipPosition,plane.xyz)>plane.w)discard;
}
#pragma unroll_loop_end
#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
bool clipped=true;
#pragma unroll_loop_start
for(int i=UNION_CLIPPING_PLANES;i<NUM_CLIPPING_PLANES;i++){
plane=clippingPlanes[ i ];
clipped=(dot(vClipPosition,plane.xyz)>plane.w)&& clipped;
}
#pragma unroll_loop_end
if(clipped)discard;
#endif
#endif
#endif`,T0=`#if NUM_CLIPPING_PLANES > 0
varying vec3 vClipPosition;
uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,R0=`#if NUM_CLIPPING_PLANES > 0
varying vec3 vClipPosition;
#endif`,C0=`#if NUM_CLIPPING_PLANES > 0
vClipPosition=-mvPosition.xyz;
#endif`,P0=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
diffuseColor*=vColor;
#endif`,I0=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
varying vec4 vColor;
#endif`,L0=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
varying vec4 vColor;
#endif`,D0=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
vColor=vec4(1.0);
#endif
#ifdef USE_COLOR_ALPHA
vColor*=color;
#elif defined( USE_COLOR )
vColor.rgb*=color;
#endif
#ifdef USE_INSTANCING_COLOR
vColor.rgb*=instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
vColor*=getBatchingColor(getIndirectIndex(gl_DrawID));
#endif`,N0=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2(const in float x){return x*x;}
vec3 pow2(const in vec3 x){return x*x;}
float pow3(const in float x){return x*x*x;}
float pow4(const in float x){float x2=x*x;return x2*x2;}
float max3(const in vec3 v){return max(max(v.x,v.y),v.z);}
float average(const in vec3 v){return dot(v,vec3(0.3333333));}
highp float rand(const in vec2 uv){
const highp float a=12.9898,b=78.233,c=43758.5453;
highp float dt=dot(uv.xy,vec2(a,b)),sn=mod(dt,PI);
return fract(sin(sn)*c);
}
#ifdef HIGH_PRECISION
float precisionSafeLength(vec3 v){return length(v);}
#else
float precisionSafeLength(vec3 v){
float maxComponent=max3(abs(v));
return length(v/maxComponent)*maxComponent;
}
#endif
struct IncidentLight{
vec3 color;
vec3 direction;
bool visible;
};
struct ReflectedLight{
vec3 directDiffuse;
vec3 directSpecular;
vec3 indirectDiffuse;
vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
varying vec3 vPosition;
#endif
vec3 transformDirection(in vec3 dir,in mat4 matrix){
return normalize((matrix*vec4(dir,0.0)).xyz);
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix(in vec3 normal,in mat4 viewMatrix){
return normalize((vec4(normal,0.0)*viewMatrix).xyz);
}
vec3 transformDirectionByInverseViewMatrix(in vec3 dir,in mat4 viewMatrix){
return normalize((vec4(dir,0.0)*viewMatrix).xyz);
}
bool isPerspectiveMatrix(mat4 m){
return m[ 2 ][ 3 ]==-1.0;
}
vec2 equirectUv(in vec3 dir){
float u=atan(dir.z,dir.x)*RECIPROCAL_PI2+0.5;
float v=asin(clamp(dir.y,-1.0,1.0))*RECIPROCAL_PI+0.5;
return vec2(u,v);
}
vec3 BRDF_Lambert(const in vec3 diffuseColor){
return RECIPROCAL_PI*diffuseColor;
}
vec3 F_Schlick(const in vec3 f0,const in float f90,const in float dotVH){
float fresnel=exp2((-5.55473*dotVH-6.98316)*dotVH);
return f0*(1.0-fresnel)+(f90*fresnel);
}
float F_Schlick(const in float f0,const in float f90,const in float dotVH){
float fresnel=exp2((-5.55473*dotVH-6.98316)*dotVH);
return f0*(1.0-fresnel)+(f90*fresnel);
}`,U0=`vec3 transformedNormal=objectNormal;
#ifdef USE_TANGENT
vec3 transformedTangent=objectTangent;
#endif
#ifdef USE_BATCHING
mat3 bm=mat3(batchingMatrix);
transformedNormal/=vec3(dot(bm[ 0 ],bm[ 0 ]),dot(bm[ 1 ],bm[ 1 ]),dot(bm[ 2 ],bm[ 2 ]));
transformedNormal=bm*transformedNormal;
#ifdef USE_TANGENT
transformedTangent=bm*transformedTangent;
#endif
#endif
#ifdef USE_INSTANCING
mat3 im=mat3(instanceMatrix);
transformedNormal/=vec3(dot(im[ 0 ],im[ 0 ]),dot(im[ 1 ],im[ 1 ]),dot(im[ 2 ],im[ 2 ]));
transformedNormal=im*transformedNormal;
#ifdef USE_TANGENT
transformedTangent=im*transformedTangent;
#endif
#endif
transformedNormal=normalMatrix*transformedNormal;
#ifdef FLIP_SIDED
transformedNormal=-transformedNormal;
#endif
#ifdef USE_TANGENT
transformedTangent=(modelViewMatrix*vec4(transformedTangent,0.0)).xyz;
#endif`,F0=`#ifdef USE_DISPLACEMENTMAP
uniform sampler2D displacementMap;
uniform float displacementScale;
uniform float displacementBias;
#endif`,B0=`#ifdef USE_DISPLACEMENTMAP
transformed+=normalize(objectNormal)*(texture2D(displacementMap,vDisplacementMapUv).x*displacementScale+displacementBias);
#endif`,O0=`#ifdef USE_EMISSIVEMAP
vec4 emissiveColor=texture2D(emissiveMap,vEmissiveMapUv);
#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
emissiveColor=sRGBTransferEOTF(emissiveColor);
#endif
totalEmissiveRadiance*=emissiveColor.rgb;
#endif`,k0=`#ifdef USE_EMISSIVEMAP
uniform sampler2D emissiveMap;
#endif`,V0="gl_FragColor = linearToOutputTexel( gl_FragColor );",z0=`vec4 LinearTransferOETF(in vec4 value){
return value;
}
vec4 sRGBTransferEOTF(in vec4 value){
return vec4(mix(pow(value.rgb*0.9478672986+vec3(0.0521327014),vec3(2.4)),value.rgb*0.0773993808,vec3(lessThanEqual(value.rgb,vec3(0.04045)))),value.a);
}
vec4 sRGBTransferOETF(in vec4 value){
return vec4(mix(pow(value.rgb,vec3(0.41666))*1.055-vec3(0.055),value.rgb*12.92,vec3(lessThanEqual(value.rgb,vec3(0.0031308)))),value.a);
}`,G0=`#ifdef USE_ENVMAP
#ifdef ENV_WORLDPOS
vec3 cameraToFrag;
if(isOrthographic){
cameraToFrag=normalize(vec3(-viewMatrix[ 0 ][ 2 ],-viewMatrix[ 1 ][ 2 ],-viewMatrix[ 2 ][ 2 ]));
}else{
cameraToFrag=normalize(vWorldPosition-cameraPosition);
}
vec3 worldNormal=transformNormalByInverseViewMatrix(normal,viewMatrix);
#ifdef ENVMAP_MODE_REFLECTION
vec3 reflectVec=reflect(cameraToFrag,worldNormal);
#else
vec3 reflectVec=refract(cameraToFrag,worldNormal,refractionRatio);
#endif
#else
vec3 reflectVec=vReflect;
#endif
#ifdef ENVMAP_TYPE_CUBE
vec4 envColor=textureCube(envMap,envMapRotation*reflectVec);
#ifdef ENVMAP_BLENDING_MULTIPLY
outgoingLight=mix(outgoingLight,outgoingLight*envColor.xyz,specularStrength*reflectivity);
#elif defined( ENVMAP_BLENDING_MIX )
outgoingLight=mix(outgoingLight,envColor.xyz,specularStrength*reflectivity);
#elif defined( ENVMAP_BLENDING_ADD )
outgoingLight+=envColor.xyz*specularStrength*reflectivity;
#endif
#endif
#endif`,H0=`#ifdef USE_ENVMAP
uniform float envMapIntensity;
uniform mat3 envMapRotation;
uniform samplerCube envMap;
#ifdef ENVMAP_TYPE_PMREM
float roughnessToMip(const in float roughness){
float r=clamp(roughness,0.0,1.0);
return ENVMAP_MAX_LOD*r*(2.0-r);
}
#endif
#endif`,W0=`#ifdef USE_ENVMAP
uniform float reflectivity;
#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
#define ENV_WORLDPOS
#endif
#ifdef ENV_WORLDPOS
varying vec3 vWorldPosition;
uniform float refractionRatio;
#else
varying vec3 vReflect;
#endif
#endif`,X0=`#ifdef USE_ENVMAP
#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
#define ENV_WORLDPOS
#endif
#ifdef ENV_WORLDPOS
varying vec3 vWorldPosition;
#else
varying vec3 vReflect;
uniform float refractionRatio;
#endif
#endif`,q0=`#ifdef USE_ENVMAP
#ifdef ENV_WORLDPOS
vWorldPosition=worldPosition.xyz;
#else
vec3 cameraToVertex;
if(isOrthographic){
cameraToVertex=normalize(vec3(-viewMatrix[ 0 ][ 2 ],-viewMatrix[ 1 ][ 2 ],-viewMatrix[ 2 ][ 2 ]));
}else{
cameraToVertex=normalize(worldPosition.xyz-cameraPosition);
}
vec3 worldNormal=transformNormalByInverseViewMatrix(transformedNormal,viewMatrix);
#ifdef ENVMAP_MODE_REFLECTION
vReflect=reflect(cameraToVertex,worldNormal);
#else
vReflect=refract(cameraToVertex,worldNormal,refractionRatio);
#endif
#endif
#endif`,j0=`#ifdef USE_FOG
vFogDepth=-mvPosition.z;
#endif`,Y0=`#ifdef USE_FOG
varying float vFogDepth;
#endif`,$0=`#ifdef USE_FOG
#ifdef FOG_EXP2
float fogFactor=1.0-exp(-fogDensity*fogDensity*vFogDepth*vFogDepth);
#else
float fogFactor=smoothstep(fogNear,fogFar,vFogDepth);
#endif
gl_FragColor.rgb=mix(gl_FragColor.rgb,fogColor,fogFactor);
#endif`,K0=`#ifdef USE_FOG
uniform vec3 fogColor;
varying float vFogDepth;
#ifdef FOG_EXP2
uniform float fogDensity;
#else
uniform float fogNear;
uniform float fogFar;
#endif
#endif`,Z0=`#ifdef USE_GRADIENTMAP
uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance(vec3 normal,vec3 lightDirection){
float dotNL=dot(normal,lightDirection);
vec2 coord=vec2(dotNL*0.5+0.5,0.0);
#ifdef USE_GRADIENTMAP
return vec3(texture2D(gradientMap,coord).r);
#else
vec2 fw=fwidth(coord)*0.5;
return mix(vec3(0.7),vec3(1.0),smoothstep(0.7-fw.x,0.7+fw.x,coord.x));
#endif
}`,Q0=`#ifdef USE_LIGHTMAP
uniform sampler2D lightMap;
uniform float lightMapIntensity;
#endif`,J0=`LambertMaterial material;
material.diffuseColor=diffuseColor.rgb;
material.specularStrength=specularStrength;`,ex=`varying vec3 vViewPosition;
struct LambertMaterial{
vec3 diffuseColor;
float specularStrength;
};
void RE_Direct_Lambert(const in IncidentLight directLight,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in LambertMaterial material,inout ReflectedLight reflectedLight){
float dotNL=saturate(dot(geometryNormal,directLight.direction));
vec3 irradiance=dotNL*directLight.color;
reflectedLight.directDiffuse+=irradiance*BRDF_Lambert(material.diffuseColor);
}
void RE_IndirectDiffuse_Lambert(const in vec3 irradiance,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in LambertMaterial material,inout ReflectedLight reflectedLight){
reflectedLight.indirectDiffuse+=irradiance*BRDF_Lambert(material.diffuseColor);
}
#define RE_Direct RE_Direct_Lambert
#define RE_IndirectDiffuse RE_IndirectDiffuse_Lambert`,tx=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt(in vec3 normal,in vec3 shCoefficients[ 9 ]){
float x=normal.x,y=normal.y,z=normal.z;
vec3 result=shCoefficients[ 0 ]*0.886227;
result+=shCoefficients[ 1 ]*2.0*0.511664*y;
result+=shCoefficients[ 2 ]*2.0*0.511664*z;
result+=shCoefficients[ 3 ]*2.0*0.511664*x;
result+=shCoefficients[ 4 ]*2.0*0.429043*x*y;
result+=shCoefficients[ 5 ]*2.0*0.429043*y*z;
result+=shCoefficients[ 6 ]*(0.743125*z*z-0.247708);
result+=shCoefficients[ 7 ]*2.0*0.429043*x*z;
result+=shCoefficients[ 8 ]*0.429043*(x*x-y*y);
return result;
}
vec3 getLightProbeIrradiance(const in vec3 lightProbe[ 9 ],const in vec3 normal){
vec3 worldNormal=transformNormalByInverseViewMatrix(normal,viewMatrix);
vec3 irradiance=shGetIrradianceAt(worldNormal,lightProbe);
return irradiance;
}
vec3 getAmbientLightIrradiance(const in vec3 ambientLightColor){
vec3 irradiance=ambientLightColor;
return irradiance;
}
float getDistanceAttenuation(const in float lightDistance,const in float cutoffDistance,const in float decayExponent){
float distanceFalloff=1.0/max(pow(lightDistance,decayExponent),0.01);
if(cutoffDistance>0.0){
distanceFalloff*=pow2(saturate(1.0-pow4(lightDistance/cutoffDistance)));
}
return distanceFalloff;
}
float getSpotAttenuation(const in float coneCosine,const in float penumbraCosine,const in float angleCosine){
return smoothstep(coneCosine,penumbraCosine,angleCosine);
}
#if NUM_SUN_LIGHTS > 0
struct SunLight{
vec3 direction;
vec3 color;
};
uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
void getSunLightInfo(const in SunLight sunLight,out IncidentLight light){
light.color=sunLight.color;
light.direction=sunLight.direction;
light.visible=true;
}
#endif
#if NUM_DIR_LIGHTS > 0
struct DirectionalLight{
vec3 direction;
vec3 color;
};
uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
void getDirectionalLightInfo(const in DirectionalLight directionalLight,out IncidentLight light){
light.color=directionalLight.color;
light.direction=directionalLight.direction;
light.visible=true;
}
#endif
#if NUM_POINT_LIGHTS > 0
struct PointLight{
vec3 position;
vec3 color;
float distance;
float decay;
};
uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
void getPointLightInfo(const in PointLight pointLight,const in vec3 geometryPosition,out IncidentLight light){
vec3 lVector=pointLight.position-geometryPosition;
light.direction=normalize(lVector);
float lightDistance=length(lVector);
light.color=pointLight.color;
light.color*=getDistanceAttenuation(lightDistance,pointLight.distance,pointLight.decay);
light.visible=(light.color !=vec3(0.0));
}
#endif
#if NUM_SPOT_LIGHTS > 0
struct SpotLight{
vec3 position;
vec3 direction;
vec3 color;
float distance;
float decay;
float coneCos;
float penumbraCos;
};
uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
void getSpotLightInfo(const in SpotLight spotLight,const in vec3 geometryPosition,out IncidentLight light){
vec3 lVector=spotLight.position-geometryPosition;
light.direction=normalize(lVector);
float angleCos=dot(light.direction,spotLight.direction);
float spotAttenuation=getSpotAttenuation(spotLight.coneCos,spotLight.penumbraCos,angleCos);
if(spotAttenuation>0.0){
float lightDistance=length(lVector);
light.color=spotLight.color*spotAttenuation;
light.color*=getDistanceAttenuation(lightDistance,spotLight.distance,spotLight.decay);
light.visible=(light.color !=vec3(0.0));
}else{
light.color=vec3(0.0);
light.visible=false;
}
}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
struct RectAreaLight{
vec3 color;
vec3 position;
vec3 halfWidth;
vec3 halfHeight;
};
uniform sampler2D ltc_1;uniform sampler2D ltc_2;
uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
struct HemisphereLight{
vec3 direction;
vec3 skyColor;
vec3 groundColor;
};
uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
vec3 getHemisphereLightIrradiance(const in HemisphereLight hemiLight,const in vec3 normal){
float dotNL=dot(normal,hemiLight.direction);
float hemiDiffuseWeight=0.5*dotNL+0.5;
vec3 irradiance=mix(hemiLight.groundColor,hemiLight.skyColor,hemiDiffuseWeight);
return irradiance;
}
#endif
#include <lightprobes_pars_fragment>`,nx=`#ifdef USE_ENVMAP
vec3 getIBLIrradiance(const in vec3 normal){
#ifdef ENVMAP_TYPE_PMREM
vec3 worldNormal=transformNormalByInverseViewMatrix(normal,viewMatrix);
vec4 envMapColor=textureLod(envMap,envMapRotation*worldNormal,ENVMAP_MAX_LOD);
return PI*envMapColor.rgb*envMapIntensity;
#else
return vec3(0.0);
#endif
}
vec3 getIBLRadiance(const in vec3 viewDir,const in vec3 normal,const in float roughness){
#ifdef ENVMAP_TYPE_PMREM
vec3 reflectVec=reflect(-viewDir,normal);
reflectVec=normalize(mix(reflectVec,normal,pow4(roughness)));
reflectVec=transformDirectionByInverseViewMatrix(reflectVec,viewMatrix);
vec4 envMapColor=textureLod(envMap,envMapRotation*reflectVec,roughnessToMip(roughness));
return envMapColor.rgb*envMapIntensity;
#else
return vec3(0.0);
#endif
}
#ifdef USE_RETROREFLECTION
vec3 getIBLRetroRadiance(const in vec3 viewDir,const in vec3 normal,const in float roughness){
#ifdef ENVMAP_TYPE_PMREM
vec3 retroVec=normalize(mix(viewDir,normal,pow4(roughness)));
retroVec=transformDirectionByInverseViewMatrix(retroVec,viewMatrix);
vec4 envMapColor=textureLod(envMap,envMapRotation*retroVec,roughnessToMip(roughness));
return envMapColor.rgb*envMapIntensity;
#else
return vec3(0.0);
#endif
}
#endif
#ifdef USE_ANISOTROPY
vec3 getIBLAnisotropyRadiance(const in vec3 viewDir,const in vec3 normal,const in float roughness,const in vec3 bitangent,const in float anisotropy){
#ifdef ENVMAP_TYPE_PMREM
vec3 bentNormal=cross(bitangent,viewDir);
bentNormal=normalize(cross(bentNormal,bitangent));
bentNormal=normalize(mix(bentNormal,normal,pow2(pow2(1.0-anisotropy*(1.0-roughness)))));
return getIBLRadiance(viewDir,bentNormal,roughness);
#else
return vec3(0.0);
#endif
}
#ifdef USE_RETROREFLECTION
vec3 getIBLAnisotropyRetroRadiance(const in vec3 viewDir,const in vec3 normal,const in float roughness,const in vec3 bitangent,const in float anisotropy){
#ifdef ENVMAP_TYPE_PMREM
vec3 bentNormal=cross(bitangent,viewDir);
bentNormal=normalize(cross(bentNormal,bitangent));
bentNormal=normalize(mix(bentNormal,normal,pow2(pow2(1.0-anisotropy*(1.0-roughness)))));
return getIBLRetroRadiance(viewDir,bentNormal,roughness);
#else
return vec3(0.0);
#endif
}
#endif
#endif
#endif`,ix=`ToonMaterial material;
material.diffuseColor=diffuseColor.rgb;`,sx=`varying vec3 vViewPosition;
struct ToonMaterial{
vec3 diffuseColor;
};
void RE_Direct_Toon(const in IncidentLight directLight,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in ToonMaterial material,inout ReflectedLight reflectedLight){
vec3 irradiance=getGradientIrradiance(geometryNormal,directLight.direction)*directLight.color;
reflectedLight.directDiffuse+=irradiance*BRDF_Lambert(material.diffuseColor);
}
void RE_IndirectDiffuse_Toon(const in vec3 irradiance,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in ToonMaterial material,inout ReflectedLight reflectedLight){
reflectedLight.indirectDiffuse+=irradiance*BRDF_Lambert(material.diffuseColor);
}
#define RE_Direct RE_Direct_Toon
#define RE_IndirectDiffuse RE_IndirectDiffuse_Toon`,rx=`BlinnPhongMaterial material;
material.diffuseColor=diffuseColor.rgb;
material.specularColor=specular;
material.specularShininess=shininess;
material.specularStrength=specularStrength;`,ox=`varying vec3 vViewPosition;
struct BlinnPhongMaterial{
vec3 diffuseColor;
vec3 specularColor;
float specularShininess;
float specularStrength;
};
void RE_Direct_BlinnPhong(const in IncidentLight directLight,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in BlinnPhongMaterial material,inout ReflectedLight reflectedLight){
float dotNL=saturate(dot(geometryNormal,directLight.direction));
vec3 irradiance=dotNL*directLight.color;
reflectedLight.directDiffuse+=irradiance*BRDF_Lambert(material.diffuseColor);
reflectedLight.directSpecular+=irradiance*BRDF_BlinnPhong(directLight.direction,geometryViewDir,geometryNormal,material.specularColor,material.specularShininess)*material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong(const in vec3 irradiance,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in BlinnPhongMaterial material,inout ReflectedLight reflectedLight){
reflectedLight.indirectDiffuse+=irradiance*BRDF_Lambert(material.diffuseColor);
}
#define RE_Direct RE_Direct_BlinnPhong
#define RE_IndirectDiffuse RE_IndirectDiffuse_BlinnPhong`,ax=`PhysicalMaterial material;
material.diffuseColor=diffuseColor.rgb;
material.diffuseContribution=diffuseColor.rgb*(1.0-metalnessFactor);
material.metalness=metalnessFactor;
vec3 dxy=max(abs(dFdx(nonPerturbedNormal)),abs(dFdy(nonPerturbedNormal)));
float geometryRoughness=max(max(dxy.x,dxy.y),dxy.z);
material.roughness=max(roughnessFactor,0.045);
material.roughness+=geometryRoughness;
material.roughness=min(material.roughness,1.0);
#ifdef USE_DIFFUSE_ROUGHNESS
float diffuseRoughnessFactor=diffuseRoughness;
#ifdef USE_DIFFUSE_ROUGHNESSMAP
diffuseRoughnessFactor*=texture2D(diffuseRoughnessMap,vDiffuseRoughnessMapUv).r;
#endif
material.diffuseRoughness=saturate(diffuseRoughnessFactor);
#endif
#ifdef IOR
material.ior=ior;
#ifdef USE_SPECULAR
float specularIntensityFactor=specularIntensity;
vec3 specularColorFactor=specularColor;
#ifdef USE_SPECULAR_COLORMAP
specularColorFactor*=texture2D(specularColorMap,vSpecularColorMapUv).rgb;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
specularIntensityFactor*=texture2D(specularIntensityMap,vSpecularIntensityMapUv).a;
#endif
material.specularF90=mix(specularIntensityFactor,1.0,metalnessFactor);
#else
float specularIntensityFactor=1.0;
vec3 specularColorFactor=vec3(1.0);
material.specularF90=1.0;
#endif
material.specularColor=min(pow2((material.ior-1.0)/(material.ior+1.0))*specularColorFactor,vec3(1.0))*specularIntensityFactor;
material.specularColorBlended=mix(material.specularColor,diffuseColor.rgb,metalnessFactor);
#else
material.specularColor=vec3(0.04);
material.specularColorBlended=mix(material.specularColor,diffuseColor.rgb,metalnessFactor);
material.specularF90=1.0;
#endif
#ifdef USE_CLEARCOAT
material.clearcoat=clearcoat;
material.clearcoatRoughness=clearcoatRoughness;
material.clearcoatF0=vec3(0.04);
material.clearcoatF90=1.0;
#ifdef USE_CLEARCOATMAP
material.clearcoat*=texture2D(clearcoatMap,vClearcoatMapUv).x;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
material.clearcoatRoughness*=texture2D(clearcoatRoughnessMap,vClearcoatRoughnessMapUv).y;
#endif
material.clearcoat=saturate(material.clearcoat);material.clearcoatRoughness=max(material.clearcoatRoughness,0.045);
material.clearcoatRoughness+=geometryRoughness;
material.clearcoatRoughness=min(material.clearcoatRoughness,1.0);
#endif
#ifdef USE_DISPERSION
material.dispersion=dispersion;
#endif
#ifdef USE_RETROREFLECTION
material.retroreflectivity=retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
material.iridescence=iridescence;
material.iridescenceIOR=iridescenceIOR;
#ifdef USE_IRIDESCENCEMAP
material.iridescence*=texture2D(iridescenceMap,vIridescenceMapUv).r;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
material.iridescenceThickness=(iridescenceThicknessMaximum-iridescenceThicknessMinimum)*texture2D(iridescenceThicknessMap,vIridescenceThicknessMapUv).g+iridescenceThicknessMinimum;
#else
material.iridescenceThickness=iridescenceThicknessMaximum;
#endif
#endif
#ifdef USE_SHEEN
material.sheenColor=sheenColor;
#ifdef USE_SHEEN_COLORMAP
material.sheenColor*=texture2D(sheenColorMap,vSheenColorMapUv).rgb;
#endif
material.sheenRoughness=clamp(sheenRoughness,0.0001,1.0);
#ifdef USE_SHEEN_ROUGHNESSMAP
material.sheenRoughness*=texture2D(sheenRoughnessMap,vSheenRoughnessMapUv).a;
#endif
#endif
#ifdef USE_ANISOTROPY
#ifdef USE_ANISOTROPYMAP
mat2 anisotropyMat=mat2(anisotropyVector.x,anisotropyVector.y,-anisotropyVector.y,anisotropyVector.x);
vec3 anisotropyPolar=texture2D(anisotropyMap,vAnisotropyMapUv).rgb;
vec2 anisotropyV=anisotropyMat*normalize(2.0*anisotropyPolar.rg-vec2(1.0))*anisotropyPolar.b;
#else
vec2 anisotropyV=anisotropyVector;
#endif
material.anisotropy=length(anisotropyV);
if(material.anisotropy==0.0){
anisotropyV=vec2(1.0,0.0);
}else{
anisotropyV/=material.anisotropy;
material.anisotropy=saturate(material.anisotropy);
}
material.alphaT=mix(pow2(material.roughness),1.0,pow2(material.anisotropy));
material.anisotropyT=tbn[ 0 ]*anisotropyV.x+tbn[ 1 ]*anisotropyV.y;
material.anisotropyB=tbn[ 1 ]*anisotropyV.x-tbn[ 0 ]*anisotropyV.y;
#endif`,cx=`uniform sampler2D dfgLUT;
struct PhysicalMaterial{
vec3 diffuseColor;
vec3 diffuseContribution;
vec3 specularColor;
vec3 specularColorBlended;
float roughness;
float metalness;
float specularF90;
float dispersion;
vec2 dfg;
vec3 multiScatteringCompensation;
#ifdef USE_DIFFUSE_ROUGHNESS
float diffuseRoughness;
#endif
#ifdef USE_RETROREFLECTION
float retroreflectivity;
#endif
#ifdef USE_CLEARCOAT
float clearcoat;
float clearcoatRoughness;
vec3 clearcoatF0;
float clearcoatF90;
#endif
#ifdef USE_IRIDESCENCE
float iridescence;
float iridescenceIOR;
float iridescenceThickness;
vec3 iridescenceFresnel;
vec3 iridescenceF0Dielectric;
vec3 iridescenceF0Metallic;
#endif
#ifdef USE_SHEEN
vec3 sheenColor;
float sheenRoughness;
#endif
#ifdef IOR
float ior;
#endif
#ifdef USE_TRANSMISSION
float transmission;
float transmissionAlpha;
float thickness;
float attenuationDistance;
vec3 attenuationColor;
#endif
#ifdef USE_ANISOTROPY
float anisotropy;
float alphaT;
vec3 anisotropyT;
vec3 anisotropyB;
#endif
};
vec3 clearcoatSpecularDirect=vec3(0.0);
vec3 clearcoatSpecularIndirect=vec3(0.0);
vec3 sheenSpecularDirect=vec3(0.0);
vec3 sheenSpecularIndirect=vec3(0.0);
vec3 Schlick_to_F0(const in vec3 f,const in float f90,const in float dotVH){
float x=clamp(1.0-dotVH,0.0,1.0);
float x2=x*x;
float x5=clamp(x*x2*x2,0.0,0.9999);
return(f-vec3(f90)*x5)/(1.0-x5);
}
#ifdef USE_DIFFUSE_ROUGHNESS
const float EON_EPSILON=1e-7;
float FON_DirectionalAlbedo(const in float mu,const in float roughness,const in float A){
float muComp=1.0-mu;
float gOverPi=muComp*(0.0571085289+muComp*(0.491881867+muComp*(-0.332181442+muComp*0.0714429953)));
return A*(1.0+roughness*gOverPi);
}
vec3 BRDF_EON(const in vec3 lightDir,const in vec3 viewDir,const in vec3 normal,const in vec3 diffuseColor,const in float roughness){
vec3 rho=saturate(diffuseColor);
if(roughness<=EON_EPSILON)return BRDF_Lambert(rho);
float dotNL=saturate(dot(normal,lightDir));
float dotNV=saturate(dot(normal,viewDir));
float s=dot(lightDir,viewDir)-dotNL*dotNV;
float sOverT=(s>0.0)?s/max(max(dotNL,dotNV),EON_EPSILON):s;
float A=1.0/(1.0+(0.5-2.0/(3.0*PI))*roughness);
vec3 singleScatter=rho*RECIPROCAL_PI*A*(1.0+roughness*sOverT);
float averageAlbedo=A*(1.0+(2.0/3.0-28.0/(15.0*PI))*roughness);
float albedoV=FON_DirectionalAlbedo(dotNV,roughness,A);
float albedoL=FON_DirectionalAlbedo(dotNL,roughness,A);
vec3 rhoMultiScatter=rho*rho*averageAlbedo/max(vec3(EON_EPSILON),vec3(1.0)-rho*(1.0-averageAlbedo));
vec3 multiScatter=rhoMultiScatter*RECIPROCAL_PI
*max(EON_EPSILON,1.0-albedoV)
*max(EON_EPSILON,1.0-albedoL)
/max(EON_EPSILON,1.0-averageAlbedo);
return singleScatter+multiScatter;
}
vec3 EON_DirectionalAlbedo(const in vec3 diffuseColor,const in float roughness,const in float dotNV){
vec3 rho=saturate(diffuseColor);
if(roughness<=EON_EPSILON)return rho;
float A=1.0/(1.0+(0.5-2.0/(3.0*PI))*roughness);
float directionalAlbedo=FON_DirectionalAlbedo(dotNV,roughness,A);
float averageAlbedo=A*(1.0+(2.0/3.0-28.0/(15.0*PI))*roughness);
vec3 rhoMultiScatter=rho*rho*averageAlbedo/max(vec3(EON_EPSILON),vec3(1.0)-rho*(1.0-averageAlbedo));
return rho*directionalAlbedo+rhoMultiScatter*(1.0-directionalAlbedo);
}
#endif
float V_GGX_SmithCorrelated(const in float alpha,const in float dotNL,const in float dotNV){
float a2=pow2(alpha);
float gv=dotNL*sqrt(a2+(1.0-a2)*pow2(dotNV));
float gl=dotNV*sqrt(a2+(1.0-a2)*pow2(dotNL));
return 0.5/max(gv+gl,EPSILON);
}
float D_GGX(const in float alpha,const in float dotNH){
float a2=pow2(alpha);
float denom=pow2(dotNH)*(a2-1.0)+1.0;
return RECIPROCAL_PI*a2/pow2(denom);
}
#ifdef USE_ANISOTROPY
float V_GGX_SmithCorrelated_Anisotropic(const in float alphaT,const in float alphaB,const in float dotTV,const in float dotBV,const in float dotTL,const in float dotBL,const in float dotNV,const in float dotNL){
float gv=dotNL*length(vec3(alphaT*dotTV,alphaB*dotBV,dotNV));
float gl=dotNV*length(vec3(alphaT*dotTL,alphaB*dotBL,dotNL));
return 0.5/max(gv+gl,EPSILON);
}
float D_GGX_Anisotropic(const in float alphaT,const in float alphaB,const in float dotNH,const in float dotTH,const in float dotBH){
float a2=alphaT*alphaB;
highp vec3 v=vec3(alphaB*dotTH,alphaT*dotBH,a2*dotNH);
highp float v2=dot(v,v);
float w2=a2/v2;
return RECIPROCAL_PI*a2*pow2(w2);
}
#endif
#ifdef USE_CLEARCOAT
vec3 BRDF_GGX_Clearcoat(const in vec3 lightDir,const in vec3 viewDir,const in vec3 normal,const in PhysicalMaterial material){
vec3 f0=material.clearcoatF0;
float f90=material.clearcoatF90;
float roughness=max(material.clearcoatRoughness,0.045);
float alpha=pow2(roughness);
vec3 halfDir=normalize(lightDir+viewDir);
float dotNL=saturate(dot(normal,lightDir));
float dotNV=saturate(dot(normal,viewDir));
float dotNH=saturate(dot(normal,halfDir));
float dotVH=saturate(dot(viewDir,halfDir));
vec3 F=F_Schlick(f0,f90,dotVH);
float V=V_GGX_SmithCorrelated(alpha,dotNL,dotNV);
float D=D_GGX(alpha,dotNH);
return F*(V*D);
}
#endif
vec3 BRDF_GGX(const in vec3 lightDir,const in vec3 viewDir,const in vec3 normal,const in PhysicalMaterial material){
vec3 f0=material.specularColorBlended;
float f90=material.specularF90;
float roughness=max(material.roughness,0.045);
float alpha=pow2(roughness);
vec3 halfDir=normalize(lightDir+viewDir);
float dotNL=saturate(dot(normal,lightDir));
float dotNV=saturate(dot(normal,viewDir));
float dotNH=saturate(dot(normal,halfDir));
float dotVH=saturate(dot(viewDir,halfDir));
vec3 F=F_Schlick(f0,f90,dotVH);
#ifdef USE_IRIDESCENCE
F=mix(F,material.iridescenceFresnel,material.iridescence);
#endif
#ifdef USE_ANISOTROPY
float dotTL=dot(material.anisotropyT,lightDir);
float dotTV=dot(material.anisotropyT,viewDir);
float dotTH=dot(material.anisotropyT,halfDir);
float dotBL=dot(material.anisotropyB,lightDir);
float dotBV=dot(material.anisotropyB,viewDir);
float dotBH=dot(material.anisotropyB,halfDir);
float alphaT=max(material.alphaT,alpha);
float V=V_GGX_SmithCorrelated_Anisotropic(alphaT,alpha,dotTV,dotBV,dotTL,dotBL,dotNV,dotNL);
float D=D_GGX_Anisotropic(alphaT,alpha,dotNH,dotTH,dotBH);
#else
float V=V_GGX_SmithCorrelated(alpha,dotNL,dotNV);
float D=D_GGX(alpha,dotNH);
#endif
return F*(V*D);
}
vec2 LTC_Uv(const in vec3 N,const in vec3 V,const in float roughness){
const float LUT_SIZE=64.0;
const float LUT_SCALE=(LUT_SIZE-1.0)/LUT_SIZE;
const float LUT_BIAS=0.5/LUT_SIZE;
float dotNV=saturate(dot(N,V));
vec2 uv=vec2(roughness,sqrt(1.0-dotNV));
uv=uv*LUT_SCALE+LUT_BIAS;
return uv;
}
float LTC_ClippedSphereFormFactor(const in vec3 f){
float l=length(f);
return max((l*l+f.z)/(l+1.0),0.0);
}
vec3 LTC_EdgeVectorFormFactor(const in vec3 v1,const in vec3 v2){
float x=dot(v1,v2);
float y=abs(x);
float a=0.8543985+(0.4965155+0.0145206*y)*y;
float b=3.4175940+(4.1616724+y)*y;
float v=a/b;
float theta_sintheta=(x>0.0)?v:0.5*inversesqrt(max(1.0-x*x,1e-7))-v;
return cross(v1,v2)*theta_sintheta;
}
vec3 LTC_Evaluate(const in vec3 N,const in vec3 V,const in vec3 P,const in mat3 mInv,const in vec3 rectCoords[ 4 ]){
vec3 v1=rectCoords[ 1 ]-rectCoords[ 0 ];
vec3 v2=rectCoords[ 3 ]-rectCoords[ 0 ];
vec3 lightNormal=cross(v1,v2);
if(dot(lightNormal,P-rectCoords[ 0 ])<0.0)return vec3(0.0);
vec3 T1,T2;
T1=normalize(V-N*dot(V,N));
T2=-cross(N,T1);
mat3 mat=mInv*transpose(mat3(T1,T2,N));
vec3 coords[ 4 ];
coords[ 0 ]=mat*(rectCoords[ 0 ]-P);
coords[ 1 ]=mat*(rectCoords[ 1 ]-P);
coords[ 2 ]=mat*(rectCoords[ 2 ]-P);
coords[ 3 ]=mat*(rectCoords[ 3 ]-P);
coords[ 0 ]=normalize(coords[ 0 ]);
coords[ 1 ]=normalize(coords[ 1 ]);
coords[ 2 ]=normalize(coords[ 2 ]);
coords[ 3 ]=normalize(coords[ 3 ]);
vec3 vectorFormFactor=vec3(0.0);
vectorFormFactor+=LTC_EdgeVectorFormFactor(coords[ 0 ],coords[ 1 ]);
vectorFormFactor+=LTC_EdgeVectorFormFactor(coords[ 1 ],coords[ 2 ]);
vectorFormFactor+=LTC_EdgeVectorFormFactor(coords[ 2 ],coords[ 3 ]);
vectorFormFactor+=LTC_EdgeVectorFormFactor(coords[ 3 ],coords[ 0 ]);
float result=LTC_ClippedSphereFormFactor(vectorFormFactor);
return vec3(result);
}
#if defined( USE_SHEEN )
float D_Charlie(float roughness,float dotNH){
float alpha=pow2(roughness);
float invAlpha=1.0/alpha;
float cos2h=dotNH*dotNH;
float sin2h=max(1.0-cos2h,0.0078125);
return(2.0+invAlpha)*pow(sin2h,invAlpha*0.5)/(2.0*PI);
}
float V_Neubelt(float dotNV,float dotNL){
return saturate(1.0/(4.0*(dotNL+dotNV-dotNL*dotNV)));
}
vec3 BRDF_Sheen(const in vec3 lightDir,const in vec3 viewDir,const in vec3 normal,vec3 sheenColor,const in float sheenRoughness){
vec3 halfDir=normalize(lightDir+viewDir);
float dotNL=saturate(dot(normal,lightDir));
float dotNV=saturate(dot(normal,viewDir));
float dotNH=saturate(dot(normal,halfDir));
float D=D_Charlie(sheenRoughness,dotNH);
float V=V_Neubelt(dotNV,dotNL);
return sheenColor*(D*V);
}
#endif
float IBLSheenBRDF(const in vec3 normal,const in vec3 viewDir,const in float roughness){
float dotNV=saturate(dot(normal,viewDir));
float r2=roughness*roughness;
float rInv=1.0/(roughness+0.1);
float a=-1.9362+1.0678*roughness+0.4573*r2-0.8469*rInv;
float b=-0.6014+0.5538*roughness-0.4670*r2-0.1255*rInv;
float DG=exp(a*dotNV+b);
return saturate(DG);
}
vec3 EnvironmentBRDF(const in vec3 normal,const in vec3 viewDir,const in vec3 specularColor,const in float specularF90,const in float roughness){
float dotNV=saturate(dot(normal,viewDir));
vec2 fab=texture2D(dfgLUT,vec2(roughness,dotNV)).rg;
return specularColor*fab.x+specularF90*fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence(const in vec2 fab,const in vec3 specularColor,const in float specularF90,const in float iridescence,const in vec3 iridescenceF0,inout vec3 singleScatter,inout vec3 multiScatter){
#else
void computeMultiscattering(const in vec2 fab,const in vec3 specularColor,const in float specularF90,inout vec3 singleScatter,inout vec3 multiScatter){
#endif
#ifdef USE_IRIDESCENCE
vec3 Fr=mix(specularColor,iridescenceF0,iridescence);
#else
vec3 Fr=specularColor;
#endif
vec3 FssEss=Fr*fab.x+specularF90*fab.y;
float Ess=fab.x+fab.y;
float Ems=1.0-Ess;
vec3 Favg=Fr+(1.0-Fr)*0.047619;vec3 Fms=FssEss*Favg/(1.0-Ems*Favg);
singleScatter+=FssEss;
multiScatter+=Fms*Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
void RE_Direct_RectArea_Physical(const in RectAreaLight rectAreaLight,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in PhysicalMaterial material,inout ReflectedLight reflectedLight){
vec3 normal=geometryNormal;
vec3 viewDir=geometryViewDir;
vec3 position=geometryPosition;
vec3 lightPos=rectAreaLight.position;
vec3 halfWidth=rectAreaLight.halfWidth;
vec3 halfHeight=rectAreaLight.halfHeight;
vec3 lightColor=rectAreaLight.color;
float roughness=material.roughness;
vec3 rectCoords[ 4 ];
rectCoords[ 0 ]=lightPos+halfWidth-halfHeight;rectCoords[ 1 ]=lightPos-halfWidth-halfHeight;
rectCoords[ 2 ]=lightPos-halfWidth+halfHeight;
rectCoords[ 3 ]=lightPos+halfWidth+halfHeight;
vec2 uv=LTC_Uv(normal,viewDir,roughness);
vec4 t1=texture2D(ltc_1,uv);
vec4 t2=texture2D(ltc_2,uv);
mat3 mInv=mat3(
vec3(t1.x,0,t1.y),
vec3(0,1,0),
vec3(t1.z,0,t1.w)
);
vec3 fresnel=(material.specularColorBlended*t2.x+(material.specularF90-material.specularColorBlended)*t2.y);
reflectedLight.directSpecular+=lightColor*fresnel*LTC_Evaluate(normal,viewDir,position,mInv,rectCoords);
reflectedLight.directDiffuse+=lightColor*material.diffuseContribution*LTC_Evaluate(normal,viewDir,position,mat3(1.0),rectCoords);
#ifdef USE_CLEARCOAT
vec3 Ncc=geometryClearcoatNormal;
vec2 uvClearcoat=LTC_Uv(Ncc,viewDir,material.clearcoatRoughness);
vec4 t1Clearcoat=texture2D(ltc_1,uvClearcoat);
vec4 t2Clearcoat=texture2D(ltc_2,uvClearcoat);
mat3 mInvClearcoat=mat3(
vec3(t1Clearcoat.x,0,t1Clearcoat.y),
vec3(0,1,0),
vec3(t1Clearcoat.z,0,t1Clearcoat.w)
);
vec3 fresnelClearcoat=material.clearcoatF0*t2Clearcoat.x+(material.clearcoatF90-material.clearcoatF0)*t2Clearcoat.y;
clearcoatSpecularDirect+=lightColor*fresnelClearcoat*LTC_Evaluate(Ncc,viewDir,position,mInvClearcoat,rectCoords);
#endif
}
#endif
void RE_Direct_Physical(const in IncidentLight directLight,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in PhysicalMaterial material,inout ReflectedLight reflectedLight){
float dotNL=saturate(dot(geometryNormal,directLight.direction));
vec3 irradiance=dotNL*directLight.color;
#ifdef USE_CLEARCOAT
float dotNLcc=saturate(dot(geometryClearcoatNormal,directLight.direction));
vec3 ccIrradiance=dotNLcc*directLight.color;
clearcoatSpecularDirect+=ccIrradiance*BRDF_GGX_Clearcoat(directLight.direction,geometryViewDir,geometryClearcoatNormal,material);
#endif
#ifdef USE_SHEEN
sheenSpecularDirect+=irradiance*BRDF_Sheen(directLight.direction,geometryViewDir,geometryNormal,material.sheenColor,material.sheenRoughness);
float sheenAlbedoV=IBLSheenBRDF(geometryNormal,geometryViewDir,material.sheenRoughness);
float sheenAlbedoL=IBLSheenBRDF(geometryNormal,directLight.direction,material.sheenRoughness);
float sheenEnergyComp=1.0-max3(material.sheenColor)*max(sheenAlbedoV,sheenAlbedoL);
irradiance*=sheenEnergyComp;
#endif
vec3 specularBRDF=BRDF_GGX(directLight.direction,geometryViewDir,geometryNormal,material);
#ifdef USE_RETROREFLECTION
vec3 retroViewDir=reflect(-geometryViewDir,geometryNormal);
vec3 retroSpecularBRDF=BRDF_GGX(directLight.direction,retroViewDir,geometryNormal,material);
specularBRDF=mix(specularBRDF,retroSpecularBRDF,saturate(material.retroreflectivity));
#endif
reflectedLight.directSpecular+=irradiance*specularBRDF*material.multiScatteringCompensation;
vec3 halfDir=normalize(directLight.direction+geometryViewDir);
float dotVH=saturate(dot(geometryViewDir,halfDir));
vec3 F=F_Schlick(material.specularColor,material.specularF90,dotVH);
#ifdef USE_RETROREFLECTION
vec3 retroHalfDir=normalize(directLight.direction+retroViewDir);
float dotRetroVH=saturate(dot(retroViewDir,retroHalfDir));
vec3 retroF=F_Schlick(material.specularColor,material.specularF90,dotRetroVH);
F=mix(F,retroF,saturate(material.retroreflectivity));
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
vec3 diffuseBRDF=BRDF_EON(directLight.direction,geometryViewDir,geometryNormal,material.diffuseColor,material.diffuseRoughness)*(1.0-material.metalness);
#else
vec3 diffuseBRDF=BRDF_Lambert(material.diffuseContribution);
#endif
reflectedLight.directDiffuse+=irradiance*diffuseBRDF*(1.0-F);
}
void RE_IndirectDiffuse_Physical(const in vec3 irradiance,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in PhysicalMaterial material,inout ReflectedLight reflectedLight){
vec3 singleScattering=vec3(0.0);
vec3 multiScattering=vec3(0.0);
#ifdef USE_IRIDESCENCE
computeMultiscatteringIridescence(material.dfg,material.specularColor,material.specularF90,material.iridescence,material.iridescenceF0Dielectric,singleScattering,multiScattering);
#else
computeMultiscattering(material.dfg,material.specularColor,material.specularF90,singleScattering,multiScattering);
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
float dotNV=saturate(dot(geometryNormal,geometryViewDir));
vec3 diffuseAlbedo=EON_DirectionalAlbedo(material.diffuseColor,material.diffuseRoughness,dotNV)*(1.0-material.metalness);
vec3 diffuse=irradiance*RECIPROCAL_PI*diffuseAlbedo*(1.0-singleScattering-multiScattering);
#else
vec3 diffuse=irradiance*BRDF_Lambert(material.diffuseContribution)*(1.0-singleScattering-multiScattering);
#endif
#ifdef USE_SHEEN
float sheenAlbedo=IBLSheenBRDF(geometryNormal,geometryViewDir,material.sheenRoughness);
sheenSpecularIndirect+=irradiance*material.sheenColor*sheenAlbedo*RECIPROCAL_PI;
float sheenEnergyComp=1.0-max3(material.sheenColor)*sheenAlbedo;
diffuse*=sheenEnergyComp;
#endif
reflectedLight.indirectDiffuse+=diffuse;
}
void RE_IndirectSpecular_Physical(const in vec3 radiance,const in vec3 irradiance,const in vec3 clearcoatRadiance,const in vec3 geometryPosition,const in vec3 geometryNormal,const in vec3 geometryViewDir,const in vec3 geometryClearcoatNormal,const in PhysicalMaterial material,inout ReflectedLight reflectedLight){
#ifdef USE_CLEARCOAT
clearcoatSpecularIndirect+=clearcoatRadiance*EnvironmentBRDF(geometryClearcoatNormal,geometryViewDir,material.clearcoatF0,material.clearcoatF90,material.clearcoatRoughness);
#endif
#ifdef USE_SHEEN
sheenSpecularIndirect+=irradiance*material.sheenColor*IBLSheenBRDF(geometryNormal,geometryViewDir,material.sheenRoughness)*RECIPROCAL_PI;
#endif
vec3 singleScatteringDielectric=vec3(0.0);
vec3 multiScatteringDielectric=vec3(0.0);
vec3 singleScatteringMetallic=vec3(0.0);
vec3 multiScatteringMetallic=vec3(0.0);
#ifdef USE_IRIDESCENCE
computeMultiscatteringIridescence(material.dfg,material.specularColor,material.specularF90,material.iridescence,material.iridescenceF0Dielectric,singleScatteringDielectric,multiScatteringDielectric);
computeMultiscatteringIridescence(material.dfg,material.diffuseColor,material.specularF90,material.iridescence,material.iridescenceF0Metallic,singleScatteringMetallic,multiScatteringMetallic);
#else
computeMultiscattering(material.dfg,material.specularColor,material.specularF90,singleScatteringDielectric,multiScatteringDielectric);
computeMultiscattering(material.dfg,material.diffuseColor,material.specularF90,singleScatteringMetallic,multiScatteringMetallic);
#endif
vec3 singleScattering=mix(singleScatteringDielectric,singleScatteringMetallic,material.metalness);
vec3 multiScattering=mix(multiScatteringDielectric,multiScatteringMetallic,material.metalness);
vec3 totalScatteringDielectric=singleScatteringDielectric+multiScatteringDielectric;
#ifdef USE_DIFFUSE_ROUGHNESS
float dotNV=saturate(dot(geometryNormal,geometryViewDir));
vec3 diffuse=EON_DirectionalAlbedo(material.diffuseColor,material.diffuseRoughness,dotNV)*(1.0-material.metalness)*(1.0-totalScatteringDielectric);
#else
vec3 diffuse=material.diffuseContribution*(1.0-totalScatteringDielectric);
#endif
vec3 cosineWeightedIrradiance=irradiance*RECIPROCAL_PI;
vec3 indirectSpecular=radiance*singleScattering;
indirectSpecular+=multiScattering*cosineWeightedIrradiance;
vec3 indirectDiffuse=diffuse*cosineWeightedIrradiance;
#ifdef USE_SHEEN
float sheenAlbedo=IBLSheenBRDF(geometryNormal,geometryViewDir,material.sheenRoughness);
float sheenEnergyComp=1.0-max3(material.sheenColor)*sheenAlbedo;
indirectSpecular*=sheenEnergyComp;
indirectDiffuse*=sheenEnergyComp;
#endif
reflectedLight.indirectSpecular+=indirectSpecular;
reflectedLight.indirectDiffuse+=indirectDiffuse;
}
#define RE_Direct RE_Direct_Physical
#define RE_Direct_RectArea RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular RE_IndirectSpecular_Physical
float computeSpecularOcclusion(const in float dotNV,const in float ambientOcclusion,const in float roughness){
return saturate(pow(dotNV+ambientOcclusion,exp2(-16.0*roughness-1.0))-1.0+ambientOcclusion);
}`,lx=`
vec3 geometryPosition=-vViewPosition;
vec3 geometryNormal=normal;
vec3 geometryViewDir=(isOrthographic)?vec3(0,0,1):normalize(vViewPosition);
vec3 geometryClearcoatNormal=vec3(0.0);
#ifdef USE_CLEARCOAT
geometryClearcoatNormal=clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
float dotNVi=saturate(dot(normal,geometryViewDir));
if(material.iridescenceThickness==0.0){
material.iridescence=0.0;
}else{
material.iridescence=saturate(material.iridescence);
}
if(material.iridescence>0.0){
vec3 iridescenceFresnelDielectric=evalIridescence(1.0,material.iridescenceIOR,dotNVi,material.iridescenceThickness,material.specularColor);
vec3 iridescenceFresnelMetallic=evalIridescence(1.0,material.iridescenceIOR,dotNVi,material.iridescenceThickness,material.diffuseColor);
material.iridescenceFresnel=mix(iridescenceFresnelDielectric,iridescenceFresnelMetallic,material.metalness);
material.iridescenceF0Dielectric=Schlick_to_F0(iridescenceFresnelDielectric,1.0,dotNVi);
material.iridescenceF0Metallic=Schlick_to_F0(iridescenceFresnelMetallic,1.0,dotNVi);
}
#endif
#ifdef STANDARD
float dotNVms=saturate(dot(geometryNormal,geometryViewDir));
material.dfg=texture2D(dfgLUT,vec2(material.roughness,dotNVms)).rg;
#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
float EssMs=material.dfg.x+material.dfg.y;
material.multiScatteringCompensation=1.0+material.specularColorBlended*(1.0/EssMs-1.0);
#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
PointLight pointLight;
#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
PointLightShadow pointLightShadow;
#endif
#pragma unroll_loop_start
for(int i=0;i<NUM_POINT_LIGHTS;i++){
pointLight=pointLights[ i ];
getPointLightInfo(pointLight,geometryPosition,directLight);
#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
pointLightShadow=pointLightShadows[ i ];
directLight.color*=(directLight.visible && receiveShadow)?getPointShadow(pointShadowMap[ i ],pointLightShadow.shadowMapSize,pointLightShadow.shadowIntensity,pointLightShadow.shadowBias,pointLightShadow.shadowRadius,vPointShadowCoord[ i ],pointLightShadow.shadowCameraNear,pointLightShadow.shadowCameraFar):1.0;
#endif
RE_Direct(directLight,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
}
#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
SpotLight spotLight;
vec4 spotColor;
vec3 spotLightCoord;
bool inSpotLightMap;
#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
SpotLightShadow spotLightShadow;
#endif
#pragma unroll_loop_start
for(int i=0;i<NUM_SPOT_LIGHTS;i++){
spotLight=spotLights[ i ];
getSpotLightInfo(spotLight,geometryPosition,directLight);
#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
#else
#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
#endif
#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
spotLightCoord=vSpotLightCoord[ i ].xyz/vSpotLightCoord[ i ].w;
inSpotLightMap=all(lessThan(abs(spotLightCoord*2.-1.),vec3(1.0)));
spotColor=texture2D(spotLightMap[ SPOT_LIGHT_MAP_INDEX ],spotLightCoord.xy);
directLight.color=inSpotLightMap?directLight.color*spotColor.rgb:directLight.color;
#endif
#undef SPOT_LIGHT_MAP_INDEX
#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
spotLightShadow=spotLightShadows[ i ];
directLight.color*=(directLight.visible && receiveShadow)?getShadow(spotShadowMap[ i ],spotLightShadow.shadowMapSize,spotLightShadow.shadowIntensity,spotLightShadow.shadowBias,spotLightShadow.shadowRadius,vSpotLightCoord[ i ]):1.0;
#endif
RE_Direct(directLight,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
}
#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
SunLight sunLight;
#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
SunLightShadow sunLightShadow;
#endif
#pragma unroll_loop_start
for(int i=0;i<NUM_SUN_LIGHTS;i++){
sunLight=sunLights[ i ];
getSunLightInfo(sunLight,directLight);
#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
sunLightShadow=sunLightShadows[ i ];
directLight.color*=(directLight.visible && receiveShadow)?getSunShadow(sunShadowMap[ i ],sunLightShadow,UNROLLED_LOOP_INDEX):1.0;
#endif
RE_Direct(directLight,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
}
#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
DirectionalLight directionalLight;
#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
DirectionalLightShadow directionalLightShadow;
#endif
#pragma unroll_loop_start
for(int i=0;i<NUM_DIR_LIGHTS;i++){
directionalLight=directionalLights[ i ];
getDirectionalLightInfo(directionalLight,directLight);
#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
directionalLightShadow=directionalLightShadows[ i ];
directLight.color*=(directLight.visible && receiveShadow)?getShadow(directionalShadowMap[ i ],directionalLightShadow.shadowMapSize,directionalLightShadow.shadowIntensity,directionalLightShadow.shadowBias,directionalLightShadow.shadowRadius,vDirectionalShadowCoord[ i ]):1.0;
#endif
RE_Direct(directLight,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
}
#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
RectAreaLight rectAreaLight;
#pragma unroll_loop_start
for(int i=0;i<NUM_RECT_AREA_LIGHTS;i++){
rectAreaLight=rectAreaLights[ i ];
RE_Direct_RectArea(rectAreaLight,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
}
#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
vec3 iblIrradiance=vec3(0.0);
vec3 irradiance=getAmbientLightIrradiance(ambientLightColor);
#if defined( USE_LIGHT_PROBES )
irradiance+=getLightProbeIrradiance(lightProbe,geometryNormal);
#endif
#if ( NUM_HEMI_LIGHTS > 0 )
#pragma unroll_loop_start
for(int i=0;i<NUM_HEMI_LIGHTS;i++){
irradiance+=getHemisphereLightIrradiance(hemisphereLights[ i ],geometryNormal);
}
#pragma unroll_loop_end
#endif
#if NUM_LIGHT_PROBE_GRIDS > 0
vec3 probeWorldPos=((vec4(geometryPosition,1.0)-viewMatrix[ 3 ])*viewMatrix).xyz;
vec3 probeWorldNormal=transformNormalByInverseViewMatrix(geometryNormal,viewMatrix);
int probeGrid=-1;
#pragma unroll_loop_start
for(int i=0;i<NUM_LIGHT_PROBE_GRIDS;i++){
if(isInsideLightProbeGrid(probeWorldPos,probeWorldNormal,probesMin[ i ],probesMax[ i ],probesResolution[ i ]))probeGrid=UNROLLED_LOOP_INDEX;
}
#pragma unroll_loop_end
#pragma unroll_loop_start
for(int i=0;i<NUM_LIGHT_PROBE_GRIDS;i++){
if(probeGrid==UNROLLED_LOOP_INDEX)irradiance+=getLightProbeGridIrradiance(probesSH[ i ],probesMin[ i ],probesMax[ i ],probesResolution[ i ],probeWorldPos,probeWorldNormal);
}
#pragma unroll_loop_end
#endif
#endif
#if defined( RE_IndirectSpecular )
vec3 radiance=vec3(0.0);
vec3 clearcoatRadiance=vec3(0.0);
#endif`,hx=`#if defined( RE_IndirectDiffuse )
#ifdef USE_LIGHTMAP
vec4 lightMapTexel=texture2D(lightMap,vLightMapUv);
vec3 lightMapIrradiance=lightMapTexel.rgb*lightMapIntensity;
irradiance+=lightMapIrradiance;
#endif
#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
iblIrradiance+=getIBLIrradiance(geometryNormal);
#endif
#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
#ifdef USE_ANISOTROPY
vec3 iblRadiance=getIBLAnisotropyRadiance(geometryViewDir,geometryNormal,material.roughness,material.anisotropyB,material.anisotropy);
#else
vec3 iblRadiance=getIBLRadiance(geometryViewDir,geometryNormal,material.roughness);
#endif
#ifdef USE_RETROREFLECTION
#ifdef USE_ANISOTROPY
vec3 retroIBLRadiance=getIBLAnisotropyRetroRadiance(geometryViewDir,geometryNormal,material.roughness,material.anisotropyB,material.anisotropy);
#else
vec3 retroIBLRadiance=getIBLRetroRadiance(geometryViewDir,geometryNormal,material.roughness);
#endif
iblRadiance=mix(iblRadiance,retroIBLRadiance,saturate(material.retroreflectivity));
#endif
radiance+=iblRadiance;
#ifdef USE_CLEARCOAT
clearcoatRadiance+=getIBLRadiance(geometryViewDir,geometryClearcoatNormal,material.clearcoatRoughness);
#endif
#endif`,ux=`#if defined( RE_IndirectDiffuse )
#if defined( LAMBERT ) || defined( PHONG )
irradiance+=iblIrradiance;
#endif
RE_IndirectDiffuse(irradiance,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
#endif
#if defined( RE_IndirectSpecular )
RE_IndirectSpecular(radiance,iblIrradiance,clearcoatRadiance,geometryPosition,geometryNormal,geometryViewDir,geometryClearcoatNormal,material,reflectedLight);
#endif`,dx=`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid(vec3 worldPos,vec3 worldNormal,vec3 probesMin,vec3 probesMax,vec3 probesResolution){
vec3 spacing=(probesMax-probesMin)/probesResolution;
vec3 samplePos=worldPos+worldNormal*spacing*0.5;
vec3 margin=spacing*0.01;
return all(greaterThanEqual(samplePos,probesMin-margin))&& all(lessThanEqual(samplePos,probesMax+margin));
}
vec3 getLightProbeGridIrradiance(highp sampler3D probesSH,vec3 probesMin,vec3 probesMax,vec3 probesResolution,vec3 worldPos,vec3 worldNormal){
vec3 res=probesResolution;
vec3 gridRange=probesMax-probesMin;
vec3 probeSpacing=gridRange/res;
vec3 samplePos=worldPos+worldNormal*probeSpacing*0.5;
vec3 uvw=clamp((samplePos-probesMin)/gridRange,0.5/res,1.0-0.5/res);
float nz=res.z;
float paddedSlices=nz+2.0;
float atlasDepth=7.0*paddedSlices;
float uvZBase=uvw.z*nz+1.0;
vec4 s0=texture(probesSH,vec3(uvw.xy,(uvZBase)/atlasDepth));
vec4 s1=texture(probesSH,vec3(uvw.xy,(uvZBase+paddedSlices)/atlasDepth));
vec4 s2=texture(probesSH,vec3(uvw.xy,(uvZBase+2.0*paddedSlices)/atlasDepth));
vec4 s3=texture(probesSH,vec3(uvw.xy,(uvZBase+3.0*paddedSlices)/atlasDepth));
vec4 s4=texture(probesSH,vec3(uvw.xy,(uvZBase+4.0*paddedSlices)/atlasDepth));
vec4 s5=texture(probesSH,vec3(uvw.xy,(uvZBase+5.0*paddedSlices)/atlasDepth));
vec4 s6=texture(probesSH,vec3(uvw.xy,(uvZBase+6.0*paddedSlices)/atlasDepth));
vec3 c0=s0.xyz;
vec3 c1=vec3(s0.w,s1.xy);
vec3 c2=vec3(s1.zw,s2.x);
vec3 c3=s2.yzw;
vec3 c4=s3.xyz;
vec3 c5=vec3(s3.w,s4.xy);
vec3 c6=vec3(s4.zw,s5.x);
vec3 c7=s5.yzw;
vec3 c8=s6.xyz;
float x=worldNormal.x,y=worldNormal.y,z=worldNormal.z;
vec3 result=c0*0.886227;
result+=c1*2.0*0.511664*y;
result+=c2*2.0*0.511664*z;
result+=c3*2.0*0.511664*x;
result+=c4*2.0*0.429043*x*y;
result+=c5*2.0*0.429043*y*z;
result+=c6*(0.743125*z*z-0.247708);
result+=c7*2.0*0.429043*x*z;
result+=c8*0.429043*(x*x-y*y);
return max(result,vec3(0.0));
}
#endif`,fx=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
gl_FragDepth=vIsPerspective==0.0?gl_FragCoord.z:log2(vFragDepth)*logDepthBufFC*0.5;
#endif`,px=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
uniform float logDepthBufFC;
varying float vFragDepth;
varying float vIsPerspective;
#endif`,mx=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
varying float vFragDepth;
varying float vIsPerspective;
#endif`,gx=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
vFragDepth=1.0+gl_Position.w;
vIsPerspective=float(isPerspectiveMatrix(projectionMatrix));
#endif`,xx=`#ifdef USE_MAP
vec4 sampledDiffuseColor=texture2D(map,vMapUv);
#ifdef DECODE_VIDEO_TEXTURE
sampledDiffuseColor=sRGBTransferEOTF(sampledDiffuseColor);
#endif
diffuseColor*=sampledDiffuseColor;
#endif`,yx=`#ifdef USE_MAP
uniform sampler2D map;
#endif`,vx=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
#if defined( USE_POINTS_UV )
vec2 uv=vUv;
#else
vec2 uv=(uvTransform*vec3(gl_PointCoord.x,1.0-gl_PointCoord.y,1)).xy;
#endif
#endif
#ifdef USE_MAP
diffuseColor*=texture2D(map,uv);
#endif
#ifdef USE_ALPHAMAP
diffuseColor.a*=texture2D(alphaMap,uv).g;
#endif`,Mx=`#if defined( USE_POINTS_UV )
varying vec2 vUv;
#else
#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
uniform mat3 uvTransform;
#endif
#endif
#ifdef USE_MAP
uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
uniform sampler2D alphaMap;
#endif`,bx=`float metalnessFactor=metalness;
#ifdef USE_METALNESSMAP
vec4 texelMetalness=texture2D(metalnessMap,vMetalnessMapUv);
metalnessFactor*=texelMetalness.b;
#endif`,_x=`#ifdef USE_METALNESSMAP
uniform sampler2D metalnessMap;
#endif`,Sx=`#ifdef USE_INSTANCING_MORPH
float morphTargetInfluences[ MORPHTARGETS_COUNT ];
float morphTargetBaseInfluence=texelFetch(morphTexture,ivec2(0,gl_InstanceID),0).r;
for(int i=0;i<MORPHTARGETS_COUNT;i++){
morphTargetInfluences[i]=texelFetch(morphTexture,ivec2(i+1,gl_InstanceID),0).r;
}
#endif`,wx=`#if defined( USE_MORPHCOLORS )
#if defined( USE_COLOR_ALPHA )
vColor*=morphTargetBaseInfluence;
#elif defined( USE_COLOR )
vColor.rgb*=morphTargetBaseInfluence;
#endif
for(int i=0;i<MORPHTARGETS_COUNT;i++){
#if defined( USE_COLOR_ALPHA )
if(morphTargetInfluences[ i ] !=0.0)vColor+=getMorph(gl_VertexID,i,2)*morphTargetInfluences[ i ];
#elif defined( USE_COLOR )
if(morphTargetInfluences[ i ] !=0.0)vColor.rgb+=getMorph(gl_VertexID,i,2).rgb*morphTargetInfluences[ i ];
#endif
}
#endif`,Ex=`#ifdef USE_MORPHNORMALS
objectNormal*=morphTargetBaseInfluence;
for(int i=0;i<MORPHTARGETS_COUNT;i++){
if(morphTargetInfluences[ i ] !=0.0)objectNormal+=getMorph(gl_VertexID,i,1).xyz*morphTargetInfluences[ i ];
}
#endif`,Ax=`#ifdef USE_MORPHTARGETS
#ifndef USE_INSTANCING_MORPH
uniform float morphTargetBaseInfluence;
uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
#endif
uniform sampler2DArray morphTargetsTexture;
uniform ivec2 morphTargetsTextureSize;
vec4 getMorph(const in int vertexIndex,const in int morphTargetIndex,const in int offset){
int texelIndex=vertexIndex*MORPHTARGETS_TEXTURE_STRIDE+offset;
int y=texelIndex/morphTargetsTextureSize.x;
int x=texelIndex-y*morphTargetsTextureSize.x;
ivec3 morphUV=ivec3(x,y,morphTargetIndex);
return texelFetch(morphTargetsTexture,morphUV,0);
}
#endif`,Tx=`#ifdef USE_MORPHTARGETS
transformed*=morphTargetBaseInfluence;
for(int i=0;i<MORPHTARGETS_COUNT;i++){
if(morphTargetInfluences[ i ] !=0.0)transformed+=getMorph(gl_VertexID,i,0).xyz*morphTargetInfluences[ i ];
}
#endif`,Rx=`float faceDirection=gl_FrontFacing?1.0:-1.0;
#ifdef FLAT_SHADED
vec3 fdx=dFdx(vViewPosition);
vec3 fdy=dFdy(vViewPosition);
vec3 normal=normalize(cross(fdx,fdy));
#else
vec3 normal=normalize(vNormal);
#ifdef DOUBLE_SIDED
normal*=faceDirection;
#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
#ifdef USE_TANGENT
mat3 tbn=mat3(normalize(vTangent),normalize(vBitangent),normal);
#else
mat3 tbn=getTangentFrame(-vViewPosition,normal,
#if defined( USE_NORMALMAP )
vNormalMapUv
#elif defined( USE_CLEARCOAT_NORMALMAP )
vClearcoatNormalMapUv
#else
vUv
#endif
);
#endif
#ifdef DOUBLE_SIDED
tbn[0]*=faceDirection;
tbn[1]*=faceDirection;
#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
#ifdef USE_TANGENT
mat3 tbn2=mat3(normalize(vTangent),normalize(vBitangent),normal);
#else
mat3 tbn2=getTangentFrame(-vViewPosition,normal,vClearcoatNormalMapUv);
#endif
#ifdef DOUBLE_SIDED
tbn2[0]*=faceDirection;
tbn2[1]*=faceDirection;
#endif
#endif
vec3 nonPerturbedNormal=normal;`,Cx=`#ifdef USE_NORMALMAP_OBJECTSPACE
normal=texture2D(normalMap,vNormalMapUv).xyz*2.0-1.0;
#ifdef FLIP_SIDED
normal=-normal;
#endif
#ifdef DOUBLE_SIDED
normal=normal*faceDirection;
#endif
normal=normalize(normalMatrix*normal);
#elif defined( USE_NORMALMAP_TANGENTSPACE )
vec3 mapN=texture2D(normalMap,vNormalMapUv).xyz*2.0-1.0;
#if defined( USE_PACKED_NORMALMAP )
mapN=vec3(mapN.xy,sqrt(saturate(1.0-dot(mapN.xy,mapN.xy))));
#endif
mapN.xy*=normalScale;
normal=normalize(tbn*mapN);
#elif defined( USE_BUMPMAP )
normal=perturbNormalArb(-vViewPosition,normal,dHdxy_fwd(),faceDirection);
#endif`,Px=`#ifndef FLAT_SHADED
varying vec3 vNormal;
#ifdef USE_TANGENT
varying vec3 vTangent;
varying vec3 vBitangent;
#endif
#endif`,Ix=`#ifndef FLAT_SHADED
varying vec3 vNormal;
#ifdef USE_TANGENT
varying vec3 vTangent;
varying vec3 vBitangent;
#endif
#endif`,Lx=`#ifndef FLAT_SHADED
vNormal=normalize(transformedNormal);
#ifdef USE_TANGENT
vTangent=normalize(transformedTangent);
vBitangent=normalize(cross(vNormal,vTangent)*tangent.w);
#ifdef FLIP_SIDED
vBitangent=-vBitangent;
#endif
#endif
#endif`,Dx=`#ifdef USE_NORMALMAP
uniform sampler2D normalMap;
uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
mat3 getTangentFrame(vec3 eye_pos,vec3 surf_norm,vec2 uv){
vec3 q0=dFdx(eye_pos.xyz);
vec3 q1=dFdy(eye_pos.xyz);
vec2 st0=dFdx(uv.st);
vec2 st1=dFdy(uv.st);
vec3 N=surf_norm;
vec3 q1perp=cross(q1,N);
vec3 q0perp=cross(N,q0);
vec3 T=q1perp*st0.x+q0perp*st1.x;
vec3 B=q1perp*st0.y+q0perp*st1.y;
float det=max(dot(T,T),dot(B,B));
float scale=(det==0.0)?0.0:inversesqrt(det);
return mat3(T*scale,B*scale,N);
}
#endif`,Nx=`#ifdef USE_CLEARCOAT
vec3 clearcoatNormal=nonPerturbedNormal;
#endif`,Ux=`#ifdef USE_CLEARCOAT_NORMALMAP
vec3 clearcoatMapN=texture2D(clearcoatNormalMap,vClearcoatNormalMapUv).xyz*2.0-1.0;
clearcoatMapN.xy*=clearcoatNormalScale;
clearcoatNormal=normalize(tbn2*clearcoatMapN);
#endif`,Fx=`#ifdef USE_CLEARCOATMAP
uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
uniform sampler2D clearcoatNormalMap;
uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
uniform sampler2D clearcoatRoughnessMap;
#endif`,Bx=`#ifdef USE_IRIDESCENCEMAP
uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
uniform sampler2D iridescenceThicknessMap;
#endif`,Ox=`#ifdef OPAQUE
diffuseColor.a=1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a*=material.transmissionAlpha;
#endif
gl_FragColor=vec4(outgoingLight,diffuseColor.a);`,kx=`vec3 packNormalToRGB(const in vec3 normal){
return normalize(normal)*0.5+0.5;
}
vec3 unpackRGBToNormal(const in vec3 rgb){
return 2.0*rgb.xyz-1.0;
}
const float PackUpscale=256./255.;const float UnpackDownscale=255./256.;const float ShiftRight8=1./256.;
const float Inv255=1./255.;
const vec4 PackFactors=vec4(1.0,256.0,256.0*256.0,256.0*256.0*256.0);
const vec2 UnpackFactors2=vec2(UnpackDownscale,1.0/PackFactors.g);
const vec3 UnpackFactors3=vec3(UnpackDownscale/PackFactors.rg,1.0/PackFactors.b);
const vec4 UnpackFactors4=vec4(UnpackDownscale/PackFactors.rgb,1.0/PackFactors.a);
vec4 packDepthToRGBA(const in float v){
if(v<=0.0)
return vec4(0.,0.,0.,0.);
if(v>=1.0)
return vec4(1.,1.,1.,1.);
float vuf;
float af=modf(v*PackFactors.a,vuf);
float bf=modf(vuf*ShiftRight8,vuf);
float gf=modf(vuf*ShiftRight8,vuf);
return vec4(vuf*Inv255,gf*PackUpscale,bf*PackUpscale,af);
}
vec3 packDepthToRGB(const in float v){
if(v<=0.0)
return vec3(0.,0.,0.);
if(v>=1.0)
return vec3(1.,1.,1.);
float vuf;
float bf=modf(v*PackFactors.b,vuf);
float gf=modf(vuf*ShiftRight8,vuf);
return vec3(vuf*Inv255,gf*PackUpscale,bf);
}
vec2 packDepthToRG(const in float v){
if(v<=0.0)
return vec2(0.,0.);
if(v>=1.0)
return vec2(1.,1.);
float vuf;
float gf=modf(v*256.,vuf);
return vec2(vuf*Inv255,gf);
}
float unpackRGBAToDepth(const in vec4 v){
return dot(v,UnpackFactors4);
}
float unpackRGBToDepth(const in vec3 v){
return dot(v,UnpackFactors3);
}
float unpackRGToDepth(const in vec2 v){
return v.r*UnpackFactors2.r+v.g*UnpackFactors2.g;
}
vec4 pack2HalfToRGBA(const in vec2 v){
vec4 r=vec4(v.x,fract(v.x*255.0),v.y,fract(v.y*255.0));
return vec4(r.x-r.y/255.0,r.y,r.z-r.w/255.0,r.w);
}
vec2 unpackRGBATo2Half(const in vec4 v){
return vec2(v.x+(v.y/255.0),v.z+(v.w/255.0));
}
float viewZToOrthographicDepth(const in float viewZ,const in float near,const in float far){
return(viewZ+near)/(near-far);
}
float orthographicDepthToViewZ(const in float depth,const in float near,const in float far){
#ifdef USE_REVERSED_DEPTH_BUFFER
return depth*(far-near)-far;
#else
return depth*(near-far)-near;
#endif
}
float viewZToPerspectiveDepth(const in float viewZ,const in float near,const in float far){
return((near+viewZ)*far)/((far-near)*viewZ);
}
float perspectiveDepthToViewZ(const in float depth,const in float near,const in float far){
#ifdef USE_REVERSED_DEPTH_BUFFER
return(near*far)/((near-far)*depth-near);
#else
return(near*far)/((far-near)*depth-far);
#endif
}`,Vx=`#ifdef PREMULTIPLIED_ALPHA
gl_FragColor.rgb*=gl_FragColor.a;
#endif`,zx=`vec4 mvPosition=vec4(transformed,1.0);
#ifdef USE_BATCHING
mvPosition=batchingMatrix*mvPosition;
#endif
#ifdef USE_INSTANCING
mvPosition=instanceMatrix*mvPosition;
#endif
mvPosition=modelViewMatrix*mvPosition;
gl_Position=projectionMatrix*mvPosition;`,Gx=`#ifdef DITHERING
gl_FragColor.rgb=dithering(gl_FragColor.rgb);
#endif`,Hx=`#ifdef DITHERING
vec3 dithering(vec3 color){
float grid_position=rand(gl_FragCoord.xy);
vec3 dither_shift_RGB=vec3(0.25/255.0,-0.25/255.0,0.25/255.0);
dither_shift_RGB=mix(2.0*dither_shift_RGB,-2.0*dither_shift_RGB,grid_position);
return color+dither_shift_RGB;
}
#endif`,Wx=`float roughnessFactor=roughness;
#ifdef USE_ROUGHNESSMAP
vec4 texelRoughness=texture2D(roughnessMap,vRoughnessMapUv);
roughnessFactor*=texelRoughness.g;
#endif`,Xx=`#ifdef USE_ROUGHNESSMAP
uniform sampler2D roughnessMap;
#endif`,qx=`#if NUM_SPOT_LIGHT_COORDS > 0
varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
#if NUM_SUN_LIGHT_SHADOWS > 0
#define SUN_LIGHT_CASCADES 2
#if defined( SHADOWMAP_TYPE_PCF )
uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
#else
uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
#endif
uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS*SUN_LIGHT_CASCADES ];
uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS*SUN_LIGHT_CASCADES ];
varying vec4 vSunShadowWorldPosition;
varying vec3 vSunShadowWorldNormal;
struct SunLightShadow{
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
};
uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
#endif
#if NUM_DIR_LIGHT_SHADOWS > 0
#if defined( SHADOWMAP_TYPE_PCF )
uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
#else
uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
#endif
varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
struct DirectionalLightShadow{
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
};
uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
#endif
#if NUM_SPOT_LIGHT_SHADOWS > 0
#if defined( SHADOWMAP_TYPE_PCF )
uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
#else
uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
#endif
struct SpotLightShadow{
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
};
uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
#endif
#if NUM_POINT_LIGHT_SHADOWS > 0
#if defined( SHADOWMAP_TYPE_PCF )
uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
#elif defined( SHADOWMAP_TYPE_BASIC )
uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
#endif
varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
struct PointLightShadow{
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
float shadowCameraNear;
float shadowCameraFar;
};
uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
#endif
#if defined( SHADOWMAP_TYPE_PCF )
float interleavedGradientNoise(vec2 position){
return fract(52.9829189*fract(dot(position,vec2(0.06711056,0.00583715))));
}
vec2 vogelDiskSample(int sampleIndex,int samplesCount,float phi){
const float goldenAngle=2.399963229728653;
float r=sqrt((float(sampleIndex)+0.5)/float(samplesCount));
float theta=float(sampleIndex)*goldenAngle+phi;
return vec2(cos(theta),sin(theta))*r;
}
#endif
#if defined( SHADOWMAP_TYPE_PCF )
float getShadow(sampler2DShadow shadowMap,vec2 shadowMapSize,float shadowIntensity,float shadowBias,float shadowRadius,vec4 shadowCoord){
float shadow=1.0;
shadowCoord.xyz/=shadowCoord.w;
#ifdef USE_REVERSED_DEPTH_BUFFER
shadowCoord.z-=shadowBias;
#else
shadowCoord.z+=shadowBias;
#endif
bool inFrustum=shadowCoord.x>=0.0 && shadowCoord.x<=1.0 && shadowCoord.y>=0.0 && shadowCoord.y<=1.0;
bool frustumTest=inFrustum && shadowCoord.z<=1.0;
if(frustumTest){
vec2 texelSize=vec2(1.0)/shadowMapSize;
vec2 radius=shadowRadius*texelSize;
float phi=interleavedGradientNoise(gl_FragCoord.xy)*PI2;
shadow=(
texture(shadowMap,vec3(shadowCoord.xy+vogelDiskSample(0,5,phi)*radius,shadowCoord.z))+
texture(shadowMap,vec3(shadowCoord.xy+vogelDiskSample(1,5,phi)*radius,shadowCoord.z))+
texture(shadowMap,vec3(shadowCoord.xy+vogelDiskSample(2,5,phi)*radius,shadowCoord.z))+
texture(shadowMap,vec3(shadowCoord.xy+vogelDiskSample(3,5,phi)*radius,shadowCoord.z))+
texture(shadowMap,vec3(shadowCoord.xy+vogelDiskSample(4,5,phi)*radius,shadowCoord.z))
)*0.2;
}
return mix(1.0,shadow,shadowIntensity);
}
#elif defined( SHADOWMAP_TYPE_VSM )
float getShadow(sampler2D shadowMap,vec2 shadowMapSize,float shadowIntensity,float shadowBias,float shadowRadius,vec4 shadowCoord){
float shadow=1.0;
shadowCoord.xyz/=shadowCoord.w;
#ifdef USE_REVERSED_DEPTH_BUFFER
shadowCoord.z-=shadowBias;
#else
shadowCoord.z+=shadowBias;
#endif
bool inFrustum=shadowCoord.x>=0.0 && shadowCoord.x<=1.0 && shadowCoord.y>=0.0 && shadowCoord.y<=1.0;
bool frustumTest=inFrustum && shadowCoord.z<=1.0;
if(frustumTest){
vec2 distribution=texture2D(shadowMap,shadowCoord.xy).rg;
float mean=distribution.x;
float variance=distribution.y*distribution.y;
#ifdef USE_REVERSED_DEPTH_BUFFER
float hard_shadow=step(mean,shadowCoord.z);
#else
float hard_shadow=step(shadowCoord.z,mean);
#endif
if(hard_shadow==1.0){
shadow=1.0;
}else{
variance=max(variance,0.0000001);
float d=shadowCoord.z-mean;
float p_max=variance/(variance+d*d);
p_max=clamp((p_max-0.3)/0.65,0.0,1.0);
shadow=max(hard_shadow,p_max);
}
}
return mix(1.0,shadow,shadowIntensity);
}
#else
float getShadow(sampler2D shadowMap,vec2 shadowMapSize,float shadowIntensity,float shadowBias,float shadowRadius,vec4 shadowCoord){
float shadow=1.0;
shadowCoord.xyz/=shadowCoord.w;
#ifdef USE_REVERSED_DEPTH_BUFFER
shadowCoord.z-=shadowBias;
#else
shadowCoord.z+=shadowBias;
#endif
bool inFrustum=shadowCoord.x>=0.0 && shadowCoord.x<=1.0 && shadowCoord.y>=0.0 && shadowCoord.y<=1.0;
bool frustumTest=inFrustum && shadowCoord.z<=1.0;
if(frustumTest){
float depth=texture2D(shadowMap,shadowCoord.xy).r;
#ifdef USE_REVERSED_DEPTH_BUFFER
shadow=step(depth,shadowCoord.z);
#else
shadow=step(shadowCoord.z,depth);
#endif
}
return mix(1.0,shadow,shadowIntensity);
}
#endif
#if NUM_SUN_LIGHT_SHADOWS > 0
float getSunShadow(
#if defined( SHADOWMAP_TYPE_PCF )
sampler2DShadow shadowMap,
#else
sampler2D shadowMap,
#endif
SunLightShadow sunLightShadow,
int shadowIndex
){
vec4 shadowWorldPosition=vec4(vSunShadowWorldPosition.xyz+vSunShadowWorldNormal*sunLightShadow.shadowNormalBias,1.0);
float viewDepth=vSunShadowWorldPosition.w;
int cascadeOffset=shadowIndex*SUN_LIGHT_CASCADES;
float shadow=1.0;
for(int i=SUN_LIGHT_CASCADES-1;i>=0;i--){
vec4 cascade=sunShadowCascade[ cascadeOffset+i ];
if(viewDepth>=cascade.x && viewDepth<cascade.y){
float cascadeShadow=getShadow(
shadowMap,
sunLightShadow.shadowMapSize,
sunLightShadow.shadowIntensity,
sunLightShadow.shadowBias,
sunLightShadow.shadowRadius,
sunShadowMatrix[ cascadeOffset+i ]*shadowWorldPosition
);
shadow=mix(cascadeShadow,shadow,smoothstep(cascade.z,cascade.y,viewDepth));
}
}
return shadow;
}
#endif
#if NUM_POINT_LIGHT_SHADOWS > 0
#if defined( SHADOWMAP_TYPE_PCF )
float getPointShadow(samplerCubeShadow shadowMap,vec2 shadowMapSize,float shadowIntensity,float shadowBias,float shadowRadius,vec4 shadowCoord,float shadowCameraNear,float shadowCameraFar){
float shadow=1.0;
vec3 lightToPosition=shadowCoord.xyz;
vec3 bd3D=normalize(lightToPosition);
vec3 absVec=abs(lightToPosition);
float viewSpaceZ=max(max(absVec.x,absVec.y),absVec.z);
if(viewSpaceZ-shadowCameraFar<=0.0 && viewSpaceZ-shadowCameraNear>=0.0){
float lightDistance=length(lightToPosition);
float depthRange=shadowCameraFar-shadowCameraNear;
#ifdef USE_REVERSED_DEPTH_BUFFER
float depthA=-shadowCameraNear/depthRange-shadowBias;
float depthB=shadowCameraNear*shadowCameraFar/(depthRange*lightDistance);
#else
float depthA=shadowCameraFar/depthRange+shadowBias;
float depthB=-shadowCameraNear*shadowCameraFar/(depthRange*lightDistance);
#endif
float texelSize=shadowRadius/shadowMapSize.x;
vec3 absDir=abs(bd3D);
vec3 tangent=absDir.x>absDir.z?vec3(0.0,1.0,0.0):vec3(1.0,0.0,0.0);
tangent=normalize(cross(bd3D,tangent));
vec3 bitangent=cross(bd3D,tangent);
float phi=interleavedGradientNoise(gl_FragCoord.xy)*PI2;
shadow=0.0;
for(int i=0;i<5;i++){
vec2 offset=vogelDiskSample(i,5,phi);
vec3 direction=bd3D+(tangent*offset.x+bitangent*offset.y)*texelSize;
vec3 absDirection=abs(direction);
float dp=depthA+depthB/max(max(absDirection.x,absDirection.y),absDirection.z);
shadow+=texture(shadowMap,vec4(direction,dp));
}
shadow*=0.2;
}
return mix(1.0,shadow,shadowIntensity);
}
#elif defined( SHADOWMAP_TYPE_BASIC )
float getPointShadow(samplerCube shadowMap,vec2 shadowMapSize,float shadowIntensity,float shadowBias,float shadowRadius,vec4 shadowCoord,float shadowCameraNear,float shadowCameraFar){
float shadow=1.0;
vec3 lightToPosition=shadowCoord.xyz;
vec3 absVec=abs(lightToPosition);
float viewSpaceZ=max(max(absVec.x,absVec.y),absVec.z);
if(viewSpaceZ-shadowCameraFar<=0.0 && viewSpaceZ-shadowCameraNear>=0.0){
float dp=(shadowCameraFar*(viewSpaceZ-shadowCameraNear))/(viewSpaceZ*(shadowCameraFar-shadowCameraNear));
dp+=shadowBias;
vec3 bd3D=normalize(lightToPosition);
float depth=textureCube(shadowMap,bd3D).r;
#ifdef USE_REVERSED_DEPTH_BUFFER
depth=1.0-depth;
#endif
shadow=step(dp,depth);
}
return mix(1.0,shadow,shadowIntensity);
}
#endif
#endif
#endif`,jx=`#if NUM_SPOT_LIGHT_COORDS > 0
uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
#if NUM_SUN_LIGHT_SHADOWS > 0
varying vec4 vSunShadowWorldPosition;
varying vec3 vSunShadowWorldNormal;
#endif
#if NUM_DIR_LIGHT_SHADOWS > 0
uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
struct DirectionalLightShadow{
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
};
uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
#endif
#if NUM_SPOT_LIGHT_SHADOWS > 0
struct SpotLightShadow{
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
};
uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
#endif
#if NUM_POINT_LIGHT_SHADOWS > 0
uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
struct PointLightShadow{
float shadowIntensity;
float shadowBias;
float shadowNormalBias;
float shadowRadius;
vec2 shadowMapSize;
float shadowCameraNear;
float shadowCameraFar;
};
uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
#endif
#endif`,Yx=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
#ifdef HAS_NORMAL
vec3 shadowWorldNormal=transformNormalByInverseViewMatrix(transformedNormal,viewMatrix);
#else
vec3 shadowWorldNormal=vec3(0.0);
#endif
vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
#if NUM_SUN_LIGHT_SHADOWS > 0
vSunShadowWorldPosition=vec4(worldPosition.xyz,-mvPosition.z);
vSunShadowWorldNormal=shadowWorldNormal;
#endif
#if NUM_DIR_LIGHT_SHADOWS > 0
#pragma unroll_loop_start
for(int i=0;i<NUM_DIR_LIGHT_SHADOWS;i++){
shadowWorldPosition=worldPosition+vec4(shadowWorldNormal*directionalLightShadows[ i ].shadowNormalBias,0);
vDirectionalShadowCoord[ i ]=directionalShadowMatrix[ i ]*shadowWorldPosition;
}
#pragma unroll_loop_end
#endif
#if NUM_POINT_LIGHT_SHADOWS > 0
#pragma unroll_loop_start
for(int i=0;i<NUM_POINT_LIGHT_SHADOWS;i++){
shadowWorldPosition=worldPosition+vec4(shadowWorldNormal*pointLightShadows[ i ].shadowNormalBias,0);
vPointShadowCoord[ i ]=pointShadowMatrix[ i ]*shadowWorldPosition;
}
#pragma unroll_loop_end
#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
#pragma unroll_loop_start
for(int i=0;i<NUM_SPOT_LIGHT_COORDS;i++){
shadowWorldPosition=worldPosition;
#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
shadowWorldPosition.xyz+=shadowWorldNormal*spotLightShadows[ i ].shadowNormalBias;
#endif
vSpotLightCoord[ i ]=spotLightMatrix[ i ]*shadowWorldPosition;
}
#pragma unroll_loop_end
#endif`,$x=`float getShadowMask(){
float shadow=1.0;
#ifdef USE_SHADOWMAP
#if NUM_SUN_LIGHT_SHADOWS > 0
SunLightShadow sunLight;
#pragma unroll_loop_start
for(int i=0;i<NUM_SUN_LIGHT_SHADOWS;i++){
sunLight=sunLightShadows[ i ];
shadow*=receiveShadow?getSunShadow(sunShadowMap[ i ],sunLight,UNROLLED_LOOP_INDEX):1.0;
}
#pragma unroll_loop_end
#endif
#if NUM_DIR_LIGHT_SHADOWS > 0
DirectionalLightShadow directionalLight;
#pragma unroll_loop_start
for(int i=0;i<NUM_DIR_LIGHT_SHADOWS;i++){
directionalLight=directionalLightShadows[ i ];
shadow*=receiveShadow?getShadow(directionalShadowMap[ i ],directionalLight.shadowMapSize,directionalLight.shadowIntensity,directionalLight.shadowBias,directionalLight.shadowRadius,vDirectionalShadowCoord[ i ]):1.0;
}
#pragma unroll_loop_end
#endif
#if NUM_SPOT_LIGHT_SHADOWS > 0
SpotLightShadow spotLight;
#pragma unroll_loop_start
for(int i=0;i<NUM_SPOT_LIGHT_SHADOWS;i++){
spotLight=spotLightShadows[ i ];
shadow*=receiveShadow?getShadow(spotShadowMap[ i ],spotLight.shadowMapSize,spotLight.shadowIntensity,spotLight.shadowBias,spotLight.shadowRadius,vSpotLightCoord[ i ]):1.0;
}
#pragma unroll_loop_end
#endif
#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
PointLightShadow pointLight;
#pragma unroll_loop_start
for(int i=0;i<NUM_POINT_LIGHT_SHADOWS;i++){
pointLight=pointLightShadows[ i ];
shadow*=receiveShadow?getPointShadow(pointShadowMap[ i ],pointLight.shadowMapSize,pointLight.shadowIntensity,pointLight.shadowBias,pointLight.shadowRadius,vPointShadowCoord[ i ],pointLight.shadowCameraNear,pointLight.shadowCameraFar):1.0;
}
#pragma unroll_loop_end
#endif
#endif
return shadow;
}`,Kx=`#ifdef USE_SKINNING
mat4 boneMatX=getBoneMatrix(skinIndex.x);
mat4 boneMatY=getBoneMatrix(skinIndex.y);
mat4 boneMatZ=getBoneMatrix(skinIndex.z);
mat4 boneMatW=getBoneMatrix(skinIndex.w);
#endif`,Zx=`#ifdef USE_SKINNING
uniform mat4 bindMatrix;
uniform mat4 bindMatrixInverse;
uniform highp sampler2D boneTexture;
mat4 getBoneMatrix(const in float i){
int size=textureSize(boneTexture,0).x;
int j=int(i)*4;
int x=j % size;
int y=j/size;
vec4 v1=texelFetch(boneTexture,ivec2(x,y),0);
vec4 v2=texelFetch(boneTexture,ivec2(x+1,y),0);
vec4 v3=texelFetch(boneTexture,ivec2(x+2,y),0);
vec4 v4=texelFetch(boneTexture,ivec2(x+3,y),0);
return mat4(v1,v2,v3,v4);
}
#endif`,Qx=`#ifdef USE_SKINNING
vec4 skinVertex=bindMatrix*vec4(transformed,1.0);
vec4 skinned=vec4(0.0);
skinned+=boneMatX*skinVertex*skinWeight.x;
skinned+=boneMatY*skinVertex*skinWeight.y;
skinned+=boneMatZ*skinVertex*skinWeight.z;
skinned+=boneMatW*skinVertex*skinWeight.w;
transformed=(bindMatrixInverse*skinned).xyz;
#endif`,Jx=`#ifdef USE_SKINNING
mat4 skinMatrix=mat4(0.0);
skinMatrix+=skinWeight.x*boneMatX;
skinMatrix+=skinWeight.y*boneMatY;
skinMatrix+=skinWeight.z*boneMatZ;
skinMatrix+=skinWeight.w*boneMatW;
skinMatrix=bindMatrixInverse*skinMatrix*bindMatrix;
objectNormal=vec4(skinMatrix*vec4(objectNormal,0.0)).xyz;
#ifdef USE_TANGENT
objectTangent=vec4(skinMatrix*vec4(objectTangent,0.0)).xyz;
#endif
#endif`,ey=`float specularStrength;
#ifdef USE_SPECULARMAP
vec4 texelSpecular=texture2D(specularMap,vSpecularMapUv);
specularStrength=texelSpecular.r;
#else
specularStrength=1.0;
#endif`,ty=`#ifdef USE_SPECULARMAP
uniform sampler2D specularMap;
#endif`,ny=`#if defined( TONE_MAPPING )
gl_FragColor.rgb=toneMapping(gl_FragColor.rgb);
#endif`,iy=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping(vec3 color){
return saturate(toneMappingExposure*color);
}
vec3 ReinhardToneMapping(vec3 color){
color*=toneMappingExposure;
return saturate(color/(vec3(1.0)+color));
}
vec3 CineonToneMapping(vec3 color){
color*=toneMappingExposure;
color=max(vec3(0.0),color-0.004);
return pow((color*(6.2*color+0.5))/(color*(6.2*color+1.7)+0.06),vec3(2.2));
}
vec3 RRTAndODTFit(vec3 v){
vec3 a=v*(v+0.0245786)-0.000090537;
vec3 b=v*(0.983729*v+0.4329510)+0.238081;
return a/b;
}
vec3 ACESFilmicToneMapping(vec3 color){
const mat3 ACESInputMat=mat3(
vec3(0.59719,0.07600,0.02840),vec3(0.35458,0.90834,0.13383),
vec3(0.04823,0.01566,0.83777)
);
const mat3 ACESOutputMat=mat3(
vec3(1.60475,-0.10208,-0.00327),vec3(-0.53108,1.10813,-0.07276),
vec3(-0.07367,-0.00605,1.07602)
);
color*=toneMappingExposure/0.6;
color=ACESInputMat*color;
color=RRTAndODTFit(color);
color=ACESOutputMat*color;
return saturate(color);
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB=mat3(
vec3(1.6605,-0.1246,-0.0182),
vec3(-0.5876,1.1329,-0.1006),
vec3(-0.0728,-0.0083,1.1187)
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020=mat3(
vec3(0.6274,0.0691,0.0164),
vec3(0.3293,0.9195,0.0880),
vec3(0.0433,0.0113,0.8956)
);
vec3 agxDefaultContrastApprox(vec3 x){
vec3 x2=x*x;
vec3 x4=x2*x2;
return+15.5*x4*x2
-40.14*x4*x
+31.96*x4
-6.868*x2*x
+0.4298*x2
+0.1191*x
-0.00232;
}
vec3 AgXToneMapping(vec3 color){
const mat3 AgXInsetMatrix=mat3(
vec3(0.856627153315983,0.137318972929847,0.11189821299995),
vec3(0.0951212405381588,0.761241990602591,0.0767994186031903),
vec3(0.0482516061458583,0.101439036467562,0.811302368396859)
);
const mat3 AgXOutsetMatrix=mat3(
vec3(1.1271005818144368,-0.1413297634984383,-0.14132976349843826),
vec3(-0.11060664309660323,1.157823702216272,-0.11060664309660294),
vec3(-0.016493938717834573,-0.016493938717834257,1.2519364065950405)
);
const float AgxMinEv=-12.47393;const float AgxMaxEv=4.026069;
color*=toneMappingExposure;
color=LINEAR_SRGB_TO_LINEAR_REC2020*color;
color=AgXInsetMatrix*color;
color=max(color,1e-10);color=log2(color);
color=(color-AgxMinEv)/(AgxMaxEv-AgxMinEv);
color=clamp(color,0.0,1.0);
color=agxDefaultContrastApprox(color);
color=AgXOutsetMatrix*color;
color=pow(max(vec3(0.0),color),vec3(2.2));
color=LINEAR_REC2020_TO_LINEAR_SRGB*color;
color=clamp(color,0.0,1.0);
return color;
}
vec3 NeutralToneMapping(vec3 color){
const float StartCompression=0.8-0.04;
const float Desaturation=0.15;
color*=toneMappingExposure;
float x=min(color.r,min(color.g,color.b));
float offset=x<0.08?x-6.25*x*x:0.04;
color-=offset;
float peak=max(color.r,max(color.g,color.b));
if(peak<StartCompression)return color;
float d=1.-StartCompression;
float newPeak=1.-d*d/(peak+d-StartCompression);
color*=newPeak/peak;
float g=1.-1./(Desaturation*(peak-newPeak)+1.);
return mix(color,vec3(newPeak),g);
}
vec3 CustomToneMapping(vec3 color){return color;}`,sy=`#ifdef USE_TRANSMISSION
material.transmission=transmission;
material.transmissionAlpha=1.0;
material.thickness=thickness;
material.attenuationDistance=attenuationDistance;
material.attenuationColor=attenuationColor;
#ifdef USE_TRANSMISSIONMAP
material.transmission*=texture2D(transmissionMap,vTransmissionMapUv).r;
#endif
#ifdef USE_THICKNESSMAP
material.thickness*=texture2D(thicknessMap,vThicknessMapUv).g;
#endif
vec3 pos=vWorldPosition;
vec3 v=normalize(cameraPosition-pos);
vec3 n=transformNormalByInverseViewMatrix(normal,viewMatrix);
vec4 transmitted=getIBLVolumeRefraction(
n,v,material.roughness,material.diffuseContribution,material.specularColorBlended,material.specularF90,
pos,modelMatrix,viewMatrix,projectionMatrix,material.dispersion,material.ior,material.thickness,
material.attenuationColor,material.attenuationDistance);
material.transmissionAlpha=mix(material.transmissionAlpha,transmitted.a,material.transmission);
totalDiffuse=mix(totalDiffuse,transmitted.rgb,material.transmission);
#endif`,ry=`#ifdef USE_TRANSMISSION
uniform float transmission;
uniform float thickness;
uniform float attenuationDistance;
uniform vec3 attenuationColor;
#ifdef USE_TRANSMISSIONMAP
uniform sampler2D transmissionMap;
#endif
#ifdef USE_THICKNESSMAP
uniform sampler2D thicknessMap;
#endif
uniform vec2 transmissionSamplerSize;
uniform sampler2D transmissionSamplerMap;
uniform mat4 modelMatrix;
uniform mat4 projectionMatrix;
varying vec3 vWorldPosition;
float w0(float a){
return(1.0/6.0)*(a*(a*(-a+3.0)-3.0)+1.0);
}
float w1(float a){
return(1.0/6.0)*(a*a*(3.0*a-6.0)+4.0);
}
float w2(float a){
return(1.0/6.0)*(a*(a*(-3.0*a+3.0)+3.0)+1.0);
}
float w3(float a){
return(1.0/6.0)*(a*a*a);
}
float g0(float a){
return w0(a)+w1(a);
}
float g1(float a){
return w2(a)+w3(a);
}
float h0(float a){
return-1.0+w1(a)/(w0(a)+w1(a));
}
float h1(float a){
return 1.0+w3(a)/(w2(a)+w3(a));
}
vec4 bicubic(sampler2D tex,vec2 uv,vec4 texelSize,float lod){
uv=uv*texelSize.zw+0.5;
vec2 iuv=floor(uv);
vec2 fuv=fract(uv);
float g0x=g0(fuv.x);
float g1x=g1(fuv.x);
float h0x=h0(fuv.x);
float h1x=h1(fuv.x);
float h0y=h0(fuv.y);
float h1y=h1(fuv.y);
vec2 p0=(vec2(iuv.x+h0x,iuv.y+h0y)-0.5)*texelSize.xy;
vec2 p1=(vec2(iuv.x+h1x,iuv.y+h0y)-0.5)*texelSize.xy;
vec2 p2=(vec2(iuv.x+h0x,iuv.y+h1y)-0.5)*texelSize.xy;
vec2 p3=(vec2(iuv.x+h1x,iuv.y+h1y)-0.5)*texelSize.xy;
return g0(fuv.y)*(g0x*textureLod(tex,p0,lod)+g1x*textureLod(tex,p1,lod))+
g1(fuv.y)*(g0x*textureLod(tex,p2,lod)+g1x*textureLod(tex,p3,lod));
}
vec4 textureBicubic(sampler2D sampler,vec2 uv,float lod){
vec2 fLodSize=vec2(textureSize(sampler,int(lod)));
vec2 cLodSize=vec2(textureSize(sampler,int(lod+1.0)));
vec2 fLodSizeInv=1.0/fLodSize;
vec2 cLodSizeInv=1.0/cLodSize;
vec4 fSample=bicubic(sampler,uv,vec4(fLodSizeInv,fLodSize),floor(lod));
vec4 cSample=bicubic(sampler,uv,vec4(cLodSizeInv,cLodSize),ceil(lod));
return mix(fSample,cSample,fract(lod));
}
vec3 getVolumeTransmissionRay(const in vec3 n,const in vec3 v,const in float thickness,const in float ior,const in mat4 modelMatrix){
vec3 refractionVector=refract(-v,normalize(n),1.0/ior);
vec3 modelScale;
modelScale.x=length(vec3(modelMatrix[ 0 ].xyz));
modelScale.y=length(vec3(modelMatrix[ 1 ].xyz));
modelScale.z=length(vec3(modelMatrix[ 2 ].xyz));
return normalize(refractionVector)*thickness*modelScale;
}
float applyIorToRoughness(const in float roughness,const in float ior){
return roughness*clamp(ior*2.0-2.0,0.0,1.0);
}
vec4 getTransmissionSample(const in vec2 fragCoord,const in float roughness,const in float ior){
float lod=log2(transmissionSamplerSize.x)*applyIorToRoughness(roughness,ior);
return textureBicubic(transmissionSamplerMap,fragCoord.xy,lod);
}
vec3 volumeAttenuation(const in float transmissionDistance,const in vec3 attenuationColor,const in float attenuationDistance){
if(isinf(attenuationDistance)){
return vec3(1.0);
}else{
vec3 attenuationCoefficient=-log(attenuationColor)/attenuationDistance;
vec3 transmittance=exp(-attenuationCoefficient*transmissionDistance);return transmittance;
}
}
vec4 getIBLVolumeRefraction(const in vec3 n,const in vec3 v,const in float roughness,const in vec3 diffuseColor,
const in vec3 specularColor,const in float specularF90,const in vec3 position,const in mat4 modelMatrix,
const in mat4 viewMatrix,const in mat4 projMatrix,const in float dispersion,const in float ior,const in float thickness,
const in vec3 attenuationColor,const in float attenuationDistance){
vec4 transmittedLight;
vec3 transmittance;
#ifdef USE_DISPERSION
float halfSpread=(ior-1.0)*0.025*dispersion;
vec3 iors=vec3(ior-halfSpread,ior,ior+halfSpread);
for(int i=0;i<3;i++){
vec3 transmissionRay=getVolumeTransmissionRay(n,v,thickness,iors[ i ],modelMatrix);
vec3 refractedRayExit=position+transmissionRay;
vec4 ndcPos=projMatrix*viewMatrix*vec4(refractedRayExit,1.0);
vec2 refractionCoords=ndcPos.xy/ndcPos.w;
refractionCoords+=1.0;
refractionCoords/=2.0;
vec4 transmissionSample=getTransmissionSample(refractionCoords,roughness,iors[ i ]);
transmittedLight[ i ]=transmissionSample[ i ];
transmittedLight.a+=transmissionSample.a;
transmittance[ i ]=diffuseColor[ i ]*volumeAttenuation(length(transmissionRay),attenuationColor,attenuationDistance)[ i ];
}
transmittedLight.a/=3.0;
#else
vec3 transmissionRay=getVolumeTransmissionRay(n,v,thickness,ior,modelMatrix);
vec3 refractedRayExit=position+transmissionRay;
vec4 ndcPos=projMatrix*viewMatrix*vec4(refractedRayExit,1.0);
vec2 refractionCoords=ndcPos.xy/ndcPos.w;
refractionCoords+=1.0;
refractionCoords/=2.0;
transmittedLight=getTransmissionSample(refractionCoords,roughness,ior);
transmittance=diffuseColor*volumeAttenuation(length(transmissionRay),attenuationColor,attenuationDistance);
#endif
vec3 attenuatedColor=transmittance*transmittedLight.rgb;
vec3 F=EnvironmentBRDF(n,v,specularColor,specularF90,roughness);
float transmittanceFactor=(transmittance.r+transmittance.g+transmittance.b)/3.0;
return vec4((1.0-F)*attenuatedColor,1.0-(1.0-transmittedLight.a)*transmittanceFactor);
}
#endif`,oy=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
varying vec2 vUv;
#endif
#ifdef USE_MAP
varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
uniform mat3 transmissionMapTransform;
varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
uniform mat3 thicknessMapTransform;
varying vec2 vThicknessMapUv;
#endif`,ay=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
varying vec2 vUv;
#endif
#ifdef USE_MAP
uniform mat3 mapTransform;
varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
uniform mat3 alphaMapTransform;
varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
uniform mat3 lightMapTransform;
varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
uniform mat3 aoMapTransform;
varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
uniform mat3 bumpMapTransform;
varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
uniform mat3 normalMapTransform;
varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
uniform mat3 displacementMapTransform;
varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
uniform mat3 emissiveMapTransform;
varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
uniform mat3 metalnessMapTransform;
varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
uniform mat3 roughnessMapTransform;
varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
uniform mat3 diffuseRoughnessMapTransform;
varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
uniform mat3 anisotropyMapTransform;
varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
uniform mat3 clearcoatMapTransform;
varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
uniform mat3 clearcoatNormalMapTransform;
varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
uniform mat3 clearcoatRoughnessMapTransform;
varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
uniform mat3 sheenColorMapTransform;
varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
uniform mat3 sheenRoughnessMapTransform;
varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
uniform mat3 iridescenceMapTransform;
varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
uniform mat3 iridescenceThicknessMapTransform;
varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
uniform mat3 specularMapTransform;
varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
uniform mat3 specularColorMapTransform;
varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
uniform mat3 specularIntensityMapTransform;
varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
uniform mat3 transmissionMapTransform;
varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
uniform mat3 thicknessMapTransform;
varying vec2 vThicknessMapUv;
#endif`,cy=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
vUv=vec3(uv,1).xy;
#endif
#ifdef USE_MAP
vMapUv=(mapTransform*vec3(MAP_UV,1)).xy;
#endif
#ifdef USE_ALPHAMAP
vAlphaMapUv=(alphaMapTransform*vec3(ALPHAMAP_UV,1)).xy;
#endif
#ifdef USE_LIGHTMAP
vLightMapUv=(lightMapTransform*vec3(LIGHTMAP_UV,1)).xy;
#endif
#ifdef USE_AOMAP
vAoMapUv=(aoMapTransform*vec3(AOMAP_UV,1)).xy;
#endif
#ifdef USE_BUMPMAP
vBumpMapUv=(bumpMapTransform*vec3(BUMPMAP_UV,1)).xy;
#endif
#ifdef USE_NORMALMAP
vNormalMapUv=(normalMapTransform*vec3(NORMALMAP_UV,1)).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
vDisplacementMapUv=(displacementMapTransform*vec3(DISPLACEMENTMAP_UV,1)).xy;
#endif
#ifdef USE_EMISSIVEMAP
vEmissiveMapUv=(emissiveMapTransform*vec3(EMISSIVEMAP_UV,1)).xy;
#endif
#ifdef USE_METALNESSMAP
vMetalnessMapUv=(metalnessMapTransform*vec3(METALNESSMAP_UV,1)).xy;
#endif
#ifdef USE_ROUGHNESSMAP
vRoughnessMapUv=(roughnessMapTransform*vec3(ROUGHNESSMAP_UV,1)).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
vDiffuseRoughnessMapUv=(diffuseRoughnessMapTransform*vec3(DIFFUSE_ROUGHNESSMAP_UV,1)).xy;
#endif
#ifdef USE_ANISOTROPYMAP
vAnisotropyMapUv=(anisotropyMapTransform*vec3(ANISOTROPYMAP_UV,1)).xy;
#endif
#ifdef USE_CLEARCOATMAP
vClearcoatMapUv=(clearcoatMapTransform*vec3(CLEARCOATMAP_UV,1)).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
vClearcoatNormalMapUv=(clearcoatNormalMapTransform*vec3(CLEARCOAT_NORMALMAP_UV,1)).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
vClearcoatRoughnessMapUv=(clearcoatRoughnessMapTransform*vec3(CLEARCOAT_ROUGHNESSMAP_UV,1)).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
vIridescenceMapUv=(iridescenceMapTransform*vec3(IRIDESCENCEMAP_UV,1)).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
vIridescenceThicknessMapUv=(iridescenceThicknessMapTransform*vec3(IRIDESCENCE_THICKNESSMAP_UV,1)).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
vSheenColorMapUv=(sheenColorMapTransform*vec3(SHEEN_COLORMAP_UV,1)).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
vSheenRoughnessMapUv=(sheenRoughnessMapTransform*vec3(SHEEN_ROUGHNESSMAP_UV,1)).xy;
#endif
#ifdef USE_SPECULARMAP
vSpecularMapUv=(specularMapTransform*vec3(SPECULARMAP_UV,1)).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
vSpecularColorMapUv=(specularColorMapTransform*vec3(SPECULAR_COLORMAP_UV,1)).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
vSpecularIntensityMapUv=(specularIntensityMapTransform*vec3(SPECULAR_INTENSITYMAP_UV,1)).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
vTransmissionMapUv=(transmissionMapTransform*vec3(TRANSMISSIONMAP_UV,1)).xy;
#endif
#ifdef USE_THICKNESSMAP
vThicknessMapUv=(thicknessMapTransform*vec3(THICKNESSMAP_UV,1)).xy;
#endif`,ly=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
vec4 worldPosition=vec4(transformed,1.0);
#ifdef USE_BATCHING
worldPosition=batchingMatrix*worldPosition;
#endif
#ifdef USE_INSTANCING
worldPosition=instanceMatrix*worldPosition;
#endif
worldPosition=modelMatrix*worldPosition;
#endif`,hy=`varying vec2 vUv;
uniform mat3 uvTransform;
void main(){
vUv=(uvTransform*vec3(uv,1)).xy;
gl_Position=vec4(position.xy,1.0,1.0);
}`,uy=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main(){
vec4 texColor=texture2D(t2D,vUv);
#ifdef DECODE_VIDEO_TEXTURE
texColor=vec4(mix(pow(texColor.rgb*0.9478672986+vec3(0.0521327014),vec3(2.4)),texColor.rgb*0.0773993808,vec3(lessThanEqual(texColor.rgb,vec3(0.04045)))),texColor.w);
#endif
texColor.rgb*=backgroundIntensity;
gl_FragColor=texColor;
#include <tonemapping_fragment>
#include <colorspace_fragment>
}`;var dy=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main(){
#include <uv_vertex>
#include <batching_vertex>
#include <skinbase_vertex>
#include <morphinstance_vertex>
#ifdef USE_DISPLACEMENTMAP
#include <beginnormal_vertex>
#include <morphnormal_vertex>
#include <skinnormal_vertex>
#endif
#include <begin_vertex>
#include <morphtarget_vertex>
#include <skinning_vertex>
#include <displacementmap_vertex>
#include <project_vertex>
#include <logdepthbuf_vertex>
#include <clipping_planes_vertex>
vHighPrecisionZW=gl_Position.zw;
}`,fy=`#if DEPTH_PACKING == 3200
uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main(){
vec4 diffuseColor=vec4(1.0);
#include <clipping_planes_fragment>
#if DEPTH_PACKING == 3200
diffuseColor.a=opacity;
#endif
#include <map_fragment>
#include <alphamap_fragment>
#include <alphatest_fragment>
#include <alphahash_fragment>
#include <logdepthbuf_fragment>
#ifdef USE_REVERSED_DEPTH_BUFFER
float fragCoordZ=vHighPrecisionZW[ 0 ]/vHighPrecisionZW[ 1 ];
#else
float fragCoordZ=0.5*vHighPrecisionZW[ 0 ]/vHighPrecisionZW[ 1 ]+0.5;
#endif
#if DEPTH_PACKING == 3200
gl_FragColor=vec4(vec3(1.0-fragCoordZ),opacity);
#elif DEPTH_PACKING == 3201
gl_FragColor=packDepthToRGBA(fragCoordZ);
#elif DEPTH_PACKING == 3202
gl_FragColor=vec4(packDepthToRGB(fragCoordZ),1.0);
#elif DEPTH_PACKING == 3203
gl_FragColor=vec4(packDepthToRG(fragCoordZ),0.0,1.0);
#endif
}`,py=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main(){
#include <uv_vertex>
#include <batching_vertex>
#include <skinbase_vertex>
#include <morphinstance_vertex>
#ifdef USE_DISPLACEMENTMAP
#include <beginnormal_vertex>
#include <morphnormal_vertex>
#include <skinnormal_vertex>
#endif
#include <begin_vertex>
#include <morphtarget_vertex>
#include <skinning_vertex>
#include <displacementmap_vertex>
#include <project_vertex>
#include <worldpos_vertex>
#include <clipping_planes_vertex>
vWorldPosition=worldPosition.xyz;
}`,my=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main(){
vec4 diffuseColor=vec4(1.0);
#include <clipping_planes_fragment>
#include <map_fragment>
#include <alphamap_fragment>
#include <alphatest_fragment>
#include <alphahash_fragment>
float dist=length(vWorldPosition-referencePosition);
dist=(dist-nearDistance)/(farDistance-nearDistance);
dist=saturate(dist);
gl_FragColor=vec4(dist,0.0,0.0,1.0);
}`;var gy=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main(){
#include <uv_vertex>
#include <color_vertex>
#include <morphinstance_vertex>
#include <morphcolor_vertex>
#include <batching_vertex>
#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
#include <beginnormal_vertex>
#include <morphnormal_vertex>
#include <skinbase_vertex>
#include <skinnormal_vertex>
#include <defaultnormal_vertex>
#endif
#include <begin_vertex>
#include <morphtarget_vertex>
#include <skinning_vertex>
#include <project_vertex>
#include <logdepthbuf_vertex>
#include <clipping_planes_vertex>
#include <worldpos_vertex>
#include <envmap_vertex>
#include <fog_vertex>
}`,xy=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main(){
vec4 diffuseColor=vec4(diffuse,opacity);
#include <clipping_planes_fragment>
#include <logdepthbuf_fragment>
#include <map_fragment>
#include <color_fragment>
#include <alphamap_fragment>
#include <alphatest_fragment>
#include <alphahash_fragment>
#include <specularmap_fragment>
ReflectedLight reflectedLight=ReflectedLight(vec3(0.0),vec3(0.0),vec3(0.0),vec3(0.0));
#ifdef USE_LIGHTMAP
vec4 lightMapTexel=texture2D(lightMap,vLightMapUv);
reflectedLight.indirectDiffuse+=lightMapTexel.rgb*lightMapIntensity*RECIPROCAL_PI;
#else
reflectedLight.indirectDiffuse+=vec3(1.0);
#endif
#include <aomap_fragment>
reflectedLight.indirectDiffuse*=diffuseColor.rgb;
vec3 outgoingLight=reflectedLight.indirectDiffuse;
#include <envmap_fragment>
#include <opaque_fragment>
#include <tonemapping_fragment>
#include <colorspace_fragment>
#include <fog_fragment>
#include <premultiplied_alpha_fragment>
#include <dithering_fragment>
}`;var yy=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main(){
#include <uv_vertex>
#include <color_vertex>
#include <morphinstance_vertex>
#include <morphcolor_vertex>
#include <batching_vertex>
#include <beginnormal_vertex>
#include <morphnormal_vertex>
#include <skinbase_vertex>
#include <skinnormal_vertex>
#include <defaultnormal_vertex>
#include <normal_vertex>
#include <begin_vertex>
#include <morphtarget_vertex>
#include <skinning_vertex>
#include <displacementmap_vertex>
#include <project_vertex>
#include <logdepthbuf_vertex>
#include <clipping_planes_vertex>
vViewPosition=-mvPosition.xyz;
#include <worldpos_vertex>
#include <shadowmap_vertex>
#include <fog_vertex>
#ifdef USE_TRANSMISSION
vWorldPosition=worldPosition.xyz;
#endif
}`,vy=`#define STANDARD
#ifdef PHYSICAL
#define IOR
#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
uniform float ior;
#endif
#ifdef USE_SPECULAR
uniform float specularIntensity;
uniform vec3 specularColor;
#ifdef USE_SPECULAR_COLORMAP
uniform sampler2D specularColorMap;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
uniform sampler2D specularIntensityMap;
#endif
#endif
#ifdef USE_CLEARCOAT
uniform float clearcoat;
uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
uniform float diffuseRoughness;
#ifdef USE_DIFFUSE_ROUGHNESSMAP
uniform sampler2D diffuseRoughnessMap;
#endif
#endif
#ifdef USE_DISPERSION
uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
uniform float iridescence;
uniform float iridescenceIOR;
uniform float iridescenceThicknessMinimum;
uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
uniform vec3 sheenColor;
uniform float sheenRoughness;
#ifdef USE_SHEEN_COLORMAP
uniform sampler2D sheenColorMap;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
uniform sampler2D sheenRoughnessMap;
#endif
#endif
#ifdef USE_ANISOTROPY
uniform vec2 anisotropyVector;
#ifdef USE_ANISOTROPYMAP
uniform sampler2D anisotropyMap;
#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main(){
vec4 diffuseColor=vec4(diffuse,opacity);
#include <clipping_planes_fragment>
ReflectedLight reflectedLight=ReflectedLight(vec3(0.0),vec3(0.0),vec3(0.0),vec3(0.0));
vec3 totalEmissiveRadiance=emissive;
#include <logdepthbuf_fragment>
#include <map_fragment>
#include <color_fragment>
#include <alphamap_fragment>
#include <alphatest_fragment>
#include <alphahash_fragment>
#include <roughnessmap_fragment>
#include <metalnessmap_fragment>
#include <normal_fragment_begin>
#include <normal_fragment_maps>
#include <clearcoat_normal_fragment_begin>
#include <clearcoat_normal_fragment_maps>
#include <emissivemap_fragment>
#include <lights_physical_fragment>
#include <lights_fragment_begin>
#include <lights_fragment_maps>
#include <lights_fragment_end>
#include <aomap_fragment>
vec3 totalDiffuse=reflectedLight.directDiffuse+reflectedLight.indirectDiffuse;
vec3 totalSpecular=reflectedLight.directSpecular+reflectedLight.indirectSpecular;
#include <transmission_fragment>
vec3 outgoingLight=totalDiffuse+totalSpecular+totalEmissiveRadiance;
#ifdef USE_SHEEN
outgoingLight=outgoingLight+sheenSpecularDirect+sheenSpecularIndirect;
#endif
#ifdef USE_CLEARCOAT
float dotNVcc=saturate(dot(geometryClearcoatNormal,geometryViewDir));
vec3 Fcc=F_Schlick(material.clearcoatF0,material.clearcoatF90,dotNVcc);
outgoingLight=outgoingLight*(1.0-material.clearcoat*Fcc)+(clearcoatSpecularDirect+clearcoatSpecularIndirect)*material.clearcoat;
#endif
#include <opaque_fragment>
#include <tonemapping_fragment>
#include <colorspace_fragment>
#include <fog_fragment>
#include <premultiplied_alpha_fragment>
#include <dithering_fragment>
}`;var My=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
varying vec2 vUv;
uniform mat3 uvTransform;
#endif
void main(){
#ifdef USE_POINTS_UV
vUv=(uvTransform*vec3(uv,1)).xy;
#endif
#include <color_vertex>
#include <morphinstance_vertex>
#include <morphcolor_vertex>
#include <begin_vertex>
#include <morphtarget_vertex>
#include <project_vertex>
gl_PointSize=size;
#ifdef USE_SIZEATTENUATION
bool isPerspective=isPerspectiveMatrix(projectionMatrix);
if(isPerspective)gl_PointSize*=(scale/-mvPosition.z);
#endif
#include <logdepthbuf_vertex>
#include <clipping_planes_vertex>
#include <worldpos_vertex>
#include <fog_vertex>
}`,by=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main(){
vec4 diffuseColor=vec4(diffuse,opacity);
#include <clipping_planes_fragment>
vec3 outgoingLight=vec3(0.0);
#include <logdepthbuf_fragment>
#include <map_particle_fragment>
#include <color_fragment>
#include <alphatest_fragment>
#include <alphahash_fragment>
outgoingLight=diffuseColor.rgb;
#include <opaque_fragment>
#include <tonemapping_fragment>
#include <colorspace_fragment>
#include <fog_fragment>
#include <premultiplied_alpha_fragment>
}`;var He={alphahash_fragment:u0,alphahash_pars_fragment:d0,alphamap_fragment:f0,alphamap_pars_fragment:p0,alphatest_fragment:m0,alphatest_pars_fragment:g0,aomap_fragment:x0,aomap_pars_fragment:y0,batching_pars_vertex:v0,batching_vertex:M0,begin_vertex:b0,beginnormal_vertex:_0,bsdfs:S0,iridescence_fragment:w0,bumpmap_pars_fragment:E0,clipping_planes_fragment:A0,clipping_planes_pars_fragment:T0,clipping_planes_pars_vertex:R0,clipping_planes_vertex:C0,color_fragment:P0,color_pars_fragment:I0,color_pars_vertex:L0,color_vertex:D0,common:N0,defaultnormal_vertex:U0,displacementmap_pars_vertex:F0,displacementmap_vertex:B0,emissivemap_fragment:O0,emissivemap_pars_fragment:k0,colorspace_fragment:V0,colorspace_pars_fragment:z0,envmap_fragment:G0,envmap_common_pars_fragment:H0,envmap_pars_fragment:W0,envmap_pars_vertex:X0,envmap_physical_pars_fragment:nx,envmap_vertex:q0,fog_vertex:j0,fog_pars_vertex:Y0,fog_fragment:$0,fog_pars_fragment:K0,gradientmap_pars_fragment:Z0,lightmap_pars_fragment:Q0,lights_lambert_fragment:J0,lights_lambert_pars_fragment:ex,lights_pars_begin:tx,lights_toon_fragment:ix,lights_toon_pars_fragment:sx,lights_phong_fragment:rx,lights_phong_pars_fragment:ox,lights_physical_fragment:ax,lights_physical_pars_fragment:cx,lights_fragment_begin:lx,lights_fragment_maps:hx,lights_fragment_end:ux,lightprobes_pars_fragment:dx,logdepthbuf_fragment:fx,logdepthbuf_pars_fragment:px,logdepthbuf_pars_vertex:mx,logdepthbuf_vertex:gx,map_fragment:xx,map_pars_fragment:yx,map_particle_fragment:vx,map_particle_pars_fragment:Mx,metalnessmap_fragment:bx,metalnessmap_pars_fragment:_x,morphinstance_vertex:Sx,morphcolor_vertex:wx,morphnormal_vertex:Ex,morphtarget_pars_vertex:Ax,morphtarget_vertex:Tx,normal_fragment_begin:Rx,normal_fragment_maps:Cx,normal_pars_fragment:Px,normal_pars_vertex:Ix,normal_vertex:Lx,normalmap_pars_fragment:Dx,clearcoat_normal_fragment_begin:Nx,clearcoat_normal_fragment_maps:Ux,clearcoat_pars_fragment:Fx,iridescence_pars_fragment:Bx,opaque_fragment:Ox,packing:kx,premultiplied_alpha_fragment:Vx,project_vertex:zx,dithering_fragment:Gx,dithering_pars_fragment:Hx,roughnessmap_fragment:Wx,roughnessmap_pars_fragment:Xx,shadowmap_pars_fragment:qx,shadowmap_pars_vertex:jx,shadowmap_vertex:Yx,shadowmask_pars_fragment:$x,skinbase_vertex:Kx,skinning_pars_vertex:Zx,skinning_vertex:Qx,skinnormal_vertex:Jx,specularmap_fragment:ey,specularmap_pars_fragment:ty,tonemapping_fragment:ny,tonemapping_pars_fragment:iy,transmission_fragment:sy,transmission_pars_fragment:ry,uv_pars_fragment:oy,uv_pars_vertex:ay,uv_vertex:cy,worldpos_vertex:ly,background_vert:hy,background_frag:uy,depth_vert:dy,depth_frag:fy,distance_vert:py,distance_frag:my,meshbasic_vert:gy,meshbasic_frag:xy,meshphysical_vert:yy,meshphysical_frag:vy,points_vert:My,points_frag:by},pe={common:{diffuse:{value:new Re(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new Ue},alphaMap:{value:null},alphaMapTransform:{value:new Ue},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new Ue}},envmap:{envMap:{value:null},envMapRotation:{value:new Ue},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new Ue}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new Ue}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new Ue},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new Ue},normalScale:{value:new Ge(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new Ue},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new Ue}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new Ue}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new Ue}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new Re(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new Re(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new Ue},alphaTest:{value:0},uvTransform:{value:new Ue}},sprite:{diffuse:{value:new Re(16777215)},opacity:{value:1},center:{value:new Ge(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new Ue},alphaMap:{value:null},alphaMapTransform:{value:new Ue},alphaTest:{value:0}}},hi={basic:{uniforms:ln([pe.common,pe.specularmap,pe.envmap,pe.aomap,pe.lightmap,pe.fog]),vertexShader:He.meshbasic_vert,fragmentShader:He.meshbasic_frag},lambert:{uniforms:ln([pe.common,pe.specularmap,pe.envmap,pe.aomap,pe.lightmap,pe.emissivemap,pe.bumpmap,pe.normalmap,pe.displacementmap,pe.fog,pe.lights,{emissive:{value:new Re(0)},envMapIntensity:{value:1}}]),vertexShader:He.meshlambert_vert,fragmentShader:He.meshlambert_frag},phong:{uniforms:ln([pe.common,pe.specularmap,pe.envmap,pe.aomap,pe.lightmap,pe.emissivemap,pe.bumpmap,pe.normalmap,pe.displacementmap,pe.fog,pe.lights,{emissive:{value:new Re(0)},specular:{value:new Re(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:He.meshphong_vert,fragmentShader:He.meshphong_frag},standard:{uniforms:ln([pe.common,pe.envmap,pe.aomap,pe.lightmap,pe.emissivemap,pe.bumpmap,pe.normalmap,pe.displacementmap,pe.roughnessmap,pe.metalnessmap,pe.fog,pe.lights,{emissive:{value:new Re(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:He.meshphysical_vert,fragmentShader:He.meshphysical_frag},toon:{uniforms:ln([pe.common,pe.aomap,pe.lightmap,pe.emissivemap,pe.bumpmap,pe.normalmap,pe.displacementmap,pe.gradientmap,pe.fog,pe.lights,{emissive:{value:new Re(0)}}]),vertexShader:He.meshtoon_vert,fragmentShader:He.meshtoon_frag},matcap:{uniforms:ln([pe.common,pe.bumpmap,pe.normalmap,pe.displacementmap,pe.fog,{matcap:{value:null}}]),vertexShader:He.meshmatcap_vert,fragmentShader:He.meshmatcap_frag},points:{uniforms:ln([pe.points,pe.fog]),vertexShader:He.points_vert,fragmentShader:He.points_frag},dashed:{uniforms:ln([pe.common,pe.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:He.linedashed_vert,fragmentShader:He.linedashed_frag},depth:{uniforms:ln([pe.common,pe.displacementmap]),vertexShader:He.depth_vert,fragmentShader:He.depth_frag},normal:{uniforms:ln([pe.common,pe.bumpmap,pe.normalmap,pe.displacementmap,{opacity:{value:1}}]),vertexShader:He.meshnormal_vert,fragmentShader:He.meshnormal_frag},sprite:{uniforms:ln([pe.sprite,pe.fog]),vertexShader:He.sprite_vert,fragmentShader:He.sprite_frag},background:{uniforms:{uvTransform:{value:new Ue},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:He.background_vert,fragmentShader:He.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new Ue}},vertexShader:He.backgroundCube_vert,fragmentShader:He.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:He.cube_vert,fragmentShader:He.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:He.equirect_vert,fragmentShader:He.equirect_frag},distance:{uniforms:ln([pe.common,pe.displacementmap,{referencePosition:{value:new L},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:He.distance_vert,fragmentShader:He.distance_frag},shadow:{uniforms:ln([pe.lights,pe.fog,{color:{value:new Re(0)},opacity:{value:1}}]),vertexShader:He.shadow_vert,fragmentShader:He.shadow_frag}};hi.physical={uniforms:ln([hi.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new Ue},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new Ue},clearcoatNormalScale:{value:new Ge(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new Ue},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new Ue},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new Ue},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new Ue},sheen:{value:0},sheenColor:{value:new Re(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new Ue},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new Ue},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new Ue},transmissionSamplerSize:{value:new Ge},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new Ue},attenuationDistance:{value:0},attenuationColor:{value:new Re(0)},specularColor:{value:new Re(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new Ue},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new Ue},anisotropyVector:{value:new Ge},anisotropyMap:{value:null},anisotropyMapTransform:{value:new Ue}}]),vertexShader:He.meshphysical_vert,fragmentShader:He.meshphysical_frag};var Dc={r:0,b:0,g:0},_y=new ke,Tp=new Ue;Tp.set(-1,0,0,0,1,0,0,0,1);function Sy(s,e,t,n,i,r){let o=new Re(0),a=i===!0?0:1,c,l,h=null,d=0,u=null;function f(b){let T=b.isScene===!0?b.background:null;if(T&&T.isTexture){let S=b.backgroundBlurriness>0;T=e.get(T,S)}return T}function g(b){let T=!1,S=f(b);S===null?m(o,a):S&&S.isColor&&(m(S,1),T=!0);let A=s.xr.getEnvironmentBlendMode();A==="additive"?t.buffers.color.setClear(0,0,0,1,r):A==="alpha-blend"&&t.buffers.color.setClear(0,0,0,0,r),(s.autoClear||T)&&(t.buffers.depth.setTest(!0),t.buffers.depth.setMask(!0),t.buffers.color.setMask(!0),s.clear(s.autoClearColor,s.autoClearDepth,s.autoClearStencil))}function M(b,T){let S=f(T);S&&S.isCubeTexture?(l===void 0&&(l=new ht(new Js(1,1,1),new jn({name:"BackgroundCubeMaterial",uniforms:ar(hi.backgroundCube.uniforms),vertexShader:hi.backgroundCube.vertexShader,fragmentShader:hi.backgroundCube.fragmentShader,side:fn,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),l.geometry.deleteAttribute("uv"),l.onBeforeRender=function(A,E,x){this.matrixWorld.copyPosition(x.matrixWorld)},Object.defineProperty(l.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),n.update(l)),l.material.uniforms.envMap.value=S,l.material.uniforms.backgroundBlurriness.value=T.backgroundBlurriness,l.material.uniforms.backgroundIntensity.value=T.backgroundIntensity,l.material.uniforms.backgroundRotation.value.setFromMatrix4(_y.makeRotationFromEuler(T.backgroundRotation)).transpose(),S.isRenderTargetTexture===!1&&l.material.uniforms.backgroundRotation.value.premultiply(Tp),l.material.toneMapped=je.getTransfer(S.colorSpace)!==st,(h!==S||d!==S.version||u!==s.toneMapping)&&(l.material.needsUpdate=!0,h=S,d=S.version,u=s.toneMapping),l.layers.enableAll(),b.unshift(l,l.geometry,l.material,0,0,null)):S&&S.isTexture&&(c===void 0&&(c=new ht(new Ti(2,2),new jn({name:"BackgroundMaterial",uniforms:ar(hi.background.uniforms),vertexShader:hi.background.vertexShader,fragmentShader:hi.background.fragmentShader,side:Bn,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),Object.defineProperty(c.material,"map",{get:function(){return this.uniforms.t2D.value}}),n.update(c)),c.material.uniforms.t2D.value=S,c.material.uniforms.backgroundIntensity.value=T.backgroundIntensity,c.material.toneMapped=je.getTransfer(S.colorSpace)!==st,S.matrixAutoUpdate===!0&&S.updateMatrix(),c.material.uniforms.uvTransform.value.copy(S.matrix),(h!==S||d!==S.version||u!==s.toneMapping)&&(c.material.needsUpdate=!0,h=S,d=S.version,u=s.toneMapping),c.layers.enableAll(),b.unshift(c,c.geometry,c.material,0,0,null))}function m(b,T){b.getRGB(Dc,Gh(s)),t.buffers.color.setClear(Dc.r,Dc.g,Dc.b,T,r)}function p(){l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0),c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0)}return{getClearColor:function(){return o},setClearColor:function(b,T=1){o.set(b),a=T,m(o,a)},getClearAlpha:function(){return a},setClearAlpha:function(b){a=b,m(o,a)},render:g,addToRenderList:M,dispose:p}}function wy(s,e){let t=s.getParameter(s.MAX_VERTEX_ATTRIBS),n={},i=u(null),r=i,o=!1;function a(N,O,H,C,G){let q=!1,z=d(N,C,H,O);r!==z&&(r=z,l(r.object)),q=f(N,C,H,G),q&&g(N,C,H,G),G!==null&&e.update(G,s.ELEMENT_ARRAY_BUFFER),(q||o)&&(o=!1,S(N,O,H,C),G!==null&&s.bindBuffer(s.ELEMENT_ARRAY_BUFFER,e.get(G).buffer))}function c(){return s.createVertexArray()}function l(N){return s.bindVertexArray(N)}function h(N){return s.deleteVertexArray(N)}function d(N,O,H,C){let G=C.wireframe===!0,q=n[O.id];q===void 0&&(q={},n[O.id]=q);let z=N.isInstancedMesh===!0?N.id:0,ne=q[z];ne===void 0&&(ne={},q[z]=ne);let X=ne[H.id];X===void 0&&(X={},ne[H.id]=X);let J=X[G];return J===void 0&&(J=u(c()),X[G]=J),J}function u(N){let O=[],H=[],C=[];for(let G=0;G<t;G++)O[G]=0,H[G]=0,C[G]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:O,enabledAttributes:H,attributeDivisors:C,object:N,attributes:{},index:null}}function f(N,O,H,C){let G=r.attributes,q=O.attributes,z=0,ne=H.getAttributes();for(let X in ne)if(ne[X].location>=0){let ee=G[X],_e=q[X];if(_e===void 0&&(X==="instanceMatrix"&&N.instanceMatrix&&(_e=N.instanceMatrix),X==="instanceColor"&&N.instanceColor&&(_e=N.instanceColor)),ee===void 0||ee.attribute!==_e||_e&&ee.data!==_e.data)return!0;z++}return r.attributesNum!==z||r.index!==C}function g(N,O,H,C){let G={},q=O.attributes,z=0,ne=H.getAttributes();for(let X in ne)if(ne[X].location>=0){let ee=q[X];ee===void 0&&(X==="instanceMatrix"&&N.instanceMatrix&&(ee=N.instanceMatrix),X==="instanceColor"&&N.instanceColor&&(ee=N.instanceColor));let _e={};_e.attribute=ee,ee&&ee.data&&(_e.data=ee.data),G[X]=_e,z++}r.attributes=G,r.attributesNum=z,r.index=C}function M(){let N=r.newAttributes;for(let O=0,H=N.length;O<H;O++)N[O]=0}function m(N){p(N,0)}function p(N,O){let H=r.newAttributes,C=r.enabledAttributes,G=r.attributeDivisors;H[N]=1,C[N]===0&&(s.enableVertexAttribArray(N),C[N]=1),G[N]!==O&&(s.vertexAttribDivisor(N,O),G[N]=O)}function b(){let N=r.newAttributes,O=r.enabledAttributes;for(let H=0,C=O.length;H<C;H++)O[H]!==N[H]&&(s.disableVertexAttribArray(H),O[H]=0)}function T(N,O,H,C,G,q,z){z===!0?s.vertexAttribIPointer(N,O,H,G,q):s.vertexAttribPointer(N,O,H,C,G,q)}function S(N,O,H,C){M();let G=C.attributes,q=H.getAttributes(),z=O.defaultAttributeValues;for(let ne in q){let X=q[ne];if(X.location>=0){let J=G[ne];if(J===void 0&&(ne==="instanceMatrix"&&N.instanceMatrix&&(J=N.instanceMatrix),ne==="instanceColor"&&N.instanceColor&&(J=N.instanceColor)),J!==void 0){let ee=J.normalized,_e=J.itemSize,Be=e.get(J);if(Be===void 0)continue;let $=Be.buffer,me=Be.type,ve=Be.bytesPerElement,Ce=me===s.INT||me===s.UNSIGNED_INT||J.gpuType===Xa;if(J.isInterleavedBufferAttribute){let ge=J.data,Ve=ge.isInterleavedBuffer===!0?ge.stride:ge.itemSize,Ct=J.offset;if(ge.isInstancedInterleavedBuffer||ge.isInstancedBufferAttribute){for(let Ie=0;Ie<X.locationSize;Ie++)p(X.location+Ie,ge.meshPerAttribute);N.isInstancedMesh!==!0&&C.D===void 0&&(C.D=ge.meshPerAttribute*ge.count)}else for(let Ie=0;Ie<X.locationSize;Ie++)m(X.location+Ie);s.bindBuffer(s.ARRAY_BUFFER,$);for(let Ie=0;Ie<X.locationSize;Ie++)T(X.location+Ie,_e/X.locationSize,me,ee,Ve*ve,(Ct+_e/X.locationSize*Ie)*ve,Ce)}else{if(J.isInstancedBufferAttribute){for(let ge=0;ge<X.locationSize;ge++)p(X.location+ge,J.meshPerAttribute);N.isInstancedMesh!==!0&&C.D===void 0&&(C.D=J.meshPerAttribute*J.count)}else for(let ge=0;ge<X.locationSize;ge++)m(X.location+ge);s.bindBuffer(s.ARRAY_BUFFER,$);for(let ge=0;ge<X.locationSize;ge++)T(X.location+ge,_e/X.locationSize,me,ee,_e*ve,_e/X.locationSize*ge*ve,Ce)}}else if(z!==void 0){let ee=z[ne];if(ee!==void 0)switch(ee.length){case 2:s.vertexAttrib2fv(X.location,ee);break;case 3:s.vertexAttrib3fv(X.location,ee);break;case 4:s.vertexAttrib4fv(X.location,ee);break;default:s.vertexAttrib1fv(X.location,ee)}}}}b()}function A(){U();for(let N in n){let O=n[N];for(let H in O){let C=O[H];for(let G in C){let q=C[G];for(let z in q)h(q[z].object),delete q[z];delete C[G]}}delete n[N]}}function E(N){if(n[N.id]===void 0)return;let O=n[N.id];for(let H in O){let C=O[H];for(let G in C){let q=C[G];for(let z in q)h(q[z].object),delete q[z];delete C[G]}}delete n[N.id]}function x(N){for(let O in n){let H=n[O];for(let C in H){let G=H[C];if(G[N.id]===void 0)continue;let q=G[N.id];for(let z in q)h(q[z].object),delete q[z];delete G[N.id]}}}function _(N){for(let O in n){let H=n[O],C=N.isInstancedMesh===!0?N.id:0,G=H[C];if(G!==void 0){for(let q in G){let z=G[q];for(let ne in z)h(z[ne].object),delete z[ne];delete G[q]}delete H[C],Object.keys(H).length===0&&delete n[O]}}}function U(){I(),o=!0,r!==i&&(r=i,l(r.object))}function I(){i.geometry=null,i.program=null,i.wireframe=!1}return{setup:a,reset:U,resetDefaultState:I,dispose:A,releaseStatesOfGeometry:E,releaseStatesOfObject:_,releaseStatesOfProgram:x,initAttributes:M,enableAttribute:m,disableUnusedAttributes:b}}function Ey(s,e,t){let n;function i(c){n=c}function r(c,l){s.drawArrays(n,c,l),t.update(l,n,1)}function o(c,l,h){h!==0&&(s.drawArraysInstanced(n,c,l,h),t.update(l,n,h))}function a(c,l,h){if(h===0)return;e.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,c,0,l,0,h);let u=0;for(let f=0;f<h;f++)u+=l[f];t.update(u,n,1)}this.setMode=i,this.render=r,this.renderInstances=o,this.renderMultiDraw=a}function Ay(s,e,t,n){let i;function r(){if(i!==void 0)return i;if(e.has("EXT_texture_filter_anisotropic")===!0){let x=e.get("EXT_texture_filter_anisotropic");i=s.getParameter(x.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else i=0;return i}function o(x){return!(x!==Vn&&n.convert(x)!==s.getParameter(s.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(x){let _=x===Rn&&(e.has("EXT_color_buffer_half_float")||e.has("EXT_color_buffer_float"));return!(x!==_n&&x!==Tn&&!_&&n.convert(x)!==s.getParameter(s.IMPLEMENTATION_COLOR_READ_TYPE))}function c(x){if(x==="highp"){if(s.getShaderPrecisionFormat(s.VERTEX_SHADER,s.HIGH_FLOAT).precision>0&&s.getShaderPrecisionFormat(s.FRAGMENT_SHADER,s.HIGH_FLOAT).precision>0)return"highp";x="mediump"}return x==="mediump"&&s.getShaderPrecisionFormat(s.VERTEX_SHADER,s.MEDIUM_FLOAT).precision>0&&s.getShaderPrecisionFormat(s.FRAGMENT_SHADER,s.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let l=t.precision!==void 0?t.precision:"highp",h=c(l);h!==l&&(Ae("WebGLRenderer:",l,"not supported, using",h,"instead."),l=h);let d=t.reversedDepthBuffer===!0&&e.has("EXT_clip_control"),u=t.logarithmicDepthBuffer===!0&&d===!1;t.reversedDepthBuffer===!0&&d===!1&&Ae("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),t.logarithmicDepthBuffer===!0&&d===!0&&Ae("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");let f=s.getParameter(s.MAX_TEXTURE_IMAGE_UNITS),g=s.getParameter(s.MAX_VERTEX_TEXTURE_IMAGE_UNITS),M=s.getParameter(s.MAX_TEXTURE_SIZE),m=s.getParameter(s.MAX_CUBE_MAP_TEXTURE_SIZE),p=s.getParameter(s.MAX_VERTEX_ATTRIBS),b=s.getParameter(s.MAX_VERTEX_UNIFORM_VECTORS),T=s.getParameter(s.MAX_VARYING_VECTORS),S=s.getParameter(s.MAX_FRAGMENT_UNIFORM_VECTORS),A=s.getParameter(s.MAX_SAMPLES),E=s.getParameter(s.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:c,textureFormatReadable:o,textureTypeReadable:a,precision:l,logarithmicDepthBuffer:u,reversedDepthBuffer:d,maxTextures:f,maxVertexTextures:g,maxTextureSize:M,maxCubemapSize:m,maxAttributes:p,maxVertexUniforms:b,maxVaryings:T,maxFragmentUniforms:S,maxSamples:A,samples:E}}function Ty(s){let e=this,t=null,n=0,i=!1,r=!1,o=new ni,a=new Ue,c={value:null,needsUpdate:!1};this.uniform=c,this.numPlanes=0,this.numIntersection=0,this.init=function(d,u){let f=d.length!==0||u||n!==0||i;return i=u,n=d.length,f},this.beginShadows=function(){r=!0,h(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(d,u){t=h(d,u,0)},this.setState=function(d,u,f){let g=d.clippingPlanes,M=d.clipIntersection,m=d.clipShadows,p=s.get(d);if(!i||g===null||g.length===0||r&&!m)r?h(null):l();else{let b=r?0:n,T=b*4,S=p.clippingState||null;c.value=S,S=h(g,u,T,f);for(let A=0;A!==T;++A)S[A]=t[A];p.clippingState=S,this.numIntersection=M?this.numPlanes:0,this.numPlanes+=b}};function l(){c.value!==t&&(c.value=t,c.needsUpdate=n>0),e.numPlanes=n,e.numIntersection=0}function h(d,u,f,g){let M=d!==null?d.length:0,m=null;if(M!==0){if(m=c.value,g!==!0||m===null){let p=f+M*4,b=u.matrixWorldInverse;a.getNormalMatrix(b),(m===null||m.length<p)&&(m=new Float32Array(p));for(let T=0,S=f;T!==M;++T,S+=4)o.copy(d[T]).applyMatrix4(b,a),o.normal.toArray(m,S),m[S+3]=o.constant}c.value=m,c.needsUpdate=!0}return e.numPlanes=M,e.numIntersection=0,m}}var Uc=class extends cn{constructor(e=1,t={}){super(e,e,t),this.isWebGLCubeRenderTarget=!0;let n={width:e,height:e,depth:1},i=[n,n,n,n,n,n];this.texture=new Xr(i),this.Se(t),this.texture.isRenderTargetTexture=!0}clear(e,t=!0,n=!0,i=!0){let r=e.getRenderTarget();for(let o=0;o<6;o++)e.setRenderTarget(this,o),e.clear(t,n,i);e.setRenderTarget(r)}};var Fc=class{constructor(){throw new Error("no environment maps")}};function Ry(s){let e=new WeakMap,t=new WeakMap,n=null;function i(u,f=!1){return u==null?null:f?o(u):r(u)}function r(u){if(u&&u.isTexture){let f=u.mapping;if(f===Ga||f===Ha)if(e.has(u)){let g=e.get(u).texture;return a(g,u.mapping)}else{let g=u.image;if(g&&g.height>0){let M=new Uc(g.height);return M.fromEquirectangularTexture(s,u),e.set(u,M),u.addEventListener("dispose",l),a(M.texture,u.mapping)}else return null}}return u}function o(u){if(u&&u.isTexture&&u.isPMREMTexture!==!0){let f=u.mapping,g=f===Ga||f===Ha,M=f===co||f===za;if(g||M){let m=t.get(u),p=m!==void 0?m.texture.pmremVersion:0;if(u.isRenderTargetTexture&&u.pmremVersion!==p)return n===null&&(n=new Fc(s)),m=g?n.fromEquirectangular(u,m):n.fromCubemap(u,m),m.texture.pmremVersion=u.pmremVersion,t.set(u,m),m.texture;if(m!==void 0)return m.texture;{let b=u.image;return g&&b&&b.height>0||M&&b&&c(b)?(n===null&&(n=new Fc(s)),m=g?n.fromEquirectangular(u):n.fromCubemap(u),m.texture.pmremVersion=u.pmremVersion,t.set(u,m),u.addEventListener("dispose",h),m.texture):null}}}return u}function a(u,f){return f===Ga?u.mapping=co:f===Ha&&(u.mapping=za),u}function c(u){let f=0,g=6;for(let M=0;M<g;M++)u[M]!==void 0&&f++;return f===g}function l(u){let f=u.target;f.removeEventListener("dispose",l);let g=e.get(f);g!==void 0&&(e.delete(f),g.dispose())}function h(u){let f=u.target;f.removeEventListener("dispose",h);let g=t.get(f);g!==void 0&&(t.delete(f),g.dispose())}function d(){e=new WeakMap,t=new WeakMap,n!==null&&(n.dispose(),n=null)}return{get:i,dispose:d}}function Cy(s){let e={};function t(n){if(e[n]!==void 0)return e[n];let i=s.getExtension(n);return e[n]=i,i}return{has:function(n){return t(n)!==null},init:function(){t("EXT_color_buffer_float"),t("WEBGL_clip_cull_distance"),t("OES_texture_float_linear"),t("EXT_color_buffer_half_float"),t("WEBGL_multisampled_render_to_texture"),t("WEBGL_render_shared_exponent")},get:function(n){let i=t(n);return i===null&&hs("WebGLRenderer: "+n+" extension not supported."),i}}}function Py(s,e,t,n){let i={},r=new WeakMap,o=new FinalizationRegistry(g=>delete i[g]);function a(g){c(g.target)}function c(g){g.index!==null&&e.remove(g.index);for(let m in g.attributes)e.remove(g.attributes[m]);g.removeEventListener("dispose",a),delete i[g.id],o.unregister(g);let M=r.get(g);M&&(e.remove(M),r.delete(g)),n.releaseStatesOfGeometry(g),g.isInstancedBufferGeometry===!0&&delete g.D,t.memory.geometries--}function l(g,M){return i[M.id]!==void 0||(M.addEventListener("dispose",a),i[M.id]=new WeakRef(M),o.register(M,M.id,M),t.memory.geometries++),M}function h(g){let M=g.attributes;for(let m in M)e.update(M[m],s.ARRAY_BUFFER)}function d(g){let M=g.index,m=g.attributes.position,p=0;if(m===void 0)return;let b=M!==null?M.array.length:m.array.length/3-1,T=m.count>=65535?kr:Or,S=new T(Math.ceil(b/3)*6,1),A=S.array;if(M!==null){let x=M.array;p=M.version;for(let _=0,U=0;_<b;_+=3){let I=x[_+0],N=x[_+1],O=x[_+2];A[U++]=I,A[U++]=N,A[U++]=N,A[U++]=O,A[U++]=O,A[U++]=I}}else{p=m.version;for(let x=0,_=0;x<b;x+=3){let U=x+0,I=x+1,N=x+2;A[_++]=U,A[_++]=I,A[_++]=I,A[_++]=N,A[_++]=N,A[_++]=U}}S.version=p;let E=r.get(g);E&&e.remove(E),r.set(g,S)}function u(g){let M=r.get(g);if(M){let m=g.index;m!==null&&M.version<m.version&&d(g)}else d(g);return r.get(g)}function f(){for(let g in i){let M=i[g].deref();M!==void 0&&c(M)}}return{get:l,update:h,getWireframeAttribute:u,dispose:f}}function Iy(s,e,t){let n;function i(d){n=d}let r,o;function a(d){r=d.type,o=d.bytesPerElement}function c(d,u){s.drawElements(n,u,r,d*o),t.update(u,n,1)}function l(d,u,f){f!==0&&(s.drawElementsInstanced(n,u,r,d*o,f),t.update(u,n,f))}function h(d,u,f){if(f===0)return;e.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,u,0,r,d,0,f);let M=0;for(let m=0;m<f;m++)M+=u[m];t.update(M,n,1)}this.setMode=i,this.setIndex=a,this.render=c,this.renderInstances=l,this.renderMultiDraw=h}function Ly(s){let e={geometries:0,textures:0},t={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(t.calls++,o){case s.TRIANGLES:t.triangles+=a*(r/3);break;case s.LINES:t.lines+=a*(r/2);break;case s.LINE_STRIP:t.lines+=a*(r-1);break;case s.LINE_LOOP:t.lines+=a*r;break;case s.POINTS:t.points+=a*r;break;default:Le("WebGLInfo: Unknown draw mode:",o);break}}function i(){t.calls=0,t.triangles=0,t.points=0,t.lines=0}return{memory:e,render:t,programs:null,autoReset:!0,reset:i,update:n}}function Dy(s,e,t){let n=new WeakMap,i=new lt;function r(o,a,c){let l=o.morphTargetInfluences,h=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,d=h!==void 0?h.length:0,u=n.get(a);if(u===void 0||u.count!==d){let U=function(){x.dispose(),n.delete(a),a.removeEventListener("dispose",U)};u!==void 0&&u.texture.dispose();let f=a.morphAttributes.position!==void 0,g=a.morphAttributes.normal!==void 0,M=a.morphAttributes.color!==void 0,m=a.morphAttributes.position||[],p=a.morphAttributes.normal||[],b=a.morphAttributes.color||[],T=0;f===!0&&(T=1),g===!0&&(T=2),M===!0&&(T=3);let S=a.attributes.position.count*T,A=1;S>e.maxTextureSize&&(A=Math.ceil(S/e.maxTextureSize),S=e.maxTextureSize);let E=new Float32Array(S*A*4*d),x=new Ur(E,S,A,d);x.type=Tn,x.needsUpdate=!0;let _=T*4;for(let I=0;I<d;I++){let N=m[I],O=p[I],H=b[I],C=S*A*4*I;for(let G=0;G<N.count;G++){let q=G*_;f===!0&&(i.fromBufferAttribute(N,G),E[C+q+0]=i.x,E[C+q+1]=i.y,E[C+q+2]=i.z,E[C+q+3]=0),g===!0&&(i.fromBufferAttribute(O,G),E[C+q+4]=i.x,E[C+q+5]=i.y,E[C+q+6]=i.z,E[C+q+7]=0),M===!0&&(i.fromBufferAttribute(H,G),E[C+q+8]=i.x,E[C+q+9]=i.y,E[C+q+10]=i.z,E[C+q+11]=H.itemSize===4?i.w:1)}}u={count:d,texture:x,size:new Ge(S,A)},n.set(a,u),a.addEventListener("dispose",U)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)c.getUniforms().setValue(s,"morphTexture",o.morphTexture,t);else{let f=0;for(let M=0;M<l.length;M++)f+=l[M];let g=a.morphTargetsRelative?1:1-f;c.getUniforms().setValue(s,"morphTargetBaseInfluence",g),c.getUniforms().setValue(s,"morphTargetInfluences",l)}c.getUniforms().setValue(s,"morphTargetsTexture",u.texture,t),c.getUniforms().setValue(s,"morphTargetsTextureSize",u.size)}return{update:r}}function Ny(s,e,t,n,i){let r=new WeakMap;function o(l){let h=i.render.frame,d=l.geometry,u=e.get(l,d);if(r.get(u)!==h&&(e.update(u),r.set(u,h)),l.isInstancedMesh&&(l.hasEventListener("dispose",c)===!1&&l.addEventListener("dispose",c),r.get(l)!==h&&(t.update(l.instanceMatrix,s.ARRAY_BUFFER),l.instanceColor!==null&&t.update(l.instanceColor,s.ARRAY_BUFFER),r.set(l,h))),l.isSkinnedMesh){let f=l.skeleton;r.get(f)!==h&&(f.update(),r.set(f,h))}return u}function a(){r=new WeakMap}function c(l){let h=l.target;h.removeEventListener("dispose",c),n.releaseStatesOfObject(h),t.remove(h.instanceMatrix),h.instanceColor!==null&&t.remove(h.instanceColor)}return{update:o,dispose:a}}var Uy={[oo]:"LINEAR_TONE_MAPPING",[bh]:"REINHARD_TONE_MAPPING",[_h]:"CINEON_TONE_MAPPING",[Sh]:"ACES_FILMIC_TONE_MAPPING",[wh]:"AGX_TONE_MAPPING",[Eh]:"NEUTRAL_TONE_MAPPING",[ao]:"CUSTOM_TONE_MAPPING"};function Fy(s,e,t,n,i,r){let o=new cn(e,t,{type:s,depthBuffer:i,stencilBuffer:r,samples:n?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),a=null,c=null,l=null,h=new St;h.setAttribute("position",new at([-1,3,0,-1,-1,0,3,-1,0],3)),h.setAttribute("uv",new at([0,2,0,0,2,0],2));let d=new Ca({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),u=new ht(h,d),f=new bn(-1,1,1,-1,0,1),g=null,M=null,m=!1,p,b=null,T=[],S=!1;this.setSize=function(A,E){o.setSize(A,E),a!==null&&a.setSize(A,E),c!==null&&c.setSize(A,E);for(let x=0;x<T.length;x++){let _=T[x];_.setSize&&_.setSize(A,E)}},this.setEffects=function(A){T=A,S=T.length>0&&T[0].isRenderPass===!0;let E=o.width,x=o.height;T.length>0&&a===null&&(a=new cn(E,x,{type:Rn,depthBuffer:!1,stencilBuffer:!1}),c=new cn(E,x,{type:Rn,depthBuffer:!1,stencilBuffer:!1}));let _=i===!0&&T.some(U=>U.needsDepthTexture===!0);_!==(o.depthTexture!==null)&&(_===!0&&l===null&&(l=new Ai(E,x),r===!0&&(l.format=Ci,l.type=bs)),o.dispose(),o.depthTexture=_?l:null,o.resolveDepthBuffer=_,o.storeMultisampledDepthBuffer=_);for(let U=0;U<T.length;U++){let I=T[U];I.setSize&&I.setSize(E,x),_&&I.needsDepthTexture===!0&&I.setDepthTexture&&I.setDepthTexture(l)}},this.begin=function(A,E){if(m||A.toneMapping===On&&T.length===0)return!1;if(b=E,E!==null){let x=E.width,_=E.height;(o.width!==x||o.height!==_)&&this.setSize(x,_)}return S===!1&&A.setRenderTarget(o),p=A.toneMapping,A.toneMapping=On,!0},this.hasRenderPass=function(){return S},this.end=function(A,E){A.toneMapping=p,m=!0;let x=o,_=a;for(let U=0;U<T.length;U++){let I=T[U];I.enabled!==!1&&(I.render(A,_,x,E),I.needsSwap!==!1&&(x=_,_=_===a?c:a))}if(g!==A.outputColorSpace||M!==A.toneMapping){g=A.outputColorSpace,M=A.toneMapping,d.defines={},je.getTransfer(g)===st&&(d.defines.SRGB_TRANSFER="");let U=Uy[M];U&&(d.defines[U]=""),d.needsUpdate=!0}d.uniforms.tDiffuse.value=x.texture,A.setRenderTarget(b),A.render(u,f),b=null,m=!1},this.isCompositing=function(){return m},this.dispose=function(){o.dispose(),a!==null&&a.dispose(),c!==null&&c.dispose(),h.dispose(),d.dispose()}}var Rp=new Tt,Cp=new Ai(1,1),Pp=new jr(1),Ip=new Ur,Lp=new wa,Dp=new Xr,lp=[],hp=[],up=new Float32Array(16),dp=new Float32Array(9),fp=new Float32Array(4);function lr(s,e,t){let n=s[0];if(n<=0||n>0)return s;let i=e*t,r=lp[i];if(r===void 0&&(r=new Float32Array(i),lp[i]=r),e!==0){n.toArray(r,0);for(let o=1,a=0;o!==e;++o)a+=t,s[o].toArray(r,a)}return r}function kt(s,e){if(s.length!==e.length)return!1;for(let t=0,n=s.length;t<n;t++)if(s[t]!==e[t])return!1;return!0}function Vt(s,e){for(let t=0,n=e.length;t<n;t++)s[t]=e[t]}function Oc(s,e){let t=hp[e];t===void 0&&(t=new Int32Array(e),hp[e]=t);for(let n=0;n!==e;++n)t[n]=s.allocateTextureUnit();return t}function By(s,e){let t=this.cache;t[0]!==e&&(s.uniform1f(this.addr,e),t[0]=e)}function Oy(s,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(s.uniform2f(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(kt(t,e))return;s.uniform2fv(this.addr,e),Vt(t,e)}}function ky(s,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(s.uniform3f(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else if(e.r!==void 0)(t[0]!==e.r||t[1]!==e.g||t[2]!==e.b)&&(s.uniform3f(this.addr,e.r,e.g,e.b),t[0]=e.r,t[1]=e.g,t[2]=e.b);else{if(kt(t,e))return;s.uniform3fv(this.addr,e),Vt(t,e)}}function Vy(s,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(s.uniform4f(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(kt(t,e))return;s.uniform4fv(this.addr,e),Vt(t,e)}}function zy(s,e){let t=this.cache,n=e.elements;if(n===void 0){if(kt(t,e))return;s.uniformMatrix2fv(this.addr,!1,e),Vt(t,e)}else{if(kt(t,n))return;fp.set(n),s.uniformMatrix2fv(this.addr,!1,fp),Vt(t,n)}}function Gy(s,e){let t=this.cache,n=e.elements;if(n===void 0){if(kt(t,e))return;s.uniformMatrix3fv(this.addr,!1,e),Vt(t,e)}else{if(kt(t,n))return;dp.set(n),s.uniformMatrix3fv(this.addr,!1,dp),Vt(t,n)}}function Hy(s,e){let t=this.cache,n=e.elements;if(n===void 0){if(kt(t,e))return;s.uniformMatrix4fv(this.addr,!1,e),Vt(t,e)}else{if(kt(t,n))return;up.set(n),s.uniformMatrix4fv(this.addr,!1,up),Vt(t,n)}}function Wy(s,e){let t=this.cache;t[0]!==e&&(s.uniform1i(this.addr,e),t[0]=e)}function Xy(s,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(s.uniform2i(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(kt(t,e))return;s.uniform2iv(this.addr,e),Vt(t,e)}}function qy(s,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(s.uniform3i(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else{if(kt(t,e))return;s.uniform3iv(this.addr,e),Vt(t,e)}}function jy(s,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(s.uniform4i(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(kt(t,e))return;s.uniform4iv(this.addr,e),Vt(t,e)}}function Yy(s,e){let t=this.cache;t[0]!==e&&(s.uniform1ui(this.addr,e),t[0]=e)}function $y(s,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(s.uniform2ui(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(kt(t,e))return;s.uniform2uiv(this.addr,e),Vt(t,e)}}function Ky(s,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(s.uniform3ui(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else{if(kt(t,e))return;s.uniform3uiv(this.addr,e),Vt(t,e)}}function Zy(s,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(s.uniform4ui(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(kt(t,e))return;s.uniform4uiv(this.addr,e),Vt(t,e)}}function kc(s){return s.version===0&&(s.compareFunction=Fh,s.needsUpdate=!0),s}function Qy(s,e,t){let n=this.cache,i=t.allocateTextureUnit();n[0]!==i&&(s.uniform1i(this.addr,i),n[0]=i);let r;this.type===s.SAMPLER_2D_SHADOW?r=kc(Cp):r=Rp,t.setTexture2D(e||r,i)}function Jy(s,e,t){let n=this.cache,i=t.allocateTextureUnit();n[0]!==i&&(s.uniform1i(this.addr,i),n[0]=i),t.setTexture3D(e||Lp,i)}function ev(s,e,t){let n=this.cache,i=t.allocateTextureUnit();n[0]!==i&&(s.uniform1i(this.addr,i),n[0]=i);let r;this.type===s.SAMPLER_CUBE_SHADOW?r=kc(Pp):r=Dp,t.setTextureCube(e||r,i)}function tv(s,e,t){let n=this.cache,i=t.allocateTextureUnit();n[0]!==i&&(s.uniform1i(this.addr,i),n[0]=i),t.setTexture2DArray(e||Ip,i)}function nv(s){switch(s){case 5126:return By;case 35664:return Oy;case 35665:return ky;case 35666:return Vy;case 35674:return zy;case 35675:return Gy;case 35676:return Hy;case 5124:case 35670:return Wy;case 35667:case 35671:return Xy;case 35668:case 35672:return qy;case 35669:case 35673:return jy;case 5125:return Yy;case 36294:return $y;case 36295:return Ky;case 36296:return Zy;case 35678:case 36198:case 36298:case 36306:case 35682:return Qy;case 35679:case 36299:case 36307:return Jy;case 35680:case 36300:case 36308:case 36293:return ev;case 36289:case 36303:case 36311:case 36292:return tv}}function iv(s,e){s.uniform1fv(this.addr,e)}function sv(s,e){let t=lr(e,this.size,2);s.uniform2fv(this.addr,t)}function rv(s,e){let t=lr(e,this.size,3);s.uniform3fv(this.addr,t)}function ov(s,e){let t=lr(e,this.size,4);s.uniform4fv(this.addr,t)}function av(s,e){let t=lr(e,this.size,4);s.uniformMatrix2fv(this.addr,!1,t)}function cv(s,e){let t=lr(e,this.size,9);s.uniformMatrix3fv(this.addr,!1,t)}function lv(s,e){let t=lr(e,this.size,16);s.uniformMatrix4fv(this.addr,!1,t)}function hv(s,e){s.uniform1iv(this.addr,e)}function uv(s,e){s.uniform2iv(this.addr,e)}function dv(s,e){s.uniform3iv(this.addr,e)}function fv(s,e){s.uniform4iv(this.addr,e)}function pv(s,e){s.uniform1uiv(this.addr,e)}function mv(s,e){s.uniform2uiv(this.addr,e)}function gv(s,e){s.uniform3uiv(this.addr,e)}function xv(s,e){s.uniform4uiv(this.addr,e)}function yv(s,e,t){let n=this.cache,i=e.length,r=Oc(t,i);kt(n,r)||(s.uniform1iv(this.addr,r),Vt(n,r));let o;this.type===s.SAMPLER_2D_SHADOW?o=kc(Cp):o=Rp;for(let a=0;a!==i;++a)t.setTexture2D(e[a]||o,r[a])}function vv(s,e,t){let n=this.cache,i=e.length,r=Oc(t,i);kt(n,r)||(s.uniform1iv(this.addr,r),Vt(n,r));for(let o=0;o!==i;++o)t.setTexture3D(e[o]||Lp,r[o])}function Mv(s,e,t){let n=this.cache,i=e.length,r=Oc(t,i);kt(n,r)||(s.uniform1iv(this.addr,r),Vt(n,r));let o;this.type===s.SAMPLER_CUBE_SHADOW?o=kc(Pp):o=Dp;for(let a=0;a!==i;++a)t.setTextureCube(e[a]||o,r[a])}function bv(s,e,t){let n=this.cache,i=e.length,r=Oc(t,i);kt(n,r)||(s.uniform1iv(this.addr,r),Vt(n,r));for(let o=0;o!==i;++o)t.setTexture2DArray(e[o]||Ip,r[o])}function _v(s){switch(s){case 5126:return iv;case 35664:return sv;case 35665:return rv;case 35666:return ov;case 35674:return av;case 35675:return cv;case 35676:return lv;case 5124:case 35670:return hv;case 35667:case 35671:return uv;case 35668:case 35672:return dv;case 35669:case 35673:return fv;case 5125:return pv;case 36294:return mv;case 36295:return gv;case 36296:return xv;case 35678:case 36198:case 36298:case 36306:case 35682:return yv;case 35679:case 36299:case 36307:return vv;case 35680:case 36300:case 36308:case 36293:return Mv;case 36289:case 36303:case 36311:case 36292:return bv}}var Yh=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.setValue=nv(t.type)}},$h=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.size=t.size,this.setValue=_v(t.type)}},Kh=class{constructor(e){this.id=e,this.seq=[],this.map={}}setValue(e,t,n){let i=this.seq;for(let r=0,o=i.length;r!==o;++r){let a=i[r];a.setValue(e,t[a.id],n)}}},qh=/(\w+)(\])?(\[|\.)?/g;function pp(s,e){s.seq.push(e),s.map[e.id]=e}function Sv(s,e,t){let n=s.name,i=n.length;for(qh.lastIndex=0;;){let r=qh.exec(n),o=qh.lastIndex,a=r[1],c=r[2]==="]",l=r[3];if(c&&(a=a|0),l===void 0||l==="["&&o+2===i){pp(t,l===void 0?new Yh(a,s,e):new $h(a,s,e));break}else{let d=t.map[a];d===void 0&&(d=new Kh(a),pp(t,d)),t=d}}}var cr=class{constructor(e,t){this.seq=[],this.map={};let n=e.getProgramParameter(t,e.ACTIVE_UNIFORMS);for(let o=0;o<n;++o){let a=e.getActiveUniform(t,o),c=e.getUniformLocation(t,a.name);Sv(a,c,this)}let i=[],r=[];for(let o of this.seq)o.type===e.SAMPLER_2D_SHADOW||o.type===e.SAMPLER_CUBE_SHADOW||o.type===e.SAMPLER_2D_ARRAY_SHADOW?i.push(o):r.push(o);i.length>0&&(this.seq=i.concat(r))}setValue(e,t,n,i){let r=this.map[t];r!==void 0&&r.setValue(e,n,i)}setOptional(e,t,n){let i=t[n];i!==void 0&&this.setValue(e,n,i)}static upload(e,t,n,i){for(let r=0,o=t.length;r!==o;++r){let a=t[r],c=n[a.id];c.needsUpdate!==!1&&a.setValue(e,c.value,i)}}static seqWithValue(e,t){let n=[];for(let i=0,r=e.length;i!==r;++i){let o=e[i];o.id in t&&n.push(o)}return n}};function mp(s,e,t){let n=s.createShader(e);return s.shaderSource(n,t),s.compileShader(n),n}var wv=37297,Ev=0;function Av(s,e){let t=s.split(`
`),n=[],i=Math.max(e-6,0),r=Math.min(e+6,t.length);for(let o=i;o<r;o++){let a=o+1;n.push(`${a===e?">":" "} ${a}: ${t[o]}`)}return n.join(`
`)}var gp=new Ue;function Tv(s){je.Pn(gp,je.workingColorSpace,s);let e=`mat3( ${gp.elements.map(t=>t.toFixed(4))} )`;switch(je.getTransfer(s)){case Dr:return[e,"LinearTransferOETF"];case st:return[e,"sRGBTransferOETF"];default:return Ae("WebGLProgram: Unsupported color space: ",s),[e,"LinearTransferOETF"]}}function xp(s,e,t){let n=s.getShaderParameter(e,s.COMPILE_STATUS),r=(s.getShaderInfoLog(e)||"").trim();if(n&&r==="")return"";let o=/ERROR: 0:(\d+)/.exec(r);if(o){let a=parseInt(o[1]);return t.toUpperCase()+`

`+r+`

`+Av(s.getShaderSource(e),a)}else return r}function Rv(s,e){let t=Tv(e);return[`vec4 ${s}( vec4 value ) {`,`	return ${t[1]}( vec4( ${t[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}var Cv={[oo]:"Linear",[bh]:"Reinhard",[_h]:"Cineon",[Sh]:"ACESFilmic",[wh]:"AgX",[Eh]:"Neutral",[ao]:"Custom"};function Pv(s,e){let t=Cv[e];return t===void 0?(Ae("WebGLProgram: Unsupported toneMapping:",e),"vec3 "+s+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+s+"( vec3 color ) { return "+t+"ToneMapping( color ); }"}var Nc=new L;function Iv(){je.getLuminanceCoefficients(Nc);let s=Nc.x.toFixed(4),e=Nc.y.toFixed(4),t=Nc.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${s}, ${e}, ${t} );`,"	return dot( weights, rgb );","}"].join(`
`)}function Lv(s){return[s.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",s.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(yo).join(`
`)}function Dv(s){let e=[];for(let t in s){let n=s[t];n!==!1&&e.push("#define "+t+" "+n)}return e.join(`
`)}function Nv(s,e){let t={},n=s.getProgramParameter(e,s.ACTIVE_ATTRIBUTES);for(let i=0;i<n;i++){let r=s.getActiveAttrib(e,i),o=r.name,a=1;r.type===s.FLOAT_MAT2&&(a=2),r.type===s.FLOAT_MAT3&&(a=3),r.type===s.FLOAT_MAT4&&(a=4),t[o]={type:r.type,location:s.getAttribLocation(e,o),locationSize:a}}return t}function yo(s){return s!==""}function yp(s,e){let t=e.numSpotLightShadows+e.numSpotLightMaps-e.numSpotLightShadowsWithMaps;return s.replace(/NUM_SUN_LIGHTS/g,e.numSunLights).replace(/NUM_DIR_LIGHTS/g,e.numDirLights).replace(/NUM_SPOT_LIGHTS/g,e.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,e.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,t).replace(/NUM_RECT_AREA_LIGHTS/g,e.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,e.numPointLights).replace(/NUM_HEMI_LIGHTS/g,e.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,e.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,e.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,e.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,e.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,e.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,e.numLightProbeGrids)}function vp(s,e){return s.replace(/NUM_CLIPPING_PLANES/g,e.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,e.numClippingPlanes-e.numClipIntersection)}var Uv=/^[ \t]*#include +<([\w\d./]+)>/gm;function Zh(s){return s.replace(Uv,Fv)}function Fv(s,e){let t=He[e];if(t===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+e+">");return Zh(t)}var Bv=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function Mp(s){return s.replace(Bv,Ov)}function Ov(s,e,t,n){let i="";for(let r=parseInt(e);r<parseInt(t);r++)i+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return i}function bp(s){let e=`precision ${s.precision} float;
	precision ${s.precision} int;
	precision ${s.precision} sampler2D;
	precision ${s.precision} samplerCube;
	precision ${s.precision} sampler3D;
	precision ${s.precision} sampler2DArray;
	precision ${s.precision} sampler2DShadow;
	precision ${s.precision} samplerCubeShadow;
	precision ${s.precision} sampler2DArrayShadow;
	precision ${s.precision} isampler2D;
	precision ${s.precision} isampler3D;
	precision ${s.precision} isamplerCube;
	precision ${s.precision} isampler2DArray;
	precision ${s.precision} usampler2D;
	precision ${s.precision} usampler3D;
	precision ${s.precision} usamplerCube;
	precision ${s.precision} usampler2DArray;
	`;return s.precision==="highp"?e+=`
#define HIGH_PRECISION`:s.precision==="mediump"?e+=`
#define MEDIUM_PRECISION`:s.precision==="lowp"&&(e+=`
#define LOW_PRECISION`),e}var kv={[ys]:"SHADOWMAP_TYPE_PCF",[ir]:"SHADOWMAP_TYPE_VSM"};function Vv(s){return kv[s.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}var zv={[za]:"ENVMAP_MODE_REFRACTION"};function Gv(s){return s.envMap===!1?"ENVMAP_MODE_REFLECTION":zv[s.envMapMode]||"ENVMAP_MODE_REFLECTION"}var Hv={[Mh]:"ENVMAP_BLENDING_MULTIPLY",[Hf]:"ENVMAP_BLENDING_MIX",[Wf]:"ENVMAP_BLENDING_ADD"};function Wv(s){return s.envMap===!1?"ENVMAP_BLENDING_NONE":Hv[s.combine]||"ENVMAP_BLENDING_NONE"}function Xv(s,e,t,n){let i=s.getContext(),r=t.defines,o=t.vertexShader,a=t.fragmentShader,c=Vv(t),l=t.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",h=Gv(t),d=Wv(t),u=Lv(t),f=Dv(r),g=i.createProgram(),M,m,p=t.glslVersion?"#version "+t.glslVersion+`
`:"";t.isRawShaderMaterial?(M=["#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f].filter(yo).join(`
`),M.length>0&&(M+=`
`),m=["#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f].filter(yo).join(`
`),m.length>0&&(m+=`
`)):(M=[bp(t),"#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f,t.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",t.batching?"#define USE_BATCHING":"",t.batchingColor?"#define USE_BATCHING_COLOR":"",t.instancing?"#define USE_INSTANCING":"",t.instancingColor?"#define USE_INSTANCING_COLOR":"",t.instancingMorph?"#define USE_INSTANCING_MORPH":"",t.useFog&&t.fog?"#define USE_FOG":"",t.useFog&&t.fogExp2?"#define FOG_EXP2":"",t.map?"#define USE_MAP":"",t.envMap?"#define USE_ENVMAP":"",t.envMap?"#define "+h:"",t.lightMap?"#define USE_LIGHTMAP":"",t.aoMap?"#define USE_AOMAP":"",t.bumpMap?"#define USE_BUMPMAP":"",t.normalMap?"#define USE_NORMALMAP":"",t.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",t.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",t.displacementMap?"#define USE_DISPLACEMENTMAP":"",t.emissiveMap?"#define USE_EMISSIVEMAP":"",t.anisotropy?"#define USE_ANISOTROPY":"",t.anisotropyMap?"#define USE_ANISOTROPYMAP":"",t.clearcoatMap?"#define USE_CLEARCOATMAP":"",t.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",t.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",t.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",t.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",t.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",t.specularMap?"#define USE_SPECULARMAP":"",t.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",t.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",t.roughnessMap?"#define USE_ROUGHNESSMAP":"",t.metalnessMap?"#define USE_METALNESSMAP":"",t.alphaMap?"#define USE_ALPHAMAP":"",t.alphaHash?"#define USE_ALPHAHASH":"",t.transmission?"#define USE_TRANSMISSION":"",t.transmissionMap?"#define USE_TRANSMISSIONMAP":"",t.thicknessMap?"#define USE_THICKNESSMAP":"",t.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",t.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",t.mapUv?"#define MAP_UV "+t.mapUv:"",t.alphaMapUv?"#define ALPHAMAP_UV "+t.alphaMapUv:"",t.lightMapUv?"#define LIGHTMAP_UV "+t.lightMapUv:"",t.aoMapUv?"#define AOMAP_UV "+t.aoMapUv:"",t.emissiveMapUv?"#define EMISSIVEMAP_UV "+t.emissiveMapUv:"",t.bumpMapUv?"#define BUMPMAP_UV "+t.bumpMapUv:"",t.normalMapUv?"#define NORMALMAP_UV "+t.normalMapUv:"",t.displacementMapUv?"#define DISPLACEMENTMAP_UV "+t.displacementMapUv:"",t.metalnessMapUv?"#define METALNESSMAP_UV "+t.metalnessMapUv:"",t.roughnessMapUv?"#define ROUGHNESSMAP_UV "+t.roughnessMapUv:"",t.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+t.anisotropyMapUv:"",t.clearcoatMapUv?"#define CLEARCOATMAP_UV "+t.clearcoatMapUv:"",t.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+t.clearcoatNormalMapUv:"",t.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+t.clearcoatRoughnessMapUv:"",t.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+t.diffuseRoughnessMapUv:"",t.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+t.iridescenceMapUv:"",t.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+t.iridescenceThicknessMapUv:"",t.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+t.sheenColorMapUv:"",t.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+t.sheenRoughnessMapUv:"",t.specularMapUv?"#define SPECULARMAP_UV "+t.specularMapUv:"",t.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+t.specularColorMapUv:"",t.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+t.specularIntensityMapUv:"",t.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+t.transmissionMapUv:"",t.thicknessMapUv?"#define THICKNESSMAP_UV "+t.thicknessMapUv:"",t.vertexTangents&&t.flatShading===!1?"#define USE_TANGENT":"",t.vertexNormals?"#define HAS_NORMAL":"",t.vertexColors?"#define USE_COLOR":"",t.vertexAlphas?"#define USE_COLOR_ALPHA":"",t.vertexUv1s?"#define USE_UV1":"",t.vertexUv2s?"#define USE_UV2":"",t.vertexUv3s?"#define USE_UV3":"",t.pointsUvs?"#define USE_POINTS_UV":"",t.flatShading?"#define FLAT_SHADED":"",t.skinning?"#define USE_SKINNING":"",t.morphTargets?"#define USE_MORPHTARGETS":"",t.morphNormals&&t.flatShading===!1?"#define USE_MORPHNORMALS":"",t.morphColors?"#define USE_MORPHCOLORS":"",t.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+t.morphTextureStride:"",t.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+t.morphTargetsCount:"",t.doubleSided?"#define DOUBLE_SIDED":"",t.flipSided?"#define FLIP_SIDED":"",t.shadowMapEnabled?"#define USE_SHADOWMAP":"",t.shadowMapEnabled?"#define "+c:"",t.sizeAttenuation?"#define USE_SIZEATTENUATION":"",t.numLightProbes>0?"#define USE_LIGHT_PROBES":"",t.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",t.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(yo).join(`
`),m=[bp(t),"#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f,t.useFog&&t.fog?"#define USE_FOG":"",t.useFog&&t.fogExp2?"#define FOG_EXP2":"",t.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",t.map?"#define USE_MAP":"",t.matcap?"#define USE_MATCAP":"",t.envMap?"#define USE_ENVMAP":"",t.envMap?"#define "+l:"",t.envMap?"#define "+h:"",t.envMap?"#define "+d:"",t.envMapPMREM?"#define ENVMAP_MAX_LOD "+t.envMapMaxLod+".0":"",t.envMapPMREM?"#define ENVMAP_SIZE "+t.envMapSize+".0":"",t.lightMap?"#define USE_LIGHTMAP":"",t.aoMap?"#define USE_AOMAP":"",t.bumpMap?"#define USE_BUMPMAP":"",t.normalMap?"#define USE_NORMALMAP":"",t.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",t.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",t.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",t.emissiveMap?"#define USE_EMISSIVEMAP":"",t.anisotropy?"#define USE_ANISOTROPY":"",t.anisotropyMap?"#define USE_ANISOTROPYMAP":"",t.clearcoat?"#define USE_CLEARCOAT":"",t.clearcoatMap?"#define USE_CLEARCOATMAP":"",t.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",t.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",t.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",t.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",t.dispersion?"#define USE_DISPERSION":"",t.retroreflection?"#define USE_RETROREFLECTION":"",t.iridescence?"#define USE_IRIDESCENCE":"",t.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",t.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",t.specularMap?"#define USE_SPECULARMAP":"",t.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",t.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",t.roughnessMap?"#define USE_ROUGHNESSMAP":"",t.metalnessMap?"#define USE_METALNESSMAP":"",t.alphaMap?"#define USE_ALPHAMAP":"",t.alphaTest?"#define USE_ALPHATEST":"",t.alphaHash?"#define USE_ALPHAHASH":"",t.sheen?"#define USE_SHEEN":"",t.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",t.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",t.transmission?"#define USE_TRANSMISSION":"",t.transmissionMap?"#define USE_TRANSMISSIONMAP":"",t.thicknessMap?"#define USE_THICKNESSMAP":"",t.vertexTangents&&t.flatShading===!1?"#define USE_TANGENT":"",t.vertexColors||t.instancingColor?"#define USE_COLOR":"",t.vertexAlphas||t.batchingColor?"#define USE_COLOR_ALPHA":"",t.vertexUv1s?"#define USE_UV1":"",t.vertexUv2s?"#define USE_UV2":"",t.vertexUv3s?"#define USE_UV3":"",t.pointsUvs?"#define USE_POINTS_UV":"",t.gradientMap?"#define USE_GRADIENTMAP":"",t.flatShading?"#define FLAT_SHADED":"",t.doubleSided?"#define DOUBLE_SIDED":"",t.flipSided?"#define FLIP_SIDED":"",t.shadowMapEnabled?"#define USE_SHADOWMAP":"",t.shadowMapEnabled?"#define "+c:"",t.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",t.numLightProbes>0?"#define USE_LIGHT_PROBES":"",t.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",t.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",t.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",t.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",t.toneMapping!==On?"#define TONE_MAPPING":"",t.toneMapping!==On?He.tonemapping_pars_fragment:"",t.toneMapping!==On?Pv("toneMapping",t.toneMapping):"",t.dithering?"#define DITHERING":"",t.opaque?"#define OPAQUE":"",He.colorspace_pars_fragment,Rv("linearToOutputTexel",t.outputColorSpace),Iv(),t.useDepthPacking?"#define DEPTH_PACKING "+t.depthPacking:"",`
`].filter(yo).join(`
`)),o=Zh(o),o=yp(o,t),o=vp(o,t),a=Zh(a),a=yp(a,t),a=vp(a,t),o=Mp(o),a=Mp(a),t.isRawShaderMaterial!==!0&&(p=`#version 300 es
`,M=[u,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+M,m=["#define varying in",t.glslVersion===Oh?"":"layout(location = 0) out highp vec4 pc_fragColor;",t.glslVersion===Oh?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+m);let b=p+M+o,T=p+m+a,S=mp(i,i.VERTEX_SHADER,b),A=mp(i,i.FRAGMENT_SHADER,T);i.attachShader(g,S),i.attachShader(g,A),t.index0AttributeName!==void 0?i.bindAttribLocation(g,0,t.index0AttributeName):t.hasPositionAttribute===!0&&i.bindAttribLocation(g,0,"position"),i.linkProgram(g);function E(I){if(s.debug.checkShaderErrors){let N=i.getProgramInfoLog(g)||"",O=i.getShaderInfoLog(S)||"",H=i.getShaderInfoLog(A)||"",C=N.trim(),G=O.trim(),q=H.trim(),z=!0,ne=!0;if(i.getProgramParameter(g,i.LINK_STATUS)===!1)if(z=!1,typeof s.debug.onShaderError=="function")s.debug.onShaderError(i,g,S,A);else{let X=xp(i,S,"vertex"),J=xp(i,A,"fragment");Le("WebGLProgram: Shader Error "+i.getError()+" - VALIDATE_STATUS "+i.getProgramParameter(g,i.VALIDATE_STATUS)+`

Material Name: `+I.name+`
Material Type: `+I.type+`

Program Info Log: `+C+`
`+X+`
`+J)}else C!==""?Ae("WebGLProgram: Program Info Log:",C):(G===""||q==="")&&(ne=!1);ne&&(I.diagnostics={runnable:z,programLog:C,vertexShader:{log:G,prefix:M},fragmentShader:{log:q,prefix:m}})}i.deleteShader(S),i.deleteShader(A),x=new cr(i,g),_=Nv(i,g)}let x;this.getUniforms=function(){return x===void 0&&E(this),x};let _;this.getAttributes=function(){return _===void 0&&E(this),_};let U=t.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return U===!1&&(U=i.getProgramParameter(g,wv)),U},this.destroy=function(){n.releaseStatesOfProgram(this),i.deleteProgram(g),this.program=void 0},this.type=t.shaderType,this.name=t.shaderName,this.id=Ev++,this.cacheKey=e,this.usedTimes=1,this.program=g,this.vertexShader=S,this.fragmentShader=A,this}var qv=0,Qh=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(e,t,n){let i=this.wi(e);return i.has(t)===!1&&(i.add(t),t.usedTimes++),i.has(n)===!1&&(i.add(n),n.usedTimes++),this}remove(e){let t=this.materialCache.get(e);for(let n of t)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(e),this}getVertexShaderStage(e){return this._n(e.vertexShader)}getFragmentShaderStage(e){return this._n(e.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}wi(e){let t=this.materialCache,n=t.get(e);return n===void 0&&(n=new Set,t.set(e,n)),n}_n(e){let t=this.shaderCache,n=t.get(e);return n===void 0&&(n=new Jh(e),t.set(e,n)),n}},Jh=class{constructor(e){this.id=qv++,this.code=e,this.usedTimes=0}};function jv(s){return s===Qi||s===po||s===mo}function Yv(s,e,t,n,i,r){let o=new js,a=new Qh,c=new Set,l=[],h=new Map,d=n.logarithmicDepthBuffer,u={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function f(x){return c.add(x),x===0?"uv":`uv${x}`}function g(x,_,U,I,N,O){let H=I.fog,C=N.geometry,G=x.isMeshStandardMaterial||x.isMeshLambertMaterial||x.isMeshPhongMaterial?I.environment:null,q=x.isMeshStandardMaterial||x.isMeshLambertMaterial&&!x.envMap||x.isMeshPhongMaterial&&!x.envMap,z=e.get(x.envMap||G,q),ne=u[x.type],X=n.precision;x.precision!==null&&(X=n.getMaxPrecision(x.precision),X!==x.precision&&Ae("WebGLProgram.getParameters:",x.precision,"not supported, using",X,"instead."));let J=C.morphAttributes.position||C.morphAttributes.normal||C.morphAttributes.color,ee=J!==void 0?J.length:0,_e=0;C.morphAttributes.position!==void 0&&(_e=1),C.morphAttributes.normal!==void 0&&(_e=2),C.morphAttributes.color!==void 0&&(_e=3);let Be,$,me,ve;if(ne){let fe=hi[ne];Be=fe.vertexShader,$=fe.fragmentShader}else{Be=x.vertexShader,$=x.fragmentShader;let fe=a.getVertexShaderStage(x),ot=a.getFragmentShaderStage(x);a.update(x,fe,ot),me=fe.id,ve=ot.id}let Ce=s.getRenderTarget(),ge=s.state.buffers.depth.getReversed(),Ve=N.isInstancedMesh===!0,Ct=N.isBatchedMesh===!0,Ie=!!x.map,rt=!!x.matcap,ut=!!z,Ke=ut&&z.isPMREMTexture===!0,Zt=!!x.aoMap,Ut=!!x.lightMap,xn=!!x.bumpMap&&x.wireframe===!1,Mt=!!x.normalMap,ei=!!x.displacementMap,Ht=!!x.emissiveMap,In=!!x.metalnessMap,Ln=!!x.roughnessMap,Dn=x.anisotropy>0,D=x.clearcoat>0,Nn=x.diffuseRoughness>0,xt=x.dispersion>0,yt=x.retroreflectivity>0,de=x.iridescence>0,Ft=x.sheen>0,Pe=x.transmission>0,Ne=Dn&&!!x.anisotropyMap,w=D&&!!x.clearcoatMap,y=D&&!!x.clearcoatNormalMap,B=D&&!!x.clearcoatRoughnessMap,te=Nn&&!!x.diffuseRoughnessMap,Z=de&&!!x.iridescenceMap,re=de&&!!x.iridescenceThicknessMap,he=Ft&&!!x.sheenColorMap,j=Ft&&!!x.sheenRoughnessMap,Y=!!x.specularMap,ae=!!x.specularColorMap,R=!!x.specularIntensityMap,K=Pe&&!!x.transmissionMap,W=Pe&&!!x.thicknessMap,ce=!!x.gradientMap,se=!!x.alphaMap,oe=x.alphaTest>0,we=!!x.alphaHash,qe=!!x.extensions,ie=On;x.toneMapped&&(Ce===null||Ce.isXRRenderTarget===!0)&&(ie=s.toneMapping);let Te=Ke?z.isCompressedCubeTexture?z.image[0].mipmaps:z.mipmaps:null,We={shaderID:ne,shaderType:x.type,shaderName:x.name,vertexShader:Be,fragmentShader:$,defines:x.defines,customVertexShaderID:me,customFragmentShaderID:ve,isRawShaderMaterial:x.isRawShaderMaterial===!0,glslVersion:x.glslVersion,precision:X,batching:Ct,batchingColor:Ct&&N.R!==null,instancing:Ve,instancingColor:Ve&&N.instanceColor!==null,instancingMorph:Ve&&N.morphTexture!==null,outputColorSpace:Ce===null?s.outputColorSpace:Ce.isXRRenderTarget===!0?Ce.texture.colorSpace:je.workingColorSpace,alphaToCoverage:!!x.alphaToCoverage,map:Ie,matcap:rt,envMap:ut,envMapMode:ut&&z.mapping,envMapPMREM:Ke,envMapMaxLod:Ke?Te.length-1:null,envMapSize:Ke?Te[0].width:null,aoMap:Zt,lightMap:Ut,bumpMap:xn,normalMap:Mt,displacementMap:ei,emissiveMap:Ht,normalMapObjectSpace:Mt&&x.normalMapType===Yf,normalMapTangentSpace:Mt&&x.normalMapType===Rc,packedNormalMap:Mt&&x.normalMapType===Rc&&jv(x.normalMap.format),metalnessMap:In,roughnessMap:Ln,anisotropy:Dn,anisotropyMap:Ne,clearcoat:D,clearcoatMap:w,clearcoatNormalMap:y,clearcoatRoughnessMap:B,diffuseRoughness:Nn,diffuseRoughnessMap:te,dispersion:xt,retroreflection:yt,iridescence:de,iridescenceMap:Z,iridescenceThicknessMap:re,sheen:Ft,sheenColorMap:he,sheenRoughnessMap:j,specularMap:Y,specularColorMap:ae,specularIntensityMap:R,transmission:Pe,transmissionMap:K,thicknessMap:W,gradientMap:ce,opaque:x.transparent===!1&&x.blending===Zi&&x.alphaToCoverage===!1,alphaMap:se,alphaTest:oe,alphaHash:we,combine:x.combine,mapUv:Ie&&f(x.map.channel),aoMapUv:Zt&&f(x.aoMap.channel),lightMapUv:Ut&&f(x.lightMap.channel),bumpMapUv:xn&&f(x.bumpMap.channel),normalMapUv:Mt&&f(x.normalMap.channel),displacementMapUv:ei&&f(x.displacementMap.channel),emissiveMapUv:Ht&&f(x.emissiveMap.channel),metalnessMapUv:In&&f(x.metalnessMap.channel),roughnessMapUv:Ln&&f(x.roughnessMap.channel),anisotropyMapUv:Ne&&f(x.anisotropyMap.channel),clearcoatMapUv:w&&f(x.clearcoatMap.channel),clearcoatNormalMapUv:y&&f(x.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:B&&f(x.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:te&&f(x.diffuseRoughnessMap.channel),iridescenceMapUv:Z&&f(x.iridescenceMap.channel),iridescenceThicknessMapUv:re&&f(x.iridescenceThicknessMap.channel),sheenColorMapUv:he&&f(x.sheenColorMap.channel),sheenRoughnessMapUv:j&&f(x.sheenRoughnessMap.channel),specularMapUv:Y&&f(x.specularMap.channel),specularColorMapUv:ae&&f(x.specularColorMap.channel),specularIntensityMapUv:R&&f(x.specularIntensityMap.channel),transmissionMapUv:K&&f(x.transmissionMap.channel),thicknessMapUv:W&&f(x.thicknessMap.channel),alphaMapUv:se&&f(x.alphaMap.channel),vertexTangents:!!C.attributes.tangent&&(Mt||Dn),vertexNormals:!!C.attributes.normal,vertexColors:x.vertexColors,vertexAlphas:x.vertexColors===!0&&!!C.attributes.color&&C.attributes.color.itemSize===4,pointsUvs:N.isPoints===!0&&!!C.attributes.uv&&(Ie||se),fog:!!H,useFog:x.fog===!0,fogExp2:!!H&&H.isFogExp2,flatShading:x.wireframe===!1&&(x.flatShading===!0||C.attributes.normal===void 0&&Mt===!1&&(x.isMeshLambertMaterial||x.isMeshPhongMaterial||x.isMeshStandardMaterial||x.isMeshPhysicalMaterial)),sizeAttenuation:x.sizeAttenuation===!0,logarithmicDepthBuffer:d,reversedDepthBuffer:ge,skinning:N.isSkinnedMesh===!0,hasPositionAttribute:C.attributes.position!==void 0,morphTargets:C.morphAttributes.position!==void 0,morphNormals:C.morphAttributes.normal!==void 0,morphColors:C.morphAttributes.color!==void 0,morphTargetsCount:ee,morphTextureStride:_e,numSunLights:_.sun.length,numDirLights:_.directional.length,numPointLights:_.point.length,numSpotLights:_.spot.length,numSpotLightMaps:_.spotLightMap.length,numRectAreaLights:_.rectArea.length,numHemiLights:_.hemi.length,numSunLightShadows:_.sunShadowMap.length,numDirLightShadows:_.directionalShadowMap.length,numPointLightShadows:_.pointShadowMap.length,numSpotLightShadows:_.spotShadowMap.length,numSpotLightShadowsWithMaps:_.numSpotLightShadowsWithMaps,numLightProbes:_.numLightProbes,numLightProbeGrids:O.filter(fe=>fe.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:x.dithering,shadowMapEnabled:s.shadowMap.enabled&&U.length>0,shadowMapType:s.shadowMap.type,toneMapping:ie,decodeVideoTexture:Ie&&x.map.isVideoTexture===!0&&je.getTransfer(x.map.colorSpace)===st,decodeVideoTextureEmissive:Ht&&x.emissiveMap.isVideoTexture===!0&&je.getTransfer(x.emissiveMap.colorSpace)===st,premultipliedAlpha:x.premultipliedAlpha,doubleSided:x.side===pn,flipSided:x.side===fn,useDepthPacking:x.depthPacking>=0,depthPacking:x.depthPacking||0,index0AttributeName:x.index0AttributeName,extensionClipCullDistance:qe&&x.extensions.clipCullDistance===!0&&t.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(qe&&x.extensions.multiDraw===!0||Ct)&&t.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:t.has("KHR_parallel_shader_compile"),customProgramCacheKey:x.customProgramCacheKey()};return We.vertexUv1s=c.has(1),We.vertexUv2s=c.has(2),We.vertexUv3s=c.has(3),c.clear(),We}function M(x){let _=[];if(x.shaderID?_.push(x.shaderID):(_.push(x.customVertexShaderID),_.push(x.customFragmentShaderID)),x.defines!==void 0)for(let U in x.defines)_.push(U),_.push(x.defines[U]);return x.isRawShaderMaterial===!1&&(m(_,x),p(_,x),_.push(s.outputColorSpace)),_.push(x.customProgramCacheKey),_.join()}function m(x,_){x.push(_.precision),x.push(_.outputColorSpace),x.push(_.envMapMode),x.push(_.envMapPMREM),x.push(_.envMapMaxLod),x.push(_.envMapSize),x.push(_.mapUv),x.push(_.alphaMapUv),x.push(_.lightMapUv),x.push(_.aoMapUv),x.push(_.bumpMapUv),x.push(_.normalMapUv),x.push(_.displacementMapUv),x.push(_.emissiveMapUv),x.push(_.metalnessMapUv),x.push(_.roughnessMapUv),x.push(_.anisotropyMapUv),x.push(_.clearcoatMapUv),x.push(_.clearcoatNormalMapUv),x.push(_.clearcoatRoughnessMapUv),x.push(_.diffuseRoughnessMapUv),x.push(_.iridescenceMapUv),x.push(_.iridescenceThicknessMapUv),x.push(_.sheenColorMapUv),x.push(_.sheenRoughnessMapUv),x.push(_.specularMapUv),x.push(_.specularColorMapUv),x.push(_.specularIntensityMapUv),x.push(_.transmissionMapUv),x.push(_.thicknessMapUv),x.push(_.combine),x.push(_.fogExp2),x.push(_.sizeAttenuation),x.push(_.morphTargetsCount),x.push(_.numSunLights),x.push(_.numDirLights),x.push(_.numPointLights),x.push(_.numSpotLights),x.push(_.numSpotLightMaps),x.push(_.numHemiLights),x.push(_.numRectAreaLights),x.push(_.numSunLightShadows),x.push(_.numDirLightShadows),x.push(_.numPointLightShadows),x.push(_.numSpotLightShadows),x.push(_.numSpotLightShadowsWithMaps),x.push(_.numLightProbes),x.push(_.numLightProbeGrids),x.push(_.shadowMapType),x.push(_.toneMapping),x.push(_.numClippingPlanes),x.push(_.numClipIntersection),x.push(_.depthPacking)}function p(x,_){o.disableAll(),_.instancing&&o.enable(0),_.instancingColor&&o.enable(1),_.instancingMorph&&o.enable(2),_.matcap&&o.enable(3),_.envMap&&o.enable(4),_.normalMapObjectSpace&&o.enable(5),_.normalMapTangentSpace&&o.enable(6),_.clearcoat&&o.enable(7),_.iridescence&&o.enable(8),_.alphaTest&&o.enable(9),_.vertexColors&&o.enable(10),_.vertexAlphas&&o.enable(11),_.vertexUv1s&&o.enable(12),_.vertexUv2s&&o.enable(13),_.vertexUv3s&&o.enable(14),_.vertexTangents&&o.enable(15),_.anisotropy&&o.enable(16),_.alphaHash&&o.enable(17),_.batching&&o.enable(18),_.dispersion&&o.enable(19),_.retroreflection&&o.enable(24),_.diffuseRoughness&&o.enable(25),_.batchingColor&&o.enable(20),_.gradientMap&&o.enable(21),_.packedNormalMap&&o.enable(22),_.vertexNormals&&o.enable(23),x.push(o.mask),o.disableAll(),_.fog&&o.enable(0),_.useFog&&o.enable(1),_.flatShading&&o.enable(2),_.logarithmicDepthBuffer&&o.enable(3),_.reversedDepthBuffer&&o.enable(4),_.skinning&&o.enable(5),_.morphTargets&&o.enable(6),_.morphNormals&&o.enable(7),_.morphColors&&o.enable(8),_.premultipliedAlpha&&o.enable(9),_.shadowMapEnabled&&o.enable(10),_.doubleSided&&o.enable(11),_.flipSided&&o.enable(12),_.useDepthPacking&&o.enable(13),_.dithering&&o.enable(14),_.transmission&&o.enable(15),_.sheen&&o.enable(16),_.opaque&&o.enable(17),_.pointsUvs&&o.enable(18),_.decodeVideoTexture&&o.enable(19),_.decodeVideoTextureEmissive&&o.enable(20),_.alphaToCoverage&&o.enable(21),_.numLightProbeGrids>0&&o.enable(22),_.hasPositionAttribute&&o.enable(23),x.push(o.mask)}function b(x){let _=u[x.type],U;if(_){let I=hi[_];U=op.clone(I.uniforms)}else U=x.uniforms;return U}function T(x,_){let U=h.get(_);return U!==void 0?++U.usedTimes:(U=new Xv(s,_,x,i),l.push(U),h.set(_,U)),U}function S(x){if(--x.usedTimes===0){let _=l.indexOf(x);l[_]=l[l.length-1],l.pop(),h.delete(x.cacheKey),x.destroy()}}function A(x){a.remove(x)}function E(){a.dispose()}return{getParameters:g,getProgramCacheKey:M,getUniforms:b,acquireProgram:T,releaseProgram:S,releaseShaderCache:A,programs:l,dispose:E}}function $v(){let s=new WeakMap;function e(o){return s.has(o)}function t(o){let a=s.get(o);return a===void 0&&(a={},s.set(o,a)),a}function n(o){s.delete(o)}function i(o,a,c){s.get(o)[a]=c}function r(){s=new WeakMap}return{has:e,get:t,remove:n,update:i,dispose:r}}function Kv(s,e){return s.groupOrder!==e.groupOrder?s.groupOrder-e.groupOrder:s.renderOrder!==e.renderOrder?s.renderOrder-e.renderOrder:s.material.id!==e.material.id?s.material.id-e.material.id:s.materialVariant!==e.materialVariant?s.materialVariant-e.materialVariant:s.z!==e.z?s.z-e.z:s.id-e.id}function _p(s,e){return s.groupOrder!==e.groupOrder?s.groupOrder-e.groupOrder:s.renderOrder!==e.renderOrder?s.renderOrder-e.renderOrder:s.z!==e.z?e.z-s.z:s.id-e.id}function Sp(){let s=[],e=0,t=[],n=[],i=[];function r(){e=0,t.length=0,n.length=0,i.length=0}function o(u){let f=0;return u.isInstancedMesh&&(f+=2),u.isSkinnedMesh&&(f+=1),f}function a(u,f,g,M,m,p){let b=s[e];return b===void 0?(b={id:u.id,object:u,geometry:f,material:g,materialVariant:o(u),groupOrder:M,renderOrder:u.renderOrder,z:m,group:p},s[e]=b):(b.id=u.id,b.object=u,b.geometry=f,b.material=g,b.materialVariant=o(u),b.groupOrder=M,b.renderOrder=u.renderOrder,b.z=m,b.group=p),e++,b}function c(u,f,g,M,m,p,b){b.reversedDepth===!0&&(m=-m);let T=a(u,f,g,M,m,p);g.transmission>0?n.push(T):g.transparent===!0?i.push(T):t.push(T)}function l(u,f,g,M,m,p){let b=a(u,f,g,M,m,p);g.transmission>0?n.unshift(b):g.transparent===!0?i.unshift(b):t.unshift(b)}function h(u,f){t.length>1&&t.sort(u||Kv),n.length>1&&n.sort(f||_p),i.length>1&&i.sort(f||_p)}function d(){for(let u=e,f=s.length;u<f;u++){let g=s[u];if(g.id===null)break;g.id=null,g.object=null,g.geometry=null,g.material=null,g.group=null}}return{opaque:t,transmissive:n,transparent:i,init:r,push:c,unshift:l,finish:d,sort:h}}function Zv(){let s=new WeakMap;function e(n,i){let r=s.get(n),o;return r===void 0?(o=new Sp,s.set(n,[o])):i>=r.length?(o=new Sp,r.push(o)):o=r[i],o}function t(){s=new WeakMap}return{get:e,dispose:t}}function Qv(){let s={};return{get:function(e){if(s[e.id]!==void 0)return s[e.id];let t;switch(e.type){case"SunLight":case"DirectionalLight":t={direction:new L,color:new Re};break;case"SpotLight":t={position:new L,direction:new L,color:new Re,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":t={position:new L,color:new Re,distance:0,decay:0};break;case"HemisphereLight":t={direction:new L,skyColor:new Re,groundColor:new Re};break;case"RectAreaLight":t={color:new Re,position:new L,halfWidth:new L,halfHeight:new L};break}return s[e.id]=t,t}}}function Jv(){let s={};return{get:function(e){if(s[e.id]!==void 0)return s[e.id];let t;switch(e.type){case"SunLight":case"DirectionalLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Ge};break;case"SpotLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Ge};break;case"PointLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Ge,shadowCameraNear:1,shadowCameraFar:1e3};break}return s[e.id]=t,t}}}var eM=0;function tM(s,e){return(e.castShadow?2:0)-(s.castShadow?2:0)+(e.map?1:0)-(s.map?1:0)}function nM(s){let e=new Qv,t=Jv(),n={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let l=0;l<9;l++)n.probe.push(new L);let i=new L,r=new ke,o=new ke;function a(l){let h=0,d=0,u=0;for(let O=0;O<9;O++)n.probe[O].set(0,0,0);let f=0,g=0,M=0,m=0,p=0,b=0,T=0,S=0,A=0,E=0,x=0,_=0,U=0,I=0;l.sort(tM);for(let O=0,H=l.length;O<H;O++){let C=l[O],G=C.color,q=C.intensity,z=C.distance,ne=null;if(C.shadow&&C.shadow.map&&(C.shadow.map.texture.format===Qi?ne=C.shadow.map.texture:ne=C.shadow.map.depthTexture||C.shadow.map.texture),C.isAmbientLight)h+=G.r*q,d+=G.g*q,u+=G.b*q;else if(C.isLightProbe){for(let X=0;X<9;X++)n.probe[X].addScaledVector(C.sh.coefficients[X],q);I++}else if(C.isSunLight){let X=e.get(C);if(X.color.copy(C.color).multiplyScalar(C.intensity),C.castShadow){let J=C.shadow,ee=t.get(C);ee.shadowIntensity=J.intensity,ee.shadowBias=J.bias,ee.shadowNormalBias=J.normalBias,ee.shadowRadius=J.radius,ee.shadowMapSize.copy(J.mapSize).multiply(J.getFrameExtents()),n.sunShadow[g]=ee,n.sunShadowMap[g]=ne;let _e=J.getViewportCount();for(let Be=0;Be<_e;Be++)n.sunShadowMatrix[M+Be]=J.getMatrix(Be),n.sunShadowCascade[M+Be]=J.Vi[Be];M+=_e,g++}n.sun[f]=X,f++}else if(C.isDirectionalLight){let X=e.get(C);if(X.color.copy(C.color).multiplyScalar(C.intensity),C.castShadow){let J=C.shadow,ee=t.get(C);ee.shadowIntensity=J.intensity,ee.shadowBias=J.bias,ee.shadowNormalBias=J.normalBias,ee.shadowRadius=J.radius,ee.shadowMapSize=J.mapSize,n.directionalShadow[m]=ee,n.directionalShadowMap[m]=ne,n.directionalShadowMatrix[m]=C.shadow.matrix,A++}n.directional[m]=X,m++}else if(C.isSpotLight){let X=e.get(C);X.position.setFromMatrixPosition(C.matrixWorld),X.color.copy(G).multiplyScalar(q),X.distance=z,X.coneCos=Math.cos(C.angle),X.penumbraCos=Math.cos(C.angle*(1-C.penumbra)),X.decay=C.decay,n.spot[b]=X;let J=C.shadow;if(C.map&&(n.spotLightMap[_]=C.map,_++,J.updateMatrices(C),C.castShadow&&U++),n.spotLightMatrix[b]=J.matrix,C.castShadow){let ee=t.get(C);ee.shadowIntensity=J.intensity,ee.shadowBias=J.bias,ee.shadowNormalBias=J.normalBias,ee.shadowRadius=J.radius,ee.shadowMapSize=J.mapSize,n.spotShadow[b]=ee,n.spotShadowMap[b]=ne,x++}b++}else if(C.isRectAreaLight){let X=e.get(C);X.color.copy(G).multiplyScalar(q),X.halfWidth.set(C.width*.5,0,0),X.halfHeight.set(0,C.height*.5,0),n.rectArea[T]=X,T++}else if(C.isPointLight){let X=e.get(C);if(X.color.copy(C.color).multiplyScalar(C.intensity),X.distance=C.distance,X.decay=C.decay,C.castShadow){let J=C.shadow,ee=t.get(C);ee.shadowIntensity=J.intensity,ee.shadowBias=J.bias,ee.shadowNormalBias=J.normalBias,ee.shadowRadius=J.radius,ee.shadowMapSize=J.mapSize,ee.shadowCameraNear=J.camera.near,ee.shadowCameraFar=J.camera.far,n.pointShadow[p]=ee,n.pointShadowMap[p]=ne,n.pointShadowMatrix[p]=C.shadow.matrix,E++}n.point[p]=X,p++}else if(C.isHemisphereLight){let X=e.get(C);X.skyColor.copy(C.color).multiplyScalar(q),X.groundColor.copy(C.groundColor).multiplyScalar(q),n.hemi[S]=X,S++}}T>0&&(s.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=pe.LTC_FLOAT_1,n.rectAreaLTC2=pe.LTC_FLOAT_2):(n.rectAreaLTC1=pe.LTC_HALF_1,n.rectAreaLTC2=pe.LTC_HALF_2)),n.ambient[0]=h,n.ambient[1]=d,n.ambient[2]=u;let N=n.hash;(N.sunLength!==f||N.directionalLength!==m||N.pointLength!==p||N.spotLength!==b||N.rectAreaLength!==T||N.hemiLength!==S||N.numSunShadows!==g||N.numDirectionalShadows!==A||N.numPointShadows!==E||N.numSpotShadows!==x||N.numSpotMaps!==_||N.numLightProbes!==I)&&(n.sun.length=f,n.directional.length=m,n.spot.length=b,n.rectArea.length=T,n.point.length=p,n.hemi.length=S,n.sunShadow.length=g,n.sunShadowMap.length=g,n.sunShadowMatrix.length=M,n.sunShadowCascade.length=M,n.directionalShadow.length=A,n.directionalShadowMap.length=A,n.directionalShadowMatrix.length=A,n.pointShadow.length=E,n.pointShadowMap.length=E,n.pointShadowMatrix.length=E,n.spotShadow.length=x,n.spotShadowMap.length=x,n.spotLightMatrix.length=x+_-U,n.spotLightMap.length=_,n.numSpotLightShadowsWithMaps=U,n.numLightProbes=I,N.sunLength=f,N.directionalLength=m,N.pointLength=p,N.spotLength=b,N.rectAreaLength=T,N.hemiLength=S,N.numSunShadows=g,N.numDirectionalShadows=A,N.numPointShadows=E,N.numSpotShadows=x,N.numSpotMaps=_,N.numLightProbes=I,n.version=eM++)}function c(l,h){let d=0,u=0,f=0,g=0,M=0,m=0,p=h.matrixWorldInverse;for(let b=0,T=l.length;b<T;b++){let S=l[b];if(S.isSunLight){let A=n.sun[d];A.direction.setFromMatrixPosition(S.matrixWorld),A.direction.transformDirection(p),d++}else if(S.isDirectionalLight){let A=n.directional[u];A.direction.setFromMatrixPosition(S.matrixWorld),i.setFromMatrixPosition(S.target.matrixWorld),A.direction.sub(i),A.direction.transformDirection(p),u++}else if(S.isSpotLight){let A=n.spot[g];A.position.setFromMatrixPosition(S.matrixWorld),A.position.applyMatrix4(p),A.direction.setFromMatrixPosition(S.matrixWorld),i.setFromMatrixPosition(S.target.matrixWorld),A.direction.sub(i),A.direction.transformDirection(p),g++}else if(S.isRectAreaLight){let A=n.rectArea[M];A.position.setFromMatrixPosition(S.matrixWorld),A.position.applyMatrix4(p),o.identity(),r.copy(S.matrixWorld),r.premultiply(p),o.extractRotation(r),A.halfWidth.set(S.width*.5,0,0),A.halfHeight.set(0,S.height*.5,0),A.halfWidth.applyMatrix4(o),A.halfHeight.applyMatrix4(o),M++}else if(S.isPointLight){let A=n.point[f];A.position.setFromMatrixPosition(S.matrixWorld),A.position.applyMatrix4(p),f++}else if(S.isHemisphereLight){let A=n.hemi[m];A.direction.setFromMatrixPosition(S.matrixWorld),A.direction.transformDirection(p),m++}}}return{setup:a,setupView:c,state:n}}function wp(s){let e=new nM(s),t=[],n=[],i=[];function r(d){h.camera=d,t.length=0,n.length=0,i.length=0}function o(d){d.isLightProbeGrid?i.push(d):t.push(d)}function a(d){n.push(d)}function c(){e.setup(t),i.sort((d,u)=>d.priority-u.priority||d.id-u.id)}function l(d){e.setupView(t,d)}let h={lightsArray:t,shadowsArray:n,lightProbeGridArray:i,camera:null,lights:e,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:h,setupLights:c,setupLightsView:l,pushLight:o,pushShadow:a}}function iM(s){let e=new WeakMap;function t(i,r=0){let o=e.get(i),a;return o===void 0?(a=new wp(s),e.set(i,[a])):r>=o.length?(a=new wp(s),o.push(a)):a=o[r],a}function n(){e=new WeakMap}return{get:t,dispose:n}}var sM=`void main(){
gl_Position=vec4(position,1.0);
}`,rM=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main(){
const float samples=float(VSM_SAMPLES);
float mean=0.0;
float squared_mean=0.0;
float uvStride=samples<=1.0?0.0:2.0/(samples-1.0);
float uvStart=samples<=1.0?0.0:-1.0;
for(float i=0.0;i<samples;i++){
float uvOffset=uvStart+i*uvStride;
#ifdef HORIZONTAL_PASS
vec2 distribution=texture2D(shadow_pass,(gl_FragCoord.xy+vec2(uvOffset,0.0)*radius)/resolution).rg;
mean+=distribution.x;
squared_mean+=distribution.y*distribution.y+distribution.x*distribution.x;
#else
float depth=texture2D(shadow_pass,(gl_FragCoord.xy+vec2(0.0,uvOffset)*radius)/resolution).r;
mean+=depth;
squared_mean+=depth*depth;
#endif
}
mean=mean/samples;
squared_mean=squared_mean/samples;
float std_dev=sqrt(max(0.0,squared_mean-mean*mean));
gl_FragColor=vec4(mean,std_dev,0.0,1.0);
}`,oM=[new L(1,0,0),new L(-1,0,0),new L(0,1,0),new L(0,-1,0),new L(0,0,1),new L(0,0,-1)],aM=[new L(0,-1,0),new L(0,-1,0),new L(0,0,1),new L(0,0,-1),new L(0,-1,0),new L(0,-1,0)],Ep=new ke,xo=new L,jh=new L;function cM(s,e,t){let n=new Xi,i=new Ge,r=new Ge,o=new lt,a=new Pa,c=new Ia,l={},h=t.maxTextureSize,d={[Bn]:fn,[fn]:Bn,[pn]:pn},u=new jn({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new Ge},radius:{value:4}},vertexShader:sM,fragmentShader:rM}),f=u.clone();f.defines.HORIZONTAL_PASS=1;let g=new St;g.setAttribute("position",new _t(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let M=new ht(g,u),m=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=ys;let p=this.type;this.render=function(E,x,_){if(m.enabled===!1||m.autoUpdate===!1&&m.needsUpdate===!1||E.length===0)return;this.type===wf&&(Ae("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=ys);let U=s.getRenderTarget(),I=s.getActiveCubeFace(),N=s.getActiveMipmapLevel(),O=s.state;O.setBlending(so),O.buffers.depth.getReversed()===!0?O.buffers.color.setClear(0,0,0,0):O.buffers.color.setClear(1,1,1,1),O.buffers.depth.setTest(!0),O.setScissorTest(!1);let H=p!==this.type;H&&x.traverse(function(C){C.material&&(Array.isArray(C.material)?C.material.forEach(G=>G.needsUpdate=!0):C.material.needsUpdate=!0)});for(let C=0,G=E.length;C<G;C++){let q=E[C],z=q.shadow;if(z===void 0){Ae("WebGLShadowMap:",q,"has no shadow.");continue}if(z.autoUpdate===!1&&z.needsUpdate===!1)continue;i.copy(z.mapSize);let ne=z.getFrameExtents();i.multiply(ne),r.copy(z.mapSize),(i.x>h||i.y>h)&&(i.x>h&&(r.x=Math.floor(h/ne.x),i.x=r.x*ne.x,z.mapSize.x=r.x),i.y>h&&(r.y=Math.floor(h/ne.y),i.y=r.y*ne.y,z.mapSize.y=r.y));let X=s.state.buffers.depth.getReversed();if(z.camera.mt=X,z.map===null||H===!0){if(z.map!==null&&(z.map.depthTexture!==null&&(z.map.depthTexture.dispose(),z.map.depthTexture=null),z.map.dispose()),this.type===ir){if(q.isPointLight){Ae("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}z.map=new cn(i.x,i.y,{format:Qi,type:Rn,minFilter:Lt,magFilter:Lt,generateMipmaps:!1}),z.map.texture.name=q.name+".shadowMap",z.map.depthTexture=new Ai(i.x,i.y,Tn),z.map.depthTexture.name=q.name+".shadowMapDepth",z.map.depthTexture.format=bi,z.map.depthTexture.compareFunction=null,z.map.depthTexture.minFilter=At,z.map.depthTexture.magFilter=At}else q.isPointLight?(z.map=new Uc(i.x),z.map.depthTexture=new jr(i.x,Kn)):(z.map=new cn(i.x,i.y),z.map.depthTexture=new Ai(i.x,i.y,Kn)),z.map.depthTexture.name=q.name+".shadowMap",z.map.depthTexture.format=bi,this.type===ys?(z.map.depthTexture.compareFunction=X?Uh:Nh,z.map.depthTexture.minFilter=Lt,z.map.depthTexture.magFilter=Lt):(z.map.depthTexture.compareFunction=null,z.map.depthTexture.minFilter=At,z.map.depthTexture.magFilter=At);z.camera.updateProjectionMatrix()}z.map.isWebGLCubeRenderTarget!==!0&&(z.map.width!==i.x||z.map.height!==i.y)&&z.map.setSize(i.x,i.y);let J=z.map.isWebGLCubeRenderTarget?6:z.getViewportCount();q.isPointLight!==!0&&z.updateMatrices(q,_);let ee=(z.camera.layers.mask&4294967294)!==0?z.camera.layers:_.layers;for(let _e=0;_e<J;_e++){let Be=z.getCamera(_e);if(q.isPointLight){let $=z.camera,me=z.matrix,ve=q.distance||$.far;ve!==$.far&&($.far=ve,$.updateProjectionMatrix()),xo.setFromMatrixPosition(q.matrixWorld),$.position.copy(xo),jh.copy($.position),jh.add(oM[_e]),$.up.copy(aM[_e]),$.lookAt(jh),$.updateMatrixWorld(),me.makeTranslation(-xo.x,-xo.y,-xo.z),Ep.multiplyMatrices($.projectionMatrix,$.matrixWorldInverse),z.pt.setFromProjectionMatrix(Ep,$.coordinateSystem,$.reversedDepth)}if(z.map.isWebGLCubeRenderTarget)s.setRenderTarget(z.map,_e),s.clear();else{_e===0&&(s.setRenderTarget(z.map),s.clear());let $=z.getViewport(_e);o.set(r.x*$.x,r.y*$.y,r.x*$.z,r.y*$.w),O.viewport(o)}n=z.getFrustum(_e),S(x,_,Be,q,ee,this.type)}z.isPointLightShadow!==!0&&this.type===ir&&b(z,_),z.needsUpdate=!1}p=this.type,m.needsUpdate=!1,s.setRenderTarget(U,I,N)};function b(E,x){let _=e.update(M);u.defines.VSM_SAMPLES!==E.blurSamples&&(u.defines.VSM_SAMPLES=E.blurSamples,f.defines.VSM_SAMPLES=E.blurSamples,u.needsUpdate=!0,f.needsUpdate=!0),E.mapPass===null?E.mapPass=new cn(i.x,i.y,{format:Qi,type:Rn}):(E.mapPass.width!==E.map.width||E.mapPass.height!==E.map.height)&&E.mapPass.setSize(E.map.width,E.map.height),u.uniforms.shadow_pass.value=E.map.depthTexture,u.uniforms.resolution.value.set(E.map.width,E.map.height),u.uniforms.radius.value=E.radius,s.setRenderTarget(E.mapPass),s.clear(),s.renderBufferDirect(x,null,_,u,M,null),f.uniforms.shadow_pass.value=E.mapPass.texture,f.uniforms.resolution.value.set(E.map.width,E.map.height),f.uniforms.radius.value=E.radius,s.setRenderTarget(E.map),s.clear(),s.renderBufferDirect(x,null,_,f,M,null)}function T(E,x,_,U){let I=null,N=_.isPointLight===!0?E.customDistanceMaterial:E.customDepthMaterial;if(N!==void 0)I=N;else if(I=_.isPointLight===!0?c:a,s.localClippingEnabled&&x.clipShadows===!0&&Array.isArray(x.clippingPlanes)&&x.clippingPlanes.length!==0||x.displacementMap&&x.displacementScale!==0||x.alphaMap&&x.alphaTest>0||x.map&&x.alphaTest>0||x.alphaToCoverage===!0){let O=I.uuid,H=x.uuid,C=l[O];C===void 0&&(C={},l[O]=C);let G=C[H];G===void 0&&(G=I.clone(),C[H]=G,x.addEventListener("dispose",A)),I=G}if(I.visible=x.visible,I.wireframe=x.wireframe,U===ir?I.side=x.shadowSide!==null?x.shadowSide:x.side:I.side=x.shadowSide!==null?x.shadowSide:d[x.side],I.alphaMap=x.alphaMap,I.alphaTest=x.alphaToCoverage===!0?.5:x.alphaTest,I.map=x.map,I.clipShadows=x.clipShadows,I.clippingPlanes=x.clippingPlanes,I.clipIntersection=x.clipIntersection,I.displacementMap=x.displacementMap,I.displacementScale=x.displacementScale,I.displacementBias=x.displacementBias,I.wireframeLinewidth=x.wireframeLinewidth,I.linewidth=x.linewidth,_.isPointLight===!0&&I.isMeshDistanceMaterial===!0){let O=s.properties.get(I);O.light=_}return I}function S(E,x,_,U,I,N){if(E.visible===!1)return;if(E.layers.test(I)&&(E.isMesh||E.isLine||E.isPoints)&&(E.castShadow||E.receiveShadow&&N===ir)&&(!E.frustumCulled||E.intersectsFrustum(n))){E.modelViewMatrix.multiplyMatrices(_.matrixWorldInverse,E.matrixWorld);let C=e.update(E),G=E.material;if(Array.isArray(G)){let q=C.groups;for(let z=0,ne=q.length;z<ne;z++){let X=q[z],J=G[X.materialIndex];if(J&&J.visible){let ee=T(E,J,U,N);E.onBeforeShadow(s,E,x,_,C,ee,X),s.renderBufferDirect(_,null,C,ee,E,X),E.onAfterShadow(s,E,x,_,C,ee,X)}}}else if(G.visible){let q=T(E,G,U,N);E.onBeforeShadow(s,E,x,_,C,q,null),s.renderBufferDirect(_,null,C,q,E,null),E.onAfterShadow(s,E,x,_,C,q,null)}}let H=E.children;for(let C=0,G=H.length;C<G;C++)S(H[C],x,_,U,I,N)}function A(E){E.target.removeEventListener("dispose",A);for(let _ in l){let U=l[_],I=E.target.uuid;I in U&&(U[I].dispose(),delete U[I])}}}function lM(s,e){function t(){let R=!1,K=new lt,W=null,ce=new lt(0,0,0,0);return{setMask:function(se){W!==se&&!R&&(s.colorMask(se,se,se,se),W=se)},setLocked:function(se){R=se},setClear:function(se,oe,we,qe,ie){ie===!0&&(se*=qe,oe*=qe,we*=qe),K.set(se,oe,we,qe),ce.equals(K)===!1&&(s.clearColor(se,oe,we,qe),ce.copy(K))},reset:function(){R=!1,W=null,ce.set(-1,0,0,0)}}}function n(){let R=!1,K=!1,W=null,ce=null,se=null;return{setReversed:function(oe){if(K!==oe){let we=e.get("EXT_clip_control");oe?we.clipControlEXT(we.LOWER_LEFT_EXT,we.ZERO_TO_ONE_EXT):we.clipControlEXT(we.LOWER_LEFT_EXT,we.NEGATIVE_ONE_TO_ONE_EXT),K=oe;let qe=se;se=null,this.setClear(qe)}},getReversed:function(){return K},setTest:function(oe){oe?ge(s.DEPTH_TEST):Ve(s.DEPTH_TEST)},setMask:function(oe){W!==oe&&!R&&(s.depthMask(oe),W=oe)},setFunc:function(oe){if(K&&(oe=sp[oe]),ce!==oe){switch(oe){case ga:s.depthFunc(s.NEVER);break;case xa:s.depthFunc(s.ALWAYS);break;case ya:s.depthFunc(s.LESS);break;case Hs:s.depthFunc(s.LEQUAL);break;case va:s.depthFunc(s.EQUAL);break;case Ma:s.depthFunc(s.GEQUAL);break;case ba:s.depthFunc(s.GREATER);break;case _a:s.depthFunc(s.NOTEQUAL);break;default:s.depthFunc(s.LEQUAL)}ce=oe}},setLocked:function(oe){R=oe},setClear:function(oe){se!==oe&&(se=oe,K&&(oe=1-oe),s.clearDepth(oe))},reset:function(){R=!1,W=null,ce=null,se=null,K=!1}}}function i(){let R=!1,K=null,W=null,ce=null,se=null,oe=null,we=null,qe=null,ie=null;return{setTest:function(Te){R||(Te?ge(s.STENCIL_TEST):Ve(s.STENCIL_TEST))},setMask:function(Te){K!==Te&&!R&&(s.stencilMask(Te),K=Te)},setFunc:function(Te,We,fe){(W!==Te||ce!==We||se!==fe)&&(s.stencilFunc(Te,We,fe),W=Te,ce=We,se=fe)},setOp:function(Te,We,fe){(oe!==Te||we!==We||qe!==fe)&&(s.stencilOp(Te,We,fe),oe=Te,we=We,qe=fe)},setLocked:function(Te){R=Te},setClear:function(Te){ie!==Te&&(s.clearStencil(Te),ie=Te)},reset:function(){R=!1,K=null,W=null,ce=null,se=null,oe=null,we=null,qe=null,ie=null}}}let r=new t,o=new n,a=new i,c={},l=new WeakMap,h={},d={},u={},f=new WeakMap,g=[],M=null,m=!1,p=null,b=null,T=null,S=null,A=null,E=null,x=null,_=new Re(0,0,0),U=0,I=!1,N=null,O=null,H=null,C=null,G=null,q=s.getParameter(s.MAX_COMBINED_TEXTURE_IMAGE_UNITS),z=!1,ne=0,X=s.getParameter(s.VERSION);X.indexOf("WebGL")!==-1?(ne=parseFloat(/^WebGL (\d)/.exec(X)[1]),z=ne>=1):X.indexOf("OpenGL ES")!==-1&&(ne=parseFloat(/^OpenGL ES (\d)/.exec(X)[1]),z=ne>=2);let J=null,ee={},_e=s.getParameter(s.SCISSOR_BOX),Be=s.getParameter(s.VIEWPORT),$=new lt().fromArray(_e),me=new lt().fromArray(Be);function ve(R,K,W,ce){let se=new Uint8Array(4),oe=s.createTexture();s.bindTexture(R,oe),s.texParameteri(R,s.TEXTURE_MIN_FILTER,s.NEAREST),s.texParameteri(R,s.TEXTURE_MAG_FILTER,s.NEAREST);for(let we=0;we<W;we++)R===s.TEXTURE_3D||R===s.TEXTURE_2D_ARRAY?s.texImage3D(K,0,s.RGBA,1,1,ce,0,s.RGBA,s.UNSIGNED_BYTE,se):s.texImage2D(K+we,0,s.RGBA,1,1,0,s.RGBA,s.UNSIGNED_BYTE,se);return oe}let Ce={};Ce[s.TEXTURE_2D]=ve(s.TEXTURE_2D,s.TEXTURE_2D,1),Ce[s.TEXTURE_CUBE_MAP]=ve(s.TEXTURE_CUBE_MAP,s.TEXTURE_CUBE_MAP_POSITIVE_X,6),Ce[s.TEXTURE_2D_ARRAY]=ve(s.TEXTURE_2D_ARRAY,s.TEXTURE_2D_ARRAY,1,1),Ce[s.TEXTURE_3D]=ve(s.TEXTURE_3D,s.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),ge(s.DEPTH_TEST),o.setFunc(Hs),xn(!1),Mt(mh),ge(s.CULL_FACE),Zt(so);function ge(R){h[R]!==!0&&(s.enable(R),h[R]=!0)}function Ve(R){h[R]!==!1&&(s.disable(R),h[R]=!1)}function Ct(R,K){return u[R]!==K?(s.bindFramebuffer(R,K),u[R]=K,R===s.DRAW_FRAMEBUFFER&&(u[s.FRAMEBUFFER]=K),R===s.FRAMEBUFFER&&(u[s.DRAW_FRAMEBUFFER]=K),!0):!1}function Ie(R,K){let W=g,ce=!1;if(R){W=f.get(K),W===void 0&&(W=[],f.set(K,W));let se=R.textures;if(W.length!==se.length||W[0]!==s.COLOR_ATTACHMENT0){for(let oe=0,we=se.length;oe<we;oe++)W[oe]=s.COLOR_ATTACHMENT0+oe;W.length=se.length,ce=!0}}else W[0]!==s.BACK&&(W[0]=s.BACK,ce=!0);ce&&s.drawBuffers(W)}function rt(R){return M!==R?(s.useProgram(R),M=R,!0):!1}let ut={[vs]:s.FUNC_ADD,[Af]:s.FUNC_SUBTRACT,[Tf]:s.FUNC_REVERSE_SUBTRACT};ut[Rf]=s.MIN,ut[Cf]=s.MAX;let Ke={[Pf]:s.ZERO,[If]:s.ONE,[Lf]:s.SRC_COLOR,[yh]:s.SRC_ALPHA,[Of]:s.SRC_ALPHA_SATURATE,[Ff]:s.DST_COLOR,[Nf]:s.DST_ALPHA,[Df]:s.ONE_MINUS_SRC_COLOR,[vh]:s.ONE_MINUS_SRC_ALPHA,[Bf]:s.ONE_MINUS_DST_COLOR,[Uf]:s.ONE_MINUS_DST_ALPHA,[kf]:s.CONSTANT_COLOR,[Vf]:s.ONE_MINUS_CONSTANT_COLOR,[zf]:s.CONSTANT_ALPHA,[Gf]:s.ONE_MINUS_CONSTANT_ALPHA};function Zt(R,K,W,ce,se,oe,we,qe,ie,Te){if(R===so){m===!0&&(Ve(s.BLEND),m=!1);return}if(m===!1&&(ge(s.BLEND),m=!0),R!==Ef){if(R!==p||Te!==I){if((b!==vs||A!==vs)&&(s.blendEquation(s.FUNC_ADD),b=vs,A=vs),Te)switch(R){case Zi:s.blendFuncSeparate(s.ONE,s.ONE_MINUS_SRC_ALPHA,s.ONE,s.ONE_MINUS_SRC_ALPHA);break;case ro:s.blendFunc(s.ONE,s.ONE);break;case gh:s.blendFuncSeparate(s.ZERO,s.ONE_MINUS_SRC_COLOR,s.ZERO,s.ONE);break;case xh:s.blendFuncSeparate(s.DST_COLOR,s.ONE_MINUS_SRC_ALPHA,s.ZERO,s.ONE);break;default:Le("WebGLState: Invalid blending: ",R);break}else switch(R){case Zi:s.blendFuncSeparate(s.SRC_ALPHA,s.ONE_MINUS_SRC_ALPHA,s.ONE,s.ONE_MINUS_SRC_ALPHA);break;case ro:s.blendFuncSeparate(s.SRC_ALPHA,s.ONE,s.ONE,s.ONE);break;case gh:Le("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case xh:Le("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:Le("WebGLState: Invalid blending: ",R);break}T=null,S=null,E=null,x=null,_.set(0,0,0),U=0,p=R,I=Te}return}se=se||K,oe=oe||W,we=we||ce,(K!==b||se!==A)&&(s.blendEquationSeparate(ut[K],ut[se]),b=K,A=se),(W!==T||ce!==S||oe!==E||we!==x)&&(s.blendFuncSeparate(Ke[W],Ke[ce],Ke[oe],Ke[we]),T=W,S=ce,E=oe,x=we),(qe.equals(_)===!1||ie!==U)&&(s.blendColor(qe.r,qe.g,qe.b,ie),_.copy(qe),U=ie),p=R,I=!1}function Ut(R,K){R.side===pn?Ve(s.CULL_FACE):ge(s.CULL_FACE);let W=R.side===fn;K&&(W=!W),xn(W),R.blending===Zi&&R.transparent===!1?Zt(so):Zt(R.blending,R.blendEquation,R.blendSrc,R.blendDst,R.blendEquationAlpha,R.blendSrcAlpha,R.blendDstAlpha,R.blendColor,R.blendAlpha,R.premultipliedAlpha),o.setFunc(R.depthFunc),o.setTest(R.depthTest),o.setMask(R.depthWrite),r.setMask(R.colorWrite);let ce=R.stencilWrite;a.setTest(ce),ce&&(a.setMask(R.stencilWriteMask),a.setFunc(R.stencilFunc,R.stencilRef,R.stencilFuncMask),a.setOp(R.stencilFail,R.stencilZFail,R.stencilZPass)),Ht(R.polygonOffset,R.polygonOffsetFactor,R.polygonOffsetUnits),R.alphaToCoverage===!0?ge(s.SAMPLE_ALPHA_TO_COVERAGE):Ve(s.SAMPLE_ALPHA_TO_COVERAGE)}function xn(R){N!==R&&(R?s.frontFace(s.CW):s.frontFace(s.CCW),N=R)}function Mt(R){R!==_f?(ge(s.CULL_FACE),R!==O&&(R===mh?s.cullFace(s.BACK):R===Sf?s.cullFace(s.FRONT):s.cullFace(s.FRONT_AND_BACK))):Ve(s.CULL_FACE),O=R}function ei(R){R!==H&&(z&&s.lineWidth(R),H=R)}function Ht(R,K,W){R?(ge(s.POLYGON_OFFSET_FILL),(C!==K||G!==W)&&(C=K,G=W,o.getReversed()&&(K=-K,W=-W),s.polygonOffset(K,W))):Ve(s.POLYGON_OFFSET_FILL)}function In(R){R?ge(s.SCISSOR_TEST):Ve(s.SCISSOR_TEST)}function Ln(R){R===void 0&&(R=s.TEXTURE0+q-1),J!==R&&(s.activeTexture(R),J=R)}function Dn(R,K,W){W===void 0&&(J===null?W=s.TEXTURE0+q-1:W=J);let ce=ee[W];ce===void 0&&(ce={type:void 0,texture:void 0},ee[W]=ce),(ce.type!==R||ce.texture!==K)&&(J!==W&&(s.activeTexture(W),J=W),s.bindTexture(R,K||Ce[R]),ce.type=R,ce.texture=K)}function D(){let R=ee[J];R!==void 0&&R.type!==void 0&&(s.bindTexture(R.type,null),R.type=void 0,R.texture=void 0)}function Nn(){try{s.compressedTexImage2D(...arguments)}catch(R){Le("WebGLState:",R)}}function xt(){try{s.compressedTexImage3D(...arguments)}catch(R){Le("WebGLState:",R)}}function yt(){try{s.texSubImage2D(...arguments)}catch(R){Le("WebGLState:",R)}}function de(){try{s.texSubImage3D(...arguments)}catch(R){Le("WebGLState:",R)}}function Ft(){try{s.compressedTexSubImage2D(...arguments)}catch(R){Le("WebGLState:",R)}}function Pe(){try{s.compressedTexSubImage3D(...arguments)}catch(R){Le("WebGLState:",R)}}function Ne(){try{s.texStorage2D(...arguments)}catch(R){Le("WebGLState:",R)}}function w(){try{s.texStorage3D(...arguments)}catch(R){Le("WebGLState:",R)}}function y(){try{s.texImage2D(...arguments)}catch(R){Le("WebGLState:",R)}}function B(){try{s.texImage3D(...arguments)}catch(R){Le("WebGLState:",R)}}function te(R){return d[R]!==void 0?d[R]:s.getParameter(R)}function Z(R,K){d[R]!==K&&(s.pixelStorei(R,K),d[R]=K)}function re(R){$.equals(R)===!1&&(s.scissor(R.x,R.y,R.z,R.w),$.copy(R))}function he(R){me.equals(R)===!1&&(s.viewport(R.x,R.y,R.z,R.w),me.copy(R))}function j(R,K){let W=l.get(K);W===void 0&&(W=new WeakMap,l.set(K,W));let ce=W.get(R);ce===void 0&&(ce=s.getUniformBlockIndex(K,R.name),s.uniformBlockBinding(K,ce,ce),W.set(R,ce))}function Y(R,K,W){let se=l.get(K).get(R);c[se]!==W&&(s.bindBufferBase(s.UNIFORM_BUFFER,se,W),c[se]=W)}function ae(){s.disable(s.BLEND),s.disable(s.CULL_FACE),s.disable(s.DEPTH_TEST),s.disable(s.POLYGON_OFFSET_FILL),s.disable(s.SCISSOR_TEST),s.disable(s.STENCIL_TEST),s.disable(s.SAMPLE_ALPHA_TO_COVERAGE),s.blendEquation(s.FUNC_ADD),s.blendFunc(s.ONE,s.ZERO),s.blendFuncSeparate(s.ONE,s.ZERO,s.ONE,s.ZERO),s.blendColor(0,0,0,0),s.colorMask(!0,!0,!0,!0),s.clearColor(0,0,0,0),s.depthMask(!0),s.depthFunc(s.LESS),o.setReversed(!1),s.clearDepth(1),s.stencilMask(4294967295),s.stencilFunc(s.ALWAYS,0,4294967295),s.stencilOp(s.KEEP,s.KEEP,s.KEEP),s.clearStencil(0),s.cullFace(s.BACK),s.frontFace(s.CCW),s.polygonOffset(0,0),s.activeTexture(s.TEXTURE0),s.bindFramebuffer(s.FRAMEBUFFER,null),s.bindFramebuffer(s.DRAW_FRAMEBUFFER,null),s.bindFramebuffer(s.READ_FRAMEBUFFER,null),s.useProgram(null),s.lineWidth(1),s.scissor(0,0,s.canvas.width,s.canvas.height),s.viewport(0,0,s.canvas.width,s.canvas.height),s.pixelStorei(s.PACK_ALIGNMENT,4),s.pixelStorei(s.UNPACK_ALIGNMENT,4),s.pixelStorei(s.UNPACK_FLIP_Y_WEBGL,!1),s.pixelStorei(s.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),s.pixelStorei(s.UNPACK_COLORSPACE_CONVERSION_WEBGL,s.BROWSER_DEFAULT_WEBGL),s.pixelStorei(s.PACK_ROW_LENGTH,0),s.pixelStorei(s.PACK_SKIP_PIXELS,0),s.pixelStorei(s.PACK_SKIP_ROWS,0),s.pixelStorei(s.UNPACK_ROW_LENGTH,0),s.pixelStorei(s.UNPACK_IMAGE_HEIGHT,0),s.pixelStorei(s.UNPACK_SKIP_PIXELS,0),s.pixelStorei(s.UNPACK_SKIP_ROWS,0),s.pixelStorei(s.UNPACK_SKIP_IMAGES,0),h={},d={},J=null,ee={},u={},c={},f=new WeakMap,g=[],M=null,m=!1,p=null,b=null,T=null,S=null,A=null,E=null,x=null,_=new Re(0,0,0),U=0,I=!1,N=null,O=null,H=null,C=null,G=null,$.set(0,0,s.canvas.width,s.canvas.height),me.set(0,0,s.canvas.width,s.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:ge,disable:Ve,bindFramebuffer:Ct,drawBuffers:Ie,useProgram:rt,setBlending:Zt,setMaterial:Ut,setFlipSided:xn,setCullFace:Mt,setLineWidth:ei,setPolygonOffset:Ht,setScissorTest:In,activeTexture:Ln,bindTexture:Dn,unbindTexture:D,compressedTexImage2D:Nn,compressedTexImage3D:xt,texImage2D:y,texImage3D:B,pixelStorei:Z,getParameter:te,updateUBOMapping:j,uniformBlockBinding:Y,texStorage2D:Ne,texStorage3D:w,texSubImage2D:yt,texSubImage3D:de,compressedTexSubImage2D:Ft,compressedTexSubImage3D:Pe,scissor:re,viewport:he,reset:ae}}function hM(s,e,t,n,i,r,o){let a=e.has("WEBGL_multisampled_render_to_texture")?e.get("WEBGL_multisampled_render_to_texture"):null,c=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),l=new Ge,h=new WeakMap,d=new Set,u,f=new WeakMap,g=new Set,M=new FinalizationRegistry(w=>g.delete(w)),m=!1;try{m=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function p(w,y){return m?new OffscreenCanvas(w,y):Cc("canvas")}function b(w,y,B){let te=1,Z=Ne(w);if((Z.width>B||Z.height>B)&&(te=B/Math.max(Z.width,Z.height)),te<1)if(typeof HTMLImageElement<"u"&&w instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&w instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&w instanceof ImageBitmap||typeof VideoFrame<"u"&&w instanceof VideoFrame){let re=Math.floor(te*Z.width),he=Math.floor(te*Z.height);u===void 0&&(u=p(re,he));let j=y?p(re,he):u;return j.width=re,j.height=he,j.getContext("2d").drawImage(w,0,0,re,he),Ae("WebGLRenderer: Texture has been resized from ("+Z.width+"x"+Z.height+") to ("+re+"x"+he+")."),j}else return"data"in w&&Ae("WebGLRenderer: Image in DataTexture is too big ("+Z.width+"x"+Z.height+")."),w;return w}function T(w){return w.generateMipmaps}function S(w){s.generateMipmap(w)}function A(w){return w.isWebGLCubeRenderTarget?s.TEXTURE_CUBE_MAP:w.isWebGL3DRenderTarget?s.TEXTURE_3D:w.isWebGLArrayRenderTarget||w.isCompressedArrayTexture?s.TEXTURE_2D_ARRAY:s.TEXTURE_2D}function E(w,y,B,te,Z,re=!1){if(w!==null){if(s[w]!==void 0)return s[w];Ae("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+w+"'")}let he;te&&(he=e.get("EXT_texture_norm16"),he||Ae("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let j=y;if(y===s.RED&&(B===s.FLOAT&&(j=s.R32F),B===s.HALF_FLOAT&&(j=s.R16F),B===s.UNSIGNED_BYTE&&(j=s.R8),B===s.UNSIGNED_SHORT&&he&&(j=he.R16_EXT),B===s.SHORT&&he&&(j=he.R16_SNORM_EXT)),y===s.RED_INTEGER&&(B===s.UNSIGNED_BYTE&&(j=s.R8UI),B===s.UNSIGNED_SHORT&&(j=s.R16UI),B===s.UNSIGNED_INT&&(j=s.R32UI),B===s.BYTE&&(j=s.R8I),B===s.SHORT&&(j=s.R16I),B===s.INT&&(j=s.R32I)),y===s.RG&&(B===s.FLOAT&&(j=s.RG32F),B===s.HALF_FLOAT&&(j=s.RG16F),B===s.UNSIGNED_BYTE&&(j=s.RG8),B===s.UNSIGNED_SHORT&&he&&(j=he.RG16_EXT),B===s.SHORT&&he&&(j=he.RG16_SNORM_EXT)),y===s.RG_INTEGER&&(B===s.UNSIGNED_BYTE&&(j=s.RG8UI),B===s.UNSIGNED_SHORT&&(j=s.RG16UI),B===s.UNSIGNED_INT&&(j=s.RG32UI),B===s.BYTE&&(j=s.RG8I),B===s.SHORT&&(j=s.RG16I),B===s.INT&&(j=s.RG32I)),y===s.RGB_INTEGER&&(B===s.UNSIGNED_BYTE&&(j=s.RGB8UI),B===s.UNSIGNED_SHORT&&(j=s.RGB16UI),B===s.UNSIGNED_INT&&(j=s.RGB32UI),B===s.BYTE&&(j=s.RGB8I),B===s.SHORT&&(j=s.RGB16I),B===s.INT&&(j=s.RGB32I)),y===s.RGBA_INTEGER&&(B===s.UNSIGNED_BYTE&&(j=s.RGBA8UI),B===s.UNSIGNED_SHORT&&(j=s.RGBA16UI),B===s.UNSIGNED_INT&&(j=s.RGBA32UI),B===s.BYTE&&(j=s.RGBA8I),B===s.SHORT&&(j=s.RGBA16I),B===s.INT&&(j=s.RGBA32I)),y===s.RGB&&(B===s.UNSIGNED_SHORT&&he&&(j=he.RGB16_EXT),B===s.SHORT&&he&&(j=he.RGB16_SNORM_EXT),B===s.UNSIGNED_INT_5_9_9_9_REV&&(j=s.RGB9_E5),B===s.UNSIGNED_INT_10F_11F_11F_REV&&(j=s.R11F_G11F_B10F)),y===s.RGBA){let Y=re?Dr:je.getTransfer(Z);B===s.FLOAT&&(j=s.RGBA32F),B===s.HALF_FLOAT&&(j=s.RGBA16F),B===s.UNSIGNED_BYTE&&(j=Y===st?s.SRGB8_ALPHA8:s.RGBA8),B===s.UNSIGNED_SHORT&&he&&(j=he.RGBA16_EXT),B===s.SHORT&&he&&(j=he.RGBA16_SNORM_EXT),B===s.UNSIGNED_SHORT_4_4_4_4&&(j=s.RGBA4),B===s.UNSIGNED_SHORT_5_5_5_1&&(j=s.RGB5_A1)}return(j===s.R16F||j===s.R32F||j===s.RG16F||j===s.RG32F||j===s.RGBA16F||j===s.RGBA32F)&&e.get("EXT_color_buffer_float"),j}function x(w,y){let B;return w?y===null||y===Kn||y===bs?B=s.DEPTH24_STENCIL8:y===Tn?B=s.DEPTH32F_STENCIL8:y===rr&&(B=s.DEPTH24_STENCIL8,Ae("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):y===null||y===Kn||y===bs?B=s.DEPTH_COMPONENT24:y===Tn?B=s.DEPTH_COMPONENT32F:y===rr&&(B=s.DEPTH_COMPONENT16),B}function _(w,y){return T(w)===!0||w.isFramebufferTexture&&w.minFilter!==At&&w.minFilter!==Lt?Math.log2(Math.max(y.width,y.height))+1:w.mipmaps.length>0?w.mipmaps.length:w.isCompressedTexture&&Array.isArray(w.image)?y.mipmaps.length:1}function U(w){let y=new WeakRef(w);n.get(w).Ei=y,g.add(y),M.register(w,y,y)}function I(w){let y=n.get(w).Ei;y!==void 0&&(g.delete(y),M.unregister(y))}function N(w){H(w.target)}function O(w){C(w.target)}function H(w){w.removeEventListener("dispose",N),I(w),q(w),w.isVideoTexture&&h.delete(w),w.isHTMLTexture&&d.delete(w)}function C(w){w.removeEventListener("dispose",O),I(w),ne(w)}function G(){for(let w of g){let y=w.deref();y!==void 0&&(y.isRenderTarget===!0?C(y):H(y))}g.clear(),d.clear()}function q(w){let y=n.get(w);if(y.Sn===void 0)return;let B=w.source,te=f.get(B);if(te){let Z=te[y.ke];Z.usedTimes--,Z.usedTimes===0&&z(w),Object.keys(te).length===0&&f.delete(B)}n.remove(w)}function z(w){let y=n.get(w);s.deleteTexture(y.S);let B=w.source,te=f.get(B);delete te[y.ke],o.memory.textures--}function ne(w){let y=n.get(w);y.Ve&&y.Ve();let B=w.depthTexture;if(B&&B.renderTarget===w&&H(B),w.isWebGLCubeRenderTarget)for(let Z=0;Z<6;Z++){if(Array.isArray(y._[Z]))for(let re=0;re<y._[Z].length;re++)s.deleteFramebuffer(y._[Z][re]);else s.deleteFramebuffer(y._[Z]);y.H&&s.deleteRenderbuffer(y.H[Z])}else{if(Array.isArray(y._))for(let Z=0;Z<y._.length;Z++)s.deleteFramebuffer(y._[Z]);else s.deleteFramebuffer(y._);if(y.H&&s.deleteRenderbuffer(y.H),y.ie&&s.deleteFramebuffer(y.ie),y.J)for(let Z=0;Z<y.J.length;Z++)y.J[Z]&&s.deleteRenderbuffer(y.J[Z]);y.At&&s.deleteRenderbuffer(y.At)}let te=w.textures;for(let Z=0,re=te.length;Z<re;Z++){let he=n.get(te[Z]);he.S&&(s.deleteTexture(he.S),o.memory.textures--),n.remove(te[Z])}n.remove(w)}let X=0;function J(){X=0}function ee(){return X}function _e(w){X=w}function Be(){let w=X;return w>=i.maxTextures&&Ae("WebGLTextures: Trying to use "+(w+1)+" texture units while this GPU supports only "+i.maxTextures),X+=1,w}function $(w){let y=[];return y.push(w.wrapS),y.push(w.wrapT),y.push(w.wrapR||0),y.push(w.magFilter),y.push(w.minFilter),y.push(w.anisotropy),y.push(w.internalFormat),y.push(w.format),y.push(w.type),y.push(w.generateMipmaps),y.push(w.mipmapsAutoUpdate),y.push(w.premultiplyAlpha),y.push(w.flipY),y.push(w.unpackAlignment),y.push(w.colorSpace),y.join()}function me(w,y){let B=n.get(w);if(w.isVideoTexture&&Ft(w),w.isRenderTargetTexture===!1&&w.isExternalTexture!==!0&&w.version>0&&B.O!==w.version){let te=w.image;if(te===null)Ae("WebGLRenderer: Texture marked for update but no image data found.");else if(te.complete===!1)Ae("WebGLRenderer: Texture marked for update but image is incomplete");else{Ut(B,w,y);return}}else w.isExternalTexture&&(B.S=w.sourceTexture?w.sourceTexture:null);t.bindTexture(s.TEXTURE_2D,B.S,s.TEXTURE0+y)}function ve(w,y){let B=n.get(w);if(w.isRenderTargetTexture===!1&&w.version>0&&B.O!==w.version){Ut(B,w,y);return}else w.isExternalTexture&&(B.S=w.sourceTexture?w.sourceTexture:null);t.bindTexture(s.TEXTURE_2D_ARRAY,B.S,s.TEXTURE0+y)}function Ce(w,y){let B=n.get(w);if(w.isRenderTargetTexture===!1&&w.version>0&&B.O!==w.version){Ut(B,w,y);return}t.bindTexture(s.TEXTURE_3D,B.S,s.TEXTURE0+y)}function ge(w,y){let B=n.get(w);if(w.version>0&&B.O!==w.version){xn(B,w,y);return}t.bindTexture(s.TEXTURE_CUBE_MAP,B.S,s.TEXTURE0+y)}let Ve={[Hi]:s.REPEAT,[Fn]:s.CLAMP_TO_EDGE,[Ws]:s.MIRRORED_REPEAT},Ct={[At]:s.NEAREST,[Wa]:s.NEAREST_MIPMAP_NEAREST,[Ms]:s.NEAREST_MIPMAP_LINEAR,[Lt]:s.LINEAR,[sr]:s.LINEAR_MIPMAP_NEAREST,[kn]:s.LINEAR_MIPMAP_LINEAR},Ie={[Kf]:s.NEVER,[Fh]:s.ALWAYS,[Zf]:s.LESS,[Nh]:s.LEQUAL,[Qf]:s.EQUAL,[Uh]:s.GEQUAL,[Jf]:s.GREATER,[ep]:s.NOTEQUAL};function rt(w,y){if(y.type===Tn&&e.has("OES_texture_float_linear")===!1&&(y.magFilter===Lt||y.magFilter===sr||y.magFilter===Ms||y.magFilter===kn||y.minFilter===Lt||y.minFilter===sr||y.minFilter===Ms||y.minFilter===kn)&&Ae("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),s.texParameteri(w,s.TEXTURE_WRAP_S,Ve[y.wrapS]),s.texParameteri(w,s.TEXTURE_WRAP_T,Ve[y.wrapT]),(w===s.TEXTURE_3D||w===s.TEXTURE_2D_ARRAY)&&s.texParameteri(w,s.TEXTURE_WRAP_R,Ve[y.wrapR]),s.texParameteri(w,s.TEXTURE_MAG_FILTER,Ct[y.magFilter]),s.texParameteri(w,s.TEXTURE_MIN_FILTER,Ct[y.minFilter]),y.compareFunction&&(s.texParameteri(w,s.TEXTURE_COMPARE_MODE,s.COMPARE_REF_TO_TEXTURE),s.texParameteri(w,s.TEXTURE_COMPARE_FUNC,Ie[y.compareFunction])),e.has("EXT_texture_filter_anisotropic")===!0){if(y.magFilter===At||y.minFilter!==Ms&&y.minFilter!==kn||y.type===Tn&&e.has("OES_texture_float_linear")===!1)return;if(y.anisotropy>1||n.get(y).Ai){let B=e.get("EXT_texture_filter_anisotropic");s.texParameterf(w,B.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(y.anisotropy,i.getMaxAnisotropy())),n.get(y).Ai=y.anisotropy}}}function ut(w,y){let B=!1;w.Sn===void 0&&(w.Sn=!0,y.addEventListener("dispose",N),U(y));let te=y.source,Z=f.get(te);Z===void 0&&(Z={},f.set(te,Z));let re=$(y);if(re!==w.ke){Z[re]===void 0&&(Z[re]={texture:s.createTexture(),usedTimes:0},o.memory.textures++,B=!0),Z[re].usedTimes++;let he=Z[w.ke];he!==void 0&&(Z[w.ke].usedTimes--,he.usedTimes===0&&z(y)),w.ke=re,w.S=Z[re].texture}return B}function Ke(w,y,B){return Math.floor(Math.floor(w/B)/y)}function Zt(w,y,B,te){let re=w.updateRanges;if(re.length===0)t.texSubImage2D(s.TEXTURE_2D,0,0,0,y.width,y.height,B,te,y.data);else{re.sort((R,K)=>R.start-K.start);let he=0;for(let R=1;R<re.length;R++){let K=re[he],W=re[R],ce=K.start+K.count,se=Ke(W.start,y.width,4),oe=Ke(K.start,y.width,4);W.start<=ce+1&&se===oe&&Ke(W.start+W.count-1,y.width,4)===se?K.count=Math.max(K.count,W.start+W.count-K.start):(++he,re[he]=W)}re.length=he+1;let j=t.getParameter(s.UNPACK_ROW_LENGTH),Y=t.getParameter(s.UNPACK_SKIP_PIXELS),ae=t.getParameter(s.UNPACK_SKIP_ROWS);t.pixelStorei(s.UNPACK_ROW_LENGTH,y.width);for(let R=0,K=re.length;R<K;R++){let W=re[R],ce=Math.floor(W.start/4),se=Math.ceil(W.count/4),oe=ce%y.width,we=Math.floor(ce/y.width),qe=se,ie=1;t.pixelStorei(s.UNPACK_SKIP_PIXELS,oe),t.pixelStorei(s.UNPACK_SKIP_ROWS,we),t.texSubImage2D(s.TEXTURE_2D,0,oe,we,qe,ie,B,te,y.data)}w.clearUpdateRanges(),t.pixelStorei(s.UNPACK_ROW_LENGTH,j),t.pixelStorei(s.UNPACK_SKIP_PIXELS,Y),t.pixelStorei(s.UNPACK_SKIP_ROWS,ae)}}function Ut(w,y,B){let te=s.TEXTURE_2D;(y.isDataArrayTexture||y.isCompressedArrayTexture)&&(te=s.TEXTURE_2D_ARRAY),y.isData3DTexture&&(te=s.TEXTURE_3D);let Z=ut(w,y),re=y.source;t.bindTexture(te,w.S,s.TEXTURE0+B);let he=n.get(re);if(re.version!==he.O||Z===!0){if(t.activeTexture(s.TEXTURE0+B),(typeof ImageBitmap<"u"&&y.image instanceof ImageBitmap)===!1){let ie=je.getPrimaries(je.workingColorSpace),Te=y.colorSpace===Zn?null:je.getPrimaries(y.colorSpace),We=y.colorSpace===Zn||ie===Te?s.NONE:s.BROWSER_DEFAULT_WEBGL;t.pixelStorei(s.UNPACK_FLIP_Y_WEBGL,y.flipY),t.pixelStorei(s.UNPACK_PREMULTIPLY_ALPHA_WEBGL,y.premultiplyAlpha),t.pixelStorei(s.UNPACK_COLORSPACE_CONVERSION_WEBGL,We)}t.pixelStorei(s.UNPACK_ALIGNMENT,y.unpackAlignment);let Y=b(y.image,!1,i.maxTextureSize);Y=Pe(y,Y);let ae=r.convert(y.format,y.colorSpace),R=r.convert(y.type),K=E(y.internalFormat,ae,R,y.normalized,y.colorSpace,y.isVideoTexture);rt(te,y);let W,ce=y.mipmaps,se=y.isVideoTexture!==!0,oe=he.O===void 0||Z===!0,we=re.dataReady,qe=_(y,Y);if(y.isDepthTexture)K=x(y.format===Ci,y.type),oe&&(se?t.texStorage2D(s.TEXTURE_2D,1,K,Y.width,Y.height):t.texImage2D(s.TEXTURE_2D,0,K,Y.width,Y.height,0,ae,R,null));else if(y.isDataTexture)if(ce.length>0){se&&oe&&t.texStorage2D(s.TEXTURE_2D,qe,K,ce[0].width,ce[0].height);for(let ie=0,Te=ce.length;ie<Te;ie++)W=ce[ie],se?we&&t.texSubImage2D(s.TEXTURE_2D,ie,0,0,W.width,W.height,ae,R,W.data):t.texImage2D(s.TEXTURE_2D,ie,K,W.width,W.height,0,ae,R,W.data);y.generateMipmaps=!1}else se?(oe&&t.texStorage2D(s.TEXTURE_2D,qe,K,Y.width,Y.height),we&&Zt(y,Y,ae,R)):t.texImage2D(s.TEXTURE_2D,0,K,Y.width,Y.height,0,ae,R,Y.data);else if(y.isCompressedTexture)if(y.isCompressedArrayTexture){se&&oe&&t.texStorage3D(s.TEXTURE_2D_ARRAY,qe,K,ce[0].width,ce[0].height,Y.depth);for(let ie=0,Te=ce.length;ie<Te;ie++)if(W=ce[ie],y.format!==Vn)if(ae!==null)if(se){if(we)if(y.layerUpdates.size>0){let We=Xh(W.width,W.height,y.format,y.type);for(let fe of y.layerUpdates){let ot=W.data.subarray(fe*We/W.data.BYTES_PER_ELEMENT,(fe+1)*We/W.data.BYTES_PER_ELEMENT);t.compressedTexSubImage3D(s.TEXTURE_2D_ARRAY,ie,0,0,fe,W.width,W.height,1,ae,ot)}}else t.compressedTexSubImage3D(s.TEXTURE_2D_ARRAY,ie,0,0,0,W.width,W.height,Y.depth,ae,W.data)}else t.compressedTexImage3D(s.TEXTURE_2D_ARRAY,ie,K,W.width,W.height,Y.depth,0,W.data,0,0);else Ae("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else se?we&&t.texSubImage3D(s.TEXTURE_2D_ARRAY,ie,0,0,0,W.width,W.height,Y.depth,ae,R,W.data):t.texImage3D(s.TEXTURE_2D_ARRAY,ie,K,W.width,W.height,Y.depth,0,ae,R,W.data);y.layerUpdates.size>0&&y.clearLayerUpdates()}else{se&&oe&&t.texStorage2D(s.TEXTURE_2D,qe,K,ce[0].width,ce[0].height);for(let ie=0,Te=ce.length;ie<Te;ie++)W=ce[ie],y.format!==Vn?ae!==null?se?we&&t.compressedTexSubImage2D(s.TEXTURE_2D,ie,0,0,W.width,W.height,ae,W.data):t.compressedTexImage2D(s.TEXTURE_2D,ie,K,W.width,W.height,0,W.data):Ae("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):se?we&&t.texSubImage2D(s.TEXTURE_2D,ie,0,0,W.width,W.height,ae,R,W.data):t.texImage2D(s.TEXTURE_2D,ie,K,W.width,W.height,0,ae,R,W.data)}else if(y.isDataArrayTexture)if(se){if(oe&&t.texStorage3D(s.TEXTURE_2D_ARRAY,qe,K,Y.width,Y.height,Y.depth),we)if(y.layerUpdates.size>0){let ie=Xh(Y.width,Y.height,y.format,y.type);for(let Te of y.layerUpdates){let We=Y.data.subarray(Te*ie/Y.data.BYTES_PER_ELEMENT,(Te+1)*ie/Y.data.BYTES_PER_ELEMENT);t.texSubImage3D(s.TEXTURE_2D_ARRAY,0,0,0,Te,Y.width,Y.height,1,ae,R,We)}y.clearLayerUpdates()}else t.texSubImage3D(s.TEXTURE_2D_ARRAY,0,0,0,0,Y.width,Y.height,Y.depth,ae,R,Y.data)}else t.texImage3D(s.TEXTURE_2D_ARRAY,0,K,Y.width,Y.height,Y.depth,0,ae,R,Y.data);else if(y.isData3DTexture)se?(oe&&t.texStorage3D(s.TEXTURE_3D,qe,K,Y.width,Y.height,Y.depth),we&&t.texSubImage3D(s.TEXTURE_3D,0,0,0,0,Y.width,Y.height,Y.depth,ae,R,Y.data)):t.texImage3D(s.TEXTURE_3D,0,K,Y.width,Y.height,Y.depth,0,ae,R,Y.data);else if(y.isFramebufferTexture){if(oe)if(se)t.texStorage2D(s.TEXTURE_2D,qe,K,Y.width,Y.height);else{let ie=Y.width,Te=Y.height;for(let We=0;We<qe;We++)t.texImage2D(s.TEXTURE_2D,We,K,ie,Te,0,ae,R,null),ie>>=1,Te>>=1}}else if(y.isHTMLTexture){if("texElementImage2D"in s){let ie=s.canvas;if(ie.hasAttribute("layoutsubtree")||ie.setAttribute("layoutsubtree","true"),Y.parentNode!==ie){ie.appendChild(Y),d.add(y),ie.onpaint=Te=>{let We=Te.changedElements;for(let fe of d)We.includes(fe.image)&&(fe.needsUpdate=!0)},ie.requestPaint();return}if(s.texElementImage2D.length===3)s.texElementImage2D(s.TEXTURE_2D,s.RGBA8,Y);else{let We=s.RGBA,fe=s.RGBA,ot=s.UNSIGNED_BYTE;s.texElementImage2D(s.TEXTURE_2D,0,We,fe,ot,Y)}s.texParameteri(s.TEXTURE_2D,s.TEXTURE_MIN_FILTER,s.LINEAR),s.texParameteri(s.TEXTURE_2D,s.TEXTURE_WRAP_S,s.CLAMP_TO_EDGE),s.texParameteri(s.TEXTURE_2D,s.TEXTURE_WRAP_T,s.CLAMP_TO_EDGE)}}else if(ce.length>0){if(se&&oe){let ie=Ne(ce[0]);t.texStorage2D(s.TEXTURE_2D,qe,K,ie.width,ie.height)}for(let ie=0,Te=ce.length;ie<Te;ie++)W=ce[ie],se?we&&t.texSubImage2D(s.TEXTURE_2D,ie,0,0,ae,R,W):t.texImage2D(s.TEXTURE_2D,ie,K,ae,R,W);y.generateMipmaps=!1}else if(se){if(oe){let ie=Ne(Y);t.texStorage2D(s.TEXTURE_2D,qe,K,ie.width,ie.height)}we&&t.texSubImage2D(s.TEXTURE_2D,0,0,0,ae,R,Y)}else t.texImage2D(s.TEXTURE_2D,0,K,ae,R,Y);T(y)&&y.mipmapsAutoUpdate===!0&&S(te),he.O=re.version,y.onUpdate&&y.onUpdate(y)}w.O=y.version}function xn(w,y,B){if(y.image.length!==6)return;let te=ut(w,y),Z=y.source;t.bindTexture(s.TEXTURE_CUBE_MAP,w.S,s.TEXTURE0+B);let re=n.get(Z);if(Z.version!==re.O||te===!0){t.activeTexture(s.TEXTURE0+B);let he=je.getPrimaries(je.workingColorSpace),j=y.colorSpace===Zn?null:je.getPrimaries(y.colorSpace),Y=y.colorSpace===Zn||he===j?s.NONE:s.BROWSER_DEFAULT_WEBGL;t.pixelStorei(s.UNPACK_FLIP_Y_WEBGL,y.flipY),t.pixelStorei(s.UNPACK_PREMULTIPLY_ALPHA_WEBGL,y.premultiplyAlpha),t.pixelStorei(s.UNPACK_ALIGNMENT,y.unpackAlignment),t.pixelStorei(s.UNPACK_COLORSPACE_CONVERSION_WEBGL,Y);let ae=y.isCompressedTexture||y.image[0].isCompressedTexture,R=y.image[0]&&y.image[0].isDataTexture,K=[];for(let fe=0;fe<6;fe++)!ae&&!R?K[fe]=b(y.image[fe],!0,i.maxCubemapSize):K[fe]=R?y.image[fe].image:y.image[fe],K[fe]=Pe(y,K[fe]);let W=K[0],ce=r.convert(y.format,y.colorSpace),se=r.convert(y.type),oe=E(y.internalFormat,ce,se,y.normalized,y.colorSpace),we=y.isVideoTexture!==!0,qe=re.O===void 0||te===!0,ie=Z.dataReady,Te=_(y,W);rt(s.TEXTURE_CUBE_MAP,y);let We;if(y.isDepthTexture){if(oe=x(y.format===Ci,y.type),qe)if(we)t.texStorage2D(s.TEXTURE_CUBE_MAP,1,oe,W.width,W.height);else for(let fe=0;fe<6;fe++)t.texImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+fe,0,oe,W.width,W.height,0,ce,se,null)}else if(ae){we&&qe&&t.texStorage2D(s.TEXTURE_CUBE_MAP,Te,oe,W.width,W.height);for(let fe=0;fe<6;fe++){We=K[fe].mipmaps;for(let ot=0;ot<We.length;ot++){let Wt=We[ot];y.format!==Vn?ce!==null?we?ie&&t.compressedTexSubImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+fe,ot,0,0,Wt.width,Wt.height,ce,Wt.data):t.compressedTexImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+fe,ot,oe,Wt.width,Wt.height,0,Wt.data):Ae("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):we?ie&&t.texSubImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+fe,ot,0,0,Wt.width,Wt.height,ce,se,Wt.data):t.texImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+fe,ot,oe,Wt.width,Wt.height,0,ce,se,Wt.data)}}}else{if(We=y.mipmaps,we&&qe){We.length>0&&Te++;let fe=Ne(K[0]);t.texStorage2D(s.TEXTURE_CUBE_MAP,Te,oe,fe.width,fe.height)}for(let fe=0;fe<6;fe++)if(R){we?ie&&t.texSubImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+fe,0,0,0,K[fe].width,K[fe].height,ce,se,K[fe].data):t.texImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+fe,0,oe,K[fe].width,K[fe].height,0,ce,se,K[fe].data);for(let ot=0;ot<We.length;ot++){let Ui=We[ot].image[fe].image;we?ie&&t.texSubImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+fe,ot+1,0,0,Ui.width,Ui.height,ce,se,Ui.data):t.texImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+fe,ot+1,oe,Ui.width,Ui.height,0,ce,se,Ui.data)}}else{we?ie&&t.texSubImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+fe,0,0,0,ce,se,K[fe]):t.texImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+fe,0,oe,ce,se,K[fe]);for(let ot=0;ot<We.length;ot++){let Wt=We[ot];we?ie&&t.texSubImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+fe,ot+1,0,0,ce,se,Wt.image[fe]):t.texImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+fe,ot+1,oe,ce,se,Wt.image[fe])}}}T(y)&&y.mipmapsAutoUpdate===!0&&S(s.TEXTURE_CUBE_MAP),re.O=Z.version,y.onUpdate&&y.onUpdate(y)}w.O=y.version}function Mt(w,y,B,te,Z,re){let he=r.convert(B.format,B.colorSpace),j=r.convert(B.type),Y=E(B.internalFormat,he,j,B.normalized,B.colorSpace),ae=n.get(y),R=n.get(B);if(R.Tt=y,!ae.wn){let K=Math.max(1,y.width>>re),W=Math.max(1,y.height>>re);Z===s.TEXTURE_3D||Z===s.TEXTURE_2D_ARRAY?t.texImage3D(Z,re,Y,K,W,y.depth,0,he,j,null):t.texImage2D(Z,re,Y,K,W,0,he,j,null)}t.bindFramebuffer(s.FRAMEBUFFER,w),de(y)?a.framebufferTexture2DMultisampleEXT(s.FRAMEBUFFER,te,Z,R.S,0,yt(y)):(Z===s.TEXTURE_2D||Z>=s.TEXTURE_CUBE_MAP_POSITIVE_X&&Z<=s.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&s.framebufferTexture2D(s.FRAMEBUFFER,te,Z,R.S,re),t.bindFramebuffer(s.FRAMEBUFFER,null)}function ei(w,y,B){if(s.bindRenderbuffer(s.RENDERBUFFER,w),y.depthBuffer){let te=y.depthTexture,Z=te&&te.isDepthTexture?te.type:null,re=x(y.stencilBuffer,Z),he=y.stencilBuffer?s.DEPTH_STENCIL_ATTACHMENT:s.DEPTH_ATTACHMENT;de(y)?a.renderbufferStorageMultisampleEXT(s.RENDERBUFFER,yt(y),re,y.width,y.height):B?s.renderbufferStorageMultisample(s.RENDERBUFFER,yt(y),re,y.width,y.height):s.renderbufferStorage(s.RENDERBUFFER,re,y.width,y.height),s.framebufferRenderbuffer(s.FRAMEBUFFER,he,s.RENDERBUFFER,w)}else{let te=y.textures;for(let Z=0;Z<te.length;Z++){let re=te[Z],he=r.convert(re.format,re.colorSpace),j=r.convert(re.type),Y=E(re.internalFormat,he,j,re.normalized,re.colorSpace);de(y)?a.renderbufferStorageMultisampleEXT(s.RENDERBUFFER,yt(y),Y,y.width,y.height):B?s.renderbufferStorageMultisample(s.RENDERBUFFER,yt(y),Y,y.width,y.height):s.renderbufferStorage(s.RENDERBUFFER,Y,y.width,y.height)}}s.bindRenderbuffer(s.RENDERBUFFER,null)}function Ht(w,y,B){let te=y.isWebGLCubeRenderTarget===!0;if(t.bindFramebuffer(s.FRAMEBUFFER,w),!(y.depthTexture&&y.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");let Z=n.get(y.depthTexture);Z.Tt=y;let re=te?y.depthTexture.image[0]:y.depthTexture.image;(!Z.S||re.width!==y.width||re.height!==y.height)&&(re.width=y.width,re.height=y.height,y.depthTexture.needsUpdate=!0),te?ge(y.depthTexture,0):me(y.depthTexture,0);let he=Z.S,j=yt(y),Y=te?s.TEXTURE_CUBE_MAP_POSITIVE_X+B:s.TEXTURE_2D,ae=y.depthTexture.format===Ci?s.DEPTH_STENCIL_ATTACHMENT:s.DEPTH_ATTACHMENT;if(y.depthTexture.format===bi)de(y)?a.framebufferTexture2DMultisampleEXT(s.FRAMEBUFFER,ae,Y,he,0,j):s.framebufferTexture2D(s.FRAMEBUFFER,ae,Y,he,0);else if(y.depthTexture.format===Ci)de(y)?a.framebufferTexture2DMultisampleEXT(s.FRAMEBUFFER,ae,Y,he,0,j):s.framebufferTexture2D(s.FRAMEBUFFER,ae,Y,he,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function In(w){let y=n.get(w),B=w.isWebGLCubeRenderTarget===!0;if(y.Rt!==w.depthTexture){let te=w.depthTexture;if(y.Ve&&y.Ve(),te){let Z=()=>{delete y.Rt,delete y.Ve,te.removeEventListener("dispose",Z)};te.addEventListener("dispose",Z),y.Ve=Z}y.Rt=te}if(w.depthTexture&&!y.Ct)if(B)for(let te=0;te<6;te++)Ht(y._[te],w,te);else w.texture.mipmaps.length>0?Ht(y._[0],w,0):Ht(y._,w,0);else if(B){y.H=[];for(let te=0;te<6;te++)if(t.bindFramebuffer(s.FRAMEBUFFER,y._[te]),y.H[te]===void 0)y.H[te]=s.createRenderbuffer(),ei(y.H[te],w,!1);else{let Z=w.stencilBuffer?s.DEPTH_STENCIL_ATTACHMENT:s.DEPTH_ATTACHMENT,re=y.H[te];s.bindRenderbuffer(s.RENDERBUFFER,re),s.framebufferRenderbuffer(s.FRAMEBUFFER,Z,s.RENDERBUFFER,re)}}else if(w.texture.mipmaps.length>0?t.bindFramebuffer(s.FRAMEBUFFER,y._[0]):t.bindFramebuffer(s.FRAMEBUFFER,y._),y.H===void 0)y.H=s.createRenderbuffer(),ei(y.H,w,!1);else{let Z=w.stencilBuffer?s.DEPTH_STENCIL_ATTACHMENT:s.DEPTH_ATTACHMENT,re=y.H;s.bindRenderbuffer(s.RENDERBUFFER,re),s.framebufferRenderbuffer(s.FRAMEBUFFER,Z,s.RENDERBUFFER,re)}t.bindFramebuffer(s.FRAMEBUFFER,null)}function Ln(w,y,B){let te=n.get(w);y!==void 0&&Mt(te._,w,w.texture,s.COLOR_ATTACHMENT0,s.TEXTURE_2D,0),B!==void 0&&In(w)}function Dn(w){let y=w.texture,B=n.get(w),te=n.get(y);w.addEventListener("dispose",O),U(w);let Z=w.textures,re=w.isWebGLCubeRenderTarget===!0,he=Z.length>1;if(he||(te.S===void 0&&(te.S=s.createTexture()),te.O=y.version,o.memory.textures++),re){B._=[];for(let j=0;j<6;j++)if(y.mipmaps.length>0){B._[j]=[];for(let Y=0;Y<y.mipmaps.length;Y++)B._[j][Y]=s.createFramebuffer()}else B._[j]=s.createFramebuffer()}else{if(y.mipmaps.length>0){B._=[];for(let j=0;j<y.mipmaps.length;j++)B._[j]=s.createFramebuffer()}else B._=s.createFramebuffer();if(he)for(let j=0,Y=Z.length;j<Y;j++){let ae=n.get(Z[j]);ae.S===void 0&&(ae.S=s.createTexture(),o.memory.textures++)}if(w.samples>0&&de(w)===!1){B.ie=s.createFramebuffer(),B.J=[],t.bindFramebuffer(s.FRAMEBUFFER,B.ie);for(let j=0;j<Z.length;j++){let Y=Z[j];B.J[j]=s.createRenderbuffer(),s.bindRenderbuffer(s.RENDERBUFFER,B.J[j]);let ae=r.convert(Y.format,Y.colorSpace),R=r.convert(Y.type),K=E(Y.internalFormat,ae,R,Y.normalized,Y.colorSpace,w.isXRRenderTarget===!0),W=yt(w);s.renderbufferStorageMultisample(s.RENDERBUFFER,W,K,w.width,w.height),s.framebufferRenderbuffer(s.FRAMEBUFFER,s.COLOR_ATTACHMENT0+j,s.RENDERBUFFER,B.J[j])}s.bindRenderbuffer(s.RENDERBUFFER,null),w.depthBuffer&&(B.At=s.createRenderbuffer(),ei(B.At,w,!0)),t.bindFramebuffer(s.FRAMEBUFFER,null)}}if(re){t.bindTexture(s.TEXTURE_CUBE_MAP,te.S),rt(s.TEXTURE_CUBE_MAP,y);for(let j=0;j<6;j++)if(y.mipmaps.length>0)for(let Y=0;Y<y.mipmaps.length;Y++)Mt(B._[j][Y],w,y,s.COLOR_ATTACHMENT0,s.TEXTURE_CUBE_MAP_POSITIVE_X+j,Y);else Mt(B._[j],w,y,s.COLOR_ATTACHMENT0,s.TEXTURE_CUBE_MAP_POSITIVE_X+j,0);T(y)?S(s.TEXTURE_CUBE_MAP):y.mipmaps.length>0&&s.texParameteri(s.TEXTURE_CUBE_MAP,s.TEXTURE_MAX_LEVEL,y.mipmaps.length-1),t.unbindTexture()}else if(he){for(let j=0,Y=Z.length;j<Y;j++){let ae=Z[j],R=n.get(ae),K=s.TEXTURE_2D;(w.isWebGL3DRenderTarget||w.isWebGLArrayRenderTarget)&&(K=w.isWebGL3DRenderTarget?s.TEXTURE_3D:s.TEXTURE_2D_ARRAY),t.bindTexture(K,R.S),rt(K,ae),Mt(B._,w,ae,s.COLOR_ATTACHMENT0+j,K,0),T(ae)&&S(K)}t.unbindTexture()}else{let j=s.TEXTURE_2D;if((w.isWebGL3DRenderTarget||w.isWebGLArrayRenderTarget)&&(j=w.isWebGL3DRenderTarget?s.TEXTURE_3D:s.TEXTURE_2D_ARRAY),t.bindTexture(j,te.S),rt(j,y),y.mipmaps.length>0)for(let Y=0;Y<y.mipmaps.length;Y++)Mt(B._[Y],w,y,s.COLOR_ATTACHMENT0,j,Y);else Mt(B._,w,y,s.COLOR_ATTACHMENT0,j,0);T(y)?S(j):y.mipmaps.length>0&&s.texParameteri(j,s.TEXTURE_MAX_LEVEL,y.mipmaps.length-1),t.unbindTexture()}w.depthBuffer&&In(w)}function D(w){let y=w.textures;for(let B=0,te=y.length;B<te;B++){let Z=y[B];if(T(Z)&&Z.mipmapsAutoUpdate===!0){let re=A(w),he=n.get(Z).S;t.bindTexture(re,he),S(re),t.unbindTexture()}}}let Nn=[];function xt(w){if(w.samples>0){if(de(w)===!1){let y=w.textures,B=w.width,te=w.height,Z=s.COLOR_BUFFER_BIT,re=w.stencilBuffer?s.DEPTH_STENCIL_ATTACHMENT:s.DEPTH_ATTACHMENT,he=n.get(w),j=y.length>1;if(j)for(let ae=0;ae<y.length;ae++)t.bindFramebuffer(s.FRAMEBUFFER,he.ie),s.framebufferRenderbuffer(s.FRAMEBUFFER,s.COLOR_ATTACHMENT0+ae,s.RENDERBUFFER,null),t.bindFramebuffer(s.FRAMEBUFFER,he._),s.framebufferTexture2D(s.DRAW_FRAMEBUFFER,s.COLOR_ATTACHMENT0+ae,s.TEXTURE_2D,null,0);t.bindFramebuffer(s.READ_FRAMEBUFFER,he.ie),w.texture.mipmaps.length>0?t.bindFramebuffer(s.DRAW_FRAMEBUFFER,he._[0]):t.bindFramebuffer(s.DRAW_FRAMEBUFFER,he._);for(let ae=0;ae<y.length;ae++){if(w.resolveDepthBuffer&&(w.depthBuffer&&(Z|=s.DEPTH_BUFFER_BIT),w.stencilBuffer&&w.resolveStencilBuffer&&(Z|=s.STENCIL_BUFFER_BIT)),j){s.framebufferRenderbuffer(s.READ_FRAMEBUFFER,s.COLOR_ATTACHMENT0,s.RENDERBUFFER,he.J[ae]);let R=n.get(y[ae]).S;s.framebufferTexture2D(s.DRAW_FRAMEBUFFER,s.COLOR_ATTACHMENT0,s.TEXTURE_2D,R,0)}s.blitFramebuffer(0,0,B,te,0,0,B,te,Z,s.NEAREST),c===!0&&(Nn.length=0,Nn.push(s.COLOR_ATTACHMENT0+ae),w.depthBuffer&&w.storeMultisampledDepthBuffer===!1&&Nn.push(re),s.invalidateFramebuffer(s.READ_FRAMEBUFFER,Nn))}if(t.bindFramebuffer(s.READ_FRAMEBUFFER,null),t.bindFramebuffer(s.DRAW_FRAMEBUFFER,null),j)for(let ae=0;ae<y.length;ae++){t.bindFramebuffer(s.FRAMEBUFFER,he.ie),s.framebufferRenderbuffer(s.FRAMEBUFFER,s.COLOR_ATTACHMENT0+ae,s.RENDERBUFFER,he.J[ae]);let R=n.get(y[ae]).S;t.bindFramebuffer(s.FRAMEBUFFER,he._),s.framebufferTexture2D(s.DRAW_FRAMEBUFFER,s.COLOR_ATTACHMENT0+ae,s.TEXTURE_2D,R,0)}t.bindFramebuffer(s.DRAW_FRAMEBUFFER,he.ie)}else if(w.depthBuffer&&w.storeMultisampledDepthBuffer===!1&&c){let y=w.stencilBuffer?s.DEPTH_STENCIL_ATTACHMENT:s.DEPTH_ATTACHMENT;s.invalidateFramebuffer(s.DRAW_FRAMEBUFFER,[y])}}}function yt(w){return Math.min(i.maxSamples,w.samples)}function de(w){let y=n.get(w);return w.samples>0&&e.has("WEBGL_multisampled_render_to_texture")===!0&&y.Ti!==!1}function Ft(w){let y=o.render.frame;h.get(w)!==y&&(h.set(w,y),w.update())}function Pe(w,y){let B=w.colorSpace,te=w.format,Z=w.type;return w.isCompressedTexture===!0||w.isVideoTexture===!0||B!==an&&B!==Zn&&(je.getTransfer(B)===st?(te!==Vn||Z!==_n)&&Ae("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):Le("WebGLTextures: Unsupported texture color space:",B)),y}function Ne(w){return typeof HTMLImageElement<"u"&&w instanceof HTMLImageElement?(l.width=w.naturalWidth||w.width,l.height=w.naturalHeight||w.height):typeof VideoFrame<"u"&&w instanceof VideoFrame?(l.width=w.displayWidth,l.height=w.displayHeight):(l.width=w.width,l.height=w.height),l}this.allocateTextureUnit=Be,this.resetTextureUnits=J,this.getTextureUnits=ee,this.setTextureUnits=_e,this.setTexture2D=me,this.setTexture2DArray=ve,this.setTexture3D=Ce,this.setTextureCube=ge,this.rebindTextures=Ln,this.setupRenderTarget=Dn,this.updateRenderTargetMipmap=D,this.updateMultisampleRenderTarget=xt,this.setupDepthRenderbuffer=In,this.setupFrameBufferTexture=Mt,this.useMultisampledRTT=de,this.dispose=G}function uM(s,e){function t(n,i=Zn){let r,o=je.getTransfer(i);if(n===_n)return s.UNSIGNED_BYTE;if(n===qa)return s.UNSIGNED_SHORT_4_4_4_4;if(n===ja)return s.UNSIGNED_SHORT_5_5_5_1;if(n===Ch)return s.UNSIGNED_INT_5_9_9_9_REV;if(n===Ph)return s.UNSIGNED_INT_10F_11F_11F_REV;if(n===Th)return s.BYTE;if(n===Rh)return s.SHORT;if(n===rr)return s.UNSIGNED_SHORT;if(n===Xa)return s.INT;if(n===Kn)return s.UNSIGNED_INT;if(n===Tn)return s.FLOAT;if(n===Rn)return s.HALF_FLOAT;if(n===Ih)return s.ALPHA;if(n===Lh)return s.RGB;if(n===Vn)return s.RGBA;if(n===bi)return s.DEPTH_COMPONENT;if(n===Ci)return s.DEPTH_STENCIL;if(n===Ya)return s.RED;if(n===$a)return s.RED_INTEGER;if(n===Qi)return s.RG;if(n===Ka)return s.RG_INTEGER;if(n===Za)return s.RGBA_INTEGER;if(n===lo||n===ho||n===uo||n===fo)if(o===st)if(r=e.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===lo)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===ho)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===uo)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===fo)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=e.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===lo)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===ho)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===uo)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===fo)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===Qa||n===Ja||n===ec||n===tc)if(r=e.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===Qa)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===Ja)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===ec)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===tc)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===nc||n===ic||n===sc||n===rc||n===oc||n===po||n===ac)if(r=e.get("WEBGL_compressed_texture_etc"),r!==null){if(n===nc||n===ic)return o===st?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===sc)return o===st?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(n===rc)return r.COMPRESSED_R11_EAC;if(n===oc)return r.COMPRESSED_SIGNED_R11_EAC;if(n===po)return r.COMPRESSED_RG11_EAC;if(n===ac)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(n===cc||n===lc||n===hc||n===uc||n===dc||n===fc||n===pc||n===mc||n===gc||n===xc||n===yc||n===vc||n===Mc||n===bc)if(r=e.get("WEBGL_compressed_texture_astc"),r!==null){if(n===cc)return o===st?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===lc)return o===st?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===hc)return o===st?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===uc)return o===st?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===dc)return o===st?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===fc)return o===st?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===pc)return o===st?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===mc)return o===st?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===gc)return o===st?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===xc)return o===st?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===yc)return o===st?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===vc)return o===st?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===Mc)return o===st?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===bc)return o===st?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===_c||n===Sc||n===wc)if(r=e.get("EXT_texture_compression_bptc"),r!==null){if(n===_c)return o===st?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===Sc)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===wc)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===Ec||n===Ac||n===mo||n===Tc)if(r=e.get("EXT_texture_compression_rgtc"),r!==null){if(n===Ec)return r.COMPRESSED_RED_RGTC1_EXT;if(n===Ac)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===mo)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===Tc)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===bs?s.UNSIGNED_INT_24_8:s[n]!==void 0?s[n]:null}return{convert:t}}var dM=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,fM=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,eu=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(e,t){if(this.texture===null){let n=new Yr(e.texture);(e.depthNear!==t.depthNear||e.depthFar!==t.depthFar)&&(this.depthNear=e.depthNear,this.depthFar=e.depthFar),this.texture=n}}getMesh(e){if(this.texture!==null&&this.mesh===null){let t=e.cameras[0].viewport,n=new jn({vertexShader:dM,fragmentShader:fM,uniforms:{depthColor:{value:this.texture},depthWidth:{value:t.z},depthHeight:{value:t.w}}});this.mesh=new ht(new Ti(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},tu=class extends si{constructor(e,t){super();let n=this,i=null,r=1,o=null,a="local-floor",c=1,l=null,h=null,d=null,u=null,f=null,g=null,M=typeof XRWebGLBinding<"u",m=new eu,p={},b=t.getContextAttributes(),T=null,S=null,A=[],E=[],x=new Ge,_=null,U=null,I=new Ot;I.viewport=new lt;let N=new Ot;N.viewport=new lt;let O=[I,N],H=new Va,C=null,G=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function($){let me=A[$];return me===void 0&&(me=new Ys,A[$]=me),me.getTargetRaySpace()},this.getControllerGrip=function($){let me=A[$];return me===void 0&&(me=new Ys,A[$]=me),me.getGripSpace()},this.getHand=function($){let me=A[$];return me===void 0&&(me=new Ys,A[$]=me),me.getHandSpace()};function q($){let me=E.indexOf($.inputSource);if(me===-1)return;let ve=A[me];ve!==void 0&&(ve.update($.inputSource,$.frame,l||o),ve.dispatchEvent({type:$.type,data:$.inputSource}))}function z(){i.removeEventListener("select",q),i.removeEventListener("selectstart",q),i.removeEventListener("selectend",q),i.removeEventListener("squeeze",q),i.removeEventListener("squeezestart",q),i.removeEventListener("squeezeend",q),i.removeEventListener("end",z),i.removeEventListener("inputsourceschange",ne);for(let $=0;$<A.length;$++){let me=E[$];me!==null&&(E[$]=null,A[$].disconnect(me))}C=null,G=null,m.reset();for(let $ in p)delete p[$];if(e.setRenderTarget(T),f=null,u=null,d=null,i=null,S=null,Be.stop(),n.isPresenting=!1,e.setPixelRatio(_),e.setSize(x.width,x.height,!1),U!==null){let $=U.camera;$.fov=U.fov,$.zoom=U.zoom,$.updateProjectionMatrix(),U=null}n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function($){r=$,n.isPresenting===!0&&Ae("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function($){a=$,n.isPresenting===!0&&Ae("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return l||o},this.setReferenceSpace=function($){l=$},this.getBaseLayer=function(){return u!==null?u:f},this.getBinding=function(){return d===null&&M&&(d=new XRWebGLBinding(i,t)),d},this.getFrame=function(){return g},this.getSession=function(){return i},this.setSession=async function($){if(i=$,i!==null){if(T=e.getRenderTarget(),i.addEventListener("select",q),i.addEventListener("selectstart",q),i.addEventListener("selectend",q),i.addEventListener("squeeze",q),i.addEventListener("squeezestart",q),i.addEventListener("squeezeend",q),i.addEventListener("end",z),i.addEventListener("inputsourceschange",ne),b.xrCompatible!==!0&&await t.makeXRCompatible(),_=e.getPixelRatio(),e.getSize(x),M&&"createProjectionLayer"in XRWebGLBinding.prototype){let ve=null,Ce=null,ge=null;b.depth&&(ge=b.stencil?t.DEPTH24_STENCIL8:t.DEPTH_COMPONENT24,ve=b.stencil?Ci:bi,Ce=b.stencil?bs:Kn);let Ve={colorFormat:t.RGBA8,depthFormat:ge,scaleFactor:r};d=this.getBinding(),u=d.createProjectionLayer(Ve),i.updateRenderState({layers:[u]}),e.setPixelRatio(1),e.setSize(u.textureWidth,u.textureHeight,!1),S=new cn(u.textureWidth,u.textureHeight,{format:Vn,type:_n,depthTexture:new Ai(u.textureWidth,u.textureHeight,Ce,void 0,void 0,void 0,void 0,void 0,void 0,ve),stencilBuffer:b.stencil,colorSpace:e.outputColorSpace,samples:b.antialias?4:0,resolveDepthBuffer:u.ignoreDepthValues===!1,resolveStencilBuffer:u.ignoreDepthValues===!1,storeMultisampledDepthBuffer:u.ignoreDepthValues===!1,storeMultisampledStencilBuffer:u.ignoreDepthValues===!1})}else{let ve={antialias:b.antialias,alpha:!0,depth:b.depth,stencil:b.stencil,framebufferScaleFactor:r};f=new XRWebGLLayer(i,t,ve),i.updateRenderState({baseLayer:f}),e.setPixelRatio(1),e.setSize(f.framebufferWidth,f.framebufferHeight,!1),S=new cn(f.framebufferWidth,f.framebufferHeight,{format:Vn,type:_n,colorSpace:e.outputColorSpace,stencilBuffer:b.stencil,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}S.isXRRenderTarget=!0,this.setFoveation(c),l=null,o=await i.requestReferenceSpace(a),Be.setContext(i),Be.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(i!==null)return i.environmentBlendMode},this.getDepthTexture=function(){return m.getDepthTexture()};function ne($){for(let me=0;me<$.removed.length;me++){let ve=$.removed[me],Ce=E.indexOf(ve);Ce>=0&&(E[Ce]=null,A[Ce].disconnect(ve))}for(let me=0;me<$.added.length;me++){let ve=$.added[me],Ce=E.indexOf(ve);if(Ce===-1){for(let Ve=0;Ve<A.length;Ve++)if(Ve>=E.length){E.push(ve),Ce=Ve;break}else if(E[Ve]===null){E[Ve]=ve,Ce=Ve;break}if(Ce===-1)break}let ge=A[Ce];ge&&ge.connect(ve)}}function X($,me){me===null?$.matrixWorld.copy($.matrix):$.matrixWorld.multiplyMatrices(me.matrixWorld,$.matrix),$.matrixWorldInverse.copy($.matrixWorld).invert()}this.updateCamera=function($){if(i===null)return;let me=$.near,ve=$.far;m.texture!==null&&(m.depthNear>0&&(me=m.depthNear),m.depthFar>0&&(ve=m.depthFar)),H.near=N.near=I.near=me,H.far=N.far=I.far=ve,(C!==H.near||G!==H.far)&&(i.updateRenderState({depthNear:H.near,depthFar:H.far}),C=H.near,G=H.far),H.layers.mask=$.layers.mask|6,I.layers.mask=H.layers.mask&-5,N.layers.mask=H.layers.mask&-3;let Ce=$.parent,ge=H.cameras;X(H,Ce);for(let Ve=0;Ve<ge.length;Ve++)X(ge[Ve],Ce);H.projectionMatrix.copy(I.projectionMatrix),H.projectionMatrixInverse.copy(I.projectionMatrixInverse),U===null&&$.isPerspectiveCamera&&(U={camera:$,fov:$.fov,zoom:$.zoom}),J($,H,Ce)};function J($,me,ve){ve===null?$.matrix.copy(me.matrixWorld):($.matrix.copy(ve.matrixWorld),$.matrix.invert(),$.matrix.multiply(me.matrixWorld)),$.matrix.decompose($.position,$.quaternion,$.scale),$.updateMatrixWorld(!0),$.projectionMatrix.copy(me.projectionMatrix),$.projectionMatrixInverse.copy(me.projectionMatrixInverse),$.isPerspectiveCamera&&($.fov=fs*2*Math.atan(1/$.projectionMatrix.elements[5]),$.zoom=1)}this.getCamera=function(){return H},this.getFoveation=function(){if(!(u===null&&f===null))return c},this.setFoveation=function($){c=$,u!==null&&(u.fixedFoveation=$),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=$)},this.hasDepthSensing=function(){return m.texture!==null},this.getDepthSensingMesh=function(){return m.getMesh(H)},this.getCameraTexture=function($){return p[$]};let ee=null;function _e($,me){if(h=me.getViewerPose(l||o),g=me,h!==null){let ve=h.views;f!==null&&(e.setRenderTargetFramebuffer(S,f.framebuffer),e.setRenderTarget(S));let Ce=!1;ve.length!==H.cameras.length&&(H.cameras.length=0,Ce=!0);for(let Ie=0;Ie<ve.length;Ie++){let rt=ve[Ie],ut=null;if(f!==null)ut=f.getViewport(rt);else{let Zt=d.getViewSubImage(u,rt);ut=Zt.viewport,Ie===0&&(e.setRenderTargetTextures(S,Zt.colorTexture,Zt.depthStencilTexture),e.setRenderTarget(S))}let Ke=O[Ie];Ke===void 0&&(Ke=new Ot,Ke.layers.enable(Ie),Ke.viewport=new lt,O[Ie]=Ke),Ke.matrix.fromArray(rt.transform.matrix),Ke.matrix.decompose(Ke.position,Ke.quaternion,Ke.scale),Ke.projectionMatrix.fromArray(rt.projectionMatrix),Ke.projectionMatrixInverse.copy(Ke.projectionMatrix).invert(),Ke.viewport.set(ut.x,ut.y,ut.width,ut.height),Ie===0&&(H.matrix.copy(Ke.matrix),H.matrix.decompose(H.position,H.quaternion,H.scale)),Ce===!0&&H.cameras.push(Ke)}let ge=i.enabledFeatures;if(ge&&ge.includes("depth-sensing")&&i.depthUsage=="gpu-optimized"&&M){d=n.getBinding();let Ie=d.getDepthInformation(ve[0]);Ie&&Ie.isValid&&Ie.texture&&m.init(Ie,i.renderState)}if(ge&&ge.includes("camera-access")&&M){e.state.unbindTexture(),d=n.getBinding();for(let Ie=0;Ie<ve.length;Ie++){let rt=ve[Ie].camera;if(rt){let ut=p[rt];ut||(ut=new Yr,p[rt]=ut);let Ke=d.getCameraImage(rt);ut.sourceTexture=Ke}}}}for(let ve=0;ve<A.length;ve++){let Ce=E[ve],ge=A[ve];Ce!==null&&ge!==void 0&&ge.update(Ce,me,l||o)}ee&&ee($,me),me.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:me}),g=null}let Be=new Ap;Be.setAnimationLoop(_e),this.setAnimationLoop=function($){ee=$},this.dispose=function(){}}},pM=new ke,Np=new Ue;Np.set(-1,0,0,0,1,0,0,0,1);function mM(s,e){function t(m,p){m.matrixAutoUpdate===!0&&m.updateMatrix(),p.value.copy(m.matrix)}function n(m,p){p.color.getRGB(m.fogColor.value,Gh(s)),p.isFog?(m.fogNear.value=p.near,m.fogFar.value=p.far):p.isFogExp2&&(m.fogDensity.value=p.density)}function i(m,p,b,T,S){p.isNodeMaterial?p.uniformsNeedUpdate=!1:p.isMeshBasicMaterial?r(m,p):p.isMeshLambertMaterial?(r(m,p),p.envMap&&(m.envMapIntensity.value=p.envMapIntensity)):p.isMeshToonMaterial?(r(m,p),d(m,p)):p.isMeshPhongMaterial?(r(m,p),h(m,p),p.envMap&&(m.envMapIntensity.value=p.envMapIntensity)):p.isMeshStandardMaterial?(r(m,p),u(m,p),p.isMeshPhysicalMaterial&&f(m,p,S)):p.isMeshMatcapMaterial?(r(m,p),g(m,p)):p.isMeshDepthMaterial?r(m,p):p.isMeshDistanceMaterial?(r(m,p),M(m,p)):p.isMeshNormalMaterial?r(m,p):p.isLineBasicMaterial?(o(m,p),p.isLineDashedMaterial&&a(m,p)):p.isPointsMaterial?c(m,p,b,T):p.isSpriteMaterial?l(m,p):p.isShadowMaterial?(m.color.value.copy(p.color),m.opacity.value=p.opacity):p.isShaderMaterial&&(p.uniformsNeedUpdate=!1)}function r(m,p){m.opacity.value=p.opacity,p.color&&m.diffuse.value.copy(p.color),p.emissive&&m.emissive.value.copy(p.emissive).multiplyScalar(p.emissiveIntensity),p.map&&(m.map.value=p.map,t(p.map,m.mapTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,t(p.alphaMap,m.alphaMapTransform)),p.bumpMap&&(m.bumpMap.value=p.bumpMap,t(p.bumpMap,m.bumpMapTransform),m.bumpScale.value=p.bumpScale,p.side===fn&&(m.bumpScale.value*=-1)),p.normalMap&&(m.normalMap.value=p.normalMap,t(p.normalMap,m.normalMapTransform),m.normalScale.value.copy(p.normalScale),p.side===fn&&m.normalScale.value.negate()),p.displacementMap&&(m.displacementMap.value=p.displacementMap,t(p.displacementMap,m.displacementMapTransform),m.displacementScale.value=p.displacementScale,m.displacementBias.value=p.displacementBias),p.emissiveMap&&(m.emissiveMap.value=p.emissiveMap,t(p.emissiveMap,m.emissiveMapTransform)),p.specularMap&&(m.specularMap.value=p.specularMap,t(p.specularMap,m.specularMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest);let b=e.get(p),T=b.envMap,S=b.envMapRotation;T&&(m.envMap.value=T,m.envMapRotation.value.setFromMatrix4(pM.makeRotationFromEuler(S)).transpose(),T.isCubeTexture&&T.isRenderTargetTexture===!1&&m.envMapRotation.value.premultiply(Np),m.reflectivity.value=p.reflectivity,m.ior.value=p.ior,m.refractionRatio.value=p.refractionRatio),p.lightMap&&(m.lightMap.value=p.lightMap,m.lightMapIntensity.value=p.lightMapIntensity,t(p.lightMap,m.lightMapTransform)),p.aoMap&&(m.aoMap.value=p.aoMap,m.aoMapIntensity.value=p.aoMapIntensity,t(p.aoMap,m.aoMapTransform))}function o(m,p){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,p.map&&(m.map.value=p.map,t(p.map,m.mapTransform))}function a(m,p){m.dashSize.value=p.dashSize,m.totalSize.value=p.dashSize+p.gapSize,m.scale.value=p.scale}function c(m,p,b,T){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,m.size.value=p.size*b,m.scale.value=T*.5,p.map&&(m.map.value=p.map,t(p.map,m.uvTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,t(p.alphaMap,m.alphaMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest)}function l(m,p){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,m.rotation.value=p.rotation,p.map&&(m.map.value=p.map,t(p.map,m.mapTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,t(p.alphaMap,m.alphaMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest)}function h(m,p){m.specular.value.copy(p.specular),m.shininess.value=Math.max(p.shininess,1e-4)}function d(m,p){p.gradientMap&&(m.gradientMap.value=p.gradientMap)}function u(m,p){m.metalness.value=p.metalness,p.metalnessMap&&(m.metalnessMap.value=p.metalnessMap,t(p.metalnessMap,m.metalnessMapTransform)),m.roughness.value=p.roughness,p.roughnessMap&&(m.roughnessMap.value=p.roughnessMap,t(p.roughnessMap,m.roughnessMapTransform)),p.envMap&&(m.envMapIntensity.value=p.envMapIntensity)}function f(m,p,b){m.ior.value=p.ior,p.diffuseRoughness>0&&(m.diffuseRoughness.value=p.diffuseRoughness,p.diffuseRoughnessMap&&(m.diffuseRoughnessMap.value=p.diffuseRoughnessMap,t(p.diffuseRoughnessMap,m.diffuseRoughnessMapTransform))),p.sheen>0&&(m.sheenColor.value.copy(p.sheenColor).multiplyScalar(p.sheen),m.sheenRoughness.value=p.sheenRoughness,p.sheenColorMap&&(m.sheenColorMap.value=p.sheenColorMap,t(p.sheenColorMap,m.sheenColorMapTransform)),p.sheenRoughnessMap&&(m.sheenRoughnessMap.value=p.sheenRoughnessMap,t(p.sheenRoughnessMap,m.sheenRoughnessMapTransform))),p.clearcoat>0&&(m.clearcoat.value=p.clearcoat,m.clearcoatRoughness.value=p.clearcoatRoughness,p.clearcoatMap&&(m.clearcoatMap.value=p.clearcoatMap,t(p.clearcoatMap,m.clearcoatMapTransform)),p.clearcoatRoughnessMap&&(m.clearcoatRoughnessMap.value=p.clearcoatRoughnessMap,t(p.clearcoatRoughnessMap,m.clearcoatRoughnessMapTransform)),p.clearcoatNormalMap&&(m.clearcoatNormalMap.value=p.clearcoatNormalMap,t(p.clearcoatNormalMap,m.clearcoatNormalMapTransform),m.clearcoatNormalScale.value.copy(p.clearcoatNormalScale),p.side===fn&&m.clearcoatNormalScale.value.negate())),p.dispersion>0&&(m.dispersion.value=p.dispersion),p.retroreflectivity>0&&(m.retroreflectivity.value=p.retroreflectivity),p.iridescence>0&&(m.iridescence.value=p.iridescence,m.iridescenceIOR.value=p.iridescenceIOR,m.iridescenceThicknessMinimum.value=p.iridescenceThicknessMinimum,m.iridescenceThicknessMaximum.value=p.iridescenceThicknessMaximum,p.iridescenceMap&&(m.iridescenceMap.value=p.iridescenceMap,t(p.iridescenceMap,m.iridescenceMapTransform)),p.iridescenceThicknessMap&&(m.iridescenceThicknessMap.value=p.iridescenceThicknessMap,t(p.iridescenceThicknessMap,m.iridescenceThicknessMapTransform))),p.transmission>0&&(m.transmission.value=p.transmission,m.transmissionSamplerMap.value=b.texture,m.transmissionSamplerSize.value.set(b.width,b.height),p.transmissionMap&&(m.transmissionMap.value=p.transmissionMap,t(p.transmissionMap,m.transmissionMapTransform)),m.thickness.value=p.thickness,p.thicknessMap&&(m.thicknessMap.value=p.thicknessMap,t(p.thicknessMap,m.thicknessMapTransform)),m.attenuationDistance.value=p.attenuationDistance,m.attenuationColor.value.copy(p.attenuationColor)),p.anisotropy>0&&(m.anisotropyVector.value.set(p.anisotropy*Math.cos(p.anisotropyRotation),p.anisotropy*Math.sin(p.anisotropyRotation)),p.anisotropyMap&&(m.anisotropyMap.value=p.anisotropyMap,t(p.anisotropyMap,m.anisotropyMapTransform))),m.specularIntensity.value=p.specularIntensity,m.specularColor.value.copy(p.specularColor),p.specularColorMap&&(m.specularColorMap.value=p.specularColorMap,t(p.specularColorMap,m.specularColorMapTransform)),p.specularIntensityMap&&(m.specularIntensityMap.value=p.specularIntensityMap,t(p.specularIntensityMap,m.specularIntensityMapTransform))}function g(m,p){p.matcap&&(m.matcap.value=p.matcap)}function M(m,p){let b=e.get(p).light;m.referencePosition.value.setFromMatrixPosition(b.matrixWorld),m.nearDistance.value=b.shadow.camera.near,m.farDistance.value=b.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:i}}function gM(s,e,t,n){let i={},r={};function o(b,T){let S=T.program;n.uniformBlockBinding(b,S,i[b.id])}function a(b,T){let S=i[b.id];S===void 0&&(g(b),S=c(b),i[b.id]=S,b.addEventListener("dispose",m));let A=T.program;n.updateUBOMapping(b,A);let E=e.render.frame;r[b.id]!==E&&(l(b),r[b.id]=E)}function c(b){let T=s.createBuffer(),S=b.Ri,A=b.usage;return s.bindBuffer(s.UNIFORM_BUFFER,T),s.bufferData(s.UNIFORM_BUFFER,S,A),s.bindBuffer(s.UNIFORM_BUFFER,null),T}function l(b){let T=i[b.id],S=b.uniforms,A=b.Ci;s.bindBuffer(s.UNIFORM_BUFFER,T);for(let E=0,x=S.length;E<x;E++){let _=S[E];if(Array.isArray(_))for(let U=0,I=_.length;U<I;U++)h(_[U],E,U,A);else h(_,E,0,A)}s.bindBuffer(s.UNIFORM_BUFFER,null)}function h(b,T,S,A){if(u(b,T,S,A)===!0){let E=b.Pi,x=b.value;if(Array.isArray(x)){let _=0;for(let U=0;U<x.length;U++){let I=x[U],N=M(I,!0);d(I,b.Pt,_),_+=N.storage/Float32Array.BYTES_PER_ELEMENT}}else d(x,b.Pt,0);s.bufferSubData(s.UNIFORM_BUFFER,E,b.Pt)}}function d(b,T,S){typeof b=="number"||typeof b=="boolean"?T[S]=b:b.isMatrix3?(T[S]=b.elements[0],T[S+1]=b.elements[1],T[S+2]=b.elements[2],T[S+3]=0,T[S+4]=b.elements[3],T[S+5]=b.elements[4],T[S+6]=b.elements[5],T[S+7]=0,T[S+8]=b.elements[6],T[S+9]=b.elements[7],T[S+10]=b.elements[8],T[S+11]=0):ArrayBuffer.isView(b)?T.set(b.subarray(0,T.length-S),S):b.toArray(T,S)}function u(b,T,S,A){let E=b.value,x=T+"_"+S;if(Array.isArray(E)){A[x]===void 0&&(A[x]=[]);let _=A[x],U=!1;for(let I=0;I<E.length;I++)f(E[I],_,I)===!0&&(U=!0);return U}return f(E,A,x)}function f(b,T,S){if(T[S]===void 0)return typeof b=="number"||typeof b=="boolean"?T[S]=b:ArrayBuffer.isView(b)?T[S]=b.slice():T[S]=b.clone(),!0;{let A=T[S];if(typeof b=="number"||typeof b=="boolean"){if(A!==b)return T[S]=b,!0}else{if(ArrayBuffer.isView(b))return!0;if(A.equals(b)===!1)return A.copy(b),!0}}return!1}function g(b){let T=b.uniforms,S=0,A=16;for(let x=0,_=T.length;x<_;x++){let U=Array.isArray(T[x])?T[x]:[T[x]];for(let I=0,N=U.length;I<N;I++){let O=U[I],H=Array.isArray(O.value)?O.value:[O.value],C=Array.isArray(T[x])||Array.isArray(O.value),G=S;for(let z=0,ne=H.length;z<ne;z++){let X=H[z],J=M(X,C),ee=S%A,_e=ee%J.boundary,Be=ee+_e;S+=_e,Be!==0&&A-Be<J.storage&&(S+=A-Be),z===0&&(G=S),S+=J.storage}let q=O.type==="int"?Int32Array:O.type==="uint"?Uint32Array:Float32Array;O.Pt=new q((S-G)/Float32Array.BYTES_PER_ELEMENT),O.Pi=G}}let E=S%A;return E>0&&(S+=A-E),b.Ri=S,b.Ci={},this}function M(b,T){let S={boundary:0,storage:0};return typeof b=="number"||typeof b=="boolean"?(S.boundary=4,S.storage=4):b.isVector2?(S.boundary=8,S.storage=8):b.isVector3||b.isColor?(S.boundary=16,S.storage=12):b.isVector4?(S.boundary=16,S.storage=16):b.isMatrix3?(S.boundary=16,S.storage=48):b.isMatrix4?(S.boundary=16,S.storage=64):b.isTexture?Ae("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(b)?(S.boundary=16,S.storage=b.byteLength):Ae("WebGLRenderer: Unsupported uniform value type.",b),T===!0&&(S.boundary=16,S.storage=Math.ceil(S.storage/16)*16),S}function m(b){let T=b.target;T.removeEventListener("dispose",m),s.deleteBuffer(i[T.id]),delete i[T.id],delete r[T.id]}function p(){for(let b in i)s.deleteBuffer(i[b]);i={},r={}}return{bind:o,update:a,dispose:p}}var xM=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),li=null;function yM(){return li===null&&(li=new Zs(xM,16,16,Qi,Rn),li.name="DFG_LUT",li.minFilter=Lt,li.magFilter=Lt,li.wrapS=Fn,li.wrapT=Fn,li.generateMipmaps=!1,li.needsUpdate=!0),li}var Bc=class{constructor(e={}){let{canvas:t=tp(),context:n=null,depth:i=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:c=!0,preserveDrawingBuffer:l=!1,powerPreference:h="default",failIfMajorPerformanceCaveat:d=!1,reversedDepthBuffer:u=!1,outputBufferType:f=_n}=e;this.isWebGLRenderer=!0;let g;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");g=n.getContextAttributes().alpha}else g=o;let M=f,m=new Set([Za,Ka,$a]),p=new Set([_n,Kn,rr,bs,qa,ja]),b=new Uint32Array(4),T=new Int32Array(4),S={textures:[],min:[],max:[],resolution:[]},A=null,E=null,x=[],_=[],U=null;this.domElement=t,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=On,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let I=this,N=!1,O=null,H=null,C=null,G=null;this.En=Et;let q=0,z=0,ne=null,X=-1,J=null,ee=new lt,_e=new lt,Be=null,$=new Re(0),me=0,ve=t.width,Ce=t.height,ge=1,Ve=null,Ct=null,Ie=new lt(0,0,ve,Ce),rt=new lt(0,0,ve,Ce),ut=!1,Ke=new Xi,Zt=new Ea,Ut=!1,xn=!1,Mt=new ke,ei=new L,Ht=new lt,In={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},Ln=!1;function Dn(){return ne===null?ge:1}let D=n;function Nn(v,P){return t.getContext(v,P)}let xt,yt,de,Ft,Pe,Ne,w,y,B,te,Z,re,he,j,Y,ae,R,K,W,ce,se,oe,we;try{let v={alpha:!0,depth:i,stencil:r,antialias:a,premultipliedAlpha:c,preserveDrawingBuffer:l,powerPreference:h,failIfMajorPerformanceCaveat:d};if("setAttribute"in t&&t.setAttribute("data-engine",`three.js r${"187"}`),t.addEventListener("webglcontextlost",Te,!1),t.addEventListener("webglcontextrestored",We,!1),t.addEventListener("webglcontextcreationerror",fe,!1),D===null){let P="webgl2";if(D=Nn(P,v),D===null)throw Nn(P)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}qe()}catch(v){throw t.removeEventListener("webglcontextlost",Te,!1),t.removeEventListener("webglcontextrestored",We,!1),t.removeEventListener("webglcontextcreationerror",fe,!1),Le("WebGLRenderer: "+v.message),v}function qe(){xt=new Cy(D),xt.init(),se=new uM(D,xt),yt=new Ay(D,xt,e,se),de=new lM(D,xt),yt.reversedDepthBuffer&&u&&de.buffers.depth.setReversed(!0),H=D.createFramebuffer(),C=D.createFramebuffer(),G=D.createFramebuffer(),Ft=new Ly(D),Pe=new $v,Ne=new hM(D,xt,de,Pe,yt,se,Ft),w=new Ry(I),y=new h0(D),oe=new wy(D,y),B=new Py(D,y,Ft,oe),te=new Ny(D,B,y,oe,Ft),K=new Dy(D,yt,Ne),Y=new Ty(Pe),Z=new Yv(I,w,xt,yt,oe,Y),re=new mM(I,Pe),he=new Zv,j=new iM(xt),R=new Sy(I,w,de,te,g,c),ae=new cM(I,te,yt),we=new gM(D,Ft,yt,de),W=new Ey(D,xt,Ft),ce=new Iy(D,xt,Ft),Ft.programs=Z.programs,I.capabilities=yt,I.extensions=xt,I.properties=Pe,I.renderLists=he,I.shadowMap=ae,I.state=de,I.info=Ft}M!==_n&&(U=new Fy(M,t.width,t.height,a,i,r));let ie=new tu(I,D);this.xr=ie,this.getContext=function(){return D},this.getContextAttributes=function(){return D.getContextAttributes()},this.forceContextLoss=function(){let v=xt.get("WEBGL_lose_context");v&&v.loseContext()},this.forceContextRestore=function(){let v=xt.get("WEBGL_lose_context");v&&v.restoreContext()},this.getPixelRatio=function(){return ge},this.setPixelRatio=function(v){v!==void 0&&(ge=v,this.setSize(ve,Ce,!1))},this.getSize=function(v){return v.set(ve,Ce)},this.setSize=function(v,P,V=!0){if(ie.isPresenting){Ae("WebGLRenderer: Can't change size while VR device is presenting.");return}ve=v,Ce=P,t.width=Math.floor(v*ge),t.height=Math.floor(P*ge),V===!0&&(t.style.width=v+"px",t.style.height=P+"px"),U!==null&&U.setSize(t.width,t.height),this.setViewport(0,0,v,P)},this.getDrawingBufferSize=function(v){return v.set(ve*ge,Ce*ge).floor()},this.setDrawingBufferSize=function(v,P,V){ve=v,Ce=P,ge=V,t.width=Math.floor(v*V),t.height=Math.floor(P*V),this.setViewport(0,0,v,P)},this.setEffects=function(v){if(M===_n){Le("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(v){for(let P=0;P<v.length;P++)if(v[P].isOutputPass===!0){Ae("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}U.setEffects(v||[])},this.getCurrentViewport=function(v){return v.copy(ee)},this.getViewport=function(v){return v.copy(Ie)},this.setViewport=function(v,P,V,F){v.isVector4?Ie.set(v.x,v.y,v.z,v.w):Ie.set(v,P,V,F),de.viewport(ee.copy(Ie).multiplyScalar(Dn()).round())},this.getScissor=function(v){return v.copy(rt)},this.setScissor=function(v,P,V,F){v.isVector4?rt.set(v.x,v.y,v.z,v.w):rt.set(v,P,V,F),de.scissor(_e.copy(rt).multiplyScalar(Dn()).round())},this.getScissorTest=function(){return ut},this.setScissorTest=function(v){de.setScissorTest(ut=v)},this.setOpaqueSort=function(v){Ve=v},this.setTransparentSort=function(v){Ct=v},this.getClearColor=function(v){return v.copy(R.getClearColor())},this.setClearColor=function(){R.setClearColor(...arguments)},this.getClearAlpha=function(){return R.getClearAlpha()},this.setClearAlpha=function(){R.setClearAlpha(...arguments)},this.clear=function(v=!0,P=!0,V=!0){let F=0;if(v){let k=!1;if(ne!==null){let ue=ne.texture.format;k=m.has(ue)}if(k){let ue=ne.texture.type,ye=p.has(ue),le=R.getClearColor(),xe=R.getClearAlpha(),Se=le.r,Oe=le.g,Ze=le.b;ye?(b[0]=Se,b[1]=Oe,b[2]=Ze,b[3]=xe,D.clearBufferuiv(D.COLOR,0,b)):(T[0]=Se,T[1]=Oe,T[2]=Ze,T[3]=xe,D.clearBufferiv(D.COLOR,0,T))}else F|=D.COLOR_BUFFER_BIT}P&&(F|=D.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),V&&(F|=D.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),F!==0&&D.clear(F)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(v){v.setRenderer(this),O=v},this.dispose=function(){t.removeEventListener("webglcontextlost",Te,!1),t.removeEventListener("webglcontextrestored",We,!1),t.removeEventListener("webglcontextcreationerror",fe,!1),R.dispose(),he.dispose(),j.dispose(),Ne.dispose(),Pe.dispose(),w.dispose(),te.dispose(),B.dispose(),oe.dispose(),we.dispose(),Z.dispose(),ie.dispose(),ie.removeEventListener("sessionstart",yd),ie.removeEventListener("sessionend",vd),ns.stop()};function Te(v){v.preventDefault(),Pc("WebGLRenderer: Context Lost."),N=!0}function We(){Pc("WebGLRenderer: Context Restored."),N=!1;let v=Ft.autoReset,P=ae.enabled,V=ae.autoUpdate,F=ae.needsUpdate,k=ae.type;qe(),Ft.autoReset=v,ae.enabled=P,ae.autoUpdate=V,ae.needsUpdate=F,ae.type=k}function fe(v){Le("WebGLRenderer: A WebGL context could not be created. Reason: ",v.statusMessage)}function ot(v){let P=v.target;P.removeEventListener("dispose",ot),Wt(P)}function Wt(v){Ui(v),Pe.remove(v)}function Ui(v){let P=Pe.get(v).programs;P!==void 0&&(P.forEach(function(V){Z.releaseProgram(V)}),v.isShaderMaterial&&Z.releaseShaderCache(v))}this.renderBufferDirect=function(v,P,V,F,k,ue){P===null&&(P=In);let ye=k.isMesh&&k.matrixWorld.determinantAffine()<0,le=tg(v,P,V,F,k);de.setMaterial(F,ye);let xe=V.index,Se=1;if(F.wireframe===!0){if(xe=B.getWireframeAttribute(V),xe===void 0)return;Se=2}let Oe=V.drawRange,Ze=V.attributes.position,Me=Oe.start*Se,Qe=(Oe.start+Oe.count)*Se;ue!==null&&(Me=Math.max(Me,ue.start*Se),Qe=Math.min(Qe,(ue.start+ue.count)*Se)),xe!==null?(Me=Math.max(Me,0),Qe=Math.min(Qe,xe.count)):Ze!=null&&(Me=Math.max(Me,0),Qe=Math.min(Qe,Ze.count));let Pt=Qe-Me;if(Pt<0||Pt===1/0)return;oe.setup(k,F,le,V,xe);let pt,dt=W;if(xe!==null&&(pt=y.get(xe),dt=ce,dt.setIndex(pt)),k.isMesh)F.wireframe===!0?(de.setLineWidth(F.wireframeLinewidth*Dn()),dt.setMode(D.LINES)):dt.setMode(D.TRIANGLES);else if(k.isLine){let nn=F.linewidth;nn===void 0&&(nn=1),de.setLineWidth(nn*Dn()),k.isLineSegments?dt.setMode(D.LINES):k.isLineLoop?dt.setMode(D.LINE_LOOP):dt.setMode(D.LINE_STRIP)}else k.isPoints?dt.setMode(D.POINTS):k.isSprite&&dt.setMode(D.TRIANGLES);if(k.isBatchedMesh)if(xt.get("WEBGL_multi_draw"))dt.renderMultiDraw(k.de,k.ue,k.it);else{let nn=k.de,be=k.ue,un=k.it,it=xe?y.get(xe).bytesPerElement:1,is=Pe.get(F).currentProgram.getUniforms();for(let sn=0;sn<un;sn++)is.setValue(D,"_gl_DrawID",sn),dt.render(nn[sn]/it,be[sn])}else if(k.isInstancedMesh)dt.renderInstances(Me,Pt,k.count);else if(V.isInstancedBufferGeometry){let nn=V.D!==void 0?V.D:1/0,be=Math.min(V.instanceCount,nn);dt.renderInstances(Me,Pt,be)}else dt.render(Me,Pt)};function xd(v,P,V,F){O!==null&&v.isNodeMaterial&&O.setObject(F,v),Ut===!0&&Y.setState(v,V,!1),v.transparent===!0&&v.side===pn&&v.forceSinglePass===!1?(v.side=fn,v.needsUpdate=!0,br(v,P,F),v.side=Bn,v.needsUpdate=!0,br(v,P,F),v.side=pn):br(v,P,F)}this.compile=function(v,P,V=null){V===null&&(V=v),O!==null&&O.renderStart(v,P,V),E=j.get(V),E.init(P),_.push(E),V.traverseVisible(function(k){k.isLight&&k.layers.test(P.layers)&&(E.pushLight(k),k.castShadow&&E.pushShadow(k))}),v!==V&&v.traverseVisible(function(k){k.isLight&&k.layers.test(P.layers)&&(E.pushLight(k),k.castShadow&&E.pushShadow(k))}),E.setupLights(),O!==null&&O.updateLights(E.state.lightsArray),xn=this.localClippingEnabled,Ut=Y.init(this.clippingPlanes,xn),Ut===!0&&Y.setGlobalState(this.clippingPlanes,P),O!==null&&ae.render(E.state.shadowsArray,V,P);let F=new Set;return v.traverse(function(k){if(!(k.isMesh||k.isPoints||k.isLine||k.isSprite))return;let ue=k.material;if(ue)if(Array.isArray(ue))for(let ye=0;ye<ue.length;ye++){let le=ue[ye];xd(le,V,P,k),F.add(le)}else xd(ue,V,P,k),F.add(ue)}),E=_.pop(),O!==null&&O.renderEnd(),F},this.compileAsync=function(v,P,V=null){let F=this.compile(v,P,V);return new Promise(k=>{function ue(){if(F.forEach(function(ye){let xe=Pe.get(ye).currentProgram;(xe===void 0||xe.isReady())&&F.delete(ye)}),F.size===0){k(v);return}setTimeout(ue,10)}xt.get("KHR_parallel_shader_compile")!==null?ue():setTimeout(ue,10)})};let Cl=null;function Jm(v){Cl&&Cl(v)}function yd(){ns.stop()}function vd(){ns.start()}let ns=new Ap;ns.setAnimationLoop(Jm),typeof self<"u"&&ns.setContext(self),this.setAnimationLoop=function(v){Cl=v,ie.setAnimationLoop(v),v===null?ns.stop():ns.start()},ie.addEventListener("sessionstart",yd),ie.addEventListener("sessionend",vd),this.render=function(v,P){if(P!==void 0&&P.isCamera!==!0){Le("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(N===!0)return;O!==null&&O.renderStart(v,P);let V=ie.enabled===!0&&ie.isPresenting===!0,F=U!==null&&(ne===null||V)&&U.begin(I,ne);if(v.matrixWorldAutoUpdate===!0&&v.updateMatrixWorld(),P.parent===null&&P.matrixWorldAutoUpdate===!0&&P.updateMatrixWorld(),ie.enabled===!0&&ie.isPresenting===!0&&(U===null||U.isCompositing()===!1)&&(ie.cameraAutoUpdate===!0&&ie.updateCamera(P),P=ie.getCamera()),v.isScene===!0&&v.onBeforeRender(I,v,P,ne),E=j.get(v,_.length),E.init(P),E.state.textureUnits=Ne.getTextureUnits(),_.push(E),Mt.multiplyMatrices(P.projectionMatrix,P.matrixWorldInverse),P.isArrayCamera?Zt.setFromArrayCamera(P):Ke.setFromProjectionMatrix(Mt,qn,P.reversedDepth),xn=this.localClippingEnabled,Ut=Y.init(this.clippingPlanes,xn),A=he.get(v,x.length),A.init(),x.push(A),this.info.render.frame++,ie.enabled===!0&&ie.isPresenting===!0){let ye=I.xr.getDepthSensingMesh();ye!==null&&Pl(ye,P,-1/0,I.sortObjects)}Pl(v,P,0,I.sortObjects),A.finish(),O!==null&&O.updateLights(E.state.lightsArray),I.sortObjects===!0&&A.sort(Ve,Ct),Ln=ie.enabled===!1||ie.isPresenting===!1||ie.hasDepthSensing()===!1,Ln&&R.addToRenderList(A,v),this.info.autoReset===!0&&this.info.reset(),Ut===!0&&Y.beginShadows();let k=E.state.shadowsArray;if(ae.render(k,v,P),Ut===!0&&Y.endShadows(),(F&&U.hasRenderPass())===!1){let ye=A.opaque,le=A.transmissive;if(E.setupLights(),P.isArrayCamera){let xe=P.cameras;if(le.length>0)for(let Se=0,Oe=xe.length;Se<Oe;Se++){let Ze=xe[Se];bd(ye,le,v,Ze)}Ln&&R.render(v);for(let Se=0,Oe=xe.length;Se<Oe;Se++){let Ze=xe[Se];Md(A,v,Ze,Ze.viewport)}}else le.length>0&&bd(ye,le,v,P),Ln&&R.render(v),Md(A,v,P)}ne!==null&&z===0&&(Ne.updateMultisampleRenderTarget(ne),Ne.updateRenderTargetMipmap(ne)),F&&U.end(I),v.isScene===!0&&v.onAfterRender(I,v,P),oe.resetDefaultState(),X=-1,J=null,_.pop(),_.length>0?(E=_[_.length-1],Ne.setTextureUnits(E.state.textureUnits),Ut===!0&&Y.setGlobalState(I.clippingPlanes,E.state.camera)):E=null,x.pop(),x.length>0?A=x[x.length-1]:A=null,O!==null&&O.renderEnd()};function Pl(v,P,V,F){if(v.visible===!1)return;if(v.layers.test(P.layers)){if(v.isGroup)V=v.renderOrder;else if(v.isLOD)v.autoUpdate===!0&&v.update(P);else if(v.isLight)E.pushLight(v),v.castShadow&&E.pushShadow(v);else if(v.isSprite){let ye=P.isArrayCamera?Zt:Ke;if(!v.frustumCulled||v.intersectsFrustum(ye)){F&&Ht.setFromMatrixPosition(v.matrixWorld).applyMatrix4(Mt);let le=te.update(v),xe=v.material;xe.visible&&A.push(v,le,xe,V,Ht.z,null,P)}}else if(v.isMesh||v.isLine||v.isPoints){let ye=P.isArrayCamera?Zt:Ke;if(!v.frustumCulled||v.intersectsFrustum(ye)){let le=te.update(v),xe=v.material;if(F&&(v.boundingSphere!==void 0?(v.boundingSphere===null&&v.computeBoundingSphere(),Ht.copy(v.boundingSphere.center)):(le.boundingSphere===null&&le.computeBoundingSphere(),Ht.copy(le.boundingSphere.center)),Ht.applyMatrix4(v.matrixWorld).applyMatrix4(Mt)),Array.isArray(xe)){let Se=le.groups;for(let Oe=0,Ze=Se.length;Oe<Ze;Oe++){let Me=Se[Oe],Qe=xe[Me.materialIndex];Qe&&Qe.visible&&A.push(v,le,Qe,V,Ht.z,Me,P)}}else xe.visible&&A.push(v,le,xe,V,Ht.z,null,P)}}}let ue=v.children;for(let ye=0,le=ue.length;ye<le;ye++)Pl(ue[ye],P,V,F)}function Md(v,P,V,F){let{opaque:k,transmissive:ue,transparent:ye}=v;E.setupLightsView(V),Ut===!0&&Y.setGlobalState(I.clippingPlanes,V),F&&de.viewport(ee.copy(F)),k.length>0&&Vo(k,P,V),ue.length>0&&Vo(ue,P,V),ye.length>0&&Vo(ye,P,V),de.buffers.depth.setTest(!0),de.buffers.depth.setMask(!0),de.buffers.color.setMask(!0),de.setPolygonOffset(!1)}function bd(v,P,V,F){if((V.isScene===!0?V.overrideMaterial:null)!==null)return;if(E.state.transmissionRenderTarget[F.id]===void 0){let Me=xt.has("EXT_color_buffer_half_float")||xt.has("EXT_color_buffer_float");E.state.transmissionRenderTarget[F.id]=new cn(1,1,{generateMipmaps:!0,type:Me?Rn:_n,minFilter:kn,samples:Math.max(4,yt.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:je.workingColorSpace})}let ue=E.state.transmissionRenderTarget[F.id],ye=F.viewport||ee;ue.setSize(ye.z*I.transmissionResolutionScale,ye.w*I.transmissionResolutionScale);let le=I.getRenderTarget(),xe=I.getActiveCubeFace(),Se=I.getActiveMipmapLevel();I.setRenderTarget(ue),I.getClearColor($),me=I.getClearAlpha(),me<1&&I.setClearColor(16777215,.5),I.clear(),Ln&&R.render(V);let Oe=I.toneMapping;I.toneMapping=On;let Ze=F.viewport;if(F.viewport!==void 0&&(F.viewport=void 0),E.setupLightsView(F),Ut===!0&&Y.setGlobalState(I.clippingPlanes,F),Vo(v,V,F),Ne.updateMultisampleRenderTarget(ue),Ne.updateRenderTargetMipmap(ue),xt.has("WEBGL_multisampled_render_to_texture")===!1){let Me=!1;for(let Qe=0,Pt=P.length;Qe<Pt;Qe++){let pt=P[Qe],{object:dt,geometry:nn,material:be,group:un}=pt;if(be.side===pn&&dt.layers.test(F.layers)){let it=be.side;be.side=fn,be.needsUpdate=!0,_d(dt,V,F,nn,be,un),be.side=it,be.needsUpdate=!0,Me=!0}}Me===!0&&(Ne.updateMultisampleRenderTarget(ue),Ne.updateRenderTargetMipmap(ue))}I.setRenderTarget(le,xe,Se),I.setClearColor($,me),Ze!==void 0&&(F.viewport=Ze),I.toneMapping=Oe}function Vo(v,P,V){let F=P.isScene===!0?P.overrideMaterial:null;for(let k=0,ue=v.length;k<ue;k++){let ye=v[k],{object:le,geometry:xe,group:Se}=ye,Oe=ye.material;Oe.allowOverride===!0&&F!==null&&(Oe=F),le.layers.test(V.layers)&&_d(le,P,V,xe,Oe,Se)}}function _d(v,P,V,F,k,ue){O!==null&&k.isNodeMaterial&&O.setObject(v,k),v.onBeforeRender(I,P,V,F,k,ue),v.modelViewMatrix.multiplyMatrices(V.matrixWorldInverse,v.matrixWorld),v.normalMatrix.getNormalMatrix(v.modelViewMatrix),k.onBeforeRender(I,P,V,F,v,ue),k.transparent===!0&&k.side===pn&&k.forceSinglePass===!1?(k.side=fn,k.needsUpdate=!0,I.renderBufferDirect(V,P,F,k,v,ue),k.side=Bn,k.needsUpdate=!0,I.renderBufferDirect(V,P,F,k,v,ue),k.side=pn):I.renderBufferDirect(V,P,F,k,v,ue),v.onAfterRender(I,P,V,F,k,ue)}function Sd(v){let P=0;for(let V of v)V.texture!==null&&P++;return P}function br(v,P,V){P.isScene!==!0&&(P=In);let F=Pe.get(v),k=E.state.lights,ue=E.state.shadowsArray,ye=k.state.version,le=Z.getParameters(v,k.state,ue,P,V,E.state.lightProbeGridArray),xe=Z.getProgramCacheKey(le),Se=F.programs;F.environment=v.isMeshStandardMaterial||v.isMeshLambertMaterial||v.isMeshPhongMaterial?P.environment:null,F.fog=P.fog;let Oe=v.isMeshStandardMaterial||v.isMeshLambertMaterial&&!v.envMap||v.isMeshPhongMaterial&&!v.envMap;F.envMap=w.get(v.envMap||F.environment,Oe),F.envMapRotation=F.environment!==null&&v.envMap===null?P.environmentRotation:v.envMapRotation,Se===void 0&&(v.addEventListener("dispose",ot),Se=new Map,F.programs=Se,F.programVariants=new Map);let Ze=Se.get(xe);if(Ze!==void 0){if(F.currentProgram===Ze&&F.lightsStateVersion===ye)return Ed(v,le),Ze}else le.uniforms=Z.getUniforms(v),O!==null&&v.isNodeMaterial&&O.build(v,V,le),v.onBeforeCompile(le,I),Ze=Z.acquireProgram(le,xe),Se.set(xe,Ze),F.uniforms=le.uniforms;let Me=F.uniforms;return(!v.isShaderMaterial&&!v.isRawShaderMaterial||v.clipping===!0)&&(Me.clippingPlanes=Y.uniform),Ed(v,le),F.needsLights=ig(v),F.lightsStateVersion=ye,F.needsLights&&(Me.ambientLightColor.value=k.state.ambient,Me.lightProbe.value=k.state.probe,Me.sunLights.value=k.state.sun,Me.sunLightShadows.value=k.state.sunShadow,Me.directionalLights.value=k.state.directional,Me.directionalLightShadows.value=k.state.directionalShadow,Me.spotLights.value=k.state.spot,Me.spotLightShadows.value=k.state.spotShadow,Me.rectAreaLights.value=k.state.rectArea,Me.ltc_1.value=k.state.rectAreaLTC1,Me.ltc_2.value=k.state.rectAreaLTC2,Me.pointLights.value=k.state.point,Me.pointLightShadows.value=k.state.pointShadow,Me.hemisphereLights.value=k.state.hemi,Me.sunShadowMatrix.value=k.state.sunShadowMatrix,Me.sunShadowCascade.value=k.state.sunShadowCascade,Me.directionalShadowMatrix.value=k.state.directionalShadowMatrix,Me.spotLightMatrix.value=k.state.spotLightMatrix,Me.spotLightMap.value=k.state.spotLightMap,Me.pointShadowMatrix.value=k.state.pointShadowMatrix),F.numLightProbeGrids=Sd(E.state.lightProbeGridArray),F.currentProgram=Ze,F.uniformsList=null,Ze}function eg(v,P,V,F,k){let ue=Pe.get(v),ye=ue.currentProgram.id+","+F+","+k,le=ue.programVariants.get(ye);return le===void 0?(le=br(v,P,V),ue.programVariants.set(ye,le)):(ue.currentProgram=le,ue.uniformsList=null,ue.outputColorSpace=F,ue.toneMapping=k),le}function wd(v){if(v.uniformsList===null){let P=v.currentProgram.getUniforms();v.uniformsList=cr.seqWithValue(P.seq,v.uniforms)}return v.uniformsList}function Ed(v,P){let V=Pe.get(v);V.outputColorSpace=P.outputColorSpace,V.batching=P.batching,V.batchingColor=P.batchingColor,V.instancing=P.instancing,V.instancingColor=P.instancingColor,V.instancingMorph=P.instancingMorph,V.skinning=P.skinning,V.morphTargets=P.morphTargets,V.morphNormals=P.morphNormals,V.morphColors=P.morphColors,V.morphTargetsCount=P.morphTargetsCount,V.numClippingPlanes=P.numClippingPlanes,V.numIntersection=P.numClipIntersection,V.vertexAlphas=P.vertexAlphas,V.vertexTangents=P.vertexTangents,V.toneMapping=P.toneMapping}function tg(v,P,V,F,k){P.isScene!==!0&&(P=In),Ne.resetTextureUnits();let ue=P.fog,ye=F.isMeshStandardMaterial||F.isMeshLambertMaterial||F.isMeshPhongMaterial?P.environment:null,le=ne===null?I.outputColorSpace:ne.isXRRenderTarget===!0?ne.texture.colorSpace:je.workingColorSpace,xe=F.isMeshStandardMaterial||F.isMeshLambertMaterial&&!F.envMap||F.isMeshPhongMaterial&&!F.envMap,Se=w.get(F.envMap||ye,xe),Oe=F.vertexColors===!0&&!!V.attributes.color&&V.attributes.color.itemSize===4,Ze=!!V.attributes.tangent&&(!!F.normalMap||F.anisotropy>0),Me=!!V.morphAttributes.position,Qe=!!V.morphAttributes.normal,Pt=!!V.morphAttributes.color,pt=On;F.toneMapped&&(ne===null||ne.isXRRenderTarget===!0)&&(pt=I.toneMapping);let dt=V.morphAttributes.position||V.morphAttributes.normal||V.morphAttributes.color,nn=dt!==void 0?dt.length:0,be=Pe.get(F),un=E.state.lights;if(Ut===!0&&(xn===!0||v!==J)){let bt=v===J&&F.id===X;Y.setState(F,v,bt)}let it=!1,is=!1;F.version===be.O?be.needsLights&&be.lightsStateVersion!==un.state.version||k.isBatchedMesh&&be.batching===!1||!k.isBatchedMesh&&be.batching===!0||k.isBatchedMesh&&be.batchingColor===!0&&k.R===null||k.isBatchedMesh&&be.batchingColor===!1&&k.R!==null||k.isInstancedMesh&&be.instancing===!1||!k.isInstancedMesh&&be.instancing===!0||k.isSkinnedMesh&&be.skinning===!1||!k.isSkinnedMesh&&be.skinning===!0||k.isInstancedMesh&&be.instancingColor===!0&&k.instanceColor===null||k.isInstancedMesh&&be.instancingColor===!1&&k.instanceColor!==null||k.isInstancedMesh&&be.instancingMorph===!0&&k.morphTexture===null||k.isInstancedMesh&&be.instancingMorph===!1&&k.morphTexture!==null||be.envMap!==Se||F.fog===!0&&be.fog!==ue||be.numClippingPlanes!==void 0&&(be.numClippingPlanes!==Y.numPlanes||be.numIntersection!==Y.numIntersection)||be.vertexAlphas!==Oe||be.vertexTangents!==Ze||be.morphTargets!==Me||be.morphNormals!==Qe||be.morphColors!==Pt||be.morphTargetsCount!==nn||be.numLightProbeGrids!==Sd(E.state.lightProbeGridArray)?it=!0:(be.outputColorSpace!==le||be.toneMapping!==pt)&&(is=!0):(it=!0,be.O=F.version);let sn=be.currentProgram;(it===!0||is===!0)&&(sn=is===!0?eg(F,P,k,le,pt):br(F,P,k),O&&F.isNodeMaterial&&O.onUpdateProgram(F,sn,be));let zo=!1,Fi=!1,ss=!1,tt=sn.getUniforms(),Qt=be.uniforms;if(de.useProgram(sn.program)&&(zo=!0,Fi=!0,ss=!0),F.id!==X&&(X=F.id,Fi=!0),zo||J!==v){de.buffers.depth.getReversed()&&v.reversedDepth!==!0&&(v.mt=!0,v.updateProjectionMatrix()),tt.setValue(D,"projectionMatrix",v.projectionMatrix),tt.setValue(D,"viewMatrix",v.matrixWorldInverse);let Xt=tt.map.cameraPosition;Xt!==void 0&&Xt.setValue(D,ei.setFromMatrixPosition(v.matrixWorld)),yt.logarithmicDepthBuffer&&tt.setValue(D,"logDepthBufFC",2/(Math.log(v.far+1)/Math.LN2)),(F.isMeshPhongMaterial||F.isMeshToonMaterial||F.isMeshLambertMaterial||F.isMeshBasicMaterial||F.isMeshStandardMaterial||F.isShaderMaterial)&&tt.setValue(D,"isOrthographic",v.isOrthographicCamera===!0),J!==v&&(J=v,Fi=!0,ss=!0)}if(be.needsLights&&(un.state.sunShadowMap.length>0&&tt.setValue(D,"sunShadowMap",un.state.sunShadowMap,Ne),un.state.directionalShadowMap.length>0&&tt.setValue(D,"directionalShadowMap",un.state.directionalShadowMap,Ne),un.state.spotShadowMap.length>0&&tt.setValue(D,"spotShadowMap",un.state.spotShadowMap,Ne),un.state.pointShadowMap.length>0&&tt.setValue(D,"pointShadowMap",un.state.pointShadowMap,Ne)),k.isSkinnedMesh){tt.setOptional(D,k,"bindMatrix"),tt.setOptional(D,k,"bindMatrixInverse");let bt=k.skeleton;bt&&(bt.boneTexture===null&&bt.computeBoneTexture(),tt.setValue(D,"boneTexture",bt.boneTexture,Ne))}k.isBatchedMesh&&(tt.setOptional(D,k,"batchingTexture"),tt.setValue(D,"batchingTexture",k.N,Ne),tt.setOptional(D,k,"batchingIdTexture"),tt.setValue(D,"batchingIdTexture",k.V,Ne),tt.setOptional(D,k,"batchingColorTexture"),k.R!==null&&tt.setValue(D,"batchingColorTexture",k.R,Ne));let Gn=V.morphAttributes;if((Gn.position!==void 0||Gn.normal!==void 0||Gn.color!==void 0)&&K.update(k,V,sn),(Fi||be.receiveShadow!==k.receiveShadow)&&(be.receiveShadow=k.receiveShadow,tt.setValue(D,"receiveShadow",k.receiveShadow)),(F.isMeshStandardMaterial||F.isMeshLambertMaterial||F.isMeshPhongMaterial)&&F.envMap===null&&P.environment!==null&&(Qt.envMapIntensity.value=P.environmentIntensity),Qt.dfgLUT!==void 0&&(Qt.dfgLUT.value=yM()),Fi){if(tt.setValue(D,"toneMappingExposure",I.toneMappingExposure),be.needsLights&&ng(Qt,ss),ue&&F.fog===!0&&re.refreshFogUniforms(Qt,ue),re.refreshMaterialUniforms(Qt,F,ge,Ce,E.state.transmissionRenderTarget[v.id]),be.needsLights&&be.numLightProbeGrids>0){let bt=S,Xt=0;for(let pi of E.state.lightProbeGridArray)pi.texture!==null&&(bt.textures[Xt]=pi.texture,bt.min[Xt]=pi.boundingBox.min,bt.max[Xt]=pi.boundingBox.max,bt.resolution[Xt]=pi.resolution,Xt++);for(let pi in bt)bt[pi].length=Xt;Qt.probesSH.value=bt.textures,Qt.probesMin.value=bt.min,Qt.probesMax.value=bt.max,Qt.probesResolution.value=bt.resolution}cr.upload(D,wd(be),Qt,Ne)}if(F.isShaderMaterial&&F.uniformsNeedUpdate===!0&&(cr.upload(D,wd(be),Qt,Ne),F.uniformsNeedUpdate=!1),F.isSpriteMaterial&&tt.setValue(D,"center",k.center),tt.setValue(D,"modelViewMatrix",k.modelViewMatrix),tt.setValue(D,"normalMatrix",k.normalMatrix),tt.setValue(D,"modelMatrix",k.matrixWorld),F.uniformsGroups!==void 0){let bt=F.uniformsGroups;for(let Xt=0,pi=bt.length;Xt<pi;Xt++){let Td=bt[Xt];we.update(Td,sn),we.bind(Td,sn)}}return sn}function ng(v,P){v.ambientLightColor.needsUpdate=P,v.lightProbe.needsUpdate=P,v.sunLights.needsUpdate=P,v.sunLightShadows.needsUpdate=P,v.directionalLights.needsUpdate=P,v.directionalLightShadows.needsUpdate=P,v.pointLights.needsUpdate=P,v.pointLightShadows.needsUpdate=P,v.spotLights.needsUpdate=P,v.spotLightShadows.needsUpdate=P,v.rectAreaLights.needsUpdate=P,v.hemisphereLights.needsUpdate=P}function ig(v){return v.isMeshLambertMaterial||v.isMeshToonMaterial||v.isMeshPhongMaterial||v.isMeshStandardMaterial||v.isShadowMaterial||v.isShaderMaterial&&v.lights===!0}this.getActiveCubeFace=function(){return q},this.getActiveMipmapLevel=function(){return z},this.getRenderTarget=function(){return ne},this.setRenderTargetTextures=function(v,P,V){let F=Pe.get(v);F.Ct=v.resolveDepthBuffer===!1,F.Ct===!1&&(F.Ti=!1),Pe.get(v.texture).S=P,Pe.get(v.depthTexture).S=F.Ct?void 0:V,F.wn=!0},this.setRenderTargetFramebuffer=function(v,P){let V=Pe.get(v);V._=P,V.Ii=P===void 0},this.setRenderTarget=function(v,P=0,V=0){ne=v,q=P,z=V;let F=null,k=!1,ue=!1;if(v){let le=Pe.get(v);if(le.Ii!==void 0){de.bindFramebuffer(D.FRAMEBUFFER,le._),ee.copy(v.viewport),_e.copy(v.scissor),Be=v.scissorTest,de.viewport(ee),de.scissor(_e),de.setScissorTest(Be),X=-1;return}else if(le._===void 0)Ne.setupRenderTarget(v);else if(le.wn)Ne.rebindTextures(v,Pe.get(v.texture).S,Pe.get(v.depthTexture).S);else if(v.depthBuffer){let Oe=v.depthTexture;if(le.Rt!==Oe){if(Oe!==null&&Pe.has(Oe)&&(v.width!==Oe.image.width||v.height!==Oe.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");Ne.setupDepthRenderbuffer(v)}}let xe=v.texture;(xe.isData3DTexture||xe.isDataArrayTexture||xe.isCompressedArrayTexture)&&(ue=!0);let Se=Pe.get(v)._;v.isWebGLCubeRenderTarget?(Array.isArray(Se[P])?F=Se[P][V]:F=Se[P],k=!0):v.samples>0&&Ne.useMultisampledRTT(v)===!1?F=Pe.get(v).ie:Array.isArray(Se)?F=Se[V]:F=Se,ee.copy(v.viewport),_e.copy(v.scissor),Be=v.scissorTest}else ee.copy(Ie).multiplyScalar(ge).floor(),_e.copy(rt).multiplyScalar(ge).floor(),Be=ut;if(V!==0&&(F=H),de.bindFramebuffer(D.FRAMEBUFFER,F)&&de.drawBuffers(v,F),de.viewport(ee),de.scissor(_e),de.setScissorTest(Be),k){let le=Pe.get(v.texture);D.framebufferTexture2D(D.FRAMEBUFFER,D.COLOR_ATTACHMENT0,D.TEXTURE_CUBE_MAP_POSITIVE_X+P,le.S,V)}else if(ue){let le=P;for(let xe=0;xe<v.textures.length;xe++){let Se=Pe.get(v.textures[xe]);D.framebufferTextureLayer(D.FRAMEBUFFER,D.COLOR_ATTACHMENT0+xe,Se.S,V,le)}}else if(v!==null&&V!==0){let le=Pe.get(v.texture);D.framebufferTexture2D(D.FRAMEBUFFER,D.COLOR_ATTACHMENT0,D.TEXTURE_2D,le.S,V)}X=-1};function Ad(v){let P=Pe.get(v);return(P.Li!==v.format||P.Di!==v.type)&&(P.Li=v.format,P.Di=v.type,P.An=yt.textureFormatReadable(v.format),P.Tn=yt.textureTypeReadable(v.type)),P}this.readRenderTargetPixels=function(v,P,V,F,k,ue,ye,le=0){if(!(v&&v.isWebGLRenderTarget)){Le("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let xe=Pe.get(v)._;if(v.isWebGLCubeRenderTarget&&ye!==void 0&&(xe=xe[ye],Array.isArray(xe)&&(xe=xe[0])),xe){de.bindFramebuffer(D.FRAMEBUFFER,xe);try{let Se=v.textures[le],Oe=Se.format,Ze=Se.type;v.textures.length>1&&D.readBuffer(D.COLOR_ATTACHMENT0+le);let Me=Ad(Se);if(Me.An===!1){Le("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(Me.Tn===!1){Le("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}P>=0&&P<=v.width-F&&V>=0&&V<=v.height-k&&D.readPixels(P,V,F,k,se.convert(Oe),se.convert(Ze),ue)}finally{let Se=ne!==null?Pe.get(ne)._:null;de.bindFramebuffer(D.FRAMEBUFFER,Se)}}},this.readRenderTargetPixelsAsync=async function(v,P,V,F,k,ue,ye,le=0){if(!(v&&v.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let xe=Pe.get(v)._;if(v.isWebGLCubeRenderTarget&&ye!==void 0&&(xe=xe[ye],Array.isArray(xe)&&(xe=xe[0])),xe)if(P>=0&&P<=v.width-F&&V>=0&&V<=v.height-k){de.bindFramebuffer(D.FRAMEBUFFER,xe);let Se=v.textures[le],Oe=Se.format,Ze=Se.type;v.textures.length>1&&D.readBuffer(D.COLOR_ATTACHMENT0+le);let Me=Ad(Se);if(Me.An===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(Me.Tn===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");let Qe=D.createBuffer();D.bindBuffer(D.PIXEL_PACK_BUFFER,Qe),D.bufferData(D.PIXEL_PACK_BUFFER,ue.byteLength,D.STREAM_READ),D.readPixels(P,V,F,k,se.convert(Oe),se.convert(Ze),0),D.bindBuffer(D.PIXEL_PACK_BUFFER,null);let Pt=ne!==null?Pe.get(ne)._:null;de.bindFramebuffer(D.FRAMEBUFFER,Pt);let pt=D.fenceSync(D.SYNC_GPU_COMMANDS_COMPLETE,0);return D.flush(),await ip(D,pt,4),D.bindBuffer(D.PIXEL_PACK_BUFFER,Qe),D.getBufferSubData(D.PIXEL_PACK_BUFFER,0,ue),D.bindBuffer(D.PIXEL_PACK_BUFFER,null),D.deleteBuffer(Qe),D.deleteSync(pt),ue}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(v,P=null,V=0){let F=Math.pow(2,-V),k=Math.floor(v.image.width*F),ue=Math.floor(v.image.height*F),ye=P!==null?P.x:0,le=P!==null?P.y:0;Ne.setTexture2D(v,0),D.copyTexSubImage2D(D.TEXTURE_2D,V,0,0,ye,le,k,ue),de.unbindTexture()},this.copyTextureToTexture=function(v,P,V=null,F=null,k=0,ue=0){let ye,le,xe,Se,Oe,Ze,Me,Qe,Pt,pt=v.isCompressedTexture?v.mipmaps[ue]:v.image;if(V!==null)ye=V.max.x-V.min.x,le=V.max.y-V.min.y,xe=V.isBox3?V.max.z-V.min.z:1,Se=V.min.x,Oe=V.min.y,Ze=V.isBox3?V.min.z:0;else{let tt=Math.pow(2,-k);ye=Math.floor(pt.width*tt),le=Math.floor(pt.height*tt),v.isDataArrayTexture?xe=pt.depth:v.isData3DTexture?xe=Math.floor(pt.depth*tt):xe=1,Se=0,Oe=0,Ze=0}F!==null?(Me=F.x,Qe=F.y,Pt=F.z):(Me=0,Qe=0,Pt=0);let dt=se.convert(P.format),nn=se.convert(P.type),be;P.isData3DTexture?(Ne.setTexture3D(P,0),be=D.TEXTURE_3D):P.isDataArrayTexture||P.isCompressedArrayTexture?(Ne.setTexture2DArray(P,0),be=D.TEXTURE_2D_ARRAY):(Ne.setTexture2D(P,0),be=D.TEXTURE_2D),de.activeTexture(D.TEXTURE0),de.pixelStorei(D.UNPACK_FLIP_Y_WEBGL,P.flipY),de.pixelStorei(D.UNPACK_PREMULTIPLY_ALPHA_WEBGL,P.premultiplyAlpha),de.pixelStorei(D.UNPACK_ALIGNMENT,P.unpackAlignment);let un=de.getParameter(D.UNPACK_ROW_LENGTH),it=de.getParameter(D.UNPACK_IMAGE_HEIGHT),is=de.getParameter(D.UNPACK_SKIP_PIXELS),sn=de.getParameter(D.UNPACK_SKIP_ROWS),zo=de.getParameter(D.UNPACK_SKIP_IMAGES);de.pixelStorei(D.UNPACK_ROW_LENGTH,pt.width),de.pixelStorei(D.UNPACK_IMAGE_HEIGHT,pt.height),de.pixelStorei(D.UNPACK_SKIP_PIXELS,Se),de.pixelStorei(D.UNPACK_SKIP_ROWS,Oe),de.pixelStorei(D.UNPACK_SKIP_IMAGES,Ze);let Fi=v.isDataArrayTexture||v.isData3DTexture,ss=P.isDataArrayTexture||P.isData3DTexture;if(v.isDepthTexture){let tt=Pe.get(v),Qt=Pe.get(P),Gn=Pe.get(tt.Tt),bt=Pe.get(Qt.Tt);de.bindFramebuffer(D.READ_FRAMEBUFFER,Gn._),de.bindFramebuffer(D.DRAW_FRAMEBUFFER,bt._);for(let Xt=0;Xt<xe;Xt++)Fi&&(D.framebufferTextureLayer(D.READ_FRAMEBUFFER,D.COLOR_ATTACHMENT0,Pe.get(v).S,k,Ze+Xt),D.framebufferTextureLayer(D.DRAW_FRAMEBUFFER,D.COLOR_ATTACHMENT0,Pe.get(P).S,ue,Pt+Xt)),D.blitFramebuffer(Se,Oe,Se+ye,Oe+le,Me,Qe,Me+ye,Qe+le,D.DEPTH_BUFFER_BIT,D.NEAREST);de.bindFramebuffer(D.READ_FRAMEBUFFER,null),de.bindFramebuffer(D.DRAW_FRAMEBUFFER,null)}else if(k!==0||v.isRenderTargetTexture||Pe.has(v)){let tt=Pe.get(v),Qt=Pe.get(P);de.bindFramebuffer(D.READ_FRAMEBUFFER,C),de.bindFramebuffer(D.DRAW_FRAMEBUFFER,G);for(let Gn=0;Gn<xe;Gn++)Fi?D.framebufferTextureLayer(D.READ_FRAMEBUFFER,D.COLOR_ATTACHMENT0,tt.S,k,Ze+Gn):D.framebufferTexture2D(D.READ_FRAMEBUFFER,D.COLOR_ATTACHMENT0,D.TEXTURE_2D,tt.S,k),ss?D.framebufferTextureLayer(D.DRAW_FRAMEBUFFER,D.COLOR_ATTACHMENT0,Qt.S,ue,Pt+Gn):D.framebufferTexture2D(D.DRAW_FRAMEBUFFER,D.COLOR_ATTACHMENT0,D.TEXTURE_2D,Qt.S,ue),k!==0?D.blitFramebuffer(Se,Oe,Se+ye,Oe+le,Me,Qe,Me+ye,Qe+le,D.COLOR_BUFFER_BIT,D.NEAREST):ss?D.copyTexSubImage3D(be,ue,Me,Qe,Pt+Gn,Se,Oe,ye,le):D.copyTexSubImage2D(be,ue,Me,Qe,Se,Oe,ye,le);de.bindFramebuffer(D.READ_FRAMEBUFFER,null),de.bindFramebuffer(D.DRAW_FRAMEBUFFER,null)}else ss?v.isDataTexture||v.isData3DTexture?D.texSubImage3D(be,ue,Me,Qe,Pt,ye,le,xe,dt,nn,pt.data):P.isCompressedArrayTexture?D.compressedTexSubImage3D(be,ue,Me,Qe,Pt,ye,le,xe,dt,pt.data):D.texSubImage3D(be,ue,Me,Qe,Pt,ye,le,xe,dt,nn,pt):v.isDataTexture?D.texSubImage2D(D.TEXTURE_2D,ue,Me,Qe,ye,le,dt,nn,pt.data):v.isCompressedTexture?D.compressedTexSubImage2D(D.TEXTURE_2D,ue,Me,Qe,pt.width,pt.height,dt,pt.data):D.texSubImage2D(D.TEXTURE_2D,ue,Me,Qe,ye,le,dt,nn,pt);de.pixelStorei(D.UNPACK_ROW_LENGTH,un),de.pixelStorei(D.UNPACK_IMAGE_HEIGHT,it),de.pixelStorei(D.UNPACK_SKIP_PIXELS,is),de.pixelStorei(D.UNPACK_SKIP_ROWS,sn),de.pixelStorei(D.UNPACK_SKIP_IMAGES,zo),ue===0&&P.generateMipmaps===!0&&P.mipmapsAutoUpdate===!0&&D.generateMipmap(be),de.unbindTexture()},this.initRenderTarget=function(v){Pe.get(v)._===void 0&&Ne.setupRenderTarget(v)},this.initTexture=function(v){v.isCubeTexture?Ne.setTextureCube(v,0):v.isData3DTexture?Ne.setTexture3D(v,0):v.isDataArrayTexture||v.isCompressedArrayTexture?Ne.setTexture2DArray(v,0):Ne.setTexture2D(v,0),de.unbindTexture()},this.resetState=function(){q=0,z=0,ne=null,de.reset(),oe.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return qn}get outputColorSpace(){return this.En}set outputColorSpace(e){this.En=e;let t=this.getContext();t.drawingBufferColorSpace=je.Ln(e),t.unpackColorSpace=je.Dn()}};function vM(s){let e=parseInt((s??"#ffffff").slice(1,7),16)||0;return[(e>>16&255)/255,(e>>8&255)/255,(e&255)/255]}function vo(s){return vM(s).map(MM)}function MM(s){return s<.04045?s*.0773993808:Math.pow(s*.9478672986+.0521327014,2.4)}function Mo(s){return s&&s.length===9?parseInt(s.slice(7),16)/255:1}var Vc=64,bM=.72,Up=Vc*1.3;function Fp(s){let e=s.value.split(`
`),t=`600 ${Vc}px system-ui, sans-serif`,n=typeof document>"u"?void 0:document.createElement("canvas"),i=n?.getContext("2d");i&&(i.font=t);let r=l=>i?i.measureText(l).width:l.length*Vc*.55,o=Math.min(4096,Math.max(...e.map(r),1)+16),a=Math.min(4096,e.length*Up+8);if(n&&i){n.width=o,n.height=a,i.font=t,i.textBaseline="middle",i.textAlign=s.align??"center",i.fillStyle="#ffffff";let l=s.align==="left"?8:s.align==="right"?o-8:o/2;e.forEach((h,d)=>i.fillText(h,l,Up*(d+.5)+4))}let c=s.size/(Vc*bM);return{picture:n,width:o*c,height:a*c,x:(s.align==="left"?.5:s.align==="right"?-.5:0)*o*c}}function Bp(s,e){let t=vo(s?.base_color);return e?.2126*t[0]+.7152*t[1]+.0722*t[2]>.18?[0,0,0]:[1,1,1]:t}var zc=class{own=new Map;set(e,t,n){if(t==="intensity"&&typeof n=="number"){for(let r of e.children)r instanceof Yn&&(r.intensity=Math.max(n,0)*Math.PI);return}if(t==="color")for(let r of e.children)r instanceof Yn&&iu(r.color,n);let i=this.surface(e);if(i){switch(t){case"color":case"base_color":iu(i.color,n);return;case"opacity":if(typeof n!="number")return;i.opacity=nu(n),i.transparent=i.opacity<1,i.depthWrite=!i.transparent,i.needsUpdate=!0;return}if(i instanceof Mn)if(t==="emissive")iu(i.emissive,n);else{if(typeof n!="number")return;t==="emissive_intensity"?i.emissiveIntensity=Math.max(n,0):t==="metallic"?i.metalness=nu(n):t==="roughness"&&(i.roughness=nu(n))}}}surface(e){let t=this.own.get(e);if(t)return t;for(let n of e.children){if(!(n instanceof ht)||!(n.material instanceof Mn||n.material instanceof Bt)||n.userData.letters)continue;let i=n.material.clone();return i.onBeforeCompile=n.material.onBeforeCompile,n.material=i,this.own.set(e,i),i}}};function nu(s){return Math.min(Math.max(s,0),1)}function iu(s,e){Array.isArray(e)&&e.length>=3?s.setRGB(Number(e[0]),Number(e[1]),Number(e[2]),"srgb"):typeof e=="string"&&s.setStyle(/^#[0-9a-f]{8}$/i.test(e)?e.slice(0,7):e)}function _M(s){s.fragmentShader=s.fragmentShader.replace("#include <lights_fragment_end>",`radiance += 0.5 * irradiance * RECIPROCAL_PI;
    #include <lights_fragment_end>
    reflectedLight.indirectSpecular += 0.5 * irradiance * RECIPROCAL_PI * mix( vec3( 0.04 ), diffuseColor.rgb, metalnessFactor );`)}function bo(s){return s.onBeforeCompile=_M,s}function Gc(s){let e=new St;return e.setAttribute("position",new at(s.positions,3)),e.setAttribute("normal",new at(s.normals,3)),e.setAttribute("uv",new at(s.uvs,2)),e.setIndex(s.indices),e}function su(s,e){if(e===Dh)return console.warn("THREE.BufferGeometryUtils.toTrianglesDrawMode(): Geometry already defined as triangles."),s;if(e===or||e===go){let t=s.getIndex();if(t===null){let r=[],o=s.getAttribute("position");if(o!==void 0){for(let a=0;a<o.count;a++)r.push(a);s.setIndex(r),t=s.getIndex()}else return console.error("THREE.BufferGeometryUtils.toTrianglesDrawMode(): Undefined position attribute. Processing not possible."),s}let n=t.count-2,i=[];if(e===or)for(let r=1;r<=n;r++)i.push(t.getX(0)),i.push(t.getX(r)),i.push(t.getX(r+1));else for(let r=0;r<n;r++)r%2===0?(i.push(t.getX(r)),i.push(t.getX(r+1)),i.push(t.getX(r+2))):(i.push(t.getX(r+2)),i.push(t.getX(r+1)),i.push(t.getX(r)));return i.length/3!==n&&console.error("THREE.BufferGeometryUtils.toTrianglesDrawMode(): Unable to generate correct amount of triangles."),s.setIndex(i),s.clearGroups(),s}else return console.error("THREE.BufferGeometryUtils.toTrianglesDrawMode(): Unknown draw mode:",e),s}function Op(s){let e=new Map,t=new Map,n=s.clone();return kp(s,n,function(i,r){e.set(r,i),t.set(i,r)}),n.traverse(function(i){if(!i.isSkinnedMesh)return;let r=i,o=e.get(i),a=o.skeleton.bones;r.skeleton=o.skeleton.clone(),r.bindMatrix.copy(o.bindMatrix),r.skeleton.bones=a.map(function(c){return t.get(c)}),r.bind(r.skeleton,r.bindMatrix)}),n}function kp(s,e,t){t(s,e);for(let n=0;n<s.children.length;n++)kp(s.children[n],e.children[n],t)}var Hc=class extends oi{constructor(e){super(e),this.dracoLoader=null,this.ktx2Loader=null,this.meshoptDecoder=null,this.pluginCallbacks=[],this.register(function(t){return new uu(t)}),this.register(function(t){return new du(t)}),this.register(function(t){return new fu(t)}),this.register(function(t){return new _u(t)}),this.register(function(t){return new Su(t)}),this.register(function(t){return new wu(t)}),this.register(function(t){return new mu(t)}),this.register(function(t){return new gu(t)}),this.register(function(t){return new xu(t)}),this.register(function(t){return new yu(t)}),this.register(function(t){return new hu(t)}),this.register(function(t){return new vu(t)}),this.register(function(t){return new pu(t)}),this.register(function(t){return new bu(t)}),this.register(function(t){return new Mu(t)}),this.register(function(t){return new cu(t)}),this.register(function(t){return new Wc(t,Ye.EXT_MESHOPT_COMPRESSION)}),this.register(function(t){return new Wc(t,Ye.KHR_MESHOPT_COMPRESSION)}),this.register(function(t){return new Eu(t)})}load(e,t,n,i){let r=this,o;if(this.resourcePath!=="")o=this.resourcePath;else if(this.path!==""){let l=Ri.extractUrlBase(e);o=Ri.resolveURL(l,this.path)}else o=Ri.extractUrlBase(e);this.manager.itemStart(e);let a=function(l){i?i(l):console.error(l),r.manager.itemError(e),r.manager.itemEnd(e)},c=new er(this.manager);c.setPriority(this.priority),c.setCache(this.cache),c.setPath(this.path),c.setResponseType("arraybuffer"),c.setRequestHeader(this.requestHeader),c.setWithCredentials(this.withCredentials),c.load(e,function(l){try{r.parse(l,o,function(h){t(h),r.manager.itemEnd(e)},a)}catch(h){a(h)}},n,a)}setDRACOLoader(e){return this.dracoLoader=e,this}setKTX2Loader(e){return this.ktx2Loader=e,this}setMeshoptDecoder(e){return this.meshoptDecoder=e,this}register(e){return this.pluginCallbacks.indexOf(e)===-1&&this.pluginCallbacks.push(e),this}unregister(e){return this.pluginCallbacks.indexOf(e)!==-1&&this.pluginCallbacks.splice(this.pluginCallbacks.indexOf(e),1),this}parse(e,t,n,i){let r,o={},a={},c=new TextDecoder;if(typeof e=="string")r=JSON.parse(e);else if(e instanceof ArrayBuffer)if(c.decode(new Uint8Array(e,0,4))===Wp){try{o[Ye.KHR_BINARY_GLTF]=new Au(e)}catch(d){i&&i(d);return}r=JSON.parse(o[Ye.KHR_BINARY_GLTF].content)}else r=JSON.parse(c.decode(e));else r=e;if(r.asset===void 0||r.asset.version[0]<2){i&&i(new Error("THREE.GLTFLoader: Unsupported asset. glTF versions >=2.0 are supported."));return}let l=new Du(r,{path:t||this.resourcePath||"",crossOrigin:this.crossOrigin,priority:this.priority,cache:this.cache,withCredentials:this.withCredentials,requestHeader:this.requestHeader,manager:this.manager,ktx2Loader:this.ktx2Loader,meshoptDecoder:this.meshoptDecoder});l.fileLoader.setRequestHeader(this.requestHeader);for(let h=0;h<this.pluginCallbacks.length;h++){let d=this.pluginCallbacks[h](l);d.name||console.error("THREE.GLTFLoader: Invalid plugin found: missing name"),a[d.name]=d,o[d.name]=!0}if(r.extensionsUsed)for(let h=0;h<r.extensionsUsed.length;++h){let d=r.extensionsUsed[h],u=r.extensionsRequired||[];switch(d){case Ye.KHR_MATERIALS_UNLIT:o[d]=new lu;break;case Ye.KHR_DRACO_MESH_COMPRESSION:o[d]=new Tu(r,this.dracoLoader);break;case Ye.KHR_TEXTURE_TRANSFORM:o[d]=new Ru;break;case Ye.KHR_MESH_QUANTIZATION:o[d]=new Cu;break;default:u.indexOf(d)>=0&&a[d]===void 0&&console.warn('THREE.GLTFLoader: Unknown extension "'+d+'".')}}l.setExtensions(o),l.setPlugins(a),l.parse(n,i)}parseAsync(e,t){let n=this;return new Promise(function(i,r){n.parse(e,t,i,r)})}};function SM(){let s={};return{get:function(e){return s[e]},add:function(e,t){s[e]=t},remove:function(e){delete s[e]},removeAll:function(){s={}}}}function wt(s,e,t){let n=s.json.materials[e];return n.extensions&&n.extensions[t]?n.extensions[t]:null}var Ye={KHR_BINARY_GLTF:"KHR_binary_glTF",KHR_DRACO_MESH_COMPRESSION:"KHR_draco_mesh_compression",KHR_LIGHTS_PUNCTUAL:"KHR_lights_punctual",KHR_MATERIALS_CLEARCOAT:"KHR_materials_clearcoat",KHR_MATERIALS_DIFFUSE_ROUGHNESS:"KHR_materials_diffuse_roughness",KHR_MATERIALS_DISPERSION:"KHR_materials_dispersion",KHR_MATERIALS_IOR:"KHR_materials_ior",KHR_MATERIALS_SHEEN:"KHR_materials_sheen",KHR_MATERIALS_SPECULAR:"KHR_materials_specular",KHR_MATERIALS_TRANSMISSION:"KHR_materials_transmission",KHR_MATERIALS_IRIDESCENCE:"KHR_materials_iridescence",KHR_MATERIALS_ANISOTROPY:"KHR_materials_anisotropy",KHR_MATERIALS_UNLIT:"KHR_materials_unlit",KHR_MATERIALS_VOLUME:"KHR_materials_volume",KHR_TEXTURE_BASISU:"KHR_texture_basisu",KHR_TEXTURE_TRANSFORM:"KHR_texture_transform",KHR_MESH_QUANTIZATION:"KHR_mesh_quantization",KHR_MATERIALS_EMISSIVE_STRENGTH:"KHR_materials_emissive_strength",EXT_MATERIALS_BUMP:"EXT_materials_bump",EXT_TEXTURE_WEBP:"EXT_texture_webp",EXT_TEXTURE_AVIF:"EXT_texture_avif",EXT_MESHOPT_COMPRESSION:"EXT_meshopt_compression",KHR_MESHOPT_COMPRESSION:"KHR_meshopt_compression",EXT_MESH_GPU_INSTANCING:"EXT_mesh_gpu_instancing"},cu=class{constructor(e){this.parser=e,this.name=Ye.KHR_LIGHTS_PUNCTUAL,this.cache={refs:{},uses:{}}}It(){let e=this.parser,t=this.parser.json.nodes||[];for(let n=0,i=t.length;n<i;n++){let r=t[n];r.extensions&&r.extensions[this.name]&&r.extensions[this.name].light!==void 0&&e.Dt(this.cache,r.extensions[this.name].light)}}Rn(e){let t=this.parser,n="light:"+e,i=t.cache.get(n);if(i)return i;let r=t.json,c=((r.extensions&&r.extensions[this.name]||{}).lights||[])[e],l,h=new Re(16777215);c.color!==void 0&&h.setRGB(c.color[0],c.color[1],c.color[2],an);let d=c.range!==void 0?c.range:0;switch(c.type){case"directional":l=new $n(h),l.target.position.set(0,0,-1),l.add(l.target);break;case"point":l=new Ki(h),l.distance=d;break;case"spot":l=new ai(h),l.distance=d,c.spot=c.spot||{},c.spot.innerConeAngle=c.spot.innerConeAngle!==void 0?c.spot.innerConeAngle:0,c.spot.outerConeAngle=c.spot.outerConeAngle!==void 0?c.spot.outerConeAngle:Math.PI/4,l.angle=c.spot.outerConeAngle,l.penumbra=1-c.spot.innerConeAngle/c.spot.outerConeAngle,l.target.position.set(0,0,-1),l.add(l.target);break;default:throw new Error("THREE.GLTFLoader: Unexpected light type: "+c.type)}return l.position.set(0,0,0),ui(l,c),c.intensity!==void 0&&(l.intensity=c.intensity),l.name=t.createUniqueName(c.name||"light_"+e),i=Promise.resolve(l),t.cache.add(n,i),i}getDependency(e,t){if(e==="light")return this.Rn(t)}createNodeAttachment(e){let t=this,n=this.parser,r=n.json.nodes[e],a=(r.extensions&&r.extensions[this.name]||{}).light;return a===void 0?null:this.Rn(a).then(function(c){return n.Nt(t.cache,a,c)})}},lu=class{constructor(){this.name=Ye.KHR_MATERIALS_UNLIT}getMaterialType(){return Bt}extendParams(e,t,n){let i=[];e.color=new Re(1,1,1),e.opacity=1;let r=t.pbrMetallicRoughness;if(r){if(Array.isArray(r.baseColorFactor)){let o=r.baseColorFactor;e.color.setRGB(o[0],o[1],o[2],an),e.opacity=o[3]}r.baseColorTexture!==void 0&&i.push(n.assignTexture(e,"map",r.baseColorTexture,Et))}return Promise.all(i)}},hu=class{constructor(e){this.parser=e,this.name=Ye.KHR_MATERIALS_EMISSIVE_STRENGTH}extendMaterialParams(e,t){let n=wt(this.parser,e,this.name);return n===null||n.emissiveStrength!==void 0&&(t.emissiveIntensity=n.emissiveStrength),Promise.resolve()}},uu=class{constructor(e){this.parser=e,this.name=Ye.KHR_MATERIALS_CLEARCOAT}getMaterialType(e){return wt(this.parser,e,this.name)!==null?Jt:null}extendMaterialParams(e,t){let n=wt(this.parser,e,this.name);if(n===null)return Promise.resolve();let i=[];if(n.clearcoatFactor!==void 0&&(t.clearcoat=n.clearcoatFactor),n.clearcoatTexture!==void 0&&i.push(this.parser.assignTexture(t,"clearcoatMap",n.clearcoatTexture)),n.clearcoatRoughnessFactor!==void 0&&(t.clearcoatRoughness=n.clearcoatRoughnessFactor),n.clearcoatRoughnessTexture!==void 0&&i.push(this.parser.assignTexture(t,"clearcoatRoughnessMap",n.clearcoatRoughnessTexture)),n.clearcoatNormalTexture!==void 0&&(i.push(this.parser.assignTexture(t,"clearcoatNormalMap",n.clearcoatNormalTexture)),n.clearcoatNormalTexture.scale!==void 0)){let r=n.clearcoatNormalTexture.scale;t.clearcoatNormalScale=new Ge(r,r)}return Promise.all(i)}},du=class{constructor(e){this.parser=e,this.name=Ye.KHR_MATERIALS_DIFFUSE_ROUGHNESS}getMaterialType(e){return wt(this.parser,e,this.name)!==null?Jt:null}extendMaterialParams(e,t){let n=wt(this.parser,e,this.name);if(n===null)return Promise.resolve();let i=[];return t.diffuseRoughness=n.diffuseRoughnessFactor!==void 0?n.diffuseRoughnessFactor:0,n.diffuseRoughnessTexture!==void 0&&i.push(this.parser.assignTexture(t,"diffuseRoughnessMap",n.diffuseRoughnessTexture)),Promise.all(i)}},fu=class{constructor(e){this.parser=e,this.name=Ye.KHR_MATERIALS_DISPERSION}getMaterialType(e){return wt(this.parser,e,this.name)!==null?Jt:null}extendMaterialParams(e,t){let n=wt(this.parser,e,this.name);return n===null||(t.dispersion=n.dispersion!==void 0?n.dispersion:0),Promise.resolve()}},pu=class{constructor(e){this.parser=e,this.name=Ye.KHR_MATERIALS_IRIDESCENCE}getMaterialType(e){return wt(this.parser,e,this.name)!==null?Jt:null}extendMaterialParams(e,t){let n=wt(this.parser,e,this.name);if(n===null)return Promise.resolve();let i=[];return n.iridescenceFactor!==void 0&&(t.iridescence=n.iridescenceFactor),n.iridescenceTexture!==void 0&&i.push(this.parser.assignTexture(t,"iridescenceMap",n.iridescenceTexture)),n.iridescenceIor!==void 0&&(t.iridescenceIOR=n.iridescenceIor),n.iridescenceThicknessMinimum!==void 0&&(t.iridescenceThicknessMinimum=n.iridescenceThicknessMinimum),n.iridescenceThicknessMaximum!==void 0&&(t.iridescenceThicknessMaximum=n.iridescenceThicknessMaximum),n.iridescenceThicknessTexture!==void 0&&i.push(this.parser.assignTexture(t,"iridescenceThicknessMap",n.iridescenceThicknessTexture)),Promise.all(i)}},mu=class{constructor(e){this.parser=e,this.name=Ye.KHR_MATERIALS_SHEEN}getMaterialType(e){return wt(this.parser,e,this.name)!==null?Jt:null}extendMaterialParams(e,t){let n=wt(this.parser,e,this.name);if(n===null)return Promise.resolve();let i=[];if(t.sheenColor=new Re(0,0,0),t.sheenRoughness=0,t.sheen=1,n.sheenColorFactor!==void 0){let r=n.sheenColorFactor;t.sheenColor.setRGB(r[0],r[1],r[2],an)}return n.sheenRoughnessFactor!==void 0&&(t.sheenRoughness=n.sheenRoughnessFactor),n.sheenColorTexture!==void 0&&i.push(this.parser.assignTexture(t,"sheenColorMap",n.sheenColorTexture,Et)),n.sheenRoughnessTexture!==void 0&&i.push(this.parser.assignTexture(t,"sheenRoughnessMap",n.sheenRoughnessTexture)),Promise.all(i)}},gu=class{constructor(e){this.parser=e,this.name=Ye.KHR_MATERIALS_TRANSMISSION}getMaterialType(e){return wt(this.parser,e,this.name)!==null?Jt:null}extendMaterialParams(e,t){let n=wt(this.parser,e,this.name);if(n===null)return Promise.resolve();let i=[];return n.transmissionFactor!==void 0&&(t.transmission=n.transmissionFactor),n.transmissionTexture!==void 0&&i.push(this.parser.assignTexture(t,"transmissionMap",n.transmissionTexture)),Promise.all(i)}},xu=class{constructor(e){this.parser=e,this.name=Ye.KHR_MATERIALS_VOLUME}getMaterialType(e){return wt(this.parser,e,this.name)!==null?Jt:null}extendMaterialParams(e,t){let n=wt(this.parser,e,this.name);if(n===null)return Promise.resolve();let i=[];t.thickness=n.thicknessFactor!==void 0?n.thicknessFactor:0,n.thicknessTexture!==void 0&&i.push(this.parser.assignTexture(t,"thicknessMap",n.thicknessTexture)),t.attenuationDistance=n.attenuationDistance||1/0;let r=n.attenuationColor||[1,1,1];return t.attenuationColor=new Re().setRGB(r[0],r[1],r[2],an),Promise.all(i)}},yu=class{constructor(e){this.parser=e,this.name=Ye.KHR_MATERIALS_IOR}getMaterialType(e){return wt(this.parser,e,this.name)!==null?Jt:null}extendMaterialParams(e,t){let n=wt(this.parser,e,this.name);return n===null||(t.ior=n.ior!==void 0?n.ior:1.5,t.ior===0&&(t.ior=1e3)),Promise.resolve()}},vu=class{constructor(e){this.parser=e,this.name=Ye.KHR_MATERIALS_SPECULAR}getMaterialType(e){return wt(this.parser,e,this.name)!==null?Jt:null}extendMaterialParams(e,t){let n=wt(this.parser,e,this.name);if(n===null)return Promise.resolve();let i=[];t.specularIntensity=n.specularFactor!==void 0?n.specularFactor:1,n.specularTexture!==void 0&&i.push(this.parser.assignTexture(t,"specularIntensityMap",n.specularTexture));let r=n.specularColorFactor||[1,1,1];return t.specularColor=new Re().setRGB(r[0],r[1],r[2],an),n.specularColorTexture!==void 0&&i.push(this.parser.assignTexture(t,"specularColorMap",n.specularColorTexture,Et)),Promise.all(i)}},Mu=class{constructor(e){this.parser=e,this.name=Ye.EXT_MATERIALS_BUMP}getMaterialType(e){return wt(this.parser,e,this.name)!==null?Jt:null}extendMaterialParams(e,t){let n=wt(this.parser,e,this.name);if(n===null)return Promise.resolve();let i=[];return t.bumpScale=n.bumpFactor!==void 0?n.bumpFactor:1,n.bumpTexture!==void 0&&i.push(this.parser.assignTexture(t,"bumpMap",n.bumpTexture)),Promise.all(i)}},bu=class{constructor(e){this.parser=e,this.name=Ye.KHR_MATERIALS_ANISOTROPY}getMaterialType(e){return wt(this.parser,e,this.name)!==null?Jt:null}extendMaterialParams(e,t){let n=wt(this.parser,e,this.name);if(n===null)return Promise.resolve();let i=[];return n.anisotropyStrength!==void 0&&(t.anisotropy=n.anisotropyStrength),n.anisotropyRotation!==void 0&&(t.anisotropyRotation=n.anisotropyRotation),n.anisotropyTexture!==void 0&&i.push(this.parser.assignTexture(t,"anisotropyMap",n.anisotropyTexture)),Promise.all(i)}},_u=class{constructor(e){this.parser=e,this.name=Ye.KHR_TEXTURE_BASISU}loadTexture(e){let t=this.parser,n=t.json,i=n.textures[e];if(!i.extensions||!i.extensions[this.name])return null;let r=i.extensions[this.name],o=t.options.ktx2Loader;if(!o){if(n.extensionsRequired&&n.extensionsRequired.indexOf(this.name)>=0)throw new Error("THREE.GLTFLoader: setKTX2Loader must be called before loading KTX2 textures");return null}return t.loadTextureImage(e,r.source,o)}},Su=class{constructor(e){this.parser=e,this.name=Ye.EXT_TEXTURE_WEBP}loadTexture(e){let t=this.name,n=this.parser,i=n.json,r=i.textures[e];if(!r.extensions||!r.extensions[t])return null;let o=r.extensions[t],a=i.images[o.source],c=n.textureLoader;if(a.uri){let l=n.options.manager.getHandler(a.uri);l!==null&&(c=l)}return n.loadTextureImage(e,o.source,c)}},wu=class{constructor(e){this.parser=e,this.name=Ye.EXT_TEXTURE_AVIF}loadTexture(e){let t=this.name,n=this.parser,i=n.json,r=i.textures[e];if(!r.extensions||!r.extensions[t])return null;let o=r.extensions[t],a=i.images[o.source],c=n.textureLoader;if(a.uri){let l=n.options.manager.getHandler(a.uri);l!==null&&(c=l)}return n.loadTextureImage(e,o.source,c)}},Wc=class{constructor(e,t){this.name=t,this.parser=e}loadBufferView(e){let t=this.parser.json,n=t.bufferViews[e];if(n.extensions&&n.extensions[this.name]){let i=n.extensions[this.name],r=this.parser.getDependency("buffer",i.buffer),o=this.parser.options.meshoptDecoder;if(!o||!o.supported){if(t.extensionsRequired&&t.extensionsRequired.indexOf(this.name)>=0)throw new Error("THREE.GLTFLoader: setMeshoptDecoder must be called before loading compressed files");return null}return r.then(function(a){let c=i.byteOffset||0,l=i.byteLength||0,h=i.count,d=i.byteStride,u=new Uint8Array(a,c,l);return o.decodeGltfBufferAsync?o.decodeGltfBufferAsync(h,d,u,i.mode,i.filter).then(function(f){return f.buffer}):o.ready.then(function(){let f=new ArrayBuffer(h*d);return o.decodeGltfBuffer(new Uint8Array(f),h,d,u,i.mode,i.filter),f})})}else return null}},Eu=class{constructor(e){this.name=Ye.EXT_MESH_GPU_INSTANCING,this.parser=e}createNodeMesh(e){let t=this.parser.json,n=t.nodes[e];if(!n.extensions||!n.extensions[this.name]||n.mesh===void 0)return null;let i=t.meshes[n.mesh];for(let l of i.primitives)if(l.mode!==zn.TRIANGLES&&l.mode!==zn.TRIANGLE_STRIP&&l.mode!==zn.TRIANGLE_FAN&&l.mode!==void 0)return null;let o=n.extensions[this.name].attributes,a=[],c={};for(let l in o)a.push(this.parser.getDependency("accessor",o[l]).then(h=>(c[l]=h,c[l])));return a.length<1?null:(a.push(this.parser.createNodeMesh(e)),Promise.all(a).then(l=>{let h=l.pop(),d=h.isGroup?h.children:[h],u=l[0].count,f=[];for(let g of d){let M=new ke,m=new L,p=new Dt,b=new L(1,1,1),T=new Hr(g.geometry,g.material,u);for(let A=0;A<u;A++)c.TRANSLATION&&m.fromBufferAttribute(c.TRANSLATION,A),c.ROTATION&&p.fromBufferAttribute(c.ROTATION,A),c.SCALE&&b.fromBufferAttribute(c.SCALE,A),T.setMatrixAt(A,M.compose(m,p,b));let S=null;for(let A in c)if(A==="_COLOR_0"){let E=c[A];T.instanceColor=new Si(E.array,E.itemSize,E.normalized)}else if(A!=="TRANSLATION"&&A!=="ROTATION"&&A!=="SCALE"){if(S===null){let x=T.geometry;S=new St,S.name=x.name;for(let _ in x.attributes)S.setAttribute(_,x.attributes[_]);for(let _ in x.morphAttributes)S.morphAttributes[_]=x.morphAttributes[_];x.index!==null&&S.setIndex(x.index),S.morphTargetsRelative=x.morphTargetsRelative;for(let _ of x.groups)S.addGroup(_.start,_.count,_.materialIndex);x.boundingBox!==null&&(S.boundingBox=x.boundingBox.clone()),x.boundingSphere!==null&&(S.boundingSphere=x.boundingSphere.clone()),S.drawRange.start=x.drawRange.start,S.drawRange.count=x.drawRange.count,S.userData=Object.assign({},x.userData),T.geometry=S}let E=c[A];S.setAttribute(A,new Si(E.array,E.itemSize,E.normalized))}gt.prototype.copy.call(T,g),this.parser.assignFinalMaterial(T),f.push(T)}return h.isGroup?(h.clear(),h.add(...f),h):f[0]}))}},Wp="glTF",_o=12,Vp={JSON:1313821514,BIN:5130562},Au=class{constructor(e){this.name=Ye.KHR_BINARY_GLTF,this.content=null,this.body=null;let t=new DataView(e,0,_o),n=new TextDecoder;if(this.header={magic:n.decode(new Uint8Array(e.slice(0,4))),version:t.getUint32(4,!0),length:t.getUint32(8,!0)},this.header.magic!==Wp)throw new Error("THREE.GLTFLoader: Unsupported glTF-Binary header.");if(this.header.version<2)throw new Error("THREE.GLTFLoader: Legacy binary file detected.");let i=this.header.length-_o,r=new DataView(e,_o),o=0;for(;o<i;){let a=r.getUint32(o,!0);o+=4;let c=r.getUint32(o,!0);if(o+=4,c===Vp.JSON){let l=new Uint8Array(e,_o+o,a);this.content=n.decode(l)}else if(c===Vp.BIN){let l=_o+o;this.body=e.slice(l,l+a)}o+=a}if(this.content===null)throw new Error("THREE.GLTFLoader: JSON content not found.")}},Tu=class{constructor(e,t){if(!t)throw new Error("THREE.GLTFLoader: No DRACOLoader instance provided.");this.name=Ye.KHR_DRACO_MESH_COMPRESSION,this.json=e,this.dracoLoader=t,this.dracoLoader.preload()}decodePrimitive(e,t){let n=this.json,i=this.dracoLoader,r=e.extensions[this.name].bufferView,o=e.extensions[this.name].attributes,a={},c={},l={};for(let h in o){let d=Iu[h]||h.toLowerCase();a[d]=o[h]}for(let h in e.attributes){let d=Iu[h]||h.toLowerCase();if(o[h]!==void 0){let u=n.accessors[e.attributes[h]],f=hr[u.componentType];l[d]=f.name,c[d]=u.normalized===!0}}return t.getDependency("bufferView",r).then(function(h){return new Promise(function(d,u){i.decodeDracoFile(h,function(f){for(let g in f.attributes){let M=f.attributes[g],m=c[g];m!==void 0&&(M.normalized=m)}d(f)},a,l,an,u)})})}},Ru=class{constructor(){this.name=Ye.KHR_TEXTURE_TRANSFORM}extendTexture(e,t){if((t.texCoord===void 0||t.texCoord===e.channel)&&t.offset===void 0&&t.rotation===void 0&&t.scale===void 0)return e;if(e=e.clone(),t.texCoord!==void 0&&(e.channel=t.texCoord),t.offset!==void 0&&e.offset.fromArray(t.offset),t.rotation!==void 0&&(e.rotation=t.rotation),t.scale!==void 0&&e.repeat.fromArray(t.scale),t.rotation!==void 0){let n=Math.cos(e.rotation),i=Math.sin(e.rotation);e.matrix.set(e.repeat.x*n,e.repeat.y*i,e.offset.x,-e.repeat.x*i,e.repeat.y*n,e.offset.y,0,0,1),e.matrixAutoUpdate=!1}return e.needsUpdate=!0,e}},Cu=class{constructor(){this.name=Ye.KHR_MESH_QUANTIZATION}},Xc=class extends ri{constructor(e,t,n,i){super(e,t,n,i)}copySampleValue_(e){let t=this.resultBuffer,n=this.sampleValues,i=this.valueSize,r=e*i*3+i;for(let o=0;o!==i;o++)t[o]=n[r+o];return t}interpolate_(e,t,n,i){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=a*2,l=a*3,h=i-t,d=(n-t)/h,u=d*d,f=u*d,g=e*l,M=g-l,m=-2*f+3*u,p=f-u,b=1-m,T=p-u+d;for(let S=0;S!==a;S++){let A=o[M+S+a],E=o[M+S+c]*h,x=o[g+S+a],_=o[g+S]*h;r[S]=b*A+T*E+m*x+p*_}return r}},wM=new Dt,Pu=class extends Xc{interpolate_(e,t,n,i){let r=super.interpolate_(e,t,n,i);return wM.fromArray(r).normalize().toArray(r),r}},zn={FLOAT:5126,FLOAT_MAT3:35675,FLOAT_MAT4:35676,FLOAT_VEC2:35664,FLOAT_VEC3:35665,FLOAT_VEC4:35666,LINEAR:9729,REPEAT:10497,SAMPLER_2D:35678,POINTS:0,LINES:1,LINE_LOOP:2,LINE_STRIP:3,TRIANGLES:4,TRIANGLE_STRIP:5,TRIANGLE_FAN:6,UNSIGNED_BYTE:5121,UNSIGNED_SHORT:5123},hr={5120:Int8Array,5121:Uint8Array,5122:Int16Array,5123:Uint16Array,5125:Uint32Array,5126:Float32Array},zp={9728:At,9729:Lt,9984:Wa,9985:sr,9986:Ms,9987:kn},Gp={33071:Fn,33648:Ws,10497:Hi},ru={SCALAR:1,VEC2:2,VEC3:3,VEC4:4,MAT2:4,MAT3:9,MAT4:16},Iu={POSITION:"position",NORMAL:"normal",TANGENT:"tangent",TEXCOORD_0:"uv",TEXCOORD_1:"uv1",TEXCOORD_2:"uv2",TEXCOORD_3:"uv3",COLOR_0:"color",WEIGHTS_0:"skinWeight",JOINTS_0:"skinIndex"},Ji={scale:"scale",translation:"position",rotation:"quaternion",weights:"morphTargetInfluences"},EM={CUBICSPLINE:void 0,LINEAR:ds,STEP:us},ou={OPAQUE:"OPAQUE",MASK:"MASK",BLEND:"BLEND"};function AM(s){return s.DefaultMaterial===void 0&&(s.DefaultMaterial=new Mn({color:16777215,emissive:0,metalness:1,roughness:1,transparent:!1,depthTest:!0,side:Bn})),s.DefaultMaterial}function _s(s,e,t){for(let n in t.extensions)s[n]===void 0&&(e.userData.gltfExtensions=e.userData.gltfExtensions||{},e.userData.gltfExtensions[n]=t.extensions[n])}function ui(s,e){e.extras!==void 0&&(typeof e.extras=="object"?Object.assign(s.userData,e.extras):console.warn("THREE.GLTFLoader: Ignoring primitive type .extras, "+e.extras))}function TM(s,e,t){let n=!1,i=!1,r=!1;for(let l=0,h=e.length;l<h;l++){let d=e[l];if(d.POSITION!==void 0&&(n=!0),d.NORMAL!==void 0&&(i=!0),d.COLOR_0!==void 0&&(r=!0),n&&i&&r)break}if(!n&&!i&&!r)return Promise.resolve(s);let o=[],a=[],c=[];for(let l=0,h=e.length;l<h;l++){let d=e[l];if(n){let u=d.POSITION!==void 0?t.getDependency("accessor",d.POSITION):s.attributes.position;o.push(u)}if(i){let u=d.NORMAL!==void 0?t.getDependency("accessor",d.NORMAL):s.attributes.normal;a.push(u)}if(r){let u=d.COLOR_0!==void 0?t.getDependency("accessor",d.COLOR_0):s.attributes.color;c.push(u)}}return Promise.all([Promise.all(o),Promise.all(a),Promise.all(c)]).then(function(l){let h=l[0],d=l[1],u=l[2];return n&&(s.morphAttributes.position=h),i&&(s.morphAttributes.normal=d),r&&(s.morphAttributes.color=u),s.morphTargetsRelative=!0,s})}function RM(s,e){if(s.updateMorphTargets(),e.weights!==void 0)for(let t=0,n=e.weights.length;t<n;t++)s.morphTargetInfluences[t]=e.weights[t];if(e.extras&&Array.isArray(e.extras.targetNames)){let t=e.extras.targetNames;if(s.morphTargetInfluences.length===t.length){s.morphTargetDictionary={};for(let n=0,i=t.length;n<i;n++)s.morphTargetDictionary[t[n]]=n}else console.warn("THREE.GLTFLoader: Invalid extras.targetNames length. Ignoring names.")}}function CM(s){let e,t=s.extensions&&s.extensions[Ye.KHR_DRACO_MESH_COMPRESSION];if(t?e="draco:"+t.bufferView+":"+t.indices+":"+au(t.attributes):e=s.indices+":"+au(s.attributes)+":"+s.mode,s.targets!==void 0)for(let n=0,i=s.targets.length;n<i;n++)e+=":"+au(s.targets[n]);return e}function au(s){let e="",t=Object.keys(s).sort();for(let n=0,i=t.length;n<i;n++)e+=t[n]+":"+s[t[n]]+";";return e}function Lu(s){switch(s){case Int8Array:return 1/127;case Uint8Array:return 1/255;case Int16Array:return 1/32767;case Uint16Array:return 1/65535;default:throw new Error("THREE.GLTFLoader: Unsupported normalized accessor component type.")}}function PM(s){return s.search(/\.jpe?g($|\?)/i)>0||s.search(/^data\:image\/jpeg/)===0?"image/jpeg":s.search(/\.webp($|\?)/i)>0||s.search(/^data\:image\/webp/)===0?"image/webp":s.search(/\.ktx2($|\?)/i)>0||s.search(/^data\:image\/ktx2/)===0?"image/ktx2":"image/png"}var IM=new ke,Du=class{constructor(e={},t={}){this.json=e,this.extensions={},this.plugins={},this.options=t,this.cache=new SM,this.associations=new Map,this.primitiveCache={},this.nodeCache={},this.meshCache={refs:{},uses:{}},this.cameraCache={refs:{},uses:{}},this.lightCache={refs:{},uses:{}},this.sourceCache={},this.textureCache={},this.nodeNamesUsed={};let n=!1,i=-1,r=!1,o=-1;if(typeof navigator<"u"&&typeof navigator.userAgent<"u"){let a=navigator.userAgent;n=/^((?!chrome|android).)*safari/i.test(a)===!0;let c=a.match(/Version\/(\d+)/);i=n&&c?parseInt(c[1],10):-1,r=a.indexOf("Firefox")>-1,o=r?a.match(/Firefox\/([0-9]+)\./)[1]:-1}typeof createImageBitmap>"u"||n&&i<17||r&&o<98?(this.textureLoader=new Qr(this.options.manager),this.textureLoader.setPriority(this.options.priority),this.textureLoader.setCache(this.options.cache)):(this.textureLoader=new to(this.options.manager),this.textureLoader.setPriority(this.options.priority),this.textureLoader.setCache(this.options.cache)),this.textureLoader.setCrossOrigin(this.options.crossOrigin),this.textureLoader.setWithCredentials(this.options.withCredentials),this.textureLoader.setRequestHeader(this.options.requestHeader),this.fileLoader=new er(this.options.manager),this.fileLoader.setPriority(this.options.priority),this.fileLoader.setCache(this.options.cache),this.fileLoader.setResponseType("arraybuffer"),(this.options.withCredentials||this.options.crossOrigin==="use-credentials")&&this.fileLoader.setWithCredentials(!0)}setExtensions(e){this.extensions=e}setPlugins(e){this.plugins=e}parse(e,t){let n=this,i=this.json,r=this.extensions;this.cache.removeAll(),this.nodeCache={},this.ze(function(o){return o.It&&o.It()}),Promise.all(this.ze(function(o){return o.beforeRoot&&o.beforeRoot()})).then(function(){return Promise.all([n.getDependencies("scene"),n.getDependencies("animation"),n.getDependencies("camera")])}).then(function(o){let a={scene:o[0][i.scene||0],scenes:o[0],animations:o[1],cameras:o[2],asset:i.asset,parser:n,userData:{}};return _s(r,a,i),ui(a,i),Promise.all(n.ze(function(c){return c.afterRoot&&c.afterRoot(a)})).then(function(){for(let c of a.scenes)c.updateMatrixWorld();e(a)})}).catch(t)}It(){let e=this.json.nodes||[],t=this.json.skins||[],n=this.json.meshes||[];for(let i=0,r=t.length;i<r;i++){let o=t[i].joints;for(let a=0,c=o.length;a<c;a++)e[o[a]].isBone=!0}for(let i=0,r=e.length;i<r;i++){let o=e[i];o.mesh!==void 0&&(this.Dt(this.meshCache,o.mesh),o.skin!==void 0&&(n[o.mesh].isSkinnedMesh=!0)),o.camera!==void 0&&this.Dt(this.cameraCache,o.camera)}}Dt(e,t){t!==void 0&&(e.refs[t]===void 0&&(e.refs[t]=e.uses[t]=0),e.refs[t]++)}Nt(e,t,n){if(e.refs[t]<=1)return n;let i=n.clone(),r=(o,a)=>{let c=this.associations.get(o);c!=null&&this.associations.set(a,c);for(let[l,h]of o.children.entries())r(h,a.children[l])};return r(n,i),i.name+="_instance_"+e.uses[t]++,i}ee(e){let t=Object.values(this.plugins);t.push(this);for(let n=0;n<t.length;n++){let i=e(t[n]);if(i)return i}return null}ze(e){let t=Object.values(this.plugins);t.unshift(this);let n=[];for(let i=0;i<t.length;i++){let r=e(t[i]);r&&n.push(r)}return n}getDependency(e,t){let n=e+":"+t,i=this.cache.get(n);if(!i){switch(e){case"scene":i=this.loadScene(t);break;case"node":i=this.ee(function(r){return r.loadNode&&r.loadNode(t)});break;case"mesh":i=this.ee(function(r){return r.loadMesh&&r.loadMesh(t)});break;case"accessor":i=this.loadAccessor(t);break;case"bufferView":i=this.ee(function(r){return r.loadBufferView&&r.loadBufferView(t)});break;case"buffer":i=this.loadBuffer(t);break;case"material":i=this.ee(function(r){return r.loadMaterial&&r.loadMaterial(t)});break;case"texture":i=this.ee(function(r){return r.loadTexture&&r.loadTexture(t)});break;case"skin":i=this.loadSkin(t);break;case"animation":i=this.ee(function(r){return r.loadAnimation&&r.loadAnimation(t)});break;case"camera":i=this.loadCamera(t);break;default:if(i=this.ee(function(r){return r!=this&&r.getDependency&&r.getDependency(e,t)}),!i)throw new Error("Unknown type: "+e);break}this.cache.add(n,i)}return i}getDependencies(e){let t=this.cache.get(e);if(!t){let n=this,i=this.json[e+(e==="mesh"?"es":"s")]||[];t=Promise.all(i.map(function(r,o){return n.getDependency(e,o)})),this.cache.add(e,t)}return t}loadBuffer(e){let t=this.json.buffers[e],n=this.fileLoader;if(t.type&&t.type!=="arraybuffer")throw new Error("THREE.GLTFLoader: "+t.type+" buffer type is not supported.");if(t.uri===void 0&&e===0)return Promise.resolve(this.extensions[Ye.KHR_BINARY_GLTF].body);let i=this.options;return new Promise(function(r,o){n.load(Ri.resolveURL(t.uri,i.path),r,void 0,function(){o(new Error('THREE.GLTFLoader: Failed to load buffer "'+t.uri+'".'))})})}loadBufferView(e){let t=this.json.bufferViews[e];return this.getDependency("buffer",t.buffer).then(function(n){let i=t.byteLength||0,r=t.byteOffset||0;return n.slice(r,r+i)})}loadAccessor(e){let t=this,n=this.json,i=this.json.accessors[e];if(i.bufferView===void 0&&i.sparse===void 0){let o=ru[i.type],a=hr[i.componentType],c=i.normalized===!0,l=new a(i.count*o);return Promise.resolve(new _t(l,o,c))}let r=[];return i.bufferView!==void 0?r.push(this.getDependency("bufferView",i.bufferView)):r.push(null),i.sparse!==void 0&&(r.push(this.getDependency("bufferView",i.sparse.indices.bufferView)),r.push(this.getDependency("bufferView",i.sparse.values.bufferView))),Promise.all(r).then(function(o){let a=o[0],c=ru[i.type],l=hr[i.componentType],h=l.BYTES_PER_ELEMENT,d=h*c,u=i.byteOffset||0,f=i.bufferView!==void 0?n.bufferViews[i.bufferView].byteStride:void 0,g=i.normalized===!0,M,m;if(f&&f!==d){let p=Math.floor(u/f),b="InterleavedBuffer:"+i.bufferView+":"+i.componentType+":"+p+":"+i.count,T=t.cache.get(b);T||(M=new l(a,p*f,i.count*f/h),T=new $s(M,f/h),t.cache.add(b,T)),m=new Ks(T,c,u%f/h,g)}else a===null?M=new l(i.count*c):M=new l(a,u,i.count*c),m=new _t(M,c,g);if(i.sparse!==void 0){let p=ru.SCALAR,b=hr[i.sparse.indices.componentType],T=i.sparse.indices.byteOffset||0,S=i.sparse.values.byteOffset||0,A=new b(o[1],T,i.sparse.count*p),E=new l(o[2],S,i.sparse.count*c);a!==null&&(m=new _t(m.array.slice(),m.itemSize,m.normalized)),m.normalized=!1;for(let x=0,_=A.length;x<_;x++){let U=A[x];if(m.setX(U,E[x*c]),c>=2&&m.setY(U,E[x*c+1]),c>=3&&m.setZ(U,E[x*c+2]),c>=4&&m.setW(U,E[x*c+3]),c>=5)throw new Error("THREE.GLTFLoader: Unsupported itemSize in sparse BufferAttribute.")}m.normalized=g}return m})}loadTexture(e){let t=this.json,n=this.options,r=t.textures[e].source,o=t.images[r],a=this.textureLoader;if(o.uri){let c=n.manager.getHandler(o.uri);c!==null&&(a=c)}return this.loadTextureImage(e,r,a)}loadTextureImage(e,t,n){let i=this,r=this.json,o=r.textures[e],a=r.images[t],c=(a.uri||a.bufferView)+":"+o.sampler;if(this.textureCache[c])return this.textureCache[c];let l=this.loadImageSource(t,n).then(function(h){h.flipY=!1,h.name=o.name||a.name||"",h.name===""&&typeof a.uri=="string"&&a.uri.startsWith("data:image/")===!1&&(h.name=a.uri);let u=(r.samplers||{})[o.sampler]||{};return h.magFilter=zp[u.magFilter]||Lt,h.minFilter=zp[u.minFilter]||kn,h.wrapS=Gp[u.wrapS]||Hi,h.wrapT=Gp[u.wrapT]||Hi,h.generateMipmaps=!h.isCompressedTexture&&h.minFilter!==At&&h.minFilter!==Lt,i.associations.set(h,{textures:e}),h}).catch(function(){return null});return this.textureCache[c]=l,l}loadImageSource(e,t){let n=this,i=this.json,r=this.options;if(this.sourceCache[e]!==void 0)return this.sourceCache[e].then(u=>u.clone());let o=i.images[e],a=self.URL||self.webkitURL,c=o.uri||"",l=!1,h;if(t.isKTX2Loader===!0&&o.bufferView!==void 0)h=n.getDependency("bufferView",o.bufferView).then(function(u){return new Promise(function(f,g){t.parse(u,f,g)})});else{if(o.bufferView!==void 0)c=n.getDependency("bufferView",o.bufferView).then(function(u){l=!0;let f=new Blob([u],{type:o.mimeType});return c=a.createObjectURL(f),c});else if(o.uri===void 0)throw new Error("THREE.GLTFLoader: Image "+e+" is missing URI and bufferView");h=Promise.resolve(c).then(function(u){return new Promise(function(f,g){let M=f;t.isImageBitmapLoader===!0&&(M=function(m){let p=new Tt(m);p.needsUpdate=!0,f(p)}),t.load(Ri.resolveURL(u,r.path),M,void 0,g)})})}let d=h.then(function(u){return l===!0&&a.revokeObjectURL(c),ui(u,o),u.userData.mimeType=o.mimeType||PM(o.uri),u}).catch(function(u){throw console.error("THREE.GLTFLoader: Couldn't load texture",c),u});return this.sourceCache[e]=d,d}assignTexture(e,t,n,i){let r=this;return this.getDependency("texture",n.index).then(function(o){if(!o)return null;if(n.texCoord!==void 0&&n.texCoord>0&&(o=o.clone(),o.channel=n.texCoord),r.extensions[Ye.KHR_TEXTURE_TRANSFORM]){let a=n.extensions!==void 0?n.extensions[Ye.KHR_TEXTURE_TRANSFORM]:void 0;if(a){let c=r.associations.get(o);o=r.extensions[Ye.KHR_TEXTURE_TRANSFORM].extendTexture(o,a),r.associations.set(o,c)}}return i!==void 0&&(o.colorSpace=i),e[t]=o,o})}assignFinalMaterial(e){let t=e.geometry,n=e.material,i=t.attributes.tangent===void 0,r=t.attributes.color!==void 0,o=t.attributes.normal===void 0;if(e.isPoints){let a="PointsMaterial:"+n.uuid,c=this.cache.get(a);c||(c=new qi,vn.prototype.copy.call(c,n),c.color.copy(n.color),c.map=n.map,c.sizeAttenuation=!1,this.cache.add(a,c)),n=c}else if(e.isLine){let a="LineBasicMaterial:"+n.uuid,c=this.cache.get(a);c||(c=new wi,vn.prototype.copy.call(c,n),c.color.copy(n.color),c.map=n.map,this.cache.add(a,c)),n=c}if(i||r||o){let a="ClonedMaterial:"+n.uuid+":";i&&(a+="derivative-tangents:"),r&&(a+="vertex-colors:"),o&&(a+="flat-shading:");let c=this.cache.get(a);c||(c=n.clone(),r&&(c.vertexColors=!0),o&&(c.flatShading=!0),i&&(c.normalScale&&(c.normalScale.y*=-1),c.clearcoatNormalScale&&(c.clearcoatNormalScale.y*=-1)),this.cache.add(a,c),this.associations.set(c,this.associations.get(n))),n=c}e.material=n}getMaterialType(){return Mn}loadMaterial(e){let t=this,n=this.json,i=this.extensions,r=n.materials[e],o,a={},c=r.extensions||{},l=[];if(c[Ye.KHR_MATERIALS_UNLIT]){let d=i[Ye.KHR_MATERIALS_UNLIT];o=d.getMaterialType(),l.push(d.extendParams(a,r,t))}else{let d=r.pbrMetallicRoughness||{};if(a.color=new Re(1,1,1),a.opacity=1,Array.isArray(d.baseColorFactor)){let u=d.baseColorFactor;a.color.setRGB(u[0],u[1],u[2],an),a.opacity=u[3]}d.baseColorTexture!==void 0&&l.push(t.assignTexture(a,"map",d.baseColorTexture,Et)),a.metalness=d.metallicFactor!==void 0?d.metallicFactor:1,a.roughness=d.roughnessFactor!==void 0?d.roughnessFactor:1,d.metallicRoughnessTexture!==void 0&&(l.push(t.assignTexture(a,"metalnessMap",d.metallicRoughnessTexture)),l.push(t.assignTexture(a,"roughnessMap",d.metallicRoughnessTexture))),o=this.ee(function(u){return u.getMaterialType&&u.getMaterialType(e)}),l.push(Promise.all(this.ze(function(u){return u.extendMaterialParams&&u.extendMaterialParams(e,a)})))}r.doubleSided===!0&&(a.side=pn);let h=r.alphaMode||ou.OPAQUE;if(h===ou.BLEND?(a.transparent=!0,a.depthWrite=!1):(a.transparent=!1,h===ou.MASK&&(a.alphaTest=r.alphaCutoff!==void 0?r.alphaCutoff:.5)),r.normalTexture!==void 0&&o!==Bt&&(l.push(t.assignTexture(a,"normalMap",r.normalTexture)),a.normalScale=new Ge(1,1),r.normalTexture.scale!==void 0)){let d=r.normalTexture.scale;a.normalScale.set(d,d)}if(r.occlusionTexture!==void 0&&o!==Bt&&(l.push(t.assignTexture(a,"aoMap",r.occlusionTexture)),r.occlusionTexture.strength!==void 0&&(a.aoMapIntensity=r.occlusionTexture.strength)),r.emissiveFactor!==void 0&&o!==Bt){let d=r.emissiveFactor;a.emissive=new Re().setRGB(d[0],d[1],d[2],an)}return r.emissiveTexture!==void 0&&o!==Bt&&l.push(t.assignTexture(a,"emissiveMap",r.emissiveTexture,Et)),Promise.all(l).then(function(){let d=new o(a);return r.name&&(d.name=r.name),ui(d,r),t.associations.set(d,{materials:e}),r.extensions&&_s(i,d,r),d})}createUniqueName(e){let t=ft.sanitizeNodeName(e||"");return t in this.nodeNamesUsed?t+"_"+ ++this.nodeNamesUsed[t]:(this.nodeNamesUsed[t]=0,t)}loadGeometries(e){let t=this,n=this.extensions,i=this.primitiveCache;function r(a){return n[Ye.KHR_DRACO_MESH_COMPRESSION].decodePrimitive(a,t).then(function(c){return Hp(c,a,t)})}let o=[];for(let a=0,c=e.length;a<c;a++){let l=e[a],h=CM(l),d=i[h];if(d)o.push(d.promise);else{let u;l.extensions&&l.extensions[Ye.KHR_DRACO_MESH_COMPRESSION]?u=r(l):u=Hp(new St,l,t),l.mode===zn.TRIANGLE_STRIP?u=u.then(f=>su(f,go)):l.mode===zn.TRIANGLE_FAN&&(u=u.then(f=>su(f,or))),i[h]={primitive:l,promise:u},o.push(u)}}return Promise.all(o)}loadMesh(e){let t=this,n=this.json,i=this.extensions,r=n.meshes[e],o=r.primitives,a=[];for(let c=0,l=o.length;c<l;c++){let h=o[c].material===void 0?AM(this.cache):this.getDependency("material",o[c].material);a.push(h)}return a.push(t.loadGeometries(o)),Promise.all(a).then(async function(c){let l=c.slice(0,c.length-1),h=c[c.length-1],d=[];for(let f=0,g=h.length;f<g;f++){let M=h[f],m=o[f],p,b=l[f];if(m.mode===zn.TRIANGLES||m.mode===zn.TRIANGLE_STRIP||m.mode===zn.TRIANGLE_FAN||m.mode===void 0){let T=r.isSkinnedMesh===!0,S=M.hasAttribute("skinIndex")&&M.hasAttribute("skinWeight");T&&S===!1&&console.warn("THREE.GLTFLoader: Missing skinIndex or skinWeight attributes. Skinning disabled."),p=T&&S?new Vr(M,b):new ht(M,b),p.isSkinnedMesh===!0&&p.normalizeSkinWeights()}else if(m.mode===zn.LINES)p=new Qs(M,b);else if(m.mode===zn.LINE_STRIP)p=new Ei(M,b);else if(m.mode===zn.LINE_LOOP)p=new Wr(M,b);else if(m.mode===zn.POINTS)p=new ps(M,b);else throw new Error("THREE.GLTFLoader: Primitive mode unsupported: "+m.mode);Object.keys(p.geometry.morphAttributes).length>0&&RM(p,r),p.name=t.createUniqueName(r.name||"mesh_"+e),ui(p,r),m.extensions&&_s(i,p,m),t.assignFinalMaterial(p),d.push(p)}for(let f=0,g=d.length;f<g;f++)t.associations.set(d[f],{meshes:e,primitives:f});if(d.length===1)return r.extensions&&_s(i,d[0],r),d[0];let u=new jt;r.extensions&&_s(i,u,r),t.associations.set(u,{meshes:e});for(let f=0,g=d.length;f<g;f++)u.add(d[f]);return u})}loadCamera(e){let t,n=this.json.cameras[e],i=n[n.type];if(!i){console.warn("THREE.GLTFLoader: Missing camera parameters.");return}return n.type==="perspective"?t=new Ot(Lc.radToDeg(i.yfov),i.aspectRatio||1,i.znear||1,i.zfar||2e6):n.type==="orthographic"&&(t=new bn(-i.xmag,i.xmag,i.ymag,-i.ymag,i.znear,i.zfar)),n.name&&(t.name=this.createUniqueName(n.name)),ui(t,n),Promise.resolve(t)}loadSkin(e){let t=this.json.skins[e],n=[];for(let i=0,r=t.joints.length;i<r;i++)n.push(this.Cn(t.joints[i]));return t.inverseBindMatrices!==void 0?n.push(this.getDependency("accessor",t.inverseBindMatrices)):n.push(null),Promise.all(n).then(function(i){let r=i.pop(),o=i,a=[],c=[];for(let l=0,h=o.length;l<h;l++){let d=o[l];if(d){a.push(d);let u=new ke;r!==null&&u.fromArray(r.array,l*16),c.push(u)}else console.warn('THREE.GLTFLoader: Joint "%s" could not be found.',t.joints[l])}return new Gr(a,c)})}loadAnimation(e){let t=this.json,n=this,i=t.animations[e],r=i.name?i.name:"animation_"+e,o=[],a=[],c=[],l=[],h=[];for(let d=0,u=i.channels.length;d<u;d++){let f=i.channels[d],g=i.samplers[f.sampler],M=f.target,m=M.node,p=i.parameters!==void 0?i.parameters[g.input]:g.input,b=i.parameters!==void 0?i.parameters[g.output]:g.output;M.node!==void 0&&(o.push(this.getDependency("node",m)),a.push(this.getDependency("accessor",p)),c.push(this.getDependency("accessor",b)),l.push(g),h.push(M))}return Promise.all([Promise.all(o),Promise.all(a),Promise.all(c),Promise.all(l),Promise.all(h)]).then(function(d){let u=d[0],f=d[1],g=d[2],M=d[3],m=d[4],p=[];for(let T=0,S=u.length;T<S;T++){let A=u[T],E=f[T],x=g[T],_=M[T],U=m[T];if(A===void 0)continue;A.updateMatrix&&A.updateMatrix();let I=n.Ni(A,E,x,_,U);if(I)for(let N=0;N<I.length;N++)p.push(I[N])}let b=new Zr(r,void 0,p);return ui(b,i),b})}createNodeMesh(e){let t=this.json,n=this,i=t.nodes[e];return i.mesh===void 0?null:n.getDependency("mesh",i.mesh).then(function(r){let o=n.Nt(n.meshCache,i.mesh,r);return i.weights!==void 0&&o.traverse(function(a){if(a.isMesh)for(let c=0,l=i.weights.length;c<l;c++)a.morphTargetInfluences[c]=i.weights[c]}),o})}loadNode(e){let t=this.json,n=this,i=t.nodes[e],r=n.Cn(e),o=[],a=i.children||[];for(let l=0,h=a.length;l<h;l++)o.push(n.getDependency("node",a[l]));let c=i.skin===void 0?Promise.resolve(null):n.getDependency("skin",i.skin);return Promise.all([r,Promise.all(o),c]).then(function(l){let h=l[0],d=l[1],u=l[2];u!==null&&h.traverse(function(f){f.isSkinnedMesh&&f.bind(u,IM)});for(let f=0,g=d.length;f<g;f++)h.add(d[f]);if(h.userData.pivot!==void 0&&d.length>0){let f=h.userData.pivot,g=d[0];h.pivot=new L().fromArray(f),h.position.x-=f[0],h.position.y-=f[1],h.position.z-=f[2],g.position.set(0,0,0),delete h.userData.pivot}return h})}Cn(e){let t=this.json,n=this.extensions,i=this;if(this.nodeCache[e]!==void 0)return this.nodeCache[e];let r=t.nodes[e],o=r.name?i.createUniqueName(r.name):"",a=[],c=i.ee(function(l){return l.createNodeMesh&&l.createNodeMesh(e)});return c&&a.push(c),r.camera!==void 0&&a.push(i.getDependency("camera",r.camera).then(function(l){return i.Nt(i.cameraCache,r.camera,l)})),i.ze(function(l){return l.createNodeAttachment&&l.createNodeAttachment(e)}).forEach(function(l){a.push(l)}),this.nodeCache[e]=Promise.all(a).then(function(l){let h;if(r.isBone===!0?h=new zr:l.length>1?h=new jt:l.length===1?h=l[0]:h=new gt,h!==l[0])for(let d=0,u=l.length;d<u;d++)h.add(l[d]);if(r.name&&(h.userData.name=r.name,h.name=o),ui(h,r),r.extensions&&_s(n,h,r),r.matrix!==void 0){let d=new ke;d.fromArray(r.matrix),h.applyMatrix4(d)}else r.translation!==void 0&&h.position.fromArray(r.translation),r.rotation!==void 0&&h.quaternion.fromArray(r.rotation),r.scale!==void 0&&h.scale.fromArray(r.scale);if(!i.associations.has(h))i.associations.set(h,{});else if(r.mesh!==void 0&&i.meshCache.refs[r.mesh]>1){let d=i.associations.get(h);i.associations.set(h,{...d})}return i.associations.get(h).nodes=e,h}),this.nodeCache[e]}loadScene(e){let t=this.extensions,n=this.json.scenes[e],i=this,r=new jt;n.name&&(r.name=i.createUniqueName(n.name)),ui(r,n),n.extensions&&_s(t,r,n);let o=n.nodes||[],a=[];for(let c=0,l=o.length;c<l;c++)a.push(i.getDependency("node",o[c]));return Promise.all(a).then(function(c){for(let h=0,d=c.length;h<d;h++){let u=c[h];u.parent!==null?r.add(Op(u)):r.add(u)}let l=h=>{let d=new Map;for(let[u,f]of i.associations)(u instanceof vn||u instanceof Tt)&&d.set(u,f);return h.traverse(u=>{let f=i.associations.get(u);f!=null&&d.set(u,f)}),d};return i.associations=l(r),r})}Ni(e,t,n,i,r){let o=[],a=e.name?e.name:e.uuid,c=[];function l(f){f.morphTargetInfluences&&c.push(f.name?f.name:f.uuid)}Ji[r.path]===Ji.weights?(l(e),e.isGroup&&e.children.forEach(l)):c.push(a);let h;switch(Ji[r.path]){case Ji.weights:h=ms;break;case Ji.rotation:h=Yi;break;case Ji.translation:case Ji.scale:h=gs;break;default:n.itemSize===1?h=ms:h=gs;break}let d=i.interpolation!==void 0?EM[i.interpolation]:ds,u=this.Ui(n);for(let f=0,g=c.length;f<g;f++){let M=new h(c[f]+"."+Ji[r.path],t.array,u,d);i.interpolation==="CUBICSPLINE"&&this.Fi(M),o.push(M)}return o}Ui(e){let t=e.array;if(e.normalized){let n=Lu(t.constructor),i=new Float32Array(t.length);for(let r=0,o=t.length;r<o;r++)i[r]=t[r]*n;t=i}return t}Fi(e){e.createInterpolant=function(n){let i=this instanceof Yi?Pu:Xc;return new i(this.times,this.values,this.getValueSize()/3,n)},e.createInterpolant.isInterpolantFactoryMethodGLTFCubicSpline=!0}};function LM(s,e,t){let n=e.attributes,i=new Yt;if(n.POSITION!==void 0){let a=t.json.accessors[n.POSITION],c=a.min,l=a.max;if(c!==void 0&&l!==void 0){if(i.set(new L(c[0],c[1],c[2]),new L(l[0],l[1],l[2])),a.normalized){let h=Lu(hr[a.componentType]);i.min.multiplyScalar(h),i.max.multiplyScalar(h)}}else{console.warn("THREE.GLTFLoader: Missing min/max properties for accessor POSITION.");return}}else return;let r=e.targets;if(r!==void 0){let a=new L,c=new L;for(let l=0,h=r.length;l<h;l++){let d=r[l];if(d.POSITION!==void 0){let u=t.json.accessors[d.POSITION],f=u.min,g=u.max;if(f!==void 0&&g!==void 0){if(c.setX(Math.max(Math.abs(f[0]),Math.abs(g[0]))),c.setY(Math.max(Math.abs(f[1]),Math.abs(g[1]))),c.setZ(Math.max(Math.abs(f[2]),Math.abs(g[2]))),u.normalized){let M=Lu(hr[u.componentType]);c.multiplyScalar(M)}a.max(c)}else console.warn("THREE.GLTFLoader: Missing min/max properties for accessor POSITION.")}}i.expandByVector(a)}s.boundingBox=i;let o=new yn;i.getCenter(o.center),o.radius=i.min.distanceTo(i.max)/2,s.boundingSphere=o}function Hp(s,e,t){let n=e.attributes,i=[];function r(o,a){return t.getDependency("accessor",o).then(function(c){s.setAttribute(a,c)})}for(let o in n){let a=Iu[o]||o.toLowerCase();a in s.attributes||i.push(r(n[o],a))}if(e.indices!==void 0&&!s.index){let o=t.getDependency("accessor",e.indices).then(function(a){s.setIndex(a)});i.push(o)}return je.workingColorSpace!==an&&"COLOR_0"in n&&console.warn(`THREE.GLTFLoader: Converting vertex colors from "srgb-linear" to "${je.workingColorSpace}" not supported.`),ui(s,e),LM(s,e,t),Promise.all(i).then(function(){return e.targets!==void 0?TM(s,e.targets,t):s})}function ur(s){let e=atob(s),t=new Uint8Array(e.length);for(let n=0;n<e.length;n++)t[n]=e.charCodeAt(n);return t}function Xe(s,e){return[s[0]+e[0],s[1]+e[1],s[2]+e[2]]}function Fe(s,e){return[s[0]-e[0],s[1]-e[1],s[2]-e[2]]}function Ee(s,e){return[s[0]*e,s[1]*e,s[2]*e]}function ze(s,e){return s[0]*e[0]+s[1]*e[1]+s[2]*e[2]}function mt(s){return Math.sqrt(ze(s,s))}function hn(s,e){return[s[1]*e[2]-s[2]*e[1],s[2]*e[0]-s[0]*e[2],s[0]*e[1]-s[1]*e[0]]}function Ss(s,e){return[s[3]*e[0]+s[0]*e[3]+s[1]*e[2]-s[2]*e[1],s[3]*e[1]-s[0]*e[2]+s[1]*e[3]+s[2]*e[0],s[3]*e[2]+s[0]*e[1]-s[1]*e[0]+s[2]*e[3],s[3]*e[3]-s[0]*e[0]-s[1]*e[1]-s[2]*e[2]]}function Nt(s,e){let t=[s[0],s[1],s[2]],n=Ee(hn(t,e),2);return Xe(Xe(e,Ee(n,s[3])),hn(t,n))}function Xp(s,e,t){let n=Ss([e[0],e[1],e[2],0],s),i=t/2;return[s[0]+n[0]*i,s[1]+n[1]*i,s[2]+n[2]*i,s[3]+n[3]*i]}function qp(s,e,t){let n=s[0]*e[0]+s[1]*e[1]+s[2]*e[2]+s[3]*e[3],i=1-t,r=t,o=n<0?-1:1;if(n*=o,n<.9995){let l=Math.acos(n),h=Math.sin(l);i=Math.sin(i*l)/h,r=Math.sin(r*l)/h}r*=o;let a=[s[0]*i+e[0]*r,s[1]*i+e[1]*r,s[2]*i+e[2]*r,s[3]*i+e[3]*r],c=Math.sqrt(a[0]*a[0]+a[1]*a[1]+a[2]*a[2]+a[3]*a[3])||1;return[a[0]/c,a[1]/c,a[2]/c,a[3]/c]}function qc(s,e){let t=(c,l)=>mt(c)>1e-9?Ee(c,1/mt(c)):l,n=t(Fe(s,e),[0,0,1]),i=t(hn([0,1,0],n),[1,0,0]),r=hn(n,i),o=i[0]+r[1]+n[2],a;if(o>0){let c=.5/Math.sqrt(o+1);a=[(r[2]-n[1])*c,(n[0]-i[2])*c,(i[1]-r[0])*c,.25/c]}else if(i[0]>r[1]&&i[0]>n[2]){let c=2*Math.sqrt(1+i[0]-r[1]-n[2]);a=[.25*c,(r[0]+i[1])/c,(n[0]+i[2])/c,(r[2]-n[1])/c]}else if(r[1]>n[2]){let c=2*Math.sqrt(1+r[1]-i[0]-n[2]);a=[(r[0]+i[1])/c,.25*c,(n[1]+r[2])/c,(n[0]-i[2])/c]}else{let c=2*Math.sqrt(1+n[2]-i[0]-r[1]);a=[(n[0]+i[2])/c,(n[1]+r[2])/c,.25*c,(i[1]-r[0])/c]}return a}function So(s){return[-s[0],-s[1],-s[2],s[3]]}function Nu(s){let e=s%360;if(e<0&&(e+=360),e>180)return-Nu(e-180);e>90&&(e=180-e);let t=e*Math.PI/180,n=t*t,i=0;for(let r=19;r>=3;r-=2)i=-n/(r*(r-1))*(1+i);return t*(1+i)}function jc(s){let e=[0,0,0,1];for(let t=0;t<3;t++){let n=[0,0,0,Nu(s[t]/2+90)];n[t]=Nu(s[t]/2),e=Ss(e,n)}return e}var jp=3e6;function Yp(s,e){let t=JSON.parse(s),n=[],i=[],r=0;for(let h of t.buffers??[]){let d=/^data:[^,]*;base64,/.exec(h.uri??"");if(!d)throw new Error(`${e} needs another file, ${h.uri??"which it does not name"}; use a .glb or embed it`);let u=ur(h.uri.slice(d[0].length));i.push(r),n.push(u),r+=u.length+3&-4}for(let h of t.bufferViews??[])h.byteOffset=(h.byteOffset??0)+(i[h.buffer]??0),h.buffer=0;r>0&&(t.buffers=[{byteLength:r}]);let o=new TextEncoder().encode(JSON.stringify(t)),a=o.length+3&-4,c=new Uint8Array(20+a+(r>0?8+r:0)).fill(32,0,20+a),l=new DataView(c.buffer);return[1179937895,2,c.length,a,1313821514].forEach((h,d)=>l.setUint32(d*4,h,!0)),c.set(o,20),r>0&&(l.setUint32(20+a,r,!0),l.setUint32(24+a,5130562,!0),n.forEach((h,d)=>c.set(h,28+a+i[d]))),c.buffer}function $p(s){let e=[],t=[],n=[],i=[],r=[],o=[],a=!0,c=l=>{let h=(m,p)=>{let b=Number(p);return p?m[b<0?m.length+b:b-1]:void 0},[d,u,f]=l.split("/"),g=h(e,d);if(!g)throw new Error(`a face of the model names the corner ${d}, which is not there`);i.push(...g),o.push(...h(n,u)??[0,0]);let M=h(t,f);M||(a=!1),r.push(...M??[0,0,0])};for(let l of s.split(`
`)){let[h,...d]=l.trim().split(/\s+/),u=f=>Array.from({length:f},(g,M)=>Number(d[M])||0);if(h==="v")e.push(u(3));else if(h==="vn")t.push(u(3));else if(h==="vt")n.push(u(2));else if(h==="f")for(let f=2;f<d.length;f++)for(let g of[0,f-1,f])c(d[g]);if(i.length>jp*3)throw new Error("the model has too many corners")}return Zp(i,a?r:void 0,o)}function Kp(s){let e=new DataView(s.buffer),t=[],n=s.length>=84?e.getUint32(80,!0):0;if(s.length>=84&&s.length===84+n*50){if(n*3>jp)throw new Error("the model has too many corners");for(let i=0;i<n;i++)for(let r=0;r<9;r++)t.push(e.getFloat32(84+i*50+12+r*4,!0))}else{for(let i of new TextDecoder().decode(s).matchAll(/vertex\s+(\S+)\s+(\S+)\s+(\S+)/g))t.push(Number(i[1])||0,Number(i[2])||0,Number(i[3])||0);if(t.length===0||t.length%9>0)throw new Error("the model is no STL file")}return Zp(t)}function Zp(s,e,t){if(s.length===0)throw new Error("the model has no faces");if(!e){e=[];for(let n=0;n<s.length;n+=9){let[i,r,o]=[0,3,6].map(c=>s.slice(n+c,n+c+3)),a=hn(Fe(r,i),Fe(o,i));for(let c=0;c<3;c++)e.push(...Ee(a,1/(mt(a)||1)))}}return{positions:s,normals:e,uvs:t??new Array(s.length/3*2).fill(0),indices:s.slice(0,s.length/3).map((n,i)=>i)}}async function Jp(s,e){let t=ur(s.data??""),n=s.path.toLowerCase().replace(/^.*\./,"");if(n==="obj")return{object:Qp($p(new TextDecoder().decode(t)),e)};if(n==="stl")return{object:Qp(Kp(t),e)};if(n!=="glb"&&n!=="gltf")throw new Error(`${s.path}: a viewer shows glTF, OBJ and STL`);let i=await DM(n==="gltf"?Yp(new TextDecoder().decode(t),s.path):t.buffer);return i.scene.traverse(r=>{r instanceof ht&&(r.castShadow=r.receiveShadow=!0,r.material instanceof Mn&&bo(r.material))}),i.animations.length===0?{object:i.scene}:{object:i.scene,clip:new Uu(i.scene,i.animations[0])}}function DM(s){let e=globalThis,t=e.createImageBitmap;e.createImageBitmap=void 0;try{return new Hc().parseAsync(s,"")}finally{e.createImageBitmap=t}}var Uu=class{constructor(e,t){this.clip=t;for(let n of t.tracks){let i=n.name.lastIndexOf("."),r=e.getObjectByName(n.name.slice(0,i)),o=n.name.slice(i+1);if(!r)continue;let a=n.createInterpolant();o==="position"||o==="scale"||o==="quaternion"?this.tracks.push(c=>{r[o].fromArray(a.evaluate(c))}):o==="morphTargetInfluences"&&this.tracks.push(c=>{r.morphTargetInfluences=Array.from(a.evaluate(c))})}}clip;tracks=[];time=0;step(e){this.time=this.clip.duration>0?(this.time+e)%this.clip.duration:0;for(let t of this.tracks)t(this.time)}};function Qp(s,e){let t=new ht(Gc(s),e);return t.castShadow=t.receiveShadow=!0,new jt().add(t)}var Ou=class{positions=[];normals=[];uvs=[];indices=[];add(e,t,n,i){return this.positions.push(...e),this.normals.push(...t),this.uvs.push(n,i),this.positions.length/3-1}flat(...e){let t=em(e[0],e[1],e[2]),n=[[0,0],[1,0],[1,1],[0,1]],i=e.map((r,o)=>this.add(r,t,n[o][0],n[o][1]));this.indices.push(i[0],i[1],i[2],i[0],i[2],i[3])}triangle(e,t,n){let i=em(e,t,n);this.indices.push(this.add(e,i,0,0),this.add(t,i,1,0),this.add(n,i,.5,1))}turn(e,t){let n=this.positions.length/3;for(let r=0;r<=t;r++){let o=2*Math.PI*(r%t)/t,a=Math.sin(o),c=Math.cos(o);for(let l of e)this.add([l.r*a,l.y,l.r*c],[l.nr*a,l.ny,l.nr*c],r/t,l.v)}let i=e.length;for(let r=0;r<t;r++)for(let o=0;o<i-1;o++){let a=n+r*i+o,c=n+(r+1)*i+o,l=e[o],h=e[o+1];l.r===h.r&&l.y===h.y||(l.r>0&&this.indices.push(a,c,c+1),h.r>0&&this.indices.push(a,c+1,a+1))}}stretched(e){for(let t=0;t<this.positions.length;t+=3){let n=im([this.normals[t]/(e[0]||1),this.normals[t+1]/(e[1]||1),this.normals[t+2]/(e[2]||1)]);for(let i=0;i<3;i++)this.positions[t+i]*=e[i],this.normals[t+i]=n[i]}return this}};function im(s){return Ee(s,1/(mt(s)||1))}function em(s,e,t){return im(hn(Fe(e,s),Fe(t,s)))}function NM(s,[e,t,n]){let i=(r,o,a)=>[(r-.5)*e,(o-.5)*t,(a-.5)*n];s.flat(i(0,0,1),i(1,0,1),i(1,1,1),i(0,1,1)),s.flat(i(1,0,0),i(0,0,0),i(0,1,0),i(1,1,0)),s.flat(i(1,0,1),i(1,0,0),i(1,1,0),i(1,1,1)),s.flat(i(0,0,0),i(0,0,1),i(0,1,1),i(0,1,0)),s.flat(i(0,1,1),i(1,1,1),i(1,1,0),i(0,1,0)),s.flat(i(0,0,0),i(1,0,0),i(1,0,1),i(0,0,1))}function tm(s,e,t,n){let i=[];for(let r=0;r<=n;r++){let o=Math.PI*r/n,a=r===0||r===n?0:Math.sin(o),c=Math.cos(o),l={r:s*a,y:-s*c,nr:a,ny:-c,v:r/n};2*r<n?i.push({...l,y:l.y+e}):2*r>n?i.push({...l,y:l.y+t}):(i.push({...l,y:e}),e!==t&&i.push({...l,y:t}))}return i}function nm(s,e,t,n,i){let r=Math.hypot(n,e-t),o=n/r,a=(e-t)/r,c=[{r:0,y:-n/2,nr:0,ny:-1,v:.5},{r:e,y:-n/2,nr:0,ny:-1,v:0},{r:e,y:-n/2,nr:o,ny:a,v:0},{r:t,y:n/2,nr:o,ny:a,v:1}];t>0&&c.push({r:t,y:n/2,nr:0,ny:1,v:1},{r:0,y:n/2,nr:0,ny:1,v:.5}),s.turn(c,i)}function Fu(s,e,t,n){let i=([r,o],a)=>{let c=n+2*Math.PI*(a%t)/t;return[o*Math.sin(c),r,o*Math.cos(c)]};for(let r=0;r+1<e.length;r++){let o=e[r],a=e[r+1];for(let c=0;c<t;c++){let l=i(o,c),h=i(o,c+1),d=i(a,c+1),u=i(a,c);o[1]>0&&s.triangle(l,h,d),a[1]>0&&s.triangle(l,d,u)}}}function wo(s,e,t){e.forEach((n,i)=>{let r=e[(i+1)%e.length],o=([d,u],f)=>[d,u,f],a=o(n,.5),c=o(r,.5),l=o(n,-.5),h=o(r,-.5);s.triangle(o(t,.5),a,c),s.triangle(o(t,-.5),h,l),s.triangle(a,l,h),s.triangle(a,h,c)})}function Bu(s,e){return Array.from({length:s},(t,n)=>e(n))}function UM(s,e){switch(e){case"pyramid":return Fu(s,[[-.5,0],[-.5,Math.SQRT1_2],[.5,0]],4,Math.PI/4);case"crystal":return Fu(s,[[-.5,0],[-.1,.5],[.5,0]],6,0);case"gem":return Fu(s,[[-.5,0],[.15,.5],[.5,.3],[.5,0]],8,0);case"wedge":return wo(s,[[-.5,-.5],[.5,-.5],[-.5,.5]],[-.2,-.2]);case"arrow":return wo(s,[[-.5,-.15],[.1,-.15],[.1,-.4],[.5,0],[.1,.4],[.1,.15],[-.5,.15]],[.12,0]);case"gear":return wo(s,Bu(48,t=>{let n=t%4>1?.38:.5,i=2*Math.PI*t/48;return[n*Math.cos(i),n*Math.sin(i)]}),[0,0]);case"heart":return wo(s,Bu(32,t=>{let n=-2*Math.PI*t/32,i=13*Math.cos(n)-5*Math.cos(2*n)-2*Math.cos(3*n)-Math.cos(4*n);return[16*Math.sin(n)**3/34,(i+2.5)/34]}),[0,.05]);default:return wo(s,Bu(10,t=>{let n=t%2===1?.2:.5,i=Math.PI*t/5;return[-n*Math.sin(i),n*Math.cos(i)]}),[0,0])}}function sm(s){let e=new Ou,t=s.size??[1,1,1],n=s.segments?.[0]??32,i=s.segments?.[1]??16,r=s.radius??0,o=s.height??0,a=s.tube??0;switch(s.kind){case"box":NM(e,t);break;case"plane":{let c=t[0]/2,l=t[2]/2;e.flat([-c,0,l],[c,0,l],[c,0,-l],[-c,0,-l]);break}case"sphere":e.turn(tm(r,0,0,Math.max(2,n>>1)),n);break;case"capsule":{let c=Math.max(o/2-r,0),l=Math.max(2,n>>1);l+=l%2,e.turn(tm(r,-c,c,l),n);break}case"cylinder":nm(e,r,r,o,n);break;case"cone":nm(e,r,0,o,n);break;case"torus":{let c=Array.from({length:i+1},(l,h)=>{let d=2*Math.PI*(h%i)/i;return{r:r+a*Math.cos(d),y:a*Math.sin(d),nr:Math.cos(d),ny:Math.sin(d),v:h/i}});e.turn(c,n);break}case"ring":case"disc":{let c=s.kind==="ring"?Math.min(r-a,r*.999):0;e.turn([{r,y:0,nr:0,ny:1,v:0},{r:c,y:0,nr:0,ny:1,v:1}],n);break}default:return UM(e,s.kind),e.stretched(t)}return s.stretch?e.stretched(s.stretch):e}var ku=Math.PI;function Pi(s){return new Re((s??"#ffffffff").slice(0,7))}function rm(s){let e={world:new Br,objects:[],byId:new Map,clips:[],faults:[],pending:[]},t=(s.materials??[]).map(i=>VM(i,s,e.pending)),n=(s.geometries??[]).map(i=>i.kind==="model"?void 0:Gc(sm(i)));WM(s,e);for(let i of s.nodes??[]){let r=new jt;r.name=i.name??i.path,r.userData={id:i.id},i.t&&r.position.fromArray(i.t),i.r&&r.quaternion.fromArray(i.r),i.s&&r.scale.fromArray(i.s),r.visible=i.visible!==!1,FM(i,s,r,n,t,e),i.light&&zM(i.light,r),i.camera&&!e.camera&&GM(i,r,e),(i.parent>=0?e.objects[i.parent]:e.world).add(r),e.objects.push(r),e.byId.set(i.id,r)}if(!(s.nodes??[]).some(i=>i.light&&i.light.type!=="ambient")){let i=new $n(16777215,.8*ku);i.position.set(3,6,4),e.world.add(i)}return e}function FM(s,e,t,n,i,r){let o=s.material===void 0?void 0:i[s.material];if(s.geometry!==void 0&&o){let a=n[s.geometry];if(a){let c=new ht(a,o);c.castShadow=c.receiveShadow=!0,t.add(c)}else OM(s,(e.geometries??[])[s.geometry],e,t,o,r)}s.text&&Vu(s,s.text.value,e,t)}function Vu(s,e,t,n){for(let o of n.children.filter(a=>a.userData.letters))o.removeFromParent(),o.geometry.dispose(),o.material.map?.dispose(),o.material.dispose();if(e==="")return;let i={size:.1,...s.text,value:e},r=HM(i,s.material===void 0?void 0:t.materials?.[s.material],s.geometry!==void 0);r.userData.letters=!0,s.geometry!==void 0&&(r.position.z=BM((t.geometries??[])[s.geometry])+.002),n.add(r)}function BM(s){return s.size?s.size[2]/2:((s.radius??0)+(s.kind==="torus"?s.tube??0:0))*(s.stretch?.[2]??1)}function OM(s,e,t,n,i,r){let o=t.assets?.[e.asset??-1],a=c=>{r.faults.push({node:s.id,text:`${Cs(s)}: ${c}`}),n.add(new ht(new Js,new Bt({wireframe:!0,color:13646379})))};if(!o?.data)return a(`the model ${o?.path??""} did not come with the scene`);r.pending.push(Jp(o,i).then(c=>{n.add(c.object),c.clip&&r.clips.push(c.clip)},c=>a(c instanceof Error?c.message:String(c))))}function Yc(s,e,t,n){let i=e.assets?.[s??-1];if(!i?.data)return null;let r=new Tt;return t.push(kM(r,i,n)),r}function kM(s,e,t){let n=new Image;s.image=n,s.colorSpace=t?Et:Zn,s.wrapS=s.wrapT=1e3,s.minFilter=kn;let i=new Promise(r=>{n.onload=()=>{s.needsUpdate=!0,r()},n.onerror=()=>r()});return n.src=`data:${e.media_type};base64,${e.data}`,i}function VM(s,e,t){let n={color:Pi(s.base_color),opacity:Mo(s.base_color),transparent:s.alpha==="blend",alphaTest:s.alpha==="mask"?.5:0,side:s.double_sided?pn:Bn,map:Yc(s.maps?.base_color,e,t,!0),depthWrite:s.alpha!=="blend"};if(s.unlit)return new Bt(n);let i=Yc(s.maps?.orm,e,t,!1),r={...n,metalness:s.metallic??0,roughness:s.roughness??.5,emissive:s.emissive?Pi(s.emissive):new Re(0),emissiveIntensity:s.emissive_intensity??1,normalMap:Yc(s.maps?.normal,e,t,!1),metalnessMap:i,roughnessMap:i,emissiveMap:Yc(s.maps?.emissive,e,t,!0)};return(s.ior??1.5)!==1.5?bo(new Jt({...r,ior:s.ior})):bo(new Mn(r))}function zM(s,e){let t=Pi(s.color),n=(s.intensity??1)*ku,i;switch(s.type){case"ambient":i=new nr(t,n);break;case"hemisphere":i=new Jr(t,Pi(s.ground),n);break;case"directional":i=new $n(t,n);break;case"spot":i=new ai(t,n,s.range??0,s.angle??.5,s.penumbra??0);break;case"area":i=new ai(t,n,s.range??0,1.4,.6);break;default:i=new Ki(t,n,s.range??0)}i.position.set(0,0,0),(i instanceof $n||i instanceof ai)&&(i.target.position.set(0,0,-1),e.add(i.target)),s.shadow&&(i instanceof $n||i instanceof ai||i instanceof Ki)&&(i.castShadow=!0,i.shadow.mapSize.set(1024,1024),i.shadow.normalBias=.02,i instanceof $n&&Object.assign(i.shadow.camera,{left:-15,right:15,top:15,bottom:-15,near:-50,far:100})),e.add(i)}function GM(s,e,t){let n=s.camera;t.camera=n.ortho?new bn(-n.ortho/2,n.ortho/2,n.ortho/2,-n.ortho/2,n.near,n.far):new Ot(n.fov*180/Math.PI,1,n.near,n.far),t.camera.userData={height:n.ortho??0},e.add(t.camera)}function HM(s,e,t){let{picture:n,width:i,height:r,x:o}=Fp(s),a=Bp(e,t),c=new qr(n);c.colorSpace=Et;let l=new Re().setRGB(...a,an),h=new ht(new Ti(i,r),new Bt({map:c,color:l,transparent:!0,side:pn,depthWrite:!1}));return h.position.x=o,h}function WM(s,e){let t=s.environment??{},n=XM(t.sky?.colors);e.world.background=n.background,n.dome&&e.world.add(n.dome),t.fog&&(e.world.fog=new Fr(Pi(t.fog.color),t.fog.density));let i=t.ambient??{color:"#ffffffff",intensity:.3};e.world.add(new nr(Pi(i.color),i.intensity*ku))}function XM(s=[]){let e=s.map(t=>t.slice(0,7));return e.length<2?{background:new Re(e[0]??"#dfe5ec")}:{background:Pi(e[e.length-1]),dome:qM(e)}}function qM(s){let e=new Kr(1,16,32),t=e.getAttribute("position"),n=new Float32Array(t.count*3);for(let r=0;r<t.count;r++){let o=(1-t.getY(r))/2*(s.length-1),a=Math.min(Math.floor(o),s.length-2);Pi(s[a]).lerp(Pi(s[a+1]),o-a).toArray(n,r*3)}e.setAttribute("color",new at(n,3));let i=new ht(e,new Bt({vertexColors:!0,side:fn,fog:!1,depthWrite:!1,depthTest:!1}));return i.renderOrder=-1,i.frustumCulled=!1,i.userData.sky=!0,i.raycast=()=>{},i.onBeforeRender=(r,o,a)=>{i.matrixWorld.makeScale(100,100,100).setPosition(new L().setFromMatrixPosition(a.matrixWorld)),i.modelViewMatrix.multiplyMatrices(a.matrixWorldInverse,i.matrixWorld)},i}function om(s,e){let t=s?Ee(Xe(s[0],s[1]),.5):[0,0,0];if(e){let o=Nt(e.r,[0,0,-1]);return{...e,target:Xe(e.t,Ee(o,Math.max(1,ze(Fe(t,e.t),o))))}}let n=s?Math.max(.5,mt(Fe(s[1],s[0]))):2,i=[.55,.45,1],r=Xe(t,Ee(i,n*1.15/mt(i)));return{t:r,r:qc(r,t),target:t}}function zu(s){let e=new Yt;s.world.updateMatrixWorld(!0);for(let t of s.objects)for(let n of t.children)"isMesh"in n&&t.visible&&e.expandByObject(n);return e}function am(s){let e=s.camera;if(!e)return new Ot(50,1,.05,5e3);e.updateWorldMatrix(!0,!1);let t=e.clone();return e.matrixWorld.decompose(t.position,t.quaternion,t.scale),t.scale.set(1,1,1),t}function cm(s,e){let t=zu(s),n=Gu(e),{t:i,r,target:o}=om(t.isEmpty()?void 0:[t.min.toArray(),t.max.toArray()],s.camera?{t:n.position,r:n.rotation}:void 0);return n.position=i,n.rotation=r,o}function Gu(s){return{get position(){return s.position.toArray()},set position(e){s.position.fromArray(e)},get rotation(){return s.quaternion.toArray()},set rotation(e){s.quaternion.fromArray(e)},flat:s instanceof bn,height:e=>s instanceof Ot?2*e*Math.tan(s.fov*Math.PI/360):(s.top-s.bottom)/s.zoom,zoom(e){return s instanceof bn?(s.zoom=Math.min(Math.max(s.zoom/e,.01),1e3),s.updateProjectionMatrix(),!0):!1}}}var jM=new Set(["bloom","vignette","chromatic_aberration","film_grain","color_grading"]);function lm(s){return(s??[]).filter(e=>jM.has(e.kind))}function hm(s){let e=(t,n,i,...r)=>{let o=s.find(c=>c.kind===t);if(!o)return i;let a=o.params??{};for(let c of r)if(typeof a[c]=="number"&&Number.isFinite(a[c]))return a[c];return n};return{bloom:e("bloom",1,0,"intensity","strength"),threshold:e("bloom",.8,0,"threshold"),vignette:e("vignette",.5,0,"intensity","darkness"),extent:e("vignette",.4,.4,"offset","extent"),fringe:e("chromatic_aberration",.5,0,"intensity","offset"),grain:e("film_grain",.2,0,"intensity"),brightness:1+e("color_grading",0,0,"brightness","exposure"),contrast:e("color_grading",1,1,"contrast"),saturation:e("color_grading",1,1,"saturation")}}var um="varying vec2 at; void main() { at = uv; gl_Position = vec4( position.xy, 0.0, 1.0 ); }",YM=`
uniform sampler2D image; uniform vec2 along; uniform float threshold; varying vec2 at;
vec3 bright( vec2 p ) {
  vec3 c = min( texture2D( image, p ).rgb, vec3( 16.0 ) );
  float l = max( c.r, max( c.g, c.b ) );
  return c * max( l - threshold, 0.0 ) / max( l, 0.0001 );
}
void main() {
  vec3 sum = bright( at ) * 0.1964;
  for ( int i = 1; i < 6; i ++ ) {
    float x = float( i ), w = 0.1964 * exp( - x * x / 8.0 );
    sum += ( bright( at + along * x ) + bright( at - along * x ) ) * w;
  }
  gl_FragColor = vec4( sum, 1.0 );
}`,$M=`
uniform sampler2D image, near, far; uniform float bloom, vignette, extent, fringe, grain, brightness, contrast, saturation; varying vec2 at;
void main() {
  vec2 out_ = at - 0.5;
  vec3 c = texture2D( image, at ).rgb;
  if ( fringe > 0.0 ) {
    c.r = texture2D( image, at + out_ * fringe ).r;
    c.b = texture2D( image, at - out_ * fringe ).b;
  }
  c += ( texture2D( near, at ).rgb + texture2D( far, at ).rgb ) * bloom;
  c = mix( vec3( dot( c, vec3( 0.2126, 0.7152, 0.0722 ) ) ), c, saturation ) * brightness;
  c = max( ( c - 0.18 ) * contrast + 0.18, 0.0 );
  c *= 1.0 - vignette * smoothstep( extent, 1.0, length( out_ ) * 1.4142 );
  c *= 1.0 + grain * ( fract( sin( dot( floor( at * 800.0 ), vec2( 12.9898, 78.233 ) ) ) * 43758.5453 ) - 0.5 );
  gl_FragColor = vec4( c, 1.0 );
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`,$c=class s{light=new cn(1,1,{type:Rn,samples:4});steps=[2,2,8,8].map(()=>new cn(1,1,{type:Rn,minFilter:Lt,depthBuffer:!1}));camera=new bn;sheet=new ht(new Ti(2,2));blur;whole;blooms;static of(e){let t=lm(e);return t.length>0?new s(t):void 0}constructor(e){let t=hm(e);this.blooms=e.some(n=>n.kind==="bloom"),this.blur=new jn({vertexShader:um,fragmentShader:YM,depthTest:!1,toneMapped:!1,uniforms:{image:{value:null},along:{value:new Ge},threshold:{value:0}}}),this.blur.userData.threshold=t.threshold,this.whole=new jn({vertexShader:um,fragmentShader:$M,depthTest:!1,uniforms:{image:{value:this.light.texture},near:{value:this.steps[1].texture},far:{value:this.steps[3].texture},bloom:{value:.5*t.bloom},vignette:{value:t.vignette},extent:{value:t.extent},fringe:{value:.02*t.fringe},grain:{value:t.grain},brightness:{value:t.brightness},contrast:{value:t.contrast},saturation:{value:t.saturation}}}),this.sheet.frustumCulled=!1}render(e,t,n){let i=e.getDrawingBufferSize(new Ge);if((this.light.width!==i.x||this.light.height!==i.y)&&(this.light.setSize(i.x,i.y),this.steps.forEach((r,o)=>r.setSize(Math.max(1,i.x>>(o<2?1:3)),Math.max(1,i.y>>(o<2?1:3))))),e.setRenderTarget(this.light),e.render(t,n),this.blooms){let r=this.light;this.steps.forEach((o,a)=>{let c=this.blur.uniforms;c.image.value=r.texture,c.along.value.set(a%2===0?1.5/o.width:0,a%2===1?1.5/o.height:0),c.threshold.value=a===0?this.blur.userData.threshold:0,this.pass(e,this.blur,o),r=o})}this.pass(e,this.whole,null)}pass(e,t,n){this.sheet.material=t,e.setRenderTarget(n),e.render(this.sheet,this.camera)}dispose(){for(let e of[this.light,...this.steps])e.dispose();for(let e of[this.blur,this.whole])e.dispose();this.sheet.geometry.dispose()}};var Q={MaxTurn:1e4,MaxLong:1e5,MaxStep:2e5,MaxInit:5e7,MaxHosted:1e4,MaxCalls:128,MaxEvents:1e4,MaxText:1048576,MaxItems:1e5,MaxStack:4096,MaxAlloc:8388608,MaxHeld:67108864,MaxWaiting:1e4,MaxSpawned:1e4,MaxTrace:1e5,MaxDepth:64,MaxDocument:33554432,MaxFunctions:1e5,MaxCode:1048576,MaxTotalCode:4194304,MaxConsts:1048576,MaxEntries:1e5,MaxLocals:4096,MaxNesting:64,ChargeElements:64,ChargeBytes:512};var De=class{constructor(e){this.items=e}items;turn=0},Je=class{constructor(e=new Map){this.map=e}map;turn=0},vt=class{constructor(e){this.id=e}id},Sn=class{constructor(e){this.id=e}id},mn=class{constructor(e,t){this.fn=e;this.boxes=t}fn;boxes},Qn=class{constructor(e,t){this.v=e;this.turn=t}v;turn},Ii=class{constructor(e){this.items=e}items;at=0};function Cn(s){return s===null||s===!1||s===""?!1:typeof s!="number"||s!==0&&s===s}function zt(s){let e=s.length;for(let t=0;t<s.length;t++){let n=s.charCodeAt(t);n<128||(n<2048?e+=1:n>=55296&&n<56320&&t+1<s.length?(e+=2,t++):e+=2)}return e}function Li(s){let e=s.length;for(let t=0;t<s.length;t++){let n=s.charCodeAt(t);n>=55296&&n<56320&&e--}return e}function fr(s){return s.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g,e=>e.length===2?e:"\uFFFD")}var Eo=class{constructor(e){this.left=e}left};function Ao(s,e,t,n){if(--n.left<0||t<0)return!1;if(s instanceof De){if(!(e instanceof De)||s.items.length!==e.items.length)return!1;if(s===e)return!0;for(let i=0;i<s.items.length;i++)if(!Ao(s.items[i],e.items[i],t-1,n))return!1;return!0}if(s instanceof Je){if(!(e instanceof Je)||s.map.size!==e.map.size)return!1;if(s===e)return!0;for(let[i,r]of s.map){let o=e.map.get(i);if(o===void 0||!Ao(r,o,t-1,n))return!1}return!0}if(s instanceof vt)return e instanceof vt&&s.id===e.id;if(s instanceof Sn)return e instanceof Sn&&s.id===e.id;if(s instanceof Ii||s instanceof Qn)return!1;if(typeof s=="string"&&typeof e=="string"&&s.length*3>=Q.ChargeBytes){let i=zt(s);i===zt(e)&&(n.left-=Math.floor(i/Q.ChargeBytes))}return s===e}function qu(s,e){return Ao(s,e,Q.MaxDepth,new Eo(Q.MaxItems))}function en(s){return typeof s=="number"?s:s===null||s===!1?0:s===!0?1:void 0}function ws(s){return s===0?"0":String(s)}var Hu="\u2026",Xu=class{parts=[];size=0;put(e){this.parts.push(e),this.size+=zt(e)}show(e,t,n){if(n<=0||t<0)return this.put(Hu);let i=this.size;if(e===null)this.put("null");else if(typeof e=="boolean")this.put(e?"true":"false");else if(typeof e=="number")this.put(ws(e));else if(typeof e=="string")this.put(dr(e));else if(e instanceof vt)this.put(e.id);else if(e instanceof Sn)this.put(e.id+".state");else if(e instanceof De){this.put("[");for(let r=0;r<e.items.length;r++){if(r>0&&this.put(","),this.size-i>n){this.put(Hu);break}this.show(e.items[r],t-1,n-(this.size-i))}this.put("]")}else if(e instanceof Je){this.put("{");let r=0;for(let[o,a]of e.map){if(r++>0&&this.put(","),this.size-i>n){this.put(Hu);break}this.put(dr(o)),this.put(":"),this.show(a,t-1,n-(this.size-i))}this.put("}")}else e instanceof mn?this.put("function"):this.put("null")}};function To(s){if(typeof s=="string")return s;let e=new Xu;return e.show(s,Q.MaxDepth,Q.MaxText),e.parts.join("")}function ju(s){return typeof s=="string"?dr(s):To(s)}function dr(s){let e='"';for(let t of s){let n=t.codePointAt(0);t==='"'||t==="\\"?e+="\\"+t:t===`
`?e+="\\n":t==="	"?e+="\\t":n<32||n===127?e+="\\u00"+(n>>4).toString(16)+(n&15).toString(16):e+=t}return e+'"'}function Rt(s){return s===null?"null":typeof s=="boolean"||typeof s=="number"||typeof s=="string"?typeof s:s instanceof De?"list":s instanceof mn?"function":s instanceof vt?"node":"object"}function gn(s){return s.length<=200||Li(s)<=200?s:[...s].slice(0,200).join("")+"\u2026"}var Wu=4096;function pr(s){if(s.length<=Wu&&zt(s)<=Wu)return s;let e=0,t="";for(let n of s){if(e+=zt(n),e>Wu)break;t+=n}return t+"\u2026"}function es(s,e){return e<0?null:s instanceof De?new De(s.items.map(t=>es(t,e-1))):s instanceof Je?new Je(new Map([...s.map].map(([t,n])=>[t,es(n,e-1)]))):s}function Kc(s,e){if(s===e)return 0;let t=Math.min(s.length,e.length);for(let n=0;n<t;n++){let i=s.charCodeAt(n),r=e.charCodeAt(n);if(i!==r)return i>=55296&&i<57344&&(i+=65536),r>=55296&&r<57344&&(r+=65536),i<r?-1:1}return s.length<e.length?-1:1}var dm=/[^\s,\]}:]+/y;function Yu(s){if(s.length>Q.MaxText||zt(s)>Q.MaxText)return;try{JSON.parse(s)}catch{return}let e=0,t=()=>{for(;e<s.length&&` 	
\r`.includes(s[e]);)e++},n=()=>{let r=e+1;for(;s[r]!=='"';)r+=s[r]==="\\"?2:1;let o=s.slice(e,r+1);return e=r+1,fr(JSON.parse(o))},i=r=>{t();let o=s[e];if(o==='"')return n();if(o!=="["&&o!=="{"){dm.lastIndex=e;let l=dm.exec(s)[0];e+=l.length;let h=JSON.parse(l);if(typeof h=="number"&&!Number.isFinite(h))throw new RangeError("number");return h}if(r===0)throw new RangeError("depth");e++;let a=[],c=new Map;for(t();s[e]!=="]"&&s[e]!=="}";t()){if(s[e]===","&&e++,o==="[")a.push(i(r-1));else{t();let l=n();t(),e++,c.set(l,i(r-1))}if(a.length>Q.MaxItems||c.size>Q.MaxItems)throw new RangeError("size")}return e++,o==="["?new De(a):new Je(c)};try{return i(Q.MaxDepth)}catch{return}}function Es(s,e=Q.MaxDepth){return e<0?null:typeof s=="string"?fr(s).slice(0,Q.MaxText/4):typeof s=="number"||typeof s=="boolean"?s:Array.isArray(s)?new De(s.slice(0,Q.MaxItems).map(t=>Es(t,e-1))):typeof s=="object"&&s!==null?new Je(new Map(Object.entries(s).slice(0,Q.MaxItems).map(([t,n])=>[fr(t),Es(n,e-1)]))):null}function di(s,e=Q.MaxDepth){if(e<0)return null;if(s===null||typeof s!="object")return s;if(s instanceof De)return s.items.map(t=>di(t,e-1));if(s instanceof Je){let t=Object.create(null);for(let[n,i]of s.map)t[n]=di(i,e-1);return t}return s instanceof vt||s instanceof Sn?s.id:null}var Pn=class{constructor(e,t){this.code=e;this.message=t}code;message;function="";line=0;column=0;thrown=null;value(){return this.code==="RUN006"&&typeof this.thrown!="string"?this.thrown:new Je(new Map([["message",this.message],["code",this.code]]))}},Zc=s=>new Pn("RUN001",s),Qc=s=>new Pn("RUN002",s),fi=s=>new Pn("RUN003",s),et=s=>new Pn("RUN004",s),$t=s=>new Pn("RUN007",s);var fm="program/1",KM="const c 0 1|pop - 1 0|dup - 1 2|load l 0 1|store l 1 0|cell l 0 1|self - 0 1|node t 0 1|get s 0 1|set s 1 0|comp x 0 1|mem t 1 1|putmem t 2 0|idx - 2 1|putidx - 3 0|arr n 0 1 m|obj n 0 1 d|concat - 2 1|merge - 2 1|tpl n 0 1 m|add - 2 1|sub - 2 1|mul - 2 1|div - 2 1|mod - 2 1|pow - 2 1|neg - 1 1|and - 2 1|or - 2 1|xor - 2 1|shl - 2 1|shr - 2 1|compl - 1 1|not - 1 1|eq - 2 1|ne - 2 1|lt - 2 1|le - 2 1|gt - 2 1|ge - 2 1|in - 2 1|range - 2 1|jmp j 0 0|jz j 1 0|jnz j 1 0|jnull j 1 1|call fn 0 1 m|host hn 0 1 m|method tn 1 1 m|fn fn 0 1 m|callv n 1 1 m|ret - 1 0|throw - 1 0|try j 0 0|endtry - 0 0|emit n 0 0 m|await - 1 1|spawn t 2 1|iter - 1 1|next j 1 2|calls - 2 1|methods t 2 1|hosts h 1 1";var Zu=KM.split("|").map(s=>{let[,e,t,n,i]=s.split(" ");return{args:e==="-"?"":e,pop:+t,add:+n,many:i!==void 0,double:i==="d"}}),pm=Zu.map(s=>s.args.length),ZM=["sequence","selector","parallel","random_selector","inverter","repeater","retry","cooldown","guard","timeout","succeeder","until_fail","condition","action","wait"];function Qu(s){throw new Error(`program refused: ${s}`)}function nt(s,e){s||Qu(e)}var QM={program:{v:"text",seed:"list",rates:"object",consts:"list",host:"list",state:"list",functions:"list",computed:"list",watches:"list",binds:"list",handlers:"list",subscriptions:"list",wires:"list",schedules:"list",timelines:"list",machines:"list",trees:"list"},rates:{spatial:"whole",cognitive:"whole"},state:{owner:"text",key:"text",init:"any",persist:"flag"},functions:{name:"text",owner:"text",params:"whole",locals:"whole",code:"list",lines:"list"},computed:{owner:"text",key:"text",fn:"whole"},watches:{state:"whole",fn:"whole"},binds:{node:"text",property:"text",fn:"whole"},handlers:{node:"text",event:"text",fn:"whole"},subscriptions:{from:"text",event:"text",owner:"text",fn:"whole"},wires:{from:"text",event:"text",set:"whole",fn:"whole",args:"list"},schedules:{fn:"whole",after:"number",every:"number",forever:"flag"},timelines:{id:"text",loop:"flag",autoplay:"flag",steps:"list"},machines:{node:"text",initial:"whole",states:"list"},states:{name:"text",parent:"whole",entry:"whole",exit:"whole",after:"list",on:"list"},on:{event:"text",to:"whole",guard:"whole",action:"whole"},trees:{node:"text",rate:"number",restart:"flag",root:"object"},tree:{type:"text",params:"object",fn:"whole",children:"list"},params:{times:"whole",duration:"number",policy:"text"}},JM={text:"",whole:0,number:0,flag:!1,list:void 0,object:void 0,any:{fn:0}},eb=new Set(["persist","set","args","after","times","duration","policy"]);function Ro(s,e){nt(typeof s=="object"&&s!==null&&!Array.isArray(s),`${e} is no object`);let t=s,n=QM[e];for(let i of Object.keys(t))nt(Object.hasOwn(n,i),`${e} has the key ${JSON.stringify(i).slice(0,40)}`);for(let[i,r]of Object.entries(n)){let o=t[i];if(o===void 0||o===null&&r!=="any"){if(eb.has(i)){delete t[i];continue}o=t[i]=r==="list"?[]:r==="object"?{}:JM[r]}let a=r==="text"?typeof o=="string":r==="flag"?typeof o=="boolean":r==="list"?Array.isArray(o):r==="whole"?Number.isSafeInteger(o):r==="number"?typeof o=="number"&&Number.isFinite(o):!0;nt(a,`${e}.${i} is of the wrong kind`)}return t}function $u(s,e){for(let t of s)Ro(t,e)}function Ku(s,e){return Array.isArray(s)&&(e===void 0||s.length===e)&&s.every(t=>Number.isSafeInteger(t))}function mm(s){typeof s=="string"&&s.length>Q.MaxDocument&&Qu("it is too large");let e=typeof s=="string"?JSON.parse(s):s,t=typeof e=="object"&&e!==null?e.v:void 0;nt(t===fm,`it is ${JSON.stringify(t)?.slice(0,40)}; this reader knows ${fm}`);let n=Ro(e,"program");for(Ro(n.rates,"rates"),nt(Ku(n.seed)&&n.seed.length<=4&&n.seed.every(i=>i>=0&&i<2**32),"the seed is no four numbers");n.seed.length<4;)n.seed.push(0);for(let i of["state","functions","computed","watches","binds","handlers","subscriptions","wires","schedules","timelines","machines","trees"])nt(n[i].length<=Q.MaxEntries,`more than ${Q.MaxEntries} ${i}`),$u(n[i],i);nt(n.host.length<=Q.MaxEntries&&n.host.every(i=>typeof i=="string"),"host operations are texts");for(let i of n.functions){nt(Ku(i.code)&&i.lines.every(r=>Ku(r)&&r.length<=3),"code is whole numbers");for(let r of i.lines)for(;r.length<3;)r.push(0)}for(let i of n.machines){$u(i.states,"states");for(let r of i.states)$u(r.on,"on")}return tb(n),n}function tb(s){let e=s.rates;nt(e.spatial>=60&&e.spatial<=90&&e.cognitive>=2&&e.cognitive<=10,"rates out of range"),nt(s.consts.length<=Q.MaxConsts&&s.functions.length<=Q.MaxFunctions,"too many constants or functions");for(let i of s.consts){let r=i===null||typeof i=="boolean"||typeof i=="number"&&Number.isFinite(i)||typeof i=="string"&&i.length<=Q.MaxText;nt(r,"a constant is neither null, boolean, number nor text")}let t=0,n=new Array(s.functions.length).fill(0);s.functions.forEach((i,r)=>{t+=i.code.length,nt(t<=Q.MaxTotalCode&&i.code.length<=Q.MaxCode,"too much code"),sb(s,i,n,r)}),s.functions.forEach((i,r)=>nt(i.params+n[r]<=i.locals,`function ${r} has no room for its boxes`)),nb(s)}function nb(s){let e=(i,r=!1)=>nt(Number.isSafeInteger(i)&&(r&&i===-1||i>=0&&i<s.functions.length),`there is no function ${String(i)}`),t=i=>i>=0&&i<=1e9,n=(i,r)=>i>=0&&i<r;for(let i of s.state)if(typeof i.init=="number")nt(Number.isSafeInteger(i.init)&&n(i.init,s.consts.length),"state without a first value");else{let r=i.init;nt(typeof r=="object"&&r!==null&&Object.keys(r).length===1,"state without a first value"),e(r.fn)}for(let i of["computed","watches","binds","handlers","subscriptions","wires","schedules"])for(let r of s[i])e(r.fn);for(let i of s.watches)nt(n(i.state,s.state.length),"a watch on no state");for(let i of s.wires){nt(i.set===void 0||n(i.set,s.state.length),"a wire sets no state"),nt((i.args??[]).length<=Q.MaxStack/2,"a wire passes too much");for(let r of i.args??[])nt(Number.isSafeInteger(r)&&n(r,s.consts.length),"a wire passes no constant")}for(let i of s.schedules)nt(t(i.after)&&t(i.every),"a schedule has a wrong time");for(let i of s.timelines)nt(i.steps.length<=Q.MaxEntries,"a timeline is too long"),i.steps.forEach((r,o)=>{nt(Array.isArray(r)&&r.length===2&&typeof r[0]=="number"&&t(r[0])&&(o===0||r[0]>=i.steps[o-1][0]),"a timeline has a wrong step"),e(r[1])});for(let i of s.machines)ib(s,i,e,t);for(let i of s.trees){nt(i.rate>0&&i.rate<=60,"a tree has a wrong rate");let r={n:Q.MaxEvents};gm(i.root,0,r,e)}}function ib(s,e,t,n){let i=e.states.length;nt(e.initial>=0&&e.initial<i&&i<=Q.MaxEntries,"a machine without its initial state"),e.states.forEach((r,o)=>{nt(r.parent>=-1&&r.parent<o,"a state lies in no state");let a=r.after??[],[c,l]=a;nt(a.length===0||a.length===2&&typeof c=="number"&&n(c)&&Number.isSafeInteger(l)&&l>=-1&&l<i,"a state has a wrong time-out"),t(r.entry,!0),t(r.exit,!0);for(let h of r.on)nt(h.to>=0&&h.to<i,"a transition leads to no state"),t(h.guard,!0),t(h.action,!0)})}function gm(s,e,t,n){nt(--t.n>=0&&e<=Q.MaxNesting,"a tree is too large or too deep");let i=Ro(s,"tree");Ro(i.params,"params");let r=ZM.indexOf(i.type),o=i.children.length;nt(r>=0,"a tree has a node of no kind"),nt(r<4?o>0:r<12?o===1:o===0,"a tree node has a wrong number of children");let{duration:a=0,times:c=0,policy:l=""}=i.params;nt(a>=0&&a<=1e9&&c>=0&&["","all","any"].includes(l),"a tree node has wrong settings"),n(i.fn,!["guard","condition","action"].includes(i.type));for(let h of i.children)gm(h,e+1,t,n)}function sb(s,e,t,n){let i=e.code,r=u=>Qu(`function ${n}: ${u}`);(e.params<0||e.locals<e.params||e.locals>Q.MaxLocals||i.length===0)&&r("wrong counts"),e.lines.forEach((u,f)=>{(u[0]<0||u[0]>=i.length||f>0&&u[0]<e.lines[f-1][0])&&r("lines out of order")});let o={c:s.consts.length,t:s.consts.length,l:e.locals,s:s.state.length,x:s.computed.length,j:i.length,f:s.functions.length,h:s.host.length,n:Q.MaxStack},a=new Uint8Array(i.length);for(let u=0;u<i.length;){let f=Zu[i[u]]??r(`no instruction ${i[u]} at ${u}`);a[u]=1,u+f.args.length>=i.length&&r("code ends within an instruction");for(let g=0;g<f.args.length;g++){let M=f.args[g],m=i[u+1+g];(m<0||m>=o[M])&&r(`operand ${m} out of range at ${u}`),M==="t"&&typeof s.consts[m]!="string"&&r(`constant ${m} is no text`)}u+=1+f.args.length}let c=new Int32Array(i.length).fill(-1),l=new Int32Array(i.length),h=[],d=(u,f,g)=>{(u<0||u>=i.length||!a[u])&&r(`a way leads to ${u}, where no instruction begins`),(f>Q.MaxStack||g>Q.MaxCalls)&&r(`stack too high at ${u}`),c[u]<0?(c[u]=f,l[u]=g,h.push(u)):(c[u]!==f||l[u]!==g)&&r(`ways with unlike stacks meet at ${u}`)};for(d(0,0,0);h.length>0;){let u=h.pop(),f=i[u],g=Zu[f],M=u+1+g.args.length,m=g.pop+(g.many?i[M-1]*(g.double?2:1):0);c[u]<m&&r(`stack too low at ${u}`);let p=c[u]-m+g.add,b=l[u];switch(f){case 49:t[i[u+1]]=Math.max(t[i[u+1]],i[u+2]);break;case 55:i[u+1]!==1&&i[u+1]!==2&&r("emit of a wrong number of values");break;case 42:d(i[u+1],p,b);continue;case 43:case 44:case 45:d(i[u+1],p,b);break;case 59:d(i[u+1],p-2,b);break;case 53:d(i[u+1],p+1,b),b++;break;case 54:--b<0&&r(`endtry without try at ${u}`);break;case 51:case 52:continue}d(M,p,b)}}function ed(s,e,t){let n=en(e),i=en(t);if(n===void 0)throw et(`arithmetic needs numbers, not ${Rt(e)}`);if(i===void 0)throw et(`arithmetic needs numbers, not ${Rt(t)}`);switch(s){case 20:return n+i;case 21:return n-i;case 22:return n*i;case 23:return n/i;case 24:return n%i}return Math.pow(n,i)}function xm(s,e,t){let n=en(e),i=en(t);if(n===void 0||i===void 0)throw et("operators on bits need numbers");switch(s){case 27:return n&i;case 28:return n|i;case 29:return n^i;case 30:return n<<i}return n>>i}function ym(s,e,t,n){let i;if(typeof t=="string"&&typeof n=="string")s.chargeText(t.length<n.length?t:n),i=Kc(t,n);else{let r=en(t),o=en(n);if(r===void 0||o===void 0)throw et(`${Rt(t)} and ${Rt(n)} have no order`);if(r!==r||o!==o)return!1;i=r<o?-1:r>o?1:0}return e===36?i<0:e===37?i<=0:e===38?i>0:i>=0}function vm(s,e,t){if(t instanceof De)return s.find(t.items,e)>=0;if(t instanceof Je)return t.map.has(s.printed(e));if(typeof t=="string")return s.chargeText(t),t.includes(s.printed(e));throw et(`nothing can be in ${Rt(t)}`)}function Mm(s,e,t){if(typeof e!="number"||typeof t!="number"||e!==e||t!==t)throw et("a range needs numbers");if(t-e>Q.MaxItems)throw $t(`range of ${ws(t-e)} elements`);let n=[];for(let i=e;i<t&&n.length<=Q.MaxItems;i++)n.push(i);return s.list(n)}function bm(s,e,t){if(t===null&&e instanceof Je)return e;if(!(e instanceof Je)||!(t instanceof Je))throw et(`only an object can be spread into an object, not ${Rt(t)}`);if(e.map.size+t.map.size>Q.MaxItems)throw $t(`object of ${e.map.size+t.map.size} fields`);let n=new Je(new Map(e.map));for(let[i,r]of t.map)n.map.set(i,r);return s.alloc(n.map.size+1),n}function _m(s,e){let t=[];if(e instanceof De)t=e.items.slice();else if(e instanceof Je)t=[...e.map.keys()];else if(typeof e=="string"){if(Li(e)>Q.MaxItems)throw $t("too many characters to walk over");t=[...e]}else if(e!==null)throw et(`cannot walk over ${Rt(e)}`);return s.alloc(t.length+1),new Ii(t)}function Ju(s,e){return typeof s=="number"&&Number.isInteger(s)&&s>=0&&s<e?s:-1}function Co(s,e,t){if(e instanceof De){let n=Ju(t,e.items.length);return n>=0?e.items[n]:null}if(typeof e=="string"){let n=[...e];s.alloc(n.length);let i=Ju(t,n.length);return i>=0?n[i]:null}if(e===null)throw et(`null has no element ${gn(s.printed(t))}`);return td(s,e,s.printed(t))}function Jc(s,e,t,n){if(!(e instanceof De))return Po(s,e,s.printed(t),n);if(typeof t=="number"&&t===e.items.length&&t<Q.MaxItems)return s.touch(e),e.items.push(n),s.alloc(1);let i=Ju(t,e.items.length);if(i<0)throw et(`a list of ${e.items.length} elements has no place ${gn(s.printed(t))}`);s.touch(e),e.items[i]=n}function Sm(s,e){let t=e.length===1?"xyzw".indexOf(e):-1;return s.items.length<=4&&t<s.items.length?t:-1}function td(s,e,t){if(e instanceof Je)return e.map.get(t)??null;if(e instanceof De){if(t==="length"||t==="count")return e.items.length;let n=Sm(e,t);return n>=0?e.items[n]:null}if(typeof e=="string")return t==="length"?Li(e):null;if(e instanceof vt)return s.nodeMember(e.id,t);if(e instanceof Sn)return s.stateMember(e.id,t);if(e===null)throw et(`null has no member '${gn(t)}'`);return null}function Po(s,e,t,n){if(e instanceof Je){if(!e.map.has(t)&&e.map.size>=Q.MaxItems)throw $t(`object of ${e.map.size} fields`);return s.touch(e),e.map.set(t,n),s.alloc(1)}if(e instanceof De){let i=Sm(e,t);if(i>=0){s.touch(e),e.items[i]=n;return}}if(e instanceof vt)return s.putNode(e.id,t,n);if(e instanceof Sn)return s.putState(e.id,t,n);throw et(`${Rt(e)} cannot take a member '${gn(t)}'`)}function nd(s){if(s instanceof mn)return s;throw et(`${Rt(s)} is not a function`)}var tn=s=>s[0]??null,Jn=(s,e)=>s[e]??null,ob=new Set(["push","append","add","pop","at","first","last","length","count","set","clear"]);function As(s,e,t,n){if(e instanceof De)return ob.has(t)||s.charge(Math.floor(e.items.length/Q.ChargeElements)),cb(s,e,t,n);if(typeof e=="string")return s.chargeText(e),fb(s,e,t,n);if(e instanceof Je){let i=e.map.get(t);return i instanceof mn?s.invoke(i,n):ub(s,e,t,n)}if(typeof e=="number"){if(t==="toFixed"||t==="to_fixed")return ab(e,s.numbers(n,1)[0]);if(t==="toString"||t==="to_string")return ws(e)}if(e instanceof vt)return db(s,e,t,n);if(e instanceof Sn)return s.invoke(s.stateMember(e.id,t),n);throw e===null?et(`null has no method '${gn(t)}'`):et(`${Rt(e)} has no method '${gn(t)}'`)}function ab(s,e){let t=Math.trunc(Math.max(0,Math.min(20,e===e?e:0)));return s!==s||Math.abs(s)>=1e21?ws(s):(s===0?0:s).toFixed(t)}function Io(s,e,t){return typeof s!="number"||s!==s?t:Math.max(0,Math.min(e,Math.trunc(s<0?s+e:s)))}function cb(s,e,t,n){let i=e.items,r=[],o=c=>{let l=i.slice();for(let h=0;h<l.length&&c(h,l[h],s.invoke(tn(n),[l[h],h]));h++);s.alloc(i.length)},a=c=>{if(c instanceof De)for(let l of c.items)r.push(l);else r.push(c);return r.length<=Q.MaxItems};switch(t){case"push":case"append":case"add":case"unshift":case"pop":case"shift":case"splice":case"sort":case"reverse":case"remove":case"delete":case"set":case"clear":return lb(s,e,t,n);case"map":return o((c,l,h)=>(r.push(h),!0)),s.list(r);case"flatMap":case"flat_map":return o((c,l,h)=>a(h)),s.list(r);case"filter":return o((c,l,h)=>(Cn(h)&&r.push(l),!0)),s.list(r);case"forEach":case"each":case"for_each":return o(()=>!0),null;case"find":case"findIndex":case"find_index":case"some":case"every":{let c=null,l=-1,h=t!=="every";return o((d,u,f)=>Cn(f)!==h?!0:(c=u,l=d,!1)),t==="find"?c:t==="some"?l>=0:t==="every"?l<0:l}case"reduce":{let c=Jn(n,1),l=0;if(n.length<2){if(i.length===0)throw et("nothing to reduce");c=i[0],l=1}let h=i.slice();for(let d=l;d<h.length;d++)c=s.invoke(tn(n),[c,h[d],d]);return c}case"indexOf":case"index_of":return s.find(i,tn(n));case"includes":case"contains":case"has":return s.find(i,tn(n))>=0;case"join":{let c=n.length>0?s.printed(n[0]):",",l=zt(c),h="",d=0;for(let u=0;u<i.length;u++){u>0&&(h+=c,d+=l);let f=s.printed(i[u]);if(h+=f,d+=zt(f),d>Q.MaxText)break}return s.text(h)}case"slice":{let c=Io(Jn(n,0),i.length,0);return s.list(i.slice(c,Math.max(c,Io(Jn(n,1),i.length,i.length))))}case"concat":for(let c of i)r.push(c);for(let c of n)if(!a(c))break;return s.list(r);case"at":{let c=tn(n);return Co(s,e,typeof c!="number"?0:c<0?c+i.length:c)}case"first":return i[0]??null;case"last":return i[i.length-1]??null;case"length":case"count":return i.length;case"flat":for(let c of i)if(!a(c))break;return s.list(r);case"keys":return s.list(i.map((c,l)=>l));case"values":return s.list(i.slice());case"toString":case"to_string":return s.text(s.printed(e))}throw et(`a list has no method '${gn(t)}'`)}function id(s){if(s>Q.MaxItems)throw $t(`list of ${s} elements`)}function lb(s,e,t,n){s.touch(e);let i=e.items.length;switch(t){case"push":case"append":case"add":return id(i+n.length),e.items.push(...n),s.alloc(n.length),e.items.length;case"unshift":return id(i+n.length),e.items=[...n,...e.items],s.alloc(e.items.length),e.items.length;case"pop":return e.items.pop()??null;case"shift":return e.items.shift()??null;case"splice":{let r=Io(Jn(n,0),i,0),o=Jn(n,1),a=typeof o=="number"?Math.trunc(Math.max(0,Math.min(i-r,o===o?o:0))):i-r,c=n.slice(2),l=e.items.slice(r,r+a);return id(i-a+c.length),e.items=[...e.items.slice(0,r),...c,...e.items.slice(r+a)],s.list(l)}case"sort":return hb(s,e,tn(n));case"reverse":return e.items=e.items.slice().reverse(),e;case"remove":case"delete":{let r=s.find(e.items,tn(n));return r>=0&&(e.items=[...e.items.slice(0,r),...e.items.slice(r+1)]),r>=0}case"set":return Jc(s,e,tn(n),Jn(n,1)),null}return e.items=[],null}function hb(s,e,t){let n=(o,a)=>(s.charge(1),s.checkBudget(),t!==null?(en(s.invoke(t,[o,a]))??0)>0:typeof o=="number"&&typeof a=="number"?o>a:typeof o=="number"?!1:typeof a=="number"?!0:Kc(s.printed(o),s.printed(a))>0),i=e.items.slice(),r=new Array(i.length);for(let o=1;o<i.length;o*=2){for(let a=0;a<i.length;a+=2*o){let c=Math.min(a+o,i.length),l=Math.min(a+2*o,i.length);for(let h=a,d=c,u=a;u<l;u++)h<c&&(d>=l||!n(i[h],i[d]))?r[u]=i[h++]:r[u]=i[d++]}[i,r]=[r,i]}return e.items=i,e}function ub(s,e,t,n){switch(t){case"keys":return s.list([...e.map.keys()]);case"values":return s.list([...e.map.values()]);case"entries":return s.list([...e.map].map(i=>new De(i)));case"has":case"contains":case"hasOwnProperty":return e.map.has(s.printed(tn(n)));case"get":return e.map.get(s.printed(tn(n)))??null;case"set":return Po(s,e,s.printed(tn(n)),Jn(n,1)),null;case"delete":case"remove":{let i=s.printed(tn(n));return s.charge(Math.floor(e.map.size/Q.ChargeElements)),s.touch(e),e.map.delete(i)}case"clear":return s.touch(e),e.map=new Map,null;case"toString":case"to_string":return s.text(s.printed(e));case"stop":return s.stop=!0,null}throw et(`an object has no method '${gn(t)}'`)}function db(s,e,t,n){let i=s.functionOf(e.id,t);if(i>=0)return s.callAs(e.id,i,n);switch(t){case"emit":return s.emit(e.id,s.printed(tn(n)),Jn(n,1)),null;case"show":case"hide":return s.setProperty(e.id,"visible",t==="show"),null;case"set_text":return s.setProperty(e.id,"text",tn(n)),null}let r=s.nodeMember(e.id,t);return r instanceof mn?s.invoke(r,n):s.hostCall("",e.id,t,n)}function wm(s,e){let t="";for(let n of s){let i=e?n.toUpperCase():n.toLowerCase();t+=Li(i)===1?i:n}return t}var Em=new Set(`	
\v\f\r \x85\xA0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000`);function sd(s){let e=0,t=s.length;for(;e<t&&Em.has(s[e]);)e++;for(;t>e&&Em.has(s[t-1]);)t--;return s.slice(e,t)}function Am(s,e){if(e==="")return Li(s)+1;let t=0;for(let n=s.indexOf(e);n>=0;n=s.indexOf(e,n+e.length))t++;return t}function fb(s,e,t,n){let i=r=>s.printed(Jn(n,r));switch(t){case"toUpperCase":case"uppercase":case"upper":case"to_upper":return s.text(wm(e,!0));case"toLowerCase":case"lowercase":case"lower":case"to_lower":return s.text(wm(e,!1));case"trim":return s.text(sd(e));case"split":{if(n.length===0)return s.list([e]);let r=i(0);if(Am(e,r)>=Q.MaxItems)throw $t("too many parts");return s.list(r===""?[...e]:e.split(r))}case"replace":{let[r,o]=[i(0),i(1)],a=e.indexOf(r);return s.text(a<0?e:e.slice(0,a)+o+e.slice(a+r.length))}case"replaceAll":case"replace_all":{let[r,o]=[i(0),i(1)],a=Am(e,r)*zt(o);if(a>Q.MaxText)throw $t(`text of ${a} bytes`);return s.text(r===""?o+[...e].map(c=>c+o).join(""):e.split(r).join(o))}case"includes":case"contains":return e.includes(i(0));case"startsWith":case"starts_with":return e.startsWith(i(0));case"endsWith":case"ends_with":return e.endsWith(i(0));case"indexOf":case"index_of":{let r=e.indexOf(i(0));return r<0?-1:Li(e.slice(0,r))}case"slice":case"substring":case"substr":{let r=[...e],o=Io(Jn(n,0),r.length,0);return s.text(r.slice(o,Math.max(o,Io(Jn(n,1),r.length,r.length))).join(""))}case"charAt":case"at":return Co(s,e,tn(n));case"repeat":{let r=tn(n),o=typeof r=="number"?r:0;if(!(o>=0)||o*zt(e)>Q.MaxText||o>Q.MaxText)throw $t(`text repeated ${ws(o)} times`);return s.text(e.repeat(Math.trunc(o)))}case"padStart":case"padEnd":case"pad_start":case"pad_end":{let r=tn(n),o=typeof r=="number"&&r===r?r:0,a=n.length>1?i(1):" ",c=Math.trunc(Math.min(o,Q.MaxText))-Li(e);if(c<=0||a==="")return e;let l=[...a],h=a.repeat(Math.floor(c/l.length))+l.slice(0,c%l.length).join("");return s.text(t.toLowerCase().endsWith("start")?h+e:e+h)}case"concat":return s.text(e+i(0));case"toString":case"to_string":return e}throw et(`a text has no method '${gn(t)}'`)}var Gt=s=>s[0]??null,rd=(s,e,t)=>{let n=t.map(i=>pr(s.printed(i)));return s.log(e,n.join(" ")),s.alloc(n.reduce((i,r)=>i+s.bytes(r),0)),null};function Ts(s,e){let t=e[0];return t instanceof vt?[t.id,e.slice(1)]:[s,e]}var pb=/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;function el(s){let e=Gt(s);if(typeof e=="string"){let t=sd(e);return pb.test(t)?Number(t):NaN}return en(e)??NaN}function Tm(s,e,t,n){return s.numbers(e,e.length).reduce((i,r)=>n(i,r),t)}var Cm=(s,e,t)=>Math.max(e,Math.min(t,s));function tl(s,e){switch(e=Cm(e,0,1),s.toLowerCase().replace(/[-_ ]/g,"")){case"easein":case"easeinquad":return e*e;case"easeout":case"easeoutquad":return 1-(1-e)*(1-e);case"easeinout":case"easeinoutquad":return e*e*(3-2*e);case"easeincubic":return e*e*e;case"easeoutcubic":return 1-(1-e)*(1-e)*(1-e);case"easeinoutcubic":return e<.5?4*e*e*e:1-4*(1-e)*(1-e)*(1-e);case"easeinsine":return 1-Math.cos(e*Math.PI/2);case"easeoutsine":return Math.sin(e*Math.PI/2);case"easeinoutsine":return(1-Math.cos(e*Math.PI))/2;case"step":return e<1?0:1}return e}function nl(s,e,t,n){if(e instanceof De&&t instanceof De){let o=Math.min(e.items.length,t.items.length),a=[];for(let c=0;c<o;c++)a.push(nl(s,Rm(e.items[c]),Rm(t.items[c]),n));return s.list(a)}let[i,r]=s.numbers([e,t],2);return i+(r-i)*n}function Rm(s){return s instanceof De?0:s}var od=new Map(Object.entries({log:rd,print:rd,"console.log":rd,clamp:(s,e,t)=>{let[n,i,r]=s.numbers(t,3);return Cm(n,i,r)},lerp:(s,e,t)=>nl(s,Gt(t),t[1]??null,s.numbers(t.slice(2),1)[0]),ease:(s,e,t)=>typeof Gt(t)=="string"?tl(Gt(t),s.numbers(t.slice(1),1)[0]):tl(s.printed(t[1]??null),s.numbers(t,1)[0]),map_range:(s,e,t)=>{let[n,i,r,o,a]=s.numbers(t,5);return r===i?o:o+(a-o)*((n-i)/(r-i))},random:(s,e,t)=>{if(t.length===0)return s.random();if(t.length===1)return s.random()*s.numbers(t,1)[0];let[n,i]=s.numbers(t,2);return n+s.random()*(i-n)},random_int:(s,e,t)=>{let n=s.numbers(t,2),i=Math.ceil(n[0]),r=Math.floor(n[1]);return i+Math.floor(s.random()*(r-i+1))},choose:(s,e,t)=>{let n=t.length===1&&t[0]instanceof De?t[0].items:t;return n.length===0?null:n[Math.floor(s.random()*n.length)]},now:s=>s.time,current_time:s=>s.time,wait:(s,e,t)=>Gt(t),generate_id:s=>`id${++s.serial}`,distance:(s,e,t)=>{if(t.length<2)throw et("distance needs two places");let n=t.slice(0,2).map(r=>{let o=r instanceof vt?s.property(r.id,"position"):r;if(!(o instanceof De))throw et(`distance needs places, not ${Rt(o)}`);return o.items}),i=0;for(let r=0;r<Math.min(n[0].length,n[1].length);r++){let[o,a]=s.numbers([n[0][r],n[1][r]],2);i+=(o-a)*(o-a)}return Math.sqrt(i)},typeof:(s,e,t)=>Rt(Gt(t)),set_timeout:(s,e,t)=>{let n,i=0;for(let r of t)r instanceof mn?n=r:typeof r=="number"&&(i=r);if(!n)throw et("set_timeout needs a function");if(s.sleepers>=Q.MaxWaiting)throw fi(`more than ${Q.MaxWaiting} turns wait`);return s.later(n,Math.min(Math.max(i===i?i:0,0),1e9),e),null},get_node:(s,e,t)=>{let n=s.printed(Gt(t));for(let i of s.named(n,!0))return new vt(i);return null},find_all:(s,e,t)=>{let n=s.printed(Gt(t));return s.list([...s.named(n,!1)].map(i=>new vt(i)))},instances:(s,e,t)=>s.instances(s.printed(Gt(t))),show:(s,e,t)=>(s.setProperty(Ts(e,t)[0],"visible",!0),null),hide:(s,e,t)=>(s.setProperty(Ts(e,t)[0],"visible",!1),null),set_text:(s,e,t)=>{let[n,i]=Ts(e,t);return s.setProperty(n,"text",Gt(i)),null},destroy:(s,e,t)=>(s.destroy(Ts(e,t)[0]),null),tween:(s,e,t)=>{let[n,i]=Ts(e,t);return s.tween(n,i),null},move_to:(s,e,t)=>{let[n,i]=Ts(e,t);return s.tween(n,["position",...i]),null},transition:(s,e,t)=>{let[n,i]=Ts(e,t);return s.emit(n,"transition",Gt(i)),null},play:(s,e,t)=>s.play(e,"play",t),stop:(s,e,t)=>s.play(e,"stop",t),llm_call:(s,e,t)=>s.model(e,t),calls:(s,e,t)=>s.calls.get(s.printed(Gt(t)))??0,"JSON.stringify":(s,e,t)=>s.text(s.shown(Gt(t))),"JSON.parse":(s,e,t)=>{let n=Gt(t);if(typeof n!="string")throw et("JSON.parse needs a text");let i=Yu(n);if(i===void 0)throw et("this is not JSON");return s.alloc(s.bytes(n)),i},"Object.keys":(s,e,t)=>As(s,Gt(t),"keys",[]),"Object.values":(s,e,t)=>As(s,Gt(t),"values",[]),"Object.entries":(s,e,t)=>As(s,Gt(t),"entries",[]),Number:(s,e,t)=>el(t),parseFloat:(s,e,t)=>el(t),parse_number:(s,e,t)=>el(t),parseInt:(s,e,t)=>Math.trunc(el(t)),String:(s,e,t)=>s.text(s.printed(Gt(t))),Boolean:(s,e,t)=>Cn(Gt(t)),"Math.min":(s,e,t)=>Tm(s,t,1/0,Math.min),"Math.max":(s,e,t)=>Tm(s,t,-1/0,Math.max),"Math.random":s=>s.random(),"Math.pow":(s,e,t)=>{let[n,i]=s.numbers(t,2);return Math.pow(n,i)},"Math.atan2":(s,e,t)=>{let[n,i]=s.numbers(t,2);return Math.atan2(n,i)},"Math.hypot":(s,e,t)=>Math.sqrt(s.numbers(t,t.length).reduce((n,i)=>n+i*i,0)),"Math.round":(s,e,t)=>Math.floor(s.numbers(t,1)[0]+.5)}));for(let s of["abs","floor","ceil","sqrt","sin","cos","tan","asin","acos","atan","exp","log","log2","log10","trunc","cbrt","sign"])od.set(`Math.${s}`,(e,t,n)=>Math[s](e.numbers(n,1)[0]));var il=class{a;b;c;d;constructor(e){[this.a,this.b,this.c,this.d]=[0,1,2,3].map(t=>e[t]|0);for(let t=0;t<12;t++)this.next()}next(){let e=this.a+this.b+this.d|0;return this.d=this.d+1|0,this.a=this.b^this.b>>>9,this.b=this.c+(this.c<<3)|0,this.c=this.c<<21|this.c>>>11,this.c=this.c+e|0,e>>>0}float(){return this.next()/4294967296}};function sl(s,e){let t=[];for(;e>=0;e=s.states[e].parent)t.push(e);return t}var rl=class{constructor(e){this.m=e}m;running=[];start(){this.m.p.machines.forEach((e,t)=>{this.running.push({state:-1,since:0,fired:!1}),this.move(t,e.initial,-1)})}current(e){let t=this.m.p.machines;for(let n=0;n<this.running.length;n++)if(t[n].node===e&&this.running[n].state>=0)return t[n].states[this.running[n].state].name}move(e,t,n){let{m:i}=this,r=i.p.machines[e],o=this.running[e],a=o.state,c=sl(r,a),l=sl(r,t),h=0;if(a!==t)for(;h<c.length&&h<l.length&&c[c.length-1-h]===l[l.length-1-h];)h++;else h=Math.max(0,l.length-1);let d=u=>{u>=0&&i.begin(r.node,u,[])};for(let u of c.slice(0,c.length-h))d(r.states[u].exit);d(n),Object.assign(o,{state:t,since:i.steps,fired:!1});for(let u=l.length-1-h;u>=0;u--)d(r.states[l[u]].entry);i.note("state",r.node,r.states[t].name,null),a>=0&&i.heard("state_exit")&&i.queue.push({node:r.node,name:"state_exit",payload:r.states[a].name}),i.heard("state_enter")&&i.queue.push({node:r.node,name:"state_enter",payload:r.states[t].name})}event(e){for(let t=0;t<this.running.length;t++){let n=this.m.p.machines[t].node,i=e.node===Di;for(let r=e.node;r!==""&&!i;r=this.m.parent(r))i=r===n;i&&this.offer(t,e)}}offer(e,t){let n=this.m.p.machines[e],i=sl(n,this.running[e].state);n.states.forEach((o,a)=>{o.name==="*"&&i.push(a)});for(let o of i)for(let a of n.states[o].on)if(!(a.event!==t.name||a.guard>=0&&!this.holds(n.node,a.guard,t.payload)))return this.move(e,a.to,a.action),!0;if(t.name!=="transition")return!1;let r=n.states.findIndex(o=>o.name===t.payload&&o.name!=="*");return r<0?!1:(this.move(e,r,-1),!0)}holds(e,t,n){let i=!1;return this.m.atomically(e,()=>{i=Cn(this.m.call(t,[n],[]))})&&i}timers(){let{m:e}=this;this.running.forEach((t,n)=>{let i=e.p.machines[n];for(let r of sl(i,t.state)){let o=i.states[r].after??[];if(!(o.length===0||t.fired||(e.steps-t.since)/e.p.rates.spatial<o[0]-1e-9)){t.fired=!0,e.handler=!1,!this.offer(n,{node:i.node,name:"timeout",payload:null})&&o[1]>=0&&this.move(n,o[1],-1),e.flush();break}}})}};var ol=class{constructor(e){this.m=e}m;due=[];lines=[];moving=[];start(){let{m:e}=this;this.due=e.p.schedules.map(t=>({due:e.after(t.after),on:!0})),this.lines=e.p.timelines.map(t=>({on:t.autoplay,since:0,next:0}))}begin(e){this.m.handler=!1,this.m.begin(this.m.p.functions[e].owner,e,[]),this.m.flush()}schedules(){let{m:e}=this;this.due.forEach((t,n)=>{if(!t.on||t.due>e.steps||e.tight)return;let i=e.p.schedules[n];i.forever?t.due=e.steps+1:i.every>0?t.due=Math.max(e.after(i.every),e.steps+1):t.on=!1,this.begin(i.fn)})}timelines(){let{m:e}=this;for(let t=0;t<this.lines.length;t++){let n=e.p.timelines[t];for(;;){let r=this.lines[t];if(!r.on||e.tight||r.next>=n.steps.length||!((e.steps-r.since)/e.p.rates.spatial>=n.steps[r.next][0]-1e-9))break;this.begin(n.steps[r.next++][1])}let i=this.lines[t];i.next===n.steps.length&&(i.on=i.on&&n.loop&&n.steps.length>0,i.since=e.steps,i.next=0)}}turnOn(e,t){let{m:n}=this;if(!n.p.timelines.some(r=>r.id===e))return!1;let i=this.lines;return this.lines=i.map((r,o)=>n.p.timelines[o].id===e?{on:t,since:n.steps,next:0}:r),n.addUndo(()=>{this.lines=i}),!0}tween(e,t){let{m:n}=this,i=t[2]??null,r=t[3]??null,o=t.length>2?t[t.length-1]:null;o instanceof Je&&(i===o&&(i=null),r===o&&(r=null),i=o.map.get("duration")??i,r=o.map.get("easing")??r);let a=n.printed(t[0]??null),c=es(t[1]??null,Q.MaxDepth),l={node:e,key:a,from:es(n.property(e,a),Q.MaxDepth),to:c,since:n.steps,seconds:i===null?1:Math.max(0,Math.min(1e9,en(i)??1))||0,easing:r===null?"linear":n.printed(r)},h=this.moving,d=h.filter(u=>u.node!==e||u.key!==a);if(d.length>=Q.MaxWaiting)throw fi(`more than ${Q.MaxWaiting} properties move`);this.moving=[...d,l],n.charge(Math.floor(d.length/Q.ChargeElements)),n.addUndo(()=>{this.moving=h})}tweens(){let{m:e}=this;for(let t of this.moving){if(e.tight)return;let n=t.seconds>0?Math.min(1,(e.steps-t.since)/e.p.rates.spatial/t.seconds):1;e.handler=!1;let i=e.atomically(t.node,()=>e.setProperty(t.node,t.key,mb(e,t,n)));e.flush(),!(i&&n<1)&&(this.moving=this.moving.filter(r=>r!==t),i&&e.heard("animation_end")&&e.inject({node:t.node,name:"animation_end",payload:t.key}))}}};function mb(s,e,t){return t>=1?es(e.to,Q.MaxDepth):e.from instanceof De&&e.to instanceof De||typeof e.from=="number"&&typeof e.to=="number"?nl(s,e.from,e.to,tl(e.easing,t)):e.from}var ad=class s{constructor(e){this.node=e;this.children=e.children.map(t=>new s(t))}node;children;at=0;order=null;since=-1;times=0;until=0;done=null;reset(){this.at=this.times=0,this.order=this.done=null,this.since=-1;for(let e of this.children)e.reset()}},al=class{constructor(e){this.m=e}m;walks=[];left=0;start(){this.walks=this.m.p.trees.map(e=>({tree:e,root:new ad(e.root),next:0,over:!1}))}run(){let{m:e}=this;for(let t of this.walks)t.over||e.tight||e.steps<t.next-1e-9||(t.next=Math.max(t.next,e.steps-1)+e.p.rates.spatial/t.tree.rate,this.left=Q.MaxEvents,e.handler=!1,this.tick(t.tree.node,t.root)!=="running"&&(t.root.reset(),t.over=!t.tree.restart),this.left<0&&e.report(t.tree.node,fi(`a tick takes more than ${Q.MaxEvents} tree nodes`)),e.flush())}elapsed(e){return(this.m.steps-e.since)/this.m.p.rates.spatial>=(e.node.params.duration??0)-1e-9}tick(e,t){if(--this.left<0)return"failure";let{m:n}=this,i=t.node;t.since<0&&(t.since=n.steps);let r=()=>this.tick(e,t.children[0]);switch(i.type){case"sequence":case"selector":case"random_selector":return this.inOrder(e,t);case"parallel":return this.all(e,t);case"inverter":{let o=r();return o==="running"?o:o==="success"?"failure":"success"}case"succeeder":return r()==="running"?"running":"success";case"repeater":case"retry":case"until_fail":return gb(t,r());case"cooldown":{if(n.steps<t.until)return"failure";let o=r();return o!=="running"&&(t.until=n.after(i.params.duration??0),t.children[0].reset()),o}case"guard":return n.machines.holds(e,i.fn,null)?r():(t.children[0].reset(),"failure");case"timeout":{let o=r();return o!=="running"||!this.elapsed(t)?o:(t.children[0].reset(),"failure")}case"condition":return n.machines.holds(e,i.fn,null)?"success":"failure";case"wait":return this.elapsed(t)?"success":"running"}return this.action(e,i.fn)}action(e,t){let n="failure";return this.m.atomically(e,()=>{let i=this.m.call(t,[],[]);i===!1||i==="failure"||(n=i==="running"?"running":"success")}),n}inOrder(e,t){let n=t.node.type==="sequence"?"success":"failure";for(t.node.type==="random_selector"&&t.order===null&&(t.order=this.shuffled(t.children.length));t.at<t.children.length;){let i=t.children[t.order?t.order[t.at]:t.at],r=this.tick(e,i);if(r==="running")return r;if(i.reset(),r!==n)return t.at=0,t.order=null,r;t.at++}return t.at=0,t.order=null,n}shuffled(e){let t=Array.from({length:e},(n,i)=>i);for(let n=e-1;n>0;n--){let i=Math.floor(this.m.random()*(n+1));[t[n],t[i]]=[t[i],t[n]]}return t}all(e,t){let n=t.done??=t.children.map(()=>"running"),[i,r]=t.node.params.policy==="any"?["success","failure"]:["failure","success"],o=!1;for(let a=0;a<n.length;a++){if(n[a]==="running"&&(n[a]=this.tick(e,t.children[a])),n[a]===i)return t.reset(),i;o||=n[a]==="running"}return o?"running":(t.reset(),r)}};function gb(s,e){if(e==="running")return e;if(s.children[0].reset(),s.times++,s.node.type==="until_fail")return e==="failure"?"success":"running";if(s.node.type==="retry"&&e==="success")return s.times=0,e;let t=s.node.params.times??0;return t>0&&s.times>=t?(s.times=0,e):"running"}var mr="scene",Di="*",Do=class{constructor(e){this.seconds=e}seconds},Lo=Symbol("going"),cl=class{constructor(e,t={}){this.p=e;this.host=t.host??{},this.tracing=t.trace??!1,this.stepLimit=t.hosted?Q.MaxHosted:Q.MaxStep,this.turnLimit=t.long?Q.MaxLong:Q.MaxTurn,this.rng=new il(t.seed??e.seed);for(let n of t.nodes??[]){this.nodes.set(n.id,n);for(let[i,r]of n.props??[])this.putProp(n.id,i,es(r,Q.MaxDepth))}e.state.forEach((n,i)=>Pm(this.slotOf,n.owner,n.key,i)),e.functions.forEach((n,i)=>Pm(this.byName,n.owner,n.name,i)),this.slots=new Array(e.state.length).fill(null),this.caches=e.computed.map(()=>({v:null,fresh:!1,busy:!1,version:0})),this.clock=new ol(this),this.machines=new rl(this),this.trees=new al(this)}p;nodes=new Map;calls=new Map;clock;machines;trees;trace=[];dropped=0;steps=0;serial=0;spent=0;stop=!1;handler=!1;stepLimit;queue=[];rng;slots;slotOf=new Map;byName=new Map;caches;props=new Map;propCount=0;gone=new Set;version=0;waiting=[];ready=[];depth=0;budget=0;turnLimit;turn=0;made=0;held=0;cascade=0;spawned=new Set;undo=[];changed=[];faulted=!1;unknown=new Set;host;tracing;start(){let e=this.turnLimit;this.turnLimit=Q.MaxLong;for(let[t,n]of this.p.state.entries()){if(typeof n.init=="number"){this.slots[t]=this.p.consts[n.init];continue}let i=n.init.fn;if(this.spent>Q.MaxInit){this.report(n.owner,Zc(`the first values take more than ${Q.MaxInit} instructions`));break}this.atomically(n.owner,()=>{this.slots[t]=null,this.slots[t]=this.call(i,[],[])})}this.changed=[],this.bindAll(),this.turnLimit=e,this.machines.start(),this.trees.start(),this.clock.start();for(let t of["init","mount","start"])this.heard(t)&&this.queue.push({node:Di,name:t,payload:null});this.drain()}heard(e){return this.p.handlers.some(t=>t.event===e)}get time(){return this.steps/this.p.rates.spatial}after(e){return this.steps+Math.ceil(e*this.p.rates.spatial-1e-9)}inject(e){this.queue.length<Q.MaxEvents&&this.queue.push(e)}get busy(){return this.queue.length>0||this.ready.length>0}get sleepers(){return this.waiting.length}random(){return this.rng.float()}get tight(){return this.spent>=this.stepLimit}step(){this.steps++,this.spent=this.cascade=0,this.clock.schedules(),this.clock.timelines();let e=[];for(let t of this.waiting)t.at<=this.steps?this.ready.push(t.thread):e.push(t);this.waiting=e,this.machines.timers(),this.drain(),this.clock.tweens(),this.trees.run(),this.heard("update")&&!this.tight&&!this.queue.some(t=>t.name==="update"&&t.node===Di)&&this.queue.push({node:Di,name:"update",payload:1/this.p.rates.spatial}),this.drain()}drain(){for(;this.spent<this.stepLimit;){let e=this.ready.shift();if(e){this.budget=this.turnLimit,this.carry(e.frames[0].fn.owner,e),this.flush();continue}let t=this.queue.shift();if(!t){this.cascade=0;return}if(++this.cascade>Q.MaxEvents){this.report(mr,fi(`more than ${Q.MaxEvents} events follow from each other`)),this.queue=[],this.cascade=0;return}this.turnOf(t)}}turnOf(e){this.note("event",e.node,e.name,e.payload),this.stop=!1,this.budget=this.turnLimit,this.handler=!0;let t=e.node===Di;this.handlers(e,n=>t||n===e.node);for(let n of this.p.wires)n.event===e.name&&(t||n.from===e.node)&&this.wire(n,e);if(!t)for(let n=this.parent(e.node);n!==""&&!this.stop;n=this.parent(n))this.handlers(e,i=>i===n);if(!this.stop)for(let n of this.p.subscriptions)n.event===e.name&&(t||n.from===e.node)&&this.begin(n.owner,n.fn,[e.payload]);this.machines.event(e),this.flush(),this.handler=!1}handlers(e,t){for(let n of this.p.handlers)n.event===e.name&&t(n.node)&&this.begin(n.node,n.fn,[e.payload])}parent(e){return e===mr||e===Di?"":this.nodes.get(e)?.parent||mr}wire(e,t){let n=this.p.functions[e.fn].owner,i=e.set;if(i!==void 0){this.atomically(n,()=>this.set(i,this.call(e.fn,[t.payload],[])));return}this.begin(n,e.fn,[...(e.args??[]).map(r=>this.p.consts[r]),t.payload])}begin(e,t,n){this.handler||(this.budget=this.turnLimit),this.carry(e,{frames:[gr(this.p.functions[t],n,[],0)],stack:[],depth:0})}later(e,t,n){let i={frames:[gr(this.p.functions[e.fn],[],e.boxes,0)],stack:[],depth:0};this.waiting.push({at:this.after(t),thread:i,owner:n})}carry(e,t){this.atomically(e,()=>{let n=this.resume(t);if(n instanceof Do){if(this.waiting.length+this.ready.length>=Q.MaxWaiting)throw fi(`more than ${Q.MaxWaiting} turns wait`);this.waiting.push({at:this.after(n.seconds),thread:t,owner:e})}})}atomically(e,t){this.turn++,this.made=0,this.undo=[];let n=this.queue.length,i=this.changed.length,r=this.waiting.length,o=this.depth;this.handler||(this.budget=this.turnLimit);let a;try{t(),this.held+=this.made,this.held>Q.MaxHeld&&(this.held=this.measure())>Q.MaxHeld&&(a=$t("the state is too large"))}catch(c){if(!(c instanceof Pn))throw c;a=c}if(this.depth=o,!a){for(let c of this.changed.slice(i)){let l=this.p.state[c.slot];this.note("set",l.owner,l.key,this.slots[c.slot]),this.host.state?.(l.owner,l.key,this.slots[c.slot])}return!0}for(let c=this.undo.length-1;c>=0;c--)this.undo[c]();return this.undo=[],this.version++,this.queue.length=Math.min(n,this.queue.length),this.changed.length=i,this.waiting.length=Math.min(r,this.waiting.length),this.report(e,a),!1}report(e,t){if(this.note("fault",e,t.code,t.message,t),this.host.fault?.(e,t),!this.faulted){this.faulted=!0;e:for(let n=e;n!=="";n=this.parent(n))for(let i of this.p.handlers){if(i.event!=="error"||i.node!==n)continue;let r=this.budget;this.budget=this.turnLimit,this.carry(n,{frames:[gr(this.p.functions[i.fn],[t.value()],[],0)],stack:[],depth:this.depth}),this.budget=r;break e}this.faulted=!1}}get(e){return this.slots[e]}set(e,t){let n=this.slots[e];this.undo.push(()=>{this.slots[e]=n}),this.slots[e]=t,this.version++,!(!(t instanceof De)&&!(t instanceof Je)&&qu(n,t))&&(this.changed.some(i=>i.slot===e)||this.changed.push({slot:e,old:n}))}put(e,t){let n=this.slotOf.get(mr)?.get(e);n!==void 0&&(this.handler=!1,this.atomically(mr,()=>this.set(n,t)),this.flush())}touch(e){if(this.version++,e.turn!==this.turn)if(e.turn=this.turn,e instanceof De){let t=e.items.slice();this.made+=t.length,this.undo.push(()=>{e.items=t})}else{let t=new Map(e.map);this.made+=t.size,this.undo.push(()=>{e.map=t})}}computed(e){let t=this.caches[e];if(t.fresh&&t.version===this.version)return t.v;if(t.busy)throw Qc(`computed '${this.p.computed[e].key}' needs itself`);t.busy=!0;try{let n=this.call(this.p.computed[e].fn,[],[]);return Object.assign(t,{v:n,fresh:!0,version:this.version}),n}finally{t.busy=!1}}flush(){if(this.changed.length===0)return;let e=this.changed;this.changed=[];for(let n of this.p.watches)for(let i of e)i.slot===n.state&&(this.handler=!1,this.begin(this.p.functions[n.fn].owner,n.fn,[this.slots[n.state],i.old]));this.bindAll();let t=this.changed;this.changed=[],t.length>0&&this.bindAll()}bindAll(){for(let e of this.p.binds)this.handler=!1,this.atomically(e.node,()=>{let t=this.call(e.fn,[],[]);qu(this.property(e.node,e.property),t)||this.setProperty(e.node,e.property,t)})}property(e,t){return this.props.get(e)?.get(t)??null}putProp(e,t,n){let i=this.props.get(e);i||this.props.set(e,i=new Map),i.has(t)||this.propCount++,i.set(t,n)}setProperty(e,t,n){let i=this.props.get(e),r=i?.has(t)??!1,o=i?.get(t)??null;if(!r&&this.propCount>=Q.MaxItems*4)throw $t("too many properties");this.version++,this.undo.push(()=>{r?this.putProp(e,t,o):this.props.get(e)?.delete(t)&&this.propCount--,this.host.property?.(e,t)}),this.putProp(e,t,n);let a=e.split("\0",1)[0];this.note("property",a,t,n),this.host.property?.(e,t),this.alloc(1)}place(e,t,n){this.putProp(e,t,n),this.version++}stateMember(e,t){let n=this.slotOf.get(e)?.get(t);return n!==void 0?this.slots[n]:this.property(e+"\0state",t)}nodeMember(e,t){switch(t){case"id":return e;case"name":return this.nodes.get(e)?.name??e;case"state":return new Sn(e);case"parent":{let a=this.parent(e);return a===""?null:new vt(a)}case"current_state":{let a=this.machines.current(e);if(a!==void 0)return a}}let n=this.props.get(e)?.get(t);if(n!==void 0)return n;let i=this.slotOf.get(e)?.get(t);if(i!==void 0)return this.slots[i];let r=this.p.computed.findIndex(a=>a.owner===e&&a.key===t);if(r>=0)return this.computed(r);let o=this.nodes.get(e);return o&&t==="instances"?this.instances(o.name):null}putNode(e,t,n){let i=this.slotOf.get(e)?.get(t);i!==void 0?this.set(i,n):this.setProperty(e,t,n)}putState(e,t,n){let i=this.slotOf.get(e)?.get(t);i!==void 0?this.set(i,n):this.setProperty(e+"\0state",t,n)}emit(e,t,n){if(this.queue.length>=Q.MaxEvents)throw fi(`more than ${Q.MaxEvents} events wait`);this.queue.push({node:e,name:t,payload:n}),this.alloc(1)}spawn(e,t,n,i){if(this.spawned.size>=Q.MaxSpawned)throw $t(`more than ${Q.MaxSpawned} nodes`);let r=`s${++this.serial}`;this.spawned.add(r);let o=e!==mr?this.nodes.get(e)?.parent??"":"";if(this.nodes.set(r,{id:r,parent:o,name:t}),this.undo.push(()=>{this.nodes.delete(r),this.spawned.delete(r),this.host.destroyed?.(r)}),this.note("spawn",r,t,null),this.host.spawned?.(r,t,o),n!==null&&this.setProperty(r,"position",n),i instanceof Je)for(let[a,c]of i.map)this.setProperty(r,a,c);return new vt(r)}destroy(e){this.setProperty(e,"visible",!1),!this.gone.has(e)&&(this.gone.add(e),this.undo.push(()=>this.gone.delete(e)),this.host.destroyed?.(e))}*named(e,t){for(let[n,i]of this.nodes)(i.name===e||t&&n===e)&&!this.gone.has(n)&&(yield n)}instances(e){return this.list([...this.named(e,!1)].filter(t=>this.spawned.has(t)).map(t=>new vt(t)))}tween(e,t){this.clock.tween(e,t)}addUndo(e){this.undo.push(e)}play(e,t,n){return typeof n[0]=="string"&&this.clock.turnOn(n[0],t==="play")?null:this.outside("",e,t,n)}model(e,t){this.note("host",e,"llm_call",new De(t.slice()));let n=this.host.call?.("llm_call",e,t);if(n!==void 0)return n;let i=this.printed(t[0]??null);this.chargeText(i);let r=2166136261;for(let o of new TextEncoder().encode(i))r=Math.imul(r^o,16777619);return`stub ${(r>>>0).toString(16).padStart(8,"0")}`}functionOf(e,t){return this.byName.get(e)?.get(t)??-1}hostCall(e,t,n,i){this.calls.set(n,(this.calls.get(n)??0)+1);let r=od.get(n);return r?r(this,t,i):this.outside(e,t,n,i)}outside(e,t,n,i){if(this.note("host",t,n,new De(i.slice())),!this.host.call)return null;let r=this.host.call(n,t,i);if(r!==void 0)return r;if(!this.unknown.has(n)){this.unknown.add(n);let o=new Pn("RUN005",`the host has no operation '${gn(n)}'`);o.function=e,this.note("fault",t,o.code,o.message,o),this.host.fault?.(t,o)}return null}call(e,t,n){if(this.depth>=Q.MaxCalls)throw Qc(`more than ${Q.MaxCalls} calls within calls`);this.depth++;try{let i=this.resume({frames:[gr(this.p.functions[e],t,n,0)],stack:[],depth:this.depth});if(i instanceof Do)throw et("await is not allowed here");return i}finally{this.depth--}}callAs(e,t,n){return this.call(t,n,[])}invoke(e,t){let n=nd(e);return this.call(n.fn,t,n.boxes)}resume(e){let t=this.depth;try{for(;;)try{for(;;){this.depth=e.depth+e.frames.length;let n=this.instruction(e);if(n!==Lo)return n}}catch(n){if(!(n instanceof Pn))throw n;let i=e.frames[e.frames.length-1];if(n.function===""&&(n.function=i.fn.name,[n.line,n.column]=yb(i.fn,i.pc)),n.code==="RUN001"||!xb(e,n))throw n}}finally{this.depth=t}}charge(e){this.budget-=e,this.spent+=e}chargeText(e){e.length*3>=Q.ChargeBytes&&this.charge(Math.floor(zt(e)/Q.ChargeBytes))}checkBudget(){if(this.budget<0)throw Zc(`the turn takes more than ${this.turnLimit} instructions`)}alloc(e){if(this.made+=e,this.charge(Math.floor(e/Q.ChargeBytes)),this.made>Q.MaxAlloc)throw $t(`a turn makes more than ${Q.MaxAlloc}`)}bytes(e){return zt(e)}text(e){let t=zt(e);if(t>Q.MaxText)throw $t(`text of ${t} bytes`);return this.alloc(t),e}list(e){if(e.length>Q.MaxItems)throw $t(`list of ${e.length} elements`);return this.alloc(e.length+1),new De(e)}printed(e){if(typeof e=="string")return e;let t=To(e);return(e instanceof De||e instanceof Je)&&this.chargeText(t),t}shown(e){return typeof e=="string"?dr(e):this.printed(e)}same(e,t){let n=new Eo(Q.MaxItems),i=Ao(e,t,Q.MaxDepth,n);return this.charge(Math.floor((Q.MaxItems-n.left)/Q.ChargeElements)),i}find(e,t){for(let n=0;n<e.length;n++){if(n%Q.ChargeElements===Q.ChargeElements-1&&this.charge(1),this.same(e[n],t))return n;this.checkBudget()}return-1}numbers(e,t){let n=new Array(t).fill(0);for(let i=0;i<Math.min(t,e.length);i++){let r=en(e[i]);if(r===void 0)throw et(`argument ${i+1} is ${Rt(e[i])}, not a number`);n[i]=r}return n}log(e,t){this.note("log",e,"",t),this.host.log?.(e,pr(t))}note(e,t,n,i,r){if(!this.tracing)return;if(this.trace.length>=Q.MaxTrace||this.made>Q.MaxAlloc){this.dropped++;return}let o;i instanceof De||i instanceof Je||i instanceof mn?o=pr(ju(i)):typeof i=="string"?o=dr(pr(i)):o=ju(i),this.trace.push({at:this.time,kind:e,node:t,name:n,text:o,function:r?.function??"",line:r?.line??0,column:r?.column??0})}instruction(e){if(--this.budget<0)throw Zc(`the turn takes more than ${this.turnLimit} instructions`);this.spent++;let t=e.frames[e.frames.length-1],n=t.fn.code,i=e.stack,r=this.p,o=n[t.pc],a=n[t.pc+1],c=n[t.pc+2],l=t.pc+1+pm[o];if(i.length>=Q.MaxStack)throw $t(`stack of more than ${Q.MaxStack} values`);switch(o){case 0:i.push(r.consts[a]);break;case 1:i.pop();break;case 2:i.push(i[i.length-1]);break;case 3:{let h=t.locals[a];i.push(h instanceof Qn?h.v:h);break}case 4:{let h=i.pop(),d=t.locals[a];d instanceof Qn?(this.touchBox(d),d.v=h):t.locals[a]=h;break}case 5:{let h=t.locals[a];h instanceof Qn||(t.locals[a]=h=new Qn(h,this.turn)),i.push(h);break}case 6:i.push(new vt(t.fn.owner));break;case 7:i.push(new vt(r.consts[a]));break;case 8:i.push(this.slots[a]);break;case 9:this.set(a,i.pop());break;case 10:i.push(this.computed(a));break;case 11:i.push(td(this,i.pop(),r.consts[a]));break;case 12:{let h=i.pop();Po(this,i.pop(),r.consts[a],h);break}case 13:{let h=i.pop();i.push(Co(this,i.pop(),h));break}case 14:{let h=i.pop(),d=i.pop();Jc(this,i.pop(),d,h);break}case 15:i.push(this.list(Ni(i,a)));break;case 16:{let h=Ni(i,2*a),d=new Je;for(let u=0;u<h.length;u+=2)d.map.set(this.printed(h[u]),h[u+1]);i.push(d),this.alloc(a+1);break}case 17:{let h=i.pop(),d=i.pop();if(!(d instanceof De)||!(h instanceof De))throw et(`only a list can be spread into a list, not ${Rt(h)}`);i.push(this.list([...d.items,...h.items]));break}case 18:{let h=i.pop();i.push(bm(this,i.pop(),h));break}case 19:{let h="",d=0;for(let u of Ni(i,a)){let f=this.printed(u);if(h+=f,d+=zt(f),d>Q.MaxText)break}i.push(this.text(h));break}case 20:{let h=i.pop(),d=i.pop();i.push(typeof d=="string"||typeof h=="string"?this.text(this.printed(d)+this.printed(h)):ed(o,d,h));break}case 21:case 22:case 23:case 24:case 25:{let h=i.pop();i.push(ed(o,i.pop(),h));break}case 26:{let h=i.pop(),d=en(h);if(d===void 0)throw et(`- needs a number, not ${Rt(h)}`);i.push(-d);break}case 27:case 28:case 29:case 30:case 31:{let h=i.pop();i.push(xm(o,i.pop(),h));break}case 32:{let h=i.pop(),d=en(h);if(d===void 0)throw et(`~ needs a number, not ${Rt(h)}`);i.push(~d);break}case 33:i.push(!Cn(i.pop()));break;case 34:case 35:{let h=i.pop();i.push(this.same(i.pop(),h)===(o===34));break}case 36:case 37:case 38:case 39:{let h=i.pop();i.push(ym(this,o,i.pop(),h));break}case 40:{let h=i.pop();i.push(vm(this,i.pop(),h));break}case 41:{let h=i.pop();i.push(Mm(this,i.pop(),h));break}case 42:l=a;break;case 43:Cn(i.pop())||(l=a);break;case 44:Cn(i.pop())&&(l=a);break;case 45:i[i.length-1]===null&&(l=a);break;case 46:return this.deeper(),t.pc=l,e.frames.push(gr(r.functions[a],Ni(i,c),[],i.length)),Lo;case 47:i.push(this.hostCall(t.fn.name,t.fn.owner,r.host[a],Ni(i,c)));break;case 48:{let h=Ni(i,c);i.push(As(this,i.pop(),r.consts[a],h));break}case 49:{i.push(new mn(a,Ni(i,c).map(h=>h instanceof Qn?h:new Qn(h,this.turn)))),this.alloc(c+1);break}case 62:i.push(this.hostCall(t.fn.name,t.fn.owner,r.host[a],cd(i.pop())));break;case 61:{let h=cd(i.pop());i.push(As(this,i.pop(),r.consts[a],h));break}case 50:case 60:{let h=o===50?Ni(i,a):cd(i.pop()),d=nd(i.pop());return this.deeper(),t.pc=l,e.frames.push(gr(r.functions[d.fn],h,d.boxes,i.length)),Lo}case 51:{let h=i.pop();return i.length=t.base,e.frames.pop(),e.frames.length===0?h:(i.push(h),Lo)}case 52:{let h=i.pop(),d=new Pn("RUN006",gn(this.printed(h)));if(d.thrown=h,h instanceof Je){let u=h.map.get("message");typeof u=="string"&&(d.message=gn(u))}throw d}case 53:t.tries.push({pc:a,height:i.length});break;case 54:t.tries.pop();break;case 55:{let h=Ni(i,a);this.emit(t.fn.owner,this.printed(h[0]),a===2?h[1]:null);break}case 56:{let h=i.pop();return i.push(null),t.pc=l,new Do(typeof h=="number"&&h>=0?Math.min(h,1e9):0)}case 57:{let h=i.pop(),d=i.pop();i.push(this.spawn(t.fn.owner,r.consts[a],d,h));break}case 58:i.push(_m(this,i.pop()));break;case 59:{let h=i[i.length-1];if(!(h instanceof Ii))throw et("nothing to walk over");h.at<h.items.length?i.push(h.items[h.at++]):(i.pop(),l=a)}}return t.pc=l,Lo}deeper(){if(this.depth>=Q.MaxCalls)throw Qc(`more than ${Q.MaxCalls} calls within calls`)}touchBox(e){if(e.turn===this.turn)return;e.turn=this.turn;let t=e.v;this.undo.push(()=>{e.v=t})}measure(){let e=new Set,t=[...this.slots];for(let i of this.props.values())for(let r of i.values())t.push(r);for(let i of this.queue)t.push(i.payload);for(let i of this.waiting){for(let r of i.thread.frames)for(let o of r.locals)t.push(o);for(let r of i.thread.stack)t.push(r)}let n=0;for(;t.length>0&&n<=Q.MaxHeld;){let i=t.pop();if(n++,typeof i=="string")n+=zt(i);else if(typeof i=="object"&&i!==null&&!(i instanceof Ii)){if(e.has(i))continue;e.add(i)}if(i instanceof De||i instanceof Ii)for(let r of i.items)t.push(r);else if(i instanceof Je)for(let[r,o]of i.map)n+=zt(r),t.push(o);else if(i instanceof mn)for(let r of i.boxes)t.push(r.v);else i instanceof Qn&&t.push(i.v)}return n}};function gr(s,e,t,n){let i=new Array(s.locals).fill(null);for(let r=0;r<Math.min(s.params,e.length);r++)i[r]=e[r];for(let r=0;r<t.length;r++)i[s.params+r]=t[r];return{fn:s,pc:0,locals:i,base:n,tries:[]}}function Ni(s,e){return s.splice(s.length-e,e)}function cd(s){if(!(s instanceof De))throw et(`only a list can be spread into arguments, not ${Rt(s)}`);if(s.items.length>Q.MaxStack)throw new Pn("RUN007",`more than ${Q.MaxStack} arguments`);return[...s.items]}function xb(s,e){for(;s.frames.length>0;){let t=s.frames[s.frames.length-1],n=t.tries.pop();if(n)return s.stack.length=n.height,s.stack.push(e.value()),t.pc=n.pc,!0;s.stack.length=t.base,s.frames.pop()}return!1}function yb(s,e){let t=[0,0];for(let n of s.lines){if(n[0]>e)break;t=[n[1],n[2]]}return t}function Pm(s,e,t,n){let i=s.get(e);i||s.set(e,i=new Map),i.has(t)||i.set(t,n)}function Dm(s,e){return s.shape==="box"&&e.shape==="box"?Mb(s,e):s.shape==="box"?Im(e,s).map(Nm):e.shape==="box"?Im(s,e):vb(s,e)}function Nm(s){return{...s,a:s.b,b:s.a,normal:Ee(s.normal,-1)}}function ld(s){if(s.shape==="sphere")return[s.p,s.p];let e=Ee(s.axes[1],s.half[1]);return[Fe(s.p,e),Xe(s.p,e)]}function vb(s,e){let[t,n]=Um(ld(s),ld(e)),i=Fe(n,t),r=mt(i),o=s.radius+e.radius-r;if(o<=0)return[];let a=r>1e-9?Ee(i,1/r):[0,1,0];return[{a:s,b:e,normal:a,depth:o,point:Xe(t,Ee(a,s.radius-o/2))}]}function Um([s,e],[t,n]){let i=Fe(e,s),r=Fe(n,t),o=Fe(s,t),a=ze(i,i),c=ze(r,r),l=ze(r,o),h=ze(i,o),d=ze(i,r),u=0,f=0;if(a>1e-12){let g=a*c-d*d;u=c>1e-12&&g>1e-9*a*c?xr((d*l-h*c)/g,0,1):xr(-h/a,0,1)}return c>1e-12&&(f=xr((d*u+l)/c,0,1),a>1e-12&&(u=xr((d*f-h)/a,0,1))),[Xe(s,Ee(i,u)),Xe(t,Ee(r,f))]}function Im(s,e){let[t,n]=ld(s);if(s.shape==="sphere")return ll(s,e,t);let i=[...ll(s,e,t),...ll(s,e,n)],r=Fe(n,t),o=ze(r,r);if(o<1e-12)return i.slice(0,1);let a=.5;for(let c=0;c<6;c++)a=xr(ze(Fe(Fm(e,Xe(t,Ee(r,a))),t),r)/o,0,1);return a>.05&&a<.95&&i.push(...ll(s,e,Xe(t,Ee(r,a)))),i}function Fm(s,e){let t=Fe(e,s.p),n=s.p;for(let i=0;i<3;i++)n=Xe(n,Ee(s.axes[i],xr(ze(t,s.axes[i]),-s.half[i],s.half[i])));return n}function ll(s,e,t){let n=Fm(e,t),i=Fe(n,t),r=mt(i);if(r>=s.radius)return[];if(r>1e-9)return[{a:s,b:e,point:n,normal:Ee(i,1/r),depth:s.radius-r}];let o=Fe(t,e.p),a=0,c=1/0,l=1;for(let h=0;h<3;h++){let d=ze(o,e.axes[h]),u=e.half[h]-Math.abs(d);u<c&&([c,a,l]=[u,h,d<0?-1:1])}return[{a:s,b:e,point:t,normal:Ee(e.axes[a],-l),depth:s.radius+c}]}function Mb(s,e){let t=Fe(e.p,s.p),n=1/0,i=[0,1,0],r=-1,o=(c,l)=>{let h=0;for(let d=0;d<3;d++)h+=Math.abs(ze(c.axes[d],l))*c.half[d];return h},a=(c,l,h)=>{let d=ze(t,c),u=o(s,c)+o(e,c)-Math.abs(d);return u<0?!0:(u*h+(h>1?.001:0)<n&&([n,i,r]=[u*h,d<0?Ee(c,-1):c,l]),!1)};for(let c=0;c<3;c++)if(a(s.axes[c],c,1))return[];for(let c=0;c<3;c++)if(a(e.axes[c],3+c,1.0001))return[];for(let c=0;c<3;c++)for(let l=0;l<3;l++){let h=hn(s.axes[c],e.axes[l]),d=mt(h);if(d>1e-4&&a(Ee(h,1/d),6+c*3+l,1.05))return[]}return r>=6?bb(s,e,i,(r-6)/3|0,(r-6)%3):r<3?Lm(s,e,r,i):Lm(e,s,r-3,Ee(i,-1)).map(Nm)}function bb(s,e,t,n,i){let r=(l,h,d)=>{let u=l.p;for(let g=0;g<3;g++)g!==h&&(u=Xe(u,Ee(l.axes[g],l.half[g]*(ze(l.axes[g],t)*d<0?-1:1))));let f=Ee(l.axes[h],l.half[h]);return[Fe(u,f),Xe(u,f)]},[o,a]=Um(r(s,n,1),r(e,i,-1)),c=ze(Fe(o,a),t);return c>0?[{a:s,b:e,normal:t,depth:c,point:Ee(Xe(o,a),.5)}]:[]}function Lm(s,e,t,n){let i=0,r=-1;for(let f=0;f<3;f++){let g=Math.abs(ze(e.axes[f],n));g>r+1e-9&&([r,i]=[g,f])}let o=ze(e.axes[i],n)>0?-1:1,a=(i+1)%3,c=(i+2)%3,l=Xe(e.p,Ee(e.axes[i],o*e.half[i])),h=[[1,1],[-1,1],[-1,-1],[1,-1]].map(([f,g])=>Xe(l,Xe(Ee(e.axes[a],f*e.half[a]),Ee(e.axes[c],g*e.half[c]))));for(let f of[(t+1)%3,(t+2)%3])for(let g of[1,-1])h=_b(h,Ee(s.axes[f],g),ze(s.p,s.axes[f])*g+s.half[f]);let d=ze(s.p,n)+s.half[t],u=[];for(let f of h){let g=d-ze(f,n);g>0&&u.push({a:s,b:e,normal:n,depth:g,point:Xe(f,Ee(n,g/2))})}return u}function _b(s,e,t){let n=[];return s.forEach((i,r)=>{let o=s[(r+1)%s.length],a=ze(i,e)-t,c=ze(o,e)-t;a<=0&&n.push(i),a<0!=c<0&&a!==c&&a!==0&&c!==0&&n.push(Xe(i,Ee(Fe(o,i),a/(a-c))))}),n}function xr(s,e,t){return Math.min(Math.max(s,e),t)}var Kt={bodies:1e3,rate:60,pieces:2,rounds:8,speed:60,turning:40},Sb=.004,wb=3,Eb=.5,yr=.05,Ab=30,ud=class{constructor(e,t){this.spec=e;this.index=t;let[n,i,r]=e.size.map(a=>Math.max(Math.abs(a),1e-4));this.center=[...e.center??[0,0,0]],this.shape=e.shape==="plane"?"box":e.shape,this.radius=e.shape==="sphere"?Math.max(n,i,r)/2:e.shape==="capsule"?Math.max(n,r)/2:0,this.half=[n/2,i/2,r/2],e.shape==="plane"&&(this.half[1]=.25,this.center[1]-=.25),this.shape==="capsule"&&(this.half=[this.radius,Math.max(i/2-this.radius,0),this.radius]);let o=Math.max(e.mass??1,.001);this.inverseMass=e.type==="dynamic"&&!e.trigger?1/o:0,this.inverseInertia=[0,0,0],this.inverseMass>0&&(this.inverseInertia=this.inertia(o).map(a=>1/a)),this.r=No(e.r),this.p=[0,0,0],this.place(e.t,this.r)}spec;index;half;radius;shape;p;r;v=[0,0,0];w=[0,0,0];axes=[[1,0,0],[0,1,0],[0,0,1]];lower=[0,0,0];upper=[0,0,0];asleep=!1;held=!1;calm=0;inverseMass;inverseInertia;center;inertia(e){let[t,n,i]=this.half,r=this.radius;if(this.shape==="sphere")return[.4*e*r*r,.4*e*r*r,.4*e*r*r];if(this.shape==="capsule"){let o=2*(n+r),a=e*(3*r*r+o*o)/12;return[a,.5*e*r*r,a]}return[e*(n*n+i*i)/3,e*(t*t+i*i)/3,e*(t*t+n*n)/3]}place(e,t){this.r=No(t),this.p=Xe(e,Nt(this.r,this.center)),this.refresh()}origin(){return Fe(this.p,Nt(this.r,this.center))}get moving(){return this.inverseMass>0&&!this.held}get lightness(){return this.asleep||this.held?0:this.inverseMass}refresh(){this.axes=[Nt(this.r,[1,0,0]),Nt(this.r,[0,1,0]),Nt(this.r,[0,0,1])];for(let e=0;e<3;e++){let t=this.radius;this.shape==="box"?t=Math.abs(this.axes[0][e])*this.half[0]+Math.abs(this.axes[1][e])*this.half[1]+Math.abs(this.axes[2][e])*this.half[2]:this.shape==="capsule"&&(t+=Math.abs(this.axes[1][e])*this.half[1]),this.lower[e]=this.p[e]-t,this.upper[e]=this.p[e]+t}}turnLight(e){if(this.lightness===0)return[0,0,0];let t=[0,0,0];for(let n=0;n<3;n++)t=Xe(t,Ee(this.axes[n],ze(this.axes[n],e)*this.inverseInertia[n]));return t}speedAt(e){return Xe(this.v,hn(this.w,e))}wake(){this.asleep=!1,this.calm=0}},ul=class{constructor(e=[0,-9.81,0]){this.gravity=e}gravity;bodies=[];byId=new Map;pairs=new Map;events=[];order=[];added=0;pieces=0;trails=new Map;add(e){if(this.bodies.length>=Kt.bodies||this.byId.has(e.id)||![...e.size,...e.t,...e.r,...e.center??[]].every(Number.isFinite))return!1;let t=new ud(e,this.added++);return this.bodies.push(t),this.order.push(t),this.byId.set(e.id,t),!0}remove(e){let t=this.byId.get(e);if(t){this.byId.delete(e),this.bodies.splice(this.bodies.indexOf(t),1),this.order.splice(this.order.indexOf(t),1),this.trails.delete(t);for(let[n,i]of this.pairs)(i.a===t||i.b===t)&&this.part(n,i)}}get(e){return this.byId.get(e)}place(e,t,n){let i=this.byId.get(e);i&&(i.place(t,n),i.v=[0,0,0],i.w=[0,0,0],this.rouse(i))}move(e,t,n){let i=this.byId.get(e);i&&!i.moving&&this.lead(i,t,n)}push(e,t){let n=this.byId.get(e);!n?.moving||!t.every(Number.isFinite)||(n.wake(),n.v=Xe(n.v,t))}grab(e){let t=this.byId.get(e);return!t||t.inverseMass===0||t.held?!1:(t.wake(),t.held=!0,t.v=[0,0,0],t.w=[0,0,0],this.trails.set(t,{t:t.origin(),r:t.r,past:[],turns:[]}),!0)}hold(e,t,n){let i=this.byId.get(e),r=i&&this.trails.get(i);!i||!r||!t.every(Number.isFinite)||(r.t=[...t],n&&(r.r=No(n)))}release(e,t=1,n=20){let i=this.byId.get(e),r=i&&this.trails.get(i);!i||!r||(this.trails.delete(i),i.held=!1,i.wake(),i.v=vr(Ee(km(r.past),t),n),i.w=vr(Ee(km(r.turns),t),Kt.turning))}step(){for(let[n,i]of this.trails)this.lead(n,i.t,i.r),i.past=[...i.past.slice(-5),[...n.v]],i.turns=[...i.turns.slice(-5),[...n.w]];let e=1/Kt.rate/Kt.pieces;for(let n=0;n<Kt.pieces;n++)this.piece(e);for(let n of this.bodies)n.moving?n.asleep||this.settle(n):(n.v=[0,0,0],n.w=[0,0,0]);let t=this.events;return this.events=[],t}lead(e,t,n){if(![...t,...n].every(Number.isFinite))return;let i=e.p,r=e.r,o=No(n),a=Xe(t,Nt(o,e.center));e.v=vr(Ee(Fe(a,i),Kt.rate),Kt.speed);let c=Ss(o,[-r[0],-r[1],-r[2],r[3]]),l=c[3]<0?-2:2;e.w=vr([c[0]*l*Kt.rate,c[1]*l*Kt.rate,c[2]*l*Kt.rate],Kt.turning),(mt(e.v)>1e-4||mt(e.w)>1e-4)&&this.rouse(e)}rouse(e){e.wake();for(let t of this.pairs.values())t.a===e?t.b.wake():t.b===e&&t.a.wake()}settle(e){let t=ze(e.v,e.v)<yr*yr&&ze(e.w,e.w)<4*yr*yr;e.calm=t?e.calm+1:0,!(e.calm<Ab||!this.rests(e))&&(e.asleep=!0,e.v=[0,0,0],e.w=[0,0,0])}rests(e){if(ze(this.gravity,this.gravity)*(e.spec.gravity??1)===0)return!0;for(let t of this.pairs.values())if(!t.trigger&&(t.a===e||t.b===e))return!0;return!1}piece(e){for(let n of this.bodies)!n.moving||n.asleep||(n.v=vr(Ee(Xe(n.v,Ee(this.gravity,e*(n.spec.gravity??1))),1/(1+e*(n.spec.drag??0))),Kt.speed),n.w=vr(Ee(n.w,1/(1+e*(n.spec.turnDrag??.05))),Kt.turning));let t=this.contacts();for(let n=0;n<Kt.rounds;n++)for(let i of t)Om(i,e);for(let n of this.bodies)n.asleep||!n.moving&&ze(n.v,n.v)+ze(n.w,n.w)===0||(n.p=Xe(n.p,Ee(n.v,e)),n.r=No(Xp(n.r,n.w,e)),n.refresh());for(let n=0;n<2;n++)for(let i of t)Om(i,0);for(let n of t)Rb(n)}contacts(){let e=[];this.pieces++,this.sweep((t,n)=>{let i=Dm(t,n);if(i.length===0)return;let r=t.index*67108864+n.index,o=!!(t.spec.trigger||n.spec.trigger),a=this.pairs.get(r),c=Fe(n.speedAt(Fe(i[0].point,n.p)),t.speedAt(Fe(i[0].point,t.p)));if(a||(a={a:t,b:n,trigger:o,seen:0},this.pairs.set(r,a),this.tell(o?"trigger_enter":"collision_enter",t,n,i[0].point,Math.max(-ze(c,i[0].normal),0))),a.seen=this.pieces,o)return;let l=mt(c);t.asleep&&l>(n.moving?yr*4:.001)&&t.wake(),n.asleep&&l>(t.moving?yr*4:.001)&&n.wake();for(let h of i)e.push(Tb(h))});for(let[t,n]of this.pairs){let i=!hl(n.a)&&!hl(n.b);n.seen===this.pieces||i||this.part(t,n)}return e}part(e,t){this.pairs.delete(e),this.tell(t.trigger?"trigger_exit":"collision_exit",t.a,t.b),t.trigger||(t.a.wake(),t.b.wake())}tell(e,t,n,i,r){for(let[o,a]of[[t,n],[n,t]])this.events.push({name:e,node:o.spec.id,other:a.spec.id,...i&&{point:[...i]},...r!==void 0&&{speed:r}})}sweep(e){let t=this.order;for(let n=1;n<t.length;n++){let i=t[n],r=n-1;for(;r>=0&&(t[r].lower[0]>i.lower[0]||t[r].lower[0]===i.lower[0]&&t[r].index>i.index);r--)t[r+1]=t[r];t[r+1]=i}for(let n=0;n<t.length;n++){let i=t[n];for(let r=n+1;r<t.length&&t[r].lower[0]<=i.upper[0];r++){let o=t[r];i.lower[1]>o.upper[1]||o.lower[1]>i.upper[1]||i.lower[2]>o.upper[2]||o.lower[2]>i.upper[2]||!hl(i)&&!hl(o)||!Bm(i)&&!Bm(o)||i.spec.family!==void 0&&i.spec.family===o.spec.family||(i.index<o.index?e(i,o):e(o,i))}}}};function Bm(s){return s.spec.type!=="static"}function hl(s){return s.moving?!s.asleep:ze(s.v,s.v)+ze(s.w,s.w)>0||s.held}function Tb({a:s,b:e,normal:t,point:n,depth:i}){let r=Fe(n,s.p),o=Fe(n,e.p),a=Cb(hn(t,Math.abs(t[0])>.6?[0,1,0]:[1,0,0])),c=hd(s,e,r,o,t);return{a:s,b:e,depth:i,normal:c,sideways:[hd(s,e,r,o,a),hd(s,e,r,o,hn(t,a))],approach:dl(s,e,c),friction:Math.sqrt((s.spec.friction??.5)*(e.spec.friction??.5)),bounce:Math.max(s.spec.restitution??0,e.spec.restitution??0),most:0}}function hd(s,e,t,n,i){let r=hn(t,i),o=hn(n,i),a=s.turnLight(r),c=e.turnLight(o),l=s.lightness+e.lightness+ze(a,r)+ze(c,o);return{way:i,leverA:r,leverB:o,turnA:a,turnB:c,mass:l>0?1/l:0,impulse:0}}function dl(s,e,t){return ze(t.way,e.v)-ze(t.way,s.v)+ze(t.leverB,e.w)-ze(t.leverA,s.w)}function dd(s,e,t,n){let i=n-t.impulse,r=i*s.lightness,o=i*e.lightness;t.impulse=n;for(let a=0;a<3;a++)s.v[a]-=t.way[a]*r,e.v[a]+=t.way[a]*o,s.w[a]-=t.turnA[a]*i,e.w[a]+=t.turnB[a]*i}function Om(s,e){let{a:t,b:n,normal:i}=s;if(i.mass===0)return;let r=s.friction*i.impulse;for(let a of s.sideways)dd(t,n,a,Math.min(Math.max(a.impulse-dl(t,n,a)*a.mass,-r),r));let o=e>0?Math.min(.2/e*Math.max(s.depth-Sb,0),wb):0;dd(t,n,i,Math.max(i.impulse+(o-dl(t,n,i))*i.mass,0)),s.most=Math.max(s.most,i.impulse)}function Rb(s){if(s.bounce===0||s.approach>-Eb||s.most===0)return;let{a:e,b:t,normal:n}=s;dd(e,t,n,Math.max(n.impulse-(dl(e,t,n)+s.bounce*s.approach)*n.mass,0))}function No(s){let e=Math.sqrt(s[0]*s[0]+s[1]*s[1]+s[2]*s[2]+s[3]*s[3]);return e>0?[s[0]/e,s[1]/e,s[2]/e,s[3]/e]:[0,0,0,1]}function Cb(s){let e=mt(s);return e>0?Ee(s,1/e):[1,0,0]}function vr(s,e){let t=mt(s);return t>e?Ee(s,e/t):s}function km(s){let e=[0,0,0];for(let t of s)e=Xe(e,t);return s.length>0?Ee(e,1/s.length):e}var Uo=class{solver;left=[];places=[];byId=new Map;led=[];free=[];carried=new Map;last=new Map;dirty=!0;due=0;constructor(e){this.solver=new ul(e.environment?.gravity);for(let t of e.nodes??[])this.add(t,t.parent)}get any(){return this.free.length>0||this.solver.bodies.some(e=>e.spec.trigger)}add(e,t){let n=this.places.length,i=this.places[t],r=e.body?.type==="dynamic"&&!e.joint&&e.collider!==void 0&&!e.collider.trigger;if(this.places.push({id:e.id,parent:t,t:[...e.t??[0,0,0]],r:[...e.r??[0,0,0,1]],s:[...e.s??[1,1,1]],follows:i!==void 0&&(i.follows||this.free.includes(t))}),this.byId.set(e.id,n),!e.collider)return;let[o,a,c]=this.world(n),l=e.collider.shape;this.solver.add({id:e.id,type:r?"dynamic":e.body?.type==="static"&&!this.places[n].follows?"static":"kinematic",shape:l==="sphere"||l==="capsule"||l==="plane"?l:"box",size:fl(e.collider.size,c),t:o,r:a,center:e.collider.center&&fl(e.collider.center,c),mass:e.body?.mass,friction:e.body?.friction,restitution:e.body?.restitution,gravity:e.body?.gravity,trigger:e.collider.trigger,family:this.family(n)})?r?this.free.push(n):this.led.push(n):this.left.push(e.id)}copy(e,t){this.add(e,this.byId.get(t)??-1)}family(e){let t;for(let n=e;n>=0;n=this.places[n].parent)this.free.includes(n)&&(t=n);return t}remove(e){let t=this.byId.get(e);if(t!==void 0){this.byId.delete(e),this.solver.remove(e);for(let n of[this.led,this.free])n.includes(t)&&n.splice(n.indexOf(t),1);this.carried.delete(t)}}world(e){let t=this.places[e];if(t.parent<0)return[t.t,t.r,t.s];let[n,i,r]=this.world(t.parent);return[Xe(n,Nt(i,fl(r,t.t))),Ss(i,t.r),fl(r,t.s)]}settle(e,t,n){let i=this.places[e],[r,o,a]=i.parent<0?[[0,0,0],[0,0,0,1],[1,1,1]]:this.world(i.parent);i.t=Nt(So(o),Fe(t,r)).map((c,l)=>c/(a[l]||1)),i.r=Ss(So(o),n)}place(e,t,n){let i=this.byId.get(e);if(i===void 0||!n.every(Number.isFinite))return;let r=this.places[i];if(t==="position"?r.t=[n[0],n[1],n[2]]:t==="scale"?r.s=[n[0],n[1],n[2]]:r.r=n.length===4?[...n]:jc(n),this.dirty=!0,this.free.includes(i)){let[o,a]=this.world(i);this.solver.place(e,o,a)}}step(e){let t=[];for(this.due=Math.min(this.due+e,.25);this.due>1/Kt.rate-1e-9;this.due-=1/Kt.rate){for(let[n,i]of this.carried)this.carry(n,i);for(let n of this.led)(this.dirty||this.places[n].follows||this.carried.has(n))&&this.lead(n);this.dirty=!1,t.push(...this.solver.step());for(let n of this.free){let i=this.solver.get(this.places[n].id);i&&(!i.asleep||i.held)&&this.settle(n,i.origin(),i.r)}}return t.map(({name:n,node:i,...r})=>({node:i,event:n,payload:r}))}lead(e){let[t,n]=this.world(e);this.solver.move(this.places[e].id,t,n)}moved(){let e=[];for(let t of[...this.free,...this.carried.keys()]){let n=this.places[t],i=`${n.t},${n.r}`;this.last.get(t)!==i&&(this.last.set(t,i),e.push({node:this.places[t].id,position:[...n.t],rotation:[...n.r]}))}return e}grab(e){let t=this.byId.get(e);if(t===void 0)return!1;if(this.solver.grab(e))return!0;if(this.carried.has(t)||this.solver.get(e)?.held)return!1;let[n,i]=this.world(t);return this.carried.set(t,{t:n,r:i}),!0}hold(e,t,n){let i=this.byId.get(e);i!==void 0&&this.carried.has(i)?this.carried.set(i,{t,r:n}):this.solver.hold(e,t,n)}carry(e,t){this.settle(e,t.t,t.r??this.world(e)[1]),this.dirty=!0}release(e,t=1,n=20){let i=this.byId.get(e);i!==void 0&&this.carried.delete(i)||this.solver.release(e,t,n)}origin(e){let t=this.byId.get(e);if(t===void 0)return;let[n,i]=this.world(t);return{t:n,r:i}}local(e){let t=this.byId.get(e);return t===void 0?void 0:this.places[t]}call(e,t,n){let i=Pb(n[0]),r=this.solver.get(t);switch(e){case"apply_impulse":return i&&r&&this.solver.push(t,Ee(i,r.inverseMass)),!0;case"apply_force":return i&&r&&this.solver.push(t,Ee(i,r.inverseMass/Kt.rate)),!0;case"set_velocity":return i&&r&&this.solver.push(t,Fe(i,r.v)),!0}return!1}};function Pb(s){if(Array.isArray(s)&&s.length>=3&&s.every(r=>typeof r=="number"))return[s[0],s[1],s[2]];if(typeof s!="object"||s===null)return;let{x:e,y:t,z:n}=s,i=[e,t,n].map(r=>typeof r=="number"?r:0);return[i[0],i[1],i[2]]}function fl(s,e){return[s[0]*e[0],s[1]*e[1],s[2]*e[2]]}function Ib(s){let e=s.nodes??[];return e.map(t=>{let n=new Map([["kind",t.kind],["visible",t.visible!==!1],["position",Fo(t.t??[0,0,0])],["rotation",Fo(Vm(t.r??[0,0,0,1]))],["scale",Fo(t.s??[1,1,1])]]),i=t.material===void 0?void 0:s.materials?.[t.material];if(i&&(n.set("color",(i.base_color??"#ffffffff").slice(0,7)),n.set("opacity",Lb(i.base_color)),n.set("emissive_intensity",i.emissive_intensity??1)),t.light&&(n.set("color",(t.light.color??"#ffffffff").slice(0,7)),n.set("intensity",t.light.intensity??1)),t.text&&n.set("text",fr(t.text.value)),t.extras&&typeof t.extras=="object")for(let[r,o]of Object.entries(t.extras))n.set(r,Es(o));return{id:t.id,parent:t.parent>=0?e[t.parent].id:"",name:t.name??"",props:n}})}function Fo(s){return new De(s.slice())}function Lb(s){return s&&s.length===9?Math.floor(parseInt(s.slice(7),16)/255*1e3+.5)/1e3:1}function Vm([s,e,t,n]){let i=2*(s*t+n*e),r=2*(e*t-n*s),o=1-2*(s*s+e*e),a=2*(s*e-n*t),c=1-2*(e*e+t*t),l=Math.asin(Math.max(-1,Math.min(1,i))),h,d=0;return Math.abs(i)<.9999999?(h=Math.atan2(-r,o),d=Math.atan2(-a,c)):h=Math.atan2(2*(e*t+n*s),1-2*(s*s+t*t)),[h,l,d].map(u=>Math.floor(u*18e4/Math.PI+.5)/1e3||0)}var Db={color:"color",base_color:"color",albedo:"color",opacity:"opacity",emissive:"emissive",emissive_color:"emissive",emissive_intensity:"emissive_intensity",metallic:"metallic",metalness:"metallic",roughness:"roughness",intensity:"intensity"},pl=class{constructor(e,t,n={}){this.adapter=t;this.program=mm(structuredClone(e.program??{}));let i={log:(r,o)=>t.say({level:"log",node:r,text:o}),fault:(r,o)=>t.say(Ub(r,o)),property:(r,o)=>this.touch(r,o),spawned:(r,o,a)=>t.spawn?.(r,o,this.like(o),a),destroyed:r=>t.remove?.(r),state:(r,o,a)=>t.changed?.(r,o,di(a)),call:(r,o,a)=>this.outside(r,o,a)};this.machine=new cl(this.program,{nodes:n.nodes??Ib(e),host:i,seed:n.seed,trace:n.trace,hosted:n.hosted,long:n.long})}adapter;machine;program;dirty=new Map;rest=0;start(){let{machine:e,adapter:t}=this;e.start(),this.program.state.forEach((n,i)=>t.changed?.(n.owner,n.key,di(e.get(i)))),this.show()}emit(e,t,n=null){this.machine.inject({node:e||Di,name:t,payload:Es(n)})}put(e,t){this.machine.put(e,Es(t))}hears(e,t){let{p:n}=this.machine;for(let i=e;i!=="";i=this.machine.parent(i))if(n.handlers.some(r=>r.node===i&&r.event===t)||n.machines.some(r=>r.node===i&&r.states.some(o=>o.on.some(a=>a.event===t))))return!0;return n.wires.some(i=>i.from===e&&i.event===t)||n.subscriptions.some(i=>i.from===e&&i.event===t)}update(e){let t=1/this.program.rates.spatial;for(this.rest=Math.min(this.rest+e,.25);this.rest>=t-1e-9;this.rest-=t)this.step();this.show()}step(){let{machine:e,adapter:t}=this;e.step();let n=t.physics;if(n){this.show();for(let i of n.step(1/this.program.rates.spatial))this.emit(i.node,i.event,i.payload);for(let i of n.moved())e.place(i.node,"position",Fo(i.position)),e.place(i.node,"rotation",Fo(i.rotation.length===4?Vm(i.rotation):i.rotation))}}property(e,t){return di(this.machine.property(e,t))}touch(e,t){let n=this.dirty.get(e);n||this.dirty.set(e,n=new Set),n.add(t)}show(){for(let[e,t]of this.dirty)for(let n of t)this.tell(e,n,this.machine.property(e,n));this.dirty.clear()}tell(e,t,n){let i=this.adapter;switch(t){case"position":case"rotation":case"scale":{let o=typeof n=="number"&&t==="scale"?[n,n,n]:Nb(n);if(!o)return;i.setTransform(e,t,o),i.physics?.place(e,t,o);return}case"visible":return i.setVisible(e,Cn(n));case"text":return i.setText(e,n===null?"":To(n))}let r=Db[t];r?i.setMaterial(e,r,di(n)):i.changed?.(e.split("\0",1)[0],t,di(n))}like(e){for(let[t,n]of this.machine.nodes)if(n.name===e&&!/^s\d+$/.test(t))return t;return""}outside(e,t,n){let i=n.map(c=>di(c)),r=/^(play_sound|play_animation|play)$/.test(e);if(r||/^(stop_sound|stop_animation|stop)$/.test(e)){let c=n.find(u=>u instanceof Je),l=n[0]&&typeof n[0]=="object"&&"id"in n[0]?n[0].id:t,h=i.find((u,f)=>typeof u=="string"&&typeof n[f]=="string"),d=e.endsWith("animation")?"animation":"sound";return this.adapter.play(l,d,h??"",r,c?di(c):{}),null}let o=i.length>0&&n[0]!==null&&typeof n[0]=="object"&&"id"in n[0]?n[0].id:t;if(this.adapter.physics?.call(e,o,i))return null;let a=this.adapter.host?.(e,t,i);return a===void 0?void 0:Es(a)}};function Nb(s){if(!(s instanceof De)||s.items.length<2||s.items.length>4)return;let e=[];for(let t of s.items){if(typeof t!="number"||!Number.isFinite(t))return;e.push(t)}for(;e.length<3;)e.push(0);return e}function Ub(s,e){return{level:"fault",node:s,text:e.message,code:e.code,function:e.function,line:e.line,column:e.column}}function zm(s){if(!s.scene.program)return;let e={setTransform:(t,n,i)=>s.setTransform(t,n,i),setMaterial:(t,n,i)=>s.setMaterial(t,n,i),setVisible:(t,n)=>s.setVisible(t,n),setText:(t,n)=>s.setText(t,n),play:(t,n,i,r,o)=>s.play(t,n,i,r,o),say:t=>s.say(t),changed:(t,n,i)=>s.state(t,n,i),spawn:(t,n,i,r)=>s.spawn(t,n,i,r),remove:t=>s.remove(t),physics:{...s.physics,step:t=>s.physics.step(t),moved:()=>s.physics.moved(),call:(t,n,i)=>s.physics.call(t,n,i)}};try{let t=new pl(s.scene,e),n={start:()=>t.start(),update:i=>t.update(i),emit:(i,r,o)=>t.emit(i,r,o),hears:(i,r)=>t.hears(i,r),put:(i,r)=>t.put(i,r)};s.drive(n)}catch(t){s.say({level:"fault",node:"",text:`the program of the scene is not run: ${t instanceof Error?t.message:String(t)}`})}}function fd(s,e){for(let t of e.intersectObjects(s.built.world.children,!0)){let n=Fb(t.object);if(n!==void 0)return{node:n,grab:s.nearest(n,"grab"),point:t.point.toArray(),distance:t.distance}}}function Fb(s){let e=s,t=!0;for(let n=e;n;n=n.parent)t=t&&n.visible;for(;e&&!e.userData.id;)e=e.parent;return e&&t?e.userData.id:void 0}function Gm(s,e){let t=new xs;return{stage:s,ray(n,i){return t.setFromCamera(new Ge(n,i),e()),{from:t.ray.origin.toArray(),ahead:t.ray.direction.toArray()}},hit(n){return t.set(new L(...n.from),new L(...n.ahead)),fd(s(),t)},ahead:()=>e().getWorldDirection(new L).toArray()}}var ml=class{constructor(e,t,n=()=>{}){this.eye=e;this.canvas=t;this.changed=n;t.style.touchAction="none";let i=(r,o)=>t.addEventListener(r,o,{signal:this.off.signal,passive:!1});i("pointerdown",r=>{this.fingers.set(r.pointerId,{x:r.clientX,y:r.clientY}),this.enabled&&t.setPointerCapture(r.pointerId)}),i("pointermove",r=>this.drag(r));for(let r of["pointerup","pointercancel"])i(r,o=>{this.fingers.delete(o.pointerId)});i("contextmenu",r=>r.preventDefault()),i("wheel",r=>{r.preventDefault(),this.enabled&&this.zoom(Math.exp(Math.min(Math.max(r.deltaY*(r.deltaMode===1?16:1),-200),200)*.001))})}eye;canvas;changed;target=[0,0,0];enabled=!0;fingers=new Map;off=new AbortController;drag(e){let t=this.fingers.get(e.pointerId);if(!t)return;let n=e.clientX-t.x,i=e.clientY-t.y,r=this.canvas.clientHeight||1,o=()=>{let[l,h]=[...this.fingers.values()];return Math.hypot(l.x-h.x,l.y-h.y)||1},a=this.fingers.size===2,c=a?o():0;t.x=e.clientX,t.y=e.clientY,this.enabled&&(a?(this.pan(-n/r/2,-i/r/2),this.zoom(c/o())):e.shiftKey||(e.buttons&6)>0?this.pan(-n/r,-i/r):this.turn(-n/r*2*Math.PI,-i/r*2*Math.PI))}turn(e,t){let n=Fe(this.eye.position,this.target),i=mt(n)||1,r=Math.atan2(n[0],n[2])+e,o=Math.min(Math.max(Math.acos(n[1]/i)+t,.01),Math.PI-.01),a=i*Math.sin(o);this.eye.position=Xe(this.target,[a*Math.sin(r),i*Math.cos(o),a*Math.cos(r)]),this.update()}pan(e,t){let n=this.eye.height(mt(Fe(this.eye.position,this.target))),i=Nt(this.eye.rotation,[e*n,-t*n,0]);this.eye.position=Xe(this.eye.position,i),this.target=Xe(this.target,i),this.update()}zoom(e){if(!this.eye.zoom(e)){let t=Fe(this.eye.position,this.target),n=mt(t)||1;this.eye.position=Xe(this.target,Ee(t,Math.min(Math.max(n*e,.01),1e5)/n))}this.update()}update(){this.eye.rotation=qc(this.eye.position,this.target),this.changed()}dispose(){this.off.abort()}};var Bb={click:"can be used",hover:"reacts to the pointer",grab:"can be picked up"},pd=class{constructor(e,t){this.main=e;this.live.setAttribute("role","status"),this.live.setAttribute("aria-live","polite"),this.pausing.type="button",this.pausing.hidden=!0,this.pausing.addEventListener("click",()=>t(this.pausing.textContent==="Pause")),e.append(this.pausing,this.live)}main;live=ct("p","live");pausing=ct("button","pause");notes=[];motion(e,t){this.pausing.hidden=!e,this.pausing.textContent=t?"Pause":"Play",this.pausing.setAttribute("aria-label",t?"Pause motion":"Play motion")}say(e){this.live.textContent=e}note(e){let t=ct("p","note");t.textContent=e,this.notes.push(t),this.main.append(t)}fault(e){if(this.notes.some(n=>n.textContent===e)||this.notes.length>20)return;let t=ct("p","fault");t.setAttribute("role","alert"),t.textContent=e,this.notes.push(t),this.main.append(t)}said(e){if(e.level==="log")return this.say(e.text);let t=e.line?` (line ${e.line}, column ${e.column}${e.function?`, in ${e.function}`:""})`:"";this.fault(`${e.code??"Fault"}: ${e.text}${t}`)}},gl=class extends pd{constructor(t,n,i){super(t,r=>i.pause(r));this.acts=i;n.className="view",n.tabIndex=0,n.setAttribute("role","application");for(let r of["still","list"])document.getElementById(r)?.remove();this.nav.setAttribute("aria-label","Things in the scene"),this.nav.append(this.list),this.pausing.before(n,this.nav)}acts;list=ct("ul","things");nav=ct("nav","list");show(t,n){n.setAttribute("aria-label",`${t.name||"Scene"}, three-dimensional view. Arrow keys turn, with shift they move, plus and minus zoom, 0 goes back.`);for(let i of this.notes.splice(0))i.remove();this.list.replaceChildren();for(let i of t.nodes??[])i.kind==="group"||i.kind==="light"||i.kind==="camera"||this.put(i);this.nav.hidden=this.list.children.length===0,t.nodes?.length||this.note("This scene is empty.")}put(t){let n=ct("li","");n.dataset.node=t.id,n.append(this.button(Cs(t),()=>this.acts.select(t))),t.interact?.includes("click")&&n.append(this.button(`Use ${Cs(t)}`,()=>this.acts.use(t))),this.list.append(n)}remove(t){for(let n of[...this.list.children])n.dataset.node===t&&n.remove()}hide(t,n){for(let i of[...this.list.children])i.dataset.node===t&&(i.hidden=n)}button(t,n){let i=ct("button","");return i.type="button",i.textContent=t,i.addEventListener("click",n),i}describe(t){return[Cs(t),t.alt,t.text?.value,...(t.interact??[]).map(i=>Bb[i])].filter(Boolean).join(", ")+"."}};function ct(s,e){let t=document.createElement(s);return e&&(t.className=e),t}var xl=class{constructor(e,t){this.canvas=e;this.on=t;let n=(i,r,o=!1)=>e.addEventListener(i,r,{signal:this.off.signal,capture:o});n("pointerdown",i=>this.down(i),!0),n("pointermove",i=>this.move(i)),n("pointerup",i=>this.up(i)),n("pointercancel",()=>this.drop()),n("pointerleave",()=>this.hover(void 0)),n("dblclick",i=>{let r=this.hit(i);r&&this.on.stage().raise(r.node,"double_click",Mr(r))})}canvas;on;held;over;start;off=new AbortController;ray(e){let t=this.canvas.getBoundingClientRect();return this.on.ray((e.clientX-t.left)/t.width*2-1,1-(e.clientY-t.top)/t.height*2)}hit(e){return this.on.hit(this.ray(e))}down(e){if(e.button!==0)return;let t=this.hit(e),n=this.on.stage();if(this.start={x:e.clientX,y:e.clientY,hit:t},!t)return;n.raise(t.node,"press",Mr(t));let i=t.grab&&n.at(t.grab);!t.grab||!i||!n.grab(t.grab)||(this.held={node:t.grab,through:t.point,across:this.on.ahead(),offset:Fe(i.t,t.point)},this.on.orbit(!1),this.canvas.setPointerCapture(e.pointerId))}move(e){if(this.held){let{node:t,through:n,across:i,offset:r}=this.held,{from:o,ahead:a}=this.ray(e),c=ze(Fe(n,o),i)/ze(a,i);c>0&&Number.isFinite(c)&&this.on.stage().hold(t,Xe(Xe(o,Ee(a,c)),r));return}e.buttons===0&&this.hover(this.hit(e))}hover(e){let t=this.on.stage(),n=e?.node;this.canvas.style.cursor=e?.grab?"grab":e&&t.nearest(e.node,"click")?"pointer":"",n!==this.over&&(this.over&&t.nodes.has(this.over)&&t.raise(this.over,"hover_exit",{}),this.over=n,e&&t.raise(e.node,"hover_enter",Mr(e)))}up(e){let t=this.start,n=this.on.stage();if(this.start=void 0,this.drop(),!t?.hit||(n.raise(t.hit.node,"release",Mr(t.hit)),Math.abs(e.clientX-t.x)+Math.abs(e.clientY-t.y)>6))return;Bo(n,t.hit);let i=n.nodes.get(t.hit.node);i&&(i.interact?.length||i.label||i.alt)&&this.on.describe(i)}drop(){this.held&&(this.on.stage().release(this.held.node),this.held=void 0,this.on.orbit(!0))}dispose(){this.off.abort()}};function Bo(s,e,t="pointer"){s.raise(e.node,"click",{...Mr(e),hand:t}),s.raise(e.node,"tap",{...Mr(e),hand:t})}function Mr(s){return{point:s.point,hand:"pointer"}}function Hm(s,e){let t=new St;t.setAttribute("position",new _t(s.places,3)),t.setAttribute("color",new _t(s.colours,4)),t.setAttribute("grow",new _t(s.sizes,1));let n=Ob(new qi({size:1,vertexColors:!0,transparent:!0,depthWrite:!1,blending:s.adds?ro:Zi})),i=new ps(t,n);return i.frustumCulled=!1,i.raycast=()=>{},e.add(i),{update(){for(let r of Object.values(t.attributes))r.needsUpdate=!0},dispose(){i.removeFromParent(),t.dispose(),n.dispose()}}}function Ob(s){return s.onBeforeCompile=e=>{e.vertexShader=`attribute float grow;
`+e.vertexShader.replace(/gl_PointSize\s*=\s*size;/,"gl_PointSize = size * grow;"),e.fragmentShader=e.fragmentShader.replace("#include <color_fragment>",`#include <color_fragment>
diffuseColor.a *= smoothstep( 0.5, 0.2, length( gl_PointCoord - 0.5 ) );`)},s}function kb(s,e){switch(s){case"ease-in":return e*e;case"ease-out":return 1-(1-e)*(1-e);case"ease-in-out":return e*e*(3-2*e);case"step":return e<1?0:1}return e}function md(s){let e=s.loop??0;return e<0?1/0:e+1}function Wm(s){return s.keys[s.keys.length-1][0]}function Vb(s,e){let t=s.keys,n=Wm(s),i=e;if(n>0&&i>n){let r=Math.floor(i/n);r>=md(s)?[r,i]=[md(s)-1,n]:i-=r*n,s.pingpong&&r%2===1&&(i=n-i)}if(i<=t[0][0])return t[0].slice(1);for(let r=1;r<t.length;r++){if(i>t[r][0])continue;let o=t[r-1],a=t[r],c=kb(s.easing,(i-o[0])/(a[0]-o[0]));return s.property==="r"?qp(o.slice(1),a.slice(1),c):o.slice(1).map((l,h)=>l+(a[h+1]-l)*c)}return t[t.length-1].slice(1)}var yl=class{constructor(e,t,n){this.set=t;this.ended=n;this.tracks=e.filter(i=>i.keys.length>0).map(i=>({a:i,time:0,on:i.autoplay===!0}));for(let i of this.tracks)i.on&&this.apply(i)}set;ended;tracks;get running(){return this.tracks.some(e=>e.on)}play(e,t,n){let i=!1;for(let r of this.tracks)r.a.node!==e||t&&r.a.name!==t&&r.a.property!==t||(i=!0,r.on=n,n&&(r.time=0));return i}step(e){for(let t of this.tracks)t.on&&(t.time+=e,this.apply(t),!(t.time<Wm(t.a)*md(t.a))&&(t.on=!1,this.ended(t.a.node,t.a.name??t.a.property)))}apply(e){this.set(e.a.node,e.a.property,Vb(e.a,e.time))}};var Ml=class{constructor(e,t,n,i,r){this.scene=e;this.nodes=t;this.at=n;this.eye=i;this.ended=r;for(let o of t.values())o.audio?.autoplay&&this.play(o.id,"",!0);for(let o of["pointerdown","keydown"])globalThis.addEventListener?.(o,this.begin)}scene;nodes;at;eye;ended;context;buffers=new Map;playing=new Map;waiting=new Map;begin=()=>this.start();get count(){return this.playing.size+this.waiting.size}play(e,t,n,i={}){let r=this.find(e,t);return r===void 0?!1:(this.stop(r),n&&(this.context?this.sound(r,i):this.waiting.set(r,i)),!0)}find(e,t){let n=i=>i?.audio?.asset!==void 0&&this.scene.assets?.[i.audio.asset]?.data!==void 0;if(!t&&n(this.nodes.get(e)))return e;for(let i of this.nodes.values()){if(!n(i))continue;let r=this.scene.assets[i.audio.asset].path;if(i.name===t||r===t||r.replace(/^.*\//,"").replace(/\.\w+$/,"")===t)return i.id}}start(){if(this.deaf(),!(this.context||this.waiting.size+this.nodes.size===0||typeof AudioContext>"u")){this.context=new AudioContext;for(let[e,t]of this.waiting)this.sound(e,t);this.waiting.clear()}}deaf(){for(let e of["pointerdown","keydown"])globalThis.removeEventListener?.(e,this.begin)}async sound(e,t){let n=this.nodes.get(e).audio,i=this.context,r=n.asset;if(!this.buffers.has(r)){let l=ur(this.scene.assets[r].data).buffer;this.buffers.set(r,i.decodeAudioData(l).catch(()=>{}))}let o={gain:new GainNode(i,{gain:Xm(t.volume??n.volume??1)})};this.playing.set(e,o);let a=await this.buffers.get(r);if(this.playing.get(e)!==o)return;if(!a){this.playing.delete(e),console.warn(`the sound ${this.scene.assets[r].path} cannot be decoded`);return}let c=o.source=new AudioBufferSourceNode(i,{buffer:a,loop:t.loop??n.loop??!1});c.connect(o.gain),n.max!==void 0||n.min!==void 0?(o.pan=new PannerNode(i,{panningModel:"HRTF",distanceModel:"inverse",refDistance:n.min??1,maxDistance:n.max??30}),o.gain.connect(o.pan).connect(i.destination)):o.gain.connect(i.destination),c.onended=()=>{this.playing.get(e)===o&&(this.stop(e),this.ended(e))},this.step(),c.start()}step(){if(!this.context||this.playing.size===0)return;let e=this.context.listener,t=this.eye(),n=Nt(t.r,[0,0,-1]),i=Nt(t.r,[0,1,0]);e.positionX?(vl([e.positionX,e.positionY,e.positionZ],t.t),vl([e.forwardX,e.forwardY,e.forwardZ],n),vl([e.upX,e.upY,e.upZ],i)):(e.setPosition(...t.t),e.setOrientation(...n,...i));for(let[r,{pan:o}]of this.playing){let a=o&&this.at(r);a&&vl([o.positionX,o.positionY,o.positionZ],a.t)}}volume(e,t){let n=this.playing.get(e);n&&(n.gain.gain.value=Xm(t))}stop(e){this.waiting.delete(e);let t=this.playing.get(e);t&&(this.playing.delete(e),t.source?.stop(),t.gain.disconnect(),t.pan?.disconnect())}dispose(){this.deaf();for(let e of[...this.playing.keys(),...this.waiting.keys()])this.stop(e);this.context?.close(),this.context=void 0}};function Xm(s){return Math.min(Math.max(s,0),1)}function vl(s,e){for(let t=0;t<3;t++)s[t].value=e[t]}var qm=2e3,zb={fire:{rate:60,lifetime:1.2,speed:1.2,spread:.3,gravity:-.6,size_start:.18,size_end:.02,color_start:"#ffd27aff",color_end:"#d0290000"},smoke:{rate:20,lifetime:4,speed:.5,spread:.2,gravity:-.1,size_start:.1,size_end:.6,color_start:"#8888889f",color_end:"#44444400",blend_mode:"normal"},sparks:{rate:80,lifetime:.8,speed:2.4,spread:1.2,gravity:6,size_start:.03,size_end:.01,color_start:"#ffe9a8ff",color_end:"#ff6a0000"},rain:{rate:200,lifetime:1.5,speed:-6,spread:.1,size_start:.02,size_end:.02,color_start:"#a8c4e0b0",width:4,blend_mode:"normal"},snow:{rate:80,lifetime:5,speed:-.6,spread:.3,size_start:.04,size_end:.04,color_start:"#ffffffff",color_end:"#ffffff80",width:4,blend_mode:"normal"},dust:{rate:15,lifetime:6,speed:.05,spread:.1,size_start:.02,size_end:.02,color_start:"#e8dcc080",color_end:"#e8dcc000",width:3,blend_mode:"normal"},magic:{rate:40,lifetime:2,speed:.6,spread:.5,gravity:-.2,size_start:.05,size_end:0,color_start:"#c9a0ffff",color_end:"#4060ff00"}};function Gb(s,e){let t={...zb[String(s.preset??"")],...s},n=(g,...M)=>{for(let m of M)if(typeof t[m]=="number"&&Number.isFinite(t[m]))return t[m];return g},i=Math.max(.05,n(2,"lifetime")),r=[Math.max(.05,n(i,"lifetime_min")),Math.max(.05,n(i,"lifetime_max"))],o=Math.round(Math.max(1,Math.min(qm,n(n(10,"rate","emission_rate")*r[1]+1,"max_count","count")))),a=t.velocity,c=typeof t.along=="string"?e?.(t.along):void 0,l=n(1,"speed"),h=n(.05,"size_start","size"),d=jm(t.color_start??t.color)??"#ffffffff",u=jm(t.color_end)??d.slice(0,7)+"00",f=1+Math.max(0,n(0,"emissive_intensity"));return{count:o,span:r,rate:Math.min(Math.max(0,n(o/r[1],"rate","emission_rate")),qm*10),speed:Array.isArray(a)?[Number(a[0])||0,Number(a[1])||0,Number(a[2])||0]:c?Hb(c,l):[0,l,0],spread:n(.3,"velocity_spread","spread"),gravity:n(0,"gravity"),width:Math.max(0,n(0,"width","radius")),size:[h,n("size_start"in t?0:h,"size_end")],colours:[Ee(vo(d),f),Ee(vo(u),f)],alphas:[Mo(d),Mo(u)],adds:t.blend_mode!=="normal"}}var bl=class{constructor(e,t,n){this.seed=t;let{count:i,adds:r}=this.emission=Gb(e,n);this.left=new Float32Array(i),this.whole=new Float32Array(i).fill(1),this.velocity=new Float32Array(i*3),this.count=i,this.places=new Float32Array(i*3),this.colours=new Float32Array(i*4),this.sizes=new Float32Array(i),this.adds=r;for(let o=0;o<40;o++)this.step(this.emission.span[1]/40)}seed;emission;count;places;colours;sizes;adds;left;whole;velocity;due=0;next=0;random(){return this.seed=Math.imul(this.seed,1664525)+1013904223>>>0,this.seed/4294967296}step(e){let{places:t,colours:n,sizes:i}=this;for(this.due=Math.min(this.due+e*this.emission.rate,this.left.length);this.due>=1;)this.due--,this.birth(this.next,t),this.next=(this.next+1)%this.left.length;let[r,o]=this.emission.colours;for(let a=0;a<this.left.length;a++){if(this.left[a]<=0){i[a]=n[a*4+3]=0;continue}this.left[a]-=e,this.velocity[a*3+1]-=this.emission.gravity*e;for(let l=0;l<3;l++)t[a*3+l]+=this.velocity[a*3+l]*e;let c=1-Math.max(this.left[a],0)/this.whole[a];for(let l=0;l<3;l++)n[a*4+l]=r[l]+(o[l]-r[l])*c;n[a*4+3]=this.left[a]<=0?0:this.emission.alphas[0]+(this.emission.alphas[1]-this.emission.alphas[0])*c,i[a]=this.emission.size[0]+(this.emission.size[1]-this.emission.size[0])*c}}birth(e,t){this.left[e]=this.whole[e]=this.emission.span[0]+(this.emission.span[1]-this.emission.span[0])*this.random();for(let n=0;n<3;n++)t[e*3+n]=n===1?0:(this.random()-.5)*this.emission.width,this.velocity[e*3+n]=this.emission.speed[n]+(this.random()*2-1)*this.emission.spread}};function Hb(s,e){let t=Math.hypot(...s)||1;return[s[0]/t*e,s[1]/t*e,s[2]/t*e]}function jm(s){return typeof s=="string"&&/^#[0-9a-f]{6,8}$/i.test(s)?s:void 0}function Ym(s){let e=2166136261;for(let t=0;t<s.length;t++)e=Math.imul(e^s.charCodeAt(t),16777619);return e>>>0}var Rs=1/60,Wb={t:"position",r:"rotation",s:"scale"},_l=class{constructor(e,t,n){this.scene=e;this.engine=t;this.playing=!n,this.bodies=new Uo(e);let i=e.nodes??[];for(let r of i)this.nodes.set(r.id,r),r.parent>=0&&this.parents.set(r.id,i[r.parent].id);for(let r of i)r.particles&&this.swarm(r);this.player=new yl(e.animations??[],(r,o,a)=>this.animate(r,o,a),(r,o)=>this.raise(r,"animation_end",{name:o}))}scene;engine;nodes=new Map;bodies;player;playing;onSay=()=>{};onEvent=()=>{};onState=()=>{};parents=new Map;swarms=new Map;sounds;driver;touched=!1;changed=!0;rest=0;hear(e){this.sounds=new Ml(this.scene,this.nodes,t=>this.at(t),e,t=>this.raise(t,"audio_end",{}))}drive(e){this.driver=e,e.start()}get lively(){return this.player.running||this.swarms.size>0||this.bodies.any||this.engine.lively}advance(e){for(this.rest=Math.min(this.rest+e,.25);this.rest>=Rs-1e-9;this.rest-=Rs)this.step();for(let n of this.swarms.values())n.shown.update();this.sounds?.step();let t=this.changed;return this.changed=!1,t}step(){if(this.driver)this.driver.update(Rs);else for(let e of this.physics.step(Rs))this.raise(e.node,e.event,e.payload);if(this.driver||this.physics.moved(),!!this.playing){this.player.running&&(this.changed=!0),this.player.step(Rs);for(let e of this.swarms.values())(e.shown.step?e.shown:e.swarm).step(Rs);(this.engine.step(Rs)||this.swarms.size>0)&&(this.changed=!0)}}raise(e,t,n={}){this.driver?.emit(e,t,n),this.onEvent(e,t,n),this.changed=!0}hears(e,t){return this.driver?.hears(e,t)??!1}put(e,t){this.driver?.put?.(e,t)}physics={step:e=>this.playing||this.touched?this.bodies.step(e):[],moved:()=>{let e=this.bodies.moved();for(let t of e)this.engine.place(t.node,"position",t.position),this.engine.place(t.node,"rotation",t.rotation),this.changed=!0;return e},place:(e,t,n)=>this.bodies.place(e,t,n),call:(e,t,n)=>this.bodies.call(e,t,n)};setTransform(e,t,n){n.every(Number.isFinite)&&(this.engine.place(e,t,t==="rotation"?Xb(n):n),this.changed=!0)}setMaterial(e,t,n){this.engine.look(e,t,n),this.changed=!0}setVisible(e,t){this.engine.show(e,t),this.changed=!0}setText(e,t){let n=this.nodes.get(e);n&&this.engine.letter(n,t),this.changed=!0}play(e,t,n,i,r={}){let o=a=>typeof a=="number"?a:void 0;t==="animation"?this.player.play(e,n,i):this.sounds?.play(e,n,i,{volume:o(r.volume),loop:r.loop===!0?!0:void 0}),this.changed=!0}say(e){this.onSay(e)}state(e,t,n){t==="volume"&&typeof n=="number"&&this.sounds?.volume(e,n),this.onState(e,t,n)}spawn(e,t,n,i){this.engine.copy(e,n,i);let r={kind:"object",path:e,parent:-1,...this.nodes.get(n),id:e};this.nodes.set(e,r),this.parents.set(e,i),this.bodies.copy(r,i),r.particles&&this.swarm(r),this.changed=!0}remove(e){this.swarms.get(e)?.shown.dispose(),this.swarms.delete(e),this.engine.remove(e),this.nodes.delete(e),this.parents.delete(e),this.bodies.remove(e),this.changed=!0}nearest(e,t){for(let n=e;n!==void 0;n=this.parents.get(n))if(this.nodes.get(n)?.interact?.includes(t))return n}grab(e,t="pointer"){return this.bodies.grab(e)?(this.touched=!0,this.raise(e,"grab",{hand:t}),!0):!1}hold(e,t,n){this.bodies.hold(e,t,n),this.raise(e,"drag",{position:t})}release(e,t="pointer"){this.bodies.release(e);let n=this.bodies.solver.get(e),i=n?mt(n.v):0;this.raise(e,"release",{hand:t}),this.raise(e,i>1?"throw":"drop",{hand:t,speed:i})}at(e){return this.bodies.origin(e)}animate(e,t,n){let i=this.bodies.local(e);if(!i)return;let r=Wb[t[0]];if(!r||t.length>1&&t[1]!==".")return this.setMaterial(e,t,n.length===1?n[0]:n);let o=r==="position"?[...i.t]:r==="scale"?[...i.s]:n;if(t.length===3)o["xyz".indexOf(t[2])]=n[0];else for(let a=0;a<n.length;a++)o[a]=n[a];this.setTransform(e,r,o),this.bodies.place(e,r,o)}swarm(e){let t=this.at(e.id),n=r=>{for(let o of this.nodes.values()){if(o.name!==r)continue;let a=this.at(o.id);return t&&a?Nt(So(t.r),Fe(a.t,t.t)):void 0}},i=new bl(e.particles,Ym(e.id),n);this.swarms.set(e.id,{swarm:i,shown:this.engine.swarm(e.id,i)})}leave(){this.sounds?.dispose();let e=new Set((this.scene.nodes??[]).map(t=>t.id));for(let t of[...this.nodes.keys()])e.has(t)||this.remove(t);for(let t of this.swarms.values())t.shown.dispose();this.swarms.clear()}dispose(){this.leave(),this.engine.dispose()}};function Xb(s){let e=s.length===4?s:jc(s),t=Math.sqrt(e[0]*e[0]+e[1]*e[1]+e[2]*e[2]+e[3]*e[3]);return t>0?e.map(n=>n/t):[0,0,0,1]}var Sl=class extends _l{constructor(t,n,i){super(t,qb(t,n),i);this.built=n}built;listen(t){this.hear(()=>({t:t.getWorldPosition(new L).toArray(),r:t.getWorldQuaternion(new Dt).toArray()}))}};function qb(s,e){let t=new zc,n=i=>e.byId.get(i);return{place(i,r,o){n(i)?.[r==="rotation"?"quaternion":r].fromArray(o)},look(i,r,o){let a=n(i);a&&t.set(a,r,o)},show(i,r){let o=n(i);o&&(o.visible=r)},letter(i,r){let o=n(i.id);o&&Vu(i,r,s,o)},copy(i,r,o){let a=n(r)?.clone(!0)??new gt;a.traverse(c=>{delete c.userData.id}),a.userData={id:i},a.visible=!0,(n(o)??e.world).add(a),e.byId.set(i,a)},remove(i){n(i)?.removeFromParent(),e.byId.delete(i)},swarm:(i,r)=>Hm(r,n(i)),step(i){for(let r of e.clips)r.step(i);return e.clips.length>0},get lively(){return e.clips.length>0},dispose(){e.world.traverse(i=>{let r=i;r.geometry?.dispose();for(let o of[r.material??[]].flat()){for(let a of Object.values(o))a&&a.isTexture&&a.dispose();o.dispose()}})}}}He.tonemapping_pars_fragment=He.tonemapping_pars_fragment.replace(/vec3 CustomToneMapping\s*\(\s*vec3 color\s*\)\s*\{[^}]*\}/,`vec3 CustomToneMapping( vec3 color ) {
    vec3 c = color * toneMappingExposure;
    return clamp( c * ( 2.51 * c + 0.03 ) / ( c * ( 2.43 * c + 0.59 ) + 0.14 ), 0.0, 1.0 );
  }`);function $m(s,e){let t=e.environment??{};s.toneMapping=t.tone_mapping==="aces"?ao:t.tone_mapping==="linear"||(t.exposure??1)!==1?oo:On,s.toneMappingExposure=t.exposure??1,s.shadowMap.enabled=!0,s.shadowMap.type=ys}var El=class{constructor(e,t,n){this.assets=t;this.host=n;this.root.setAttribute("aria-label","Controls");for(let i of e)this.root.append(this.control(i,2))}assets;host;root=ct("aside","ui");bound=new Map;texts=[];values=new Map;filledIn=new Map;state(e,t){this.values.set(e,t);for(let n of this.bound.get(e)??[])n(t);for(let n of this.texts)n.parts.some((i,r)=>r%2===1&&i===e)&&n.show(this.filled(n.parts))}filled(e){return e.map((t,n)=>n%2===0?t:ts(this.values.get(t))).join("")}text(e,t){let n=e.split(/\$\{\s*(?:state\.|this\.)?(\w+)\s*\}/);t(this.filled(n)),n.length>1&&this.texts.push({parts:n,show:t})}bind(e,t){let n=i=>{this.filledIn.set(e,i),t(i)};e.value!==void 0&&n(e.value),e.bind&&this.bound.set(e.bind,[...this.bound.get(e.bind)??[],n])}told(e,t){this.filledIn.set(e,t),e.bind&&(this.host.put(e.bind,t),this.state(e.bind,t)),this.host.change(e.id??e.label??"",t)}fields(e,t={}){for(let n of e.children??[])this.filledIn.has(n)&&(t[n.id??n.label??n.kind]=this.filledIn.get(n)),this.fields(n,t);return t}control(e,t){let n=e.label??e.id??"",i=e.params??{};switch(e.kind){case"button":{let r=ct("button","");return r.type="button",this.text(n||"Button",o=>{r.textContent=o}),r.disabled=i.disabled===!0||i.enabled===!1,r.addEventListener("click",()=>this.host.press(e.id??e.label??"")),r}case"text":{let r=ct("p","");return e.bind?this.bind(e,o=>{r.textContent=ts(o)}):this.text(n||ts(e.value),o=>{r.textContent=o}),r}case"slider":{let r=ct("input",""),o=ct("output","");r.type="range";for(let c of["min","max","step"])typeof i[c]=="number"&&r.setAttribute(c,String(i[c]));i.step===void 0&&(r.step="any"),this.bind(e,c=>{r.value=ts(c),o.value=gd(Number(r.value))}),r.addEventListener("input",()=>{o.value=gd(Number(r.value)),this.told(e,Number(r.value))});let a=Oo(n||"Slider",r);return a.append(o),a}case"checkbox":{let r=ct("input","");return r.type="checkbox",this.bind(e,o=>{r.checked=o===!0}),r.addEventListener("change",()=>this.told(e,r.checked)),Oo(n||"Choice",r)}case"input":{let r=ct("input","");return r.type=i.type==="number"?"number":i.type==="password"?"password":"text",typeof i.placeholder=="string"&&(r.placeholder=i.placeholder),r.maxLength=1e4,this.bind(e,o=>{r.value=ts(o)}),r.addEventListener("change",()=>this.told(e,r.type==="number"?Number(r.value):r.value)),Oo(n||"Text",r)}case"dropdown":{let r=ct("select","");for(let o of Array.isArray(i.options)?i.options:[])r.add(new Option(ts(o)));return this.bind(e,o=>{r.value=ts(o)}),r.addEventListener("change",()=>this.told(e,r.value)),Oo(n||"Choice",r)}case"progress":{let r=ct("progress",""),o=ct("output","");typeof i.max=="number"&&i.max>0&&(r.max=i.max),this.bind(e,c=>{r.value=Number(c)||0,o.value=ts(c)});let a=Oo(n||"Progress",r);return a.append(o),a}case"image":{let r=String(i.src??i.url??e.value??""),o=this.assets.find(c=>c.path===r&&c.data&&c.media_type?.startsWith("image/"));if(!o)return wl(ct("p",""),String(i.alt??(n||"Picture")));let a=ct("img","");return a.alt=String(i.alt??n),a.src=`data:${o.media_type};base64,${o.data}`,a}case"section":{let r=ct("section","");n&&r.append(wl(ct(t<3?"h2":"h3",""),n));for(let o of e.children??[])r.append(this.control(o,n?t+1:t));return r}default:{let r=ct("fieldset","");n&&r.append(wl(ct("legend",""),n));for(let o of e.children??[])r.append(this.control(o,t));return r.addEventListener("keydown",o=>{let a=o.target;o.key!=="Enter"||!/^(text|number|password)$/.test(a.type)||(o.preventDefault(),o.stopPropagation(),a.blur(),a.focus(),this.host.submit(e.id??n,this.fields(e)))}),r}}}};function Oo(s,e){let t=ct("label","");return t.append(wl(ct("span",""),s),e),t}function wl(s,e){return s.textContent=e,s}function gd(s){return String(Math.round(s*100)/100)}function ts(s){return s==null?"":typeof s=="object"?JSON.stringify(s):typeof s=="number"?gd(s):String(s)}var ko=matchMedia("(prefers-reduced-motion: reduce)"),Al=class s{constructor(e,t,n,i){this.main=e;this.renderer=n;this.canvas=t,this.page=new gl(e,t,{select:r=>this.look(r),use:r=>this.use(r),pause:r=>this.pause(r)}),n.info.autoReset=!1,n.setPixelRatio(Math.min(devicePixelRatio,2)),this.show({v:"scene/1",name:document.title,nodes:[]}),new xl(t,{...Gm(()=>this.stage,()=>this.camera),orbit:r=>{this.controls.enabled=r},describe:r=>{this.page.say(this.page.describe(r)),this.tell({type:"select",ids:[r.id]})}}),this.xr=new i(n,{stage:()=>this.stage,say:r=>this.page.say(r),world:()=>this.stage.built.world,state:r=>this.tell({type:"xr",state:r}),resize:()=>this.resize()},e),ko.addEventListener("change",()=>this.pause(ko.matches)),addEventListener("resize",()=>this.resize()),t.addEventListener("keydown",r=>this.key(r));for(let r of["keydown","keyup"])addEventListener(r,o=>{o.target instanceof HTMLInputElement||this.stage.raise("",r==="keydown"?"key_down":"key_up",{key:o.key})});n.setAnimationLoop(()=>this.frame())}main;renderer;tell=()=>{};stage;camera=new Ot;controls;page;timer=new no;people=new jt;marks=new jt;xr;canvas;effects;ui;home={position:new L,target:[0,0,0]};dirty=!0;frames=0;triangles=0;told=0;static on(e,t){let n=document.createElement("canvas");try{return new s(e,n,new Bc({canvas:n,antialias:!0,preserveDrawingBuffer:!0}),t)}catch{return}}facts(){let e=this;return{get frames(){return e.frames},get triangles(){return e.triangles},get nodes(){return e.stage.nodes.size},get ready(){return e.pending===0},get stage(){return e.stage},get camera(){return e.camera},get xr(){return e.xr}}}pending=0;open(e){let t=Dd(this.stage.scene,e);if(t&&this.told>0){for(let n of t)this.place(n);this.stage.scene.nodes=e.nodes}else this.show(e);return this.told++,this.dirty=!0,{nodes:e.nodes?.length??0,triangles:this.count()}}place(e){for(let[t,n]of[["position",e.t??[0,0,0]],["rotation",e.r??[0,0,0,1]],["scale",e.s??[1,1,1]]])this.stage.setTransform(e.id,t,n),this.stage.physics.place(e.id,t,n);this.stage.setVisible(e.id,e.visible!==!1)}show(e){let t=this.stage,n=t?t.playing:!ko.matches;t?.dispose();let i=rm(e),r=this.stage=new Sl(e,i,!n);i.world.add(this.people,this.marks),this.marks.clear(),this.page.show(e,this.canvas),this.interface(e),$m(this.renderer,e),this.effects?.dispose(),this.effects=$c.of(e.post),this.told===0&&this.stand(),r.onSay=o=>this.said(o),r.onState=(o,a,c)=>{(o==="scene"||o==="")&&this.ui?.state(a,c)},r.listen(this.camera),zm(r),this.page.motion(r.lively,r.playing),this.pending++,Promise.all(i.pending).then(()=>{this.pending--;for(let o of i.faults)this.page.fault(o.text),this.tell({type:"error",code:"asset",node:o.node,text:o.text});this.dirty=!0}),this.resize()}stand(){this.controls?.dispose(),this.camera=am(this.stage.built);let e=0;this.controls=new ml(Gu(this.camera),this.canvas,()=>{this.dirty=!0,!(performance.now()-e<200)&&(e=performance.now(),this.tell({type:"camera",t:this.camera.position.toArray(),r:this.camera.quaternion.toArray()}))}),this.controls.target=cm(this.stage.built,this.camera),this.controls.update(),this.home={position:this.camera.position.clone(),target:this.controls.target}}interface(e){this.ui?.root.remove(),this.ui=void 0,e.ui?.length&&(this.ui=new El(e.ui,e.assets??[],{press:t=>this.stage.raise("scene",`ui:${t}`,{id:t}),change:(t,n)=>this.stage.raise("scene","change",{id:t,value:n}),put:(t,n)=>this.stage.put(t,n),submit:(t,n)=>this.stage.raise("scene","submit",{id:t,values:n})}),this.main.append(this.ui.root))}said(e){this.page.said(e),this.tell({...e,type:e.level})}frame(){this.timer.update();let e=Math.min(this.timer.getDelta(),.25),t=this.stage.advance(e);this.xr.frame(),!(!t&&!this.dirty&&!this.renderer.xr.isPresenting)&&(this.dirty=!1,this.draw(),this.frames++)}draw(){this.renderer.info.reset();let{world:e}=this.stage.built;this.effects&&!this.renderer.xr.isPresenting?this.effects.render(this.renderer,e,this.camera):this.renderer.render(e,this.camera),this.triangles=this.renderer.info.render.triangles}count(){let e=0;return this.stage.built.world.traverse(t=>{let n=t instanceof ht?t.geometry:void 0;n&&(e+=(n.index?n.index.count:n.getAttribute("position")?.count??0)/3)}),e}resize(){this.renderer.xr.isPresenting||this.fit(window.innerWidth,window.innerHeight)}fit(e,t){if(this.renderer.setSize(e,t),this.camera instanceof Ot)this.camera.aspect=e/t;else{let n=(this.camera.userData.height||10)/2;Object.assign(this.camera,{left:-n*e/t,right:n*e/t,top:n,bottom:-n})}this.camera.updateProjectionMatrix(),this.dirty=!0}key(e){if(!(e.ctrlKey||e.metaKey||e.altKey)){if(e.key==="0"||e.key==="Home")this.back();else if(e.key in Zm)this.input(e.shiftKey&&e.key.startsWith("Arrow")?"pan":e.key.startsWith("Arrow")?"orbit":"zoom",...Zm[e.key]);else return;e.preventDefault()}}back(){this.camera.position.copy(this.home.position),this.controls.target=this.home.target,this.controls.update(),this.dirty=!0}input(e,t,n){e==="orbit"?this.controls.turn(t,n):e==="pan"?this.controls.pan(t,n):e==="zoom"?this.controls.zoom(Math.max(1+n,.1)):e==="reset"&&this.back()}look(e){this.focus(e.id),this.page.say(this.page.describe(e)),this.tell({type:"select",ids:[e.id]})}focus(e){let t=this.stage.built.byId.get(e);if(!t)return;let n=new Yt().setFromObject(t),i=n.isEmpty()?t.getWorldPosition(new L):n.getCenter(new L),r=this.camera.position.clone().sub(new L(...this.controls.target));this.controls.target=i.toArray(),this.camera.position.copy(i).add(r),this.controls.update(),this.dirty=!0}use(e){let t=this.stage.built.byId.get(e.id);t&&(Bo(this.stage,{node:e.id,point:t.getWorldPosition(new L).toArray(),distance:0},"keyboard"),this.page.say(`${e.label||e.name||e.path}: used.`))}pause(e){this.stage.playing=!e,this.page.motion(this.stage.lively,this.stage.playing)}mode(e){this.pause(e==="edit"||ko.matches)}select(e){this.marks.clear();for(let t of e){let n=this.stage.built.byId.get(t);n&&this.marks.add(new io(n,8042751))}this.marks.traverse(t=>{t.raycast=()=>{}}),this.dirty=!0}toward(e){let t=zu(this.stage.built),n=t.isEmpty()?new L:t.getCenter(new L),i=t.isEmpty()?2:Math.max(.5,t.getSize(new L).length())*1.15;this.controls.target=n.toArray(),this.camera.position.copy(n).addScaledVector(new L(...e).normalize(),i),this.controls.update(),this.dirty=!0}view(e,t){e==="node"&&t!==void 0?this.focus(t):e in Km?this.toward(Km[e]):e==="home"&&this.back()}theme(e,t){document.documentElement.dataset.theme=e?"dark":"light",this.pause(t||ko.matches)}presence(e){this.people.clear();for(let t of e){if(!t.camera)continue;let n=new ht(new $r(.12,.3,12),new Bt({color:t.color}));n.name=t.name,n.position.fromArray(t.camera.t),n.quaternion.fromArray(t.camera.r).multiply(new Dt(-Math.SQRT1_2,0,0,Math.SQRT1_2)),n.raycast=()=>{},this.people.add(n)}this.dirty=!0}emit(e,t,n){this.stage.raise(e,t,n)}shot(e,t){let n=this.renderer.getPixelRatio();this.renderer.setPixelRatio(1),this.fit(e,t),this.draw();let i=this.canvas.toDataURL("image/png");return this.renderer.setPixelRatio(n),this.resize(),i.slice(i.indexOf(",")+1)}},Km={fit:[.55,.45,1],top:[0,1,.001],front:[0,0,1],side:[1,0,0]},Zm={ArrowLeft:[-.1,0],ArrowRight:[.1,0],ArrowUp:[0,-.1],ArrowDown:[0,.1],"+":[0,-.1],"=":[0,-.1],"-":[0,.1]};function Qm(s,e){let t=document.getElementById("scene")?.textContent,n=Al.on(document.querySelector("main"),s);if(!n){let i=document.createElement("p");i.className="note",i.textContent="This browser cannot draw in three dimensions; here is the plan of the scene and what is in it.",document.querySelector("main").prepend(i);return}globalThis.meshdViewer=n.facts(),t?n.open(Cd(t)):e&&(n.tell=e(n))}var Tl=class{constructor(e,t,n={}){this.renderer=e;this.stage=t;this.may=n}renderer;stage;may;hands=[];enter(e){if(this.hands.length===0)for(let t=0;t<2;t++)this.hand(t);for(let t of this.hands)e.add(t.space)}leave(){for(let e of this.hands)this.drop(e),e.space.removeFromParent()}hand(e){let t=this.renderer.xr.getController(e),n={space:t,name:e===0?"left":"right"},i=new Ei(new St().setAttribute("position",new at([0,0,0,0,0,-3],3)),new wi({color:16777215,transparent:!0,opacity:.6}));i.raycast=()=>{},t.add(i);let r=(o,a)=>t.addEventListener(o,a);r("connected",o=>{o.data?.handedness&&o.data.handedness!=="none"&&(n.name=o.data.handedness)}),r("selectstart",()=>this.take(n)),r("squeezestart",()=>this.take(n)),r("selectend",()=>this.drop(n)),r("squeezeend",()=>this.drop(n)),r("select",()=>{if(this.may.chosen?.())return;let o=this.hit(n);o&&!n.held&&Bo(this.stage(),o,n.name)}),this.hands.push(n)}hit(e){e.space.updateMatrixWorld();let t=new xs;return t.ray.origin.setFromMatrixPosition(e.space.matrixWorld),t.ray.direction.set(0,0,-1).transformDirection(e.space.matrixWorld),fd(this.stage(),t)}take(e){let t=e.held||this.may.busy?.()?void 0:this.hit(e)?.grab,n=t&&this.stage().at(t);if(!t||!n||!this.stage().grab(t,e.name))return;let i=new ke().compose(new L(...n.t),new Dt(...n.r),new L(1,1,1));e.held={node:t,offset:e.space.matrixWorld.clone().invert().multiply(i)}}drop(e){e.held&&(this.stage().release(e.held.node,e.name),e.held=void 0)}frame(){for(let e of this.hands){if(!e.held)continue;e.space.updateMatrixWorld();let t=new L,n=new Dt,i=new L;e.space.matrixWorld.clone().multiply(e.held.offset).decompose(t,n,i),this.stage().hold(e.held.node,t.toArray(),n.toArray())}}};var Rl=class{constructor(e,t,n){this.renderer=e;this.on=t;this.main=n;this.hands=new Tl(e,()=>t.stage(),{chosen:()=>this.chosen(),busy:()=>this.busy}),this.offer(this.kinds())}renderer;on;main;hands;background=null;fog=null;hidden=[];kinds(){return[["immersive-vr","Enter VR"],["immersive-ar","Enter AR"]]}wishes(){return{optionalFeatures:["local-floor","hand-tracking"]}}begun(e){}over(){}chosen(){return!1}get busy(){return!1}async offer(e){for(let[t,n]of e){if(!await navigator.xr?.isSessionSupported(t).catch(()=>!1))continue;let i=ct("button",`xr ${t}`);i.type="button",i.textContent=n,i.addEventListener("click",()=>{this.enter(t,i,n)}),this.main.append(i)}}async enter(e,t,n){let i=this.renderer.xr.getSession();if(i)return void i.end();let r;try{r=await navigator.xr.requestSession(e,this.wishes()),this.renderer.xr.enabled=!0,await this.renderer.xr.setSession(r)}catch(a){this.renderer.xr.enabled=!1,this.on.state("none"),console.info(`immersive mode: ${String(a)}`);return}let o=this.on.world();if(e==="immersive-ar"){this.background=o.background,o.background=null,this.fog=o.fog,o.fog=null,this.hidden=o.children.filter(a=>a.userData.sky&&a.visible);for(let a of this.hidden)a.visible=!1}t.textContent="Leave",this.on.state(e==="immersive-ar"?"ar":"vr"),this.hands.enter(o),this.begun(r),r.addEventListener("end",()=>{this.over(),this.hands.leave(),this.background&&(o.background=this.background),this.fog&&(o.fog=this.fog),this.background=this.fog=null;for(let a of this.hidden.splice(0))a.visible=!0;this.renderer.xr.enabled=!1,t.textContent=n,this.on.state("none"),this.on.resize()})}frame(){this.hands.frame()}};Qm(Rl,s=>Id(s,"1"));})();
