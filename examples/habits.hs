// targets: all
// The same freedom in processes: schedules, wires, types in passing, a test with notes.
#[note, "kept by the night shift"]
object "tank" {
  state level: number = 3
  capacity: number = 9
  function drip() { emit("drain") }
  on_drain { state.level -= 1
    log "left: " + state.level
    if state.level < 1 { emit "dry" } }
}
npc "helper" {
  state { calls: 0 }
  function call(word, event) { state.calls += 1 }
  state_machine { initial: idle
    states { idle { on_dry -> "busy" } busy { transition "rested" -> "idle" { guard: rested } } }
  }
  function rested() { return state.calls > 0 }
  function rest() { emit "rested" }
}
connect tank.dry to helper.call("water") as "thirst"
execute tank.drip() after 1min
object "drain_once" { on_start { spawn Drop at [0, 1, 0] { radius: 2cm } } }
template "Drop" { geometry: "sphere" }
