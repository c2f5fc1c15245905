object "camera north" {
  identity { name: "North gate", version: "0.2.0" }
  state { cars: 0, jam: false }
  on_event("frame", n) {
    state.cars = n
    state.jam = n >= 12
  }
}
pipeline "Counts" {
  schedule: "*/5 * * * *"
  source Frames { type: "rest", endpoint: "https://cams.example/north" }
  transform Cars {
    frame -> count : detect("car")
    time -> at
  }
  filter Busy { where: count >= 12 }
  sink Store { type: "database", path: "counts.db" }
}
