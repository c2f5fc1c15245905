#version 1.2.0
object "barrier" {
  state { up: false, tolls: 0 }
  state_machine {
    initial: closed
    states { closed { on_coin -> "open" } open { } }
    transition "open" -> "closed" { after: 8s action: lower }
  }
  function lower() { state.up = false }
  on coin => (c) { state.tolls += c.value; state.up = true }
}
connect road.arrived to barrier.coin(2)
object "road" { function arrive() { emit "arrived" } }
execute road.arrive() every 30s
