// The gate of a basin listens to the gauge by the names of its messages.
object "gauge" {
  state { height: 1.2 }
  function rise(by) {
    state.height += by
    if state.height > 2.5 { emit("tide:high", state.height) }
  }
}

object "gate" {
  state { open: true, last: 0 }
  on gauge.message("tide:high", t) {
    state.open = false
    state.last = t
    log "closed at " + t
  }
  on_event("tide:low") { state.open = true }
}

execute gauge.rise(0.9) after 2s
execute gauge.rise(0.6) after 5s

@test {
  name: "a high tide shuts the gate"
  setup: { gauge.rise(2) }
  assert: { gate.state.open == false, gate.state.last > 3 }
}
