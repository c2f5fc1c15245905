object "motor" {
  state { speed: 2.5, stopped: false }
  on chairs.message("chair:stuck", n) { state.stopped = true; emit "stop" }
  function start(v) { state.speed = v; state.stopped = false }
}
object "chairs" {
  state { loaded: 0 }
  on motor.event("stop") { state.loaded = 0 }
  function load(n) { state.loaded += n; if state.loaded > 80 { emit("chair:stuck", state.loaded) } }
}
execute motor.start(3) after 1s
execute chairs.load(4) every 12s
@test { name: "too many skiers" setup: { chairs.load(81) } assert: { motor.state.stopped == true } }
