object "meter" {
  range: 0..100
  state { moist: 55 }
  bands {
    "soil:dry" -> { light: "red", pump: 20s }
    "soil:good" -> { light: "green", pump: 0 }
    "soil:wet" -> "blue"
  }
  on_event("reading", v) { state.moist = v }
  function drink(n) { state.moist = clamp(state.moist + n, 0, 100) }
}
execute meter.drink(15) every 12h
@test { name: "water is kept within bounds" setup: { meter.drink(90) } assert: { meter.state.moist == 100 } }
