object "Row 12" {
  traits: ["digital_twin", "clickable"]
  state { sugar: 19.5, frost: false, sprayed: 0 }
  "grape:ripe" -> { sugar: 22, pick: true }
  "grape:green" -> { sugar: 14, pick: false }
  action spray(litres: number) { state.sprayed += litres }
  on_event("frost", degrees) { state.frost = degrees < 0 }
  geometry: box
  size: (6, 1.2, 0.4)
  color: "#5f7d3a"
}
