// A list of leads each morning, and the board that shows them.
object "Board" { type: "ui" width: 400px height: 120px position: { y: 1.5, z: -2 }
  children: [ { type: "text", content: "Leads today", font_size: 22px } ] }
pipeline "Lead digest" {
  schedule: "0 7 * * 1-5"
  timeout: 30s
  source Forms { type: "rest", endpoint: "https://crm.example/leads?since=yesterday" }
  filter Warm { where: score > 40 }
  transform Short {
    name -> who : trim() : upper()
    notes -> gist : truncate(120)
  }
  validate Shape { who : required, minLength(2)
    gist : maxLength(120) }
  sink Mail { type: "webhook", url: "https://hooks.example/digest" }
}
