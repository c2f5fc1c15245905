controller "Crossing" {
  state {
    phase: "ns_green"
    waiting: 0
    cycle: 0
    night: false
  }

  timing {
    green: 20s
    amber: 3s
    all_red: 1.5s
    walk: 8s
  }

  state_machine {
    initial: ns_green

    state ns_green  { entry { show("NS", "green") }  after: green, on_timeout: -> "ns_amber" }
    state ns_amber  { entry { show("NS", "amber") }  after: amber, on_timeout: -> "clearing" }
    state clearing  {
      entry { show("NS", "red"); show("EW", "red") }
      after: all_red
      on_timeout: -> "walk" guard(waiting > 0)
      on_timeout: -> "ew_green" guard(waiting == 0)
    }
    state walk {
      entry { show("PED", "walk"); beep(2Hz) }
      exit { state.waiting = 0; show("PED", "stop") }
      after: walk
      on_timeout: -> "ew_green"
    }
    state ew_green  { entry { show("EW", "green") }  after: green, on_timeout: -> "ew_amber" }
    state ew_amber  { entry { show("EW", "amber") }  exit { state.cycle += 1 }  after: amber, on_timeout: -> "ns_green" }
    state blinking  { every 1s { toggle("ALL", "amber") }  on_repaired: -> "clearing" }

    any { on_fault: -> "blinking" }
  }

  button "Pedestrian" {
    debounce: 300ms
    press { state.waiting += 1; light_up("WAIT", color: "#f80") }
  }

  loop_detector "EW-1" { extends: ew_green by 2s up to 35s }

  schedule {
    from "23:00" to "05:00" { state.night = true; green = 12s }
  }

  wire "NS" { to: gpio(5, 6, 13) }
  wire "EW" { to: gpio(19, 26, 21) }
  wire "Pedestrian" { from: gpio(4, pull: "up") }
}

@test { name: "starts green north to south", assert: { Crossing.current_state == "ns_green" } }
@test { name: "amber after twenty seconds", setup: { step(20.5s) }, assert: { Crossing.current_state == "ns_amber" } }
@test {
  name: "a waiting pedestrian gets to walk"
  setup: { Crossing.Pedestrian.press(); step(25s) }
  assert: { Crossing.current_state == "walk" }
}
@test {
  name: "one full cycle without pedestrians takes 47.5 seconds"
  setup: { step(48s) }
  assert: { Crossing.state.cycle == 1; Crossing.current_state == "ns_green" }
}
