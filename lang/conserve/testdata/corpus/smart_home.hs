// Rooms with readings, rules in a list of hyphens.
object "kitchen" {
  state temperature: number = 20.5
  state humidity: number = 45
  rules:
    - "fan on above 70"
    - "fan off below 55"
  on_event("steam", amount) { state.humidity += amount; if state.humidity > 70 emit("fan", true) }
}
object "fan" {
  state { on: false, hours: 0 }
  on kitchen.message("fan", v) { state.on = v }
}
@test { name: "steam starts the fan" setup: { emit("steam", 30) } assert: { kitchen.state.humidity == 75 } }
