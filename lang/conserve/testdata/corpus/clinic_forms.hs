@http(port: 7070, prefix: "/clinic")
service "Clinic" {
  endpoint "book" { route: "/visits" method: POST body: { patient: "string", day: "string" } description: "Books a visit." }
  endpoint "list" { route: "/visits" method: GET query: { day: "string" } }
  object "cancel" { path: "/visits/:id" method: DELETE description: "Cancels a visit." }
  state { visits: 0, free: 8 }
  action book(patient: string, day: string) {
    if state.free == 0 return { error: "full" }
    state.visits += 1; state.free -= 1
    return { id: state.visits, day: day }
  }
  rules:
    - "no visit before eight"
    - "ten minutes between two"
}
