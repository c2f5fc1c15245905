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
object "bell" {
  state { rings: 0, warm: 0 }
  function ring() {
    for (const i of 0..3) { state.rings += 1; yield }
    broadcast("valveRang", { rings: state.rings })
  }
  on_start { ring() }
  on_update { if (state.warm < 1) { state.warm += delta_time * 20
    set_trait(this, "glowing", { color: "#ff8800", intensity: state.warm }) } }
}
object "log_book" { state { last: 0 } on valveRang(e) { state.last = e.rings } }
@test { name: "a loop that yields ends" setup: { step(1s) } assert: { bell.state.rings == 3, log_book.state.last == 3, valve.state.steps == 0 } }
on valve.signal("open", by) { log "the valve is open" }
settings { "0..2" -> { pump: true } "2..9" -> false }
dialogue "operator" { text: "Open the valve?" option "Yes" -> @emit("turn:left", 1) option "No" -> @close }
object "drain_once" { on_start { spawn Drop at [0, 1, 0] { radius: 2cm } } }
template "Drop" { geometry: "sphere" }
