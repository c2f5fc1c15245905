object "base" { geometry: cylinder radius: 0.2 height: 0.1 physics: { type: "static" } }
object "arm" {
  geometry: box
  size: (0.1, 0.8, 0.1)
  position: (0, 0.5, 0)
  rigidbody: { mass: 2.5kg, friction: 0.4 }
  joint "shoulder" { type: revolute to: "base" axis: [0, 0, 1] min: -60deg max: 60deg }
}
object "claw" {
  geometry: cone radius: 6cm height: 12cm position: "0 1 0" color: "orange"
  state { holding: false }
  on arm.message("reached", m) { state.holding = true }
  function drop() { state.holding = false }
}
execute claw.drop() after 9s
