package raster
import ("testing";"os")
func TestLook2(t *testing.T){
 s:=nightScene()
 s.Camera.FOV=0.25; s.Camera.Target[0]=1.6; s.Camera.Target[1]=-0.3; s.Camera.Target[2]=1.5
 for i,sh:=range []bool{true,false} {
  s.Lights[1].Shadow=sh
  img,_,err:=Render(s,Options{Width:500,Height:300})
  if err!=nil{t.Fatal(err)}
  b,_:=EncodePNG(img)
  os.WriteFile("/tmp/look_z"+string(rune('0'+i))+".png",b,0o644)
 }
}
