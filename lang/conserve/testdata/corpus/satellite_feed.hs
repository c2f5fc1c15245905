object "dish" {
  state { azimuth: 180 }
  on_event("pass:soon", where) { state.azimuth = where }
  "cloud:low" -> { record: true }
}
pipeline "Orbit passes" {
  source Tle { type: "rest" endpoint: "https://orbits.example/tle" }
  source Weather { type: "rest" endpoint: "https://met.example/clouds" }
  merge Both { from: [Tle, Weather] on: "time" }
  branch Night {
    when cloud < 0.3 -> sink Alert
    default -> sink Archive
  }
  sink Alert { type: "webhook" url: "https://hooks.example/pass" }
  sink Archive { type: "filesystem" path: "out/passes.jsonl" }
  retry { max: 4 backoff: exponential delay: 2s }
}
