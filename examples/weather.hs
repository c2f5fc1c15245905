/** Readings of many stations, cleaned and routed once an hour. */
// targets: all
pipeline "Weather" {
  schedule: "0 * * * *"
  timeout: 2min

  params {
    region: "north"
    limit: 500
  }

  retry {
    max: 5
    backoff: "exponential"
  }

  source Stations {
    type: "rest"
    endpoint: "${env.STATIONS_API}/v2?region=${params.region}"
    headers: { "x-api-key": "${env.STATIONS_KEY}" }
  }

  source Cache {
    type: "filesystem"
    path: "in/last.json"
  }

  merge All from Stations {
    with: Cache
  }

  filter Fresh {
    where: age < 90min && !broken || station in trusted
  }

  transform Clean {
    station.id -> id : trim() : lowercase()
    rows[].celsius -> celsius : round(1)
    rows[].wind.speed -> wind : multiply(3.6) : round(0)
    note <-> remark
    labels -> tags
  }

  validate Sane {
    id: required, string, matches(/^[a-z]{2}-\d+$/)
    celsius: required, min(-60), max(60)
    wind: optional, number OR null
    len(tags): max(8)
  }

  branch Route {
    when celsius > 35 || wind > 118 -> sink Alarm
    when celsius < -30 -> Alarm
    default -> sink Archive
  }

  sink Alarm {
    type: "webhook"
    url: "${env.ALARM_URL:-none}"

    on_error {
      action: "dead_letter"
    }
  }

  sink Archive {
    type: "filesystem"
    path: "out/weather.json"
  }
}
