object "House 4" @digital_twin {
  identity { name: "House 4", version: "1.0.0" }
  state { humidity: 62, vent: false, target: 60 }
  action set_target(percent: number) { state.target = percent }
  action open(vent: boolean = true) { state.vent = vent; emit("vent:moved", vent) }
  "range:dry" -> { vent: false, alarm: "low" }
  "range:wet" -> { vent: true, alarm: "high" }
  on_event("reading", h) { state.humidity = h }
}
