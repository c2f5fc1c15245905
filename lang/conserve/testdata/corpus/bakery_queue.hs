@http(prefix: "/bakery")
object "queue" {
  state { number: 1, served: 0 }
  route: "/bakery/ticket"
  method: POST
  description: "Draws a number."
  action ticket() { state.number += 1; return { number: state.number } }
}
object "counter" {
  method: "GET" path: "/bakery/now" description: "The number that is served."
  action now() { return queue.state.served }
}
connect queue.drawn to counter.now()
