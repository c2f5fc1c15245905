@http(port: 8080, prefix: "/v1")
composition "Lending desk" {
  state { loans: 12 }

  object "list loans" { route: "/loans" method: "GET" description: "All loans that are open." }
  object "one loan" { route: "GET /loans/:id" }
  object "return" {
    method: POST
    path: "/loans/:id/return"
    description: "Takes a book back."
    on_request(r) { state.loans -= 1 }
  }
}
