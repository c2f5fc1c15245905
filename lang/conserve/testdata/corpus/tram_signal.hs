// One crossing, three lamps, states that have names in quotes.
object "crossing" {
  state { waiting: 0, passed: 0 }
  state_machine "lights" {
    initial: "red"
    states: { red: { on_entry { log "stop" } }, green: {}, amber: {} }
    transition "red" -> "green" { on: "free" guard: clear }
    transition "green" -> "amber" { after: 12s }
    transition "amber" -> "red" { after: 3s  action: count }
  }
  function clear() { return state.waiting > 0 }
  function count() { state.passed += state.waiting  state.waiting = 0 }
  on_event("tram:near", n) { state.waiting += n  emit "free" }
}
