@http
composition "Kites" {
  identity { name: "Kite shop", version: "1.0.2" }
  template "Kite" { props { price: 12, colour: "red" }  route: "/kites"  method: GET }
  object "Delta" using "Kite" { price: 18 colour: "blue" }
  object "Box" using "Kite" { route: "/kites/box" description: "Six sides of paper." }
  state { orders: 0 }
  action order(kind: string, n: number = 1) { state.orders += n; emit("order:placed", kind) }
  on_event("order:placed", k) { log "making a " + k }
}
@test { name: "an order counts" setup: { order("delta", 2) } assert: { state.orders == 2 } }
