package raster
import ("testing";"os";"time";"fmt")
func TestLook(t *testing.T){
 for name,s:=range map[string]*Scene{"solids":solidsScene(),"night":nightScene(),"fence":fenceScene()} {
  t0:=time.Now()
  img,w,err:=Render(s,Options{Width:800,Height:500})
  if err!=nil{t.Fatal(err)}
  fmt.Println(name,time.Since(t0),w)
  b,_:=EncodePNG(img)
  os.WriteFile("/tmp/look_"+name+".png",b,0o644)
 }
}
