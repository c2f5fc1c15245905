// A pipeline whose source declares its fields, so that every later use is checked.
// targets: all
pipeline "Readings" {
  schedule: "*/5 6-20 * * mon-fri"

  source Meters {
    type: "rest"
    endpoint: "${env.METER_API}"
    fields: [meter, kwh, taken_at]
  }

  filter Used {
    where: kwh > 0.1
  }

  transform Shape {
    meter -> id : trim() : uppercase()
    kwh -> energy : round(2)
    taken_at -> at : toISO()
  }

  validate Sound {
    id: required, string, minLength(4)
    energy: required, float, min(0), max(500)
    at: required
  }

  sink Store {
    type: "database"
    url: "${env.STORE_URL}"
  }
}
