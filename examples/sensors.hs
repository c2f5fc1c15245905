// Sensors of a greenhouse brought to a board: streams, a limit, a digest for the night.
// targets: all
pipeline "Minute" {
  schedule: "* * * * *"

  source Board {
    type: "stream"
    topic: "glass/+/climate"
    schema: { house: "string", celsius: "number", humidity: "number", at: "number" }
  }

  validate Range {
    house: required, string, startsWith("glass")
    celsius: required, min(-20), max(60)
    humidity: optional, min(0), max(1)
  }

  transform Line {
    house -> house : lowercase()
    celsius -> celsius : round(1)
    humidity -> percent : multiply(100) : round(0)
    at -> time : toISO()
  }

  branch Alarm {
    when celsius > 38 || celsius < 2 -> sink Siren
    default -> sink Log
  }

  sink Siren {
    type: "webhook"
    url: "${env.SIREN_URL}"
  }

  sink Log {
    type: "filesystem"
    path: "out/climate.json"
  }
}

pipeline "Night" {
  schedule: "30 23 * * *"
  timeout: 5min

  retry {
    max: 2
    backoff: "linear"
    delay: 30s
  }

  source Day {
    type: "filesystem"
    path: "out/climate.json"
  }

  filter Warm {
    where: celsius > 24 && percent < 40
  }

  sink Board {
    type: "stdout"
  }
}
