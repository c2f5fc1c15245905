@http
service "Recipes" {
  route: "/recipes"
  state { stored: 3 }
  endpoint "search" { path: "/recipes/search" method: GET query: { q: "string", limit: 10 } description: "Finds recipes by an ingredient." }
  endpoint "store" { path: "/recipes" method: POST body: { title: "string", minutes: "number" } }
  action store(title: string, minutes: number = 20) { state.stored += 1
    return { id: state.stored, title: title } }
}
