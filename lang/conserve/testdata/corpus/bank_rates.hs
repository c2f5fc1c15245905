pipeline "Rates" { schedule: "30 16 * * *"  timeout: 20s
  source Ecb { type: "rest", url: "https://rates.example/daily.json" }
  transform Pairs { base -> from : upper()
    rate -> value : round(4)
    date -> day }
  validate Ok { value : required, min(0), max(500) }
  branch Size { when value > 100 -> sink Big
    default -> sink Small }
  sink Big { type: "filesystem", path: "out/big.csv" }
  sink Small { type: "stdout" }
}
object "alarm" { state { rung: 0 } on_event("rate:jump", by) { if by > 0.05 { state.rung += 1 } } }
