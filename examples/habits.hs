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
object "valve" @clickable {
  state { steps: 0 }
  checks:
    - "seal"
    - at: 60°
      text: '''it's "open"'''
  states: ["shut", "open"]
  transition "shut" -> "open"
  transition "open" -> "shut" { guard: many, action: { log "shut again" } }
  function many() { return state.steps > 2 }
  on tap => (e) { state.steps += 1 }
  on_event("turn:left", by) { state.steps += by  emit "open" }
}
on valve.signal("open", by) { log "the valve is open" }
settings { "0..2" -> { pump: true } "2..9" -> false }
dialogue "operator" { text: "Open the valve?" option "Yes" -> @emit("turn:left", 1) option "No" -> @close }
object "drain_once" { on_start { spawn Drop at [0, 1, 0] { radius: 2cm } } }
template "Drop" { geometry: "sphere" }
