digital_twin "Boiler 2" {
  asset_id: "urn:plant:boiler:2"
  location: { building: "Heat house", lat: 59.913, lon: 10.752 }
  manufacturer: "Viklund"; model_number: "VK-800"; commissioned: 2011-09-14

  telemetry {
    pressure: float { unit: bar, min: 0, max: 16, nominal: 9.5, source: "opcua://plc2/ns=2;s=PT101" }
    flow_temp: float { unit: celsius, min: 0, max: 180, source: "opcua://plc2/ns=2;s=TT102", deadband: 0.2 }
    burner_on: bool { source: "opcua://plc2/ns=2;s=YS103" }
    runtime: counter { unit: hours, persistent: true }
  }

  derived {
    efficiency = (flow_temp - 60) / 120 * 0.92
    load_pct = clamp(pressure / 9.5 * 100, 0, 120)
    pressure_trend = slope(pressure, 10min)
  }

  model "thermal" {
    type: "first_order"
    tau: 340s
    gain: 1.8
    residual_alarm: abs(flow_temp - predicted) > 6 for 5min
  }

  alarms {
    high_pressure { when: pressure > 12.5; level: "trip"; latch: true; action: command("burner", "off") }
    low_flow_temp { when: flow_temp < 70 && burner_on; for: 10min; level: "warning" }
    service_due   { when: runtime > 4000; level: "info"; text: "Sweep the flue" }
  }

  commands {
    burner(mode: "on" | "off") { write: "opcua://plc2/ns=2;s=YC201"; confirm: 3s; role: "operator" }
    setpoint(value: float) { range: 70..120; ramp: 0.5/min }
  }

  history { retention: 400 days; downsample: [1min after 7d, 1h after 90d]; store: "timescale" }

  simulate "cold start" {
    initial: { pressure: 1.0, flow_temp: 18 }
    inputs: { burner_on: true }
    step: 5s
    run: 30min
  }
}

@test {
  name: "nominal pressure is full load"
  given: { pressure: 9.5 }
  assert: { Boiler2.load_pct == 100 }
}

@test {
  name: "over 12.5 bar the burner is switched off"
  given: { pressure: 13.0, burner_on: true }
  assert: {
    Boiler2.alarms.high_pressure.active
    Boiler2.burner_on == false
  }
}
