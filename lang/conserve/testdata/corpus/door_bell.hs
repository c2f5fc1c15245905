object "bell" {
  on mouse_down => () { ring("short") }
  on "key down" => (e) { if e.key == "b" ring("long") }
  function ring(kind) { emit("bell:" + kind) }
  sounds {
    "bell:short" -> { file: "ding.ogg", volume: 0.6 }
    "bell:long" -> { file: "dong.ogg", volume: 0.9 }
  }
}
object "porch" {
  state { lamp: false, visits: 0 }
  on bell.message("ring", who) { state.lamp = true; state.visits += 1 }
}
