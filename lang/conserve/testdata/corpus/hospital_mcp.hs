agent "Triage" {
  identity { name: "Ward triage" version: "3.0.0" description: "Sorts requests by urgency." capability_tags: ["triage"] }
  tools: ["bed_list", "page_doctor"]
  goals: ["answer in a minute", "wake nobody twice"]
}
object "Bell" { state { rings: 0 } on_event("page", who) { state.rings += 1 } }
mcp "beds" { command: "bed-server" args: ["--ward", "7"] }
mcp "pager" { url: "https://pager.example/mcp" }
pipeline "Census" {
  schedule: "*/15 * * * *"
  source Ward { type: "mcp" command: "census-server" }
  sink Board { type: "filesystem" path: "out/census.json" }
}
