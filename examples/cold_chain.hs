// targets: all
object "probe" {
  state {
    celsius: 4.0
    breaches: 0
  }

  function sample() {
    state.celsius = 2 + random() * 8
    if (state.celsius > 7.5) {
      state.breaches += 1
      emit("breach", { celsius: state.celsius })
    }
  }

  on_error(err) {
    log "probe failed: " + err.message
  }
}

object "horn" {
  function sound(level, event) {
    print level
  }
}

object "ledger" {
  state {
    last: null
  }
}

connect probe.breach -> horn.sound("high")

connect probe.breach -> ledger.state.last = event.celsius as "audit"

execute probe.sample() every 2s

pipeline "Cold chain" {
  schedule: "*/15 * * * *"
  timeout: 30s

  retry {
    max: 3
    backoff: "exponential"
  }

  source Crates {
    type: "rest"
    endpoint: "${env.CRATE_API}"
  }

  filter Warm {
    where: celsius > 7 && sealed
  }

  transform Shape {
    crate.id -> id : trim() : uppercase()
    readings[].celsius -> celsius : round(1)
  }

  validate Checks {
    id: required, string, minLength(4)
    celsius: required, min(-30), max(60)
  }

  branch Route {
    when celsius > 20 -> sink Alarm
    default -> sink Archive
  }

  sink Alarm {
    type: "webhook"
    url: "${env.ALARM_URL:-none}"
  }

  sink Archive {
    type: "filesystem"
    path: "out/crates.json"
  }
}
