// A small service over a catalogue of books: its paths, and an agent that uses them.
// targets: all
object "catalogue" @service {
  state {
    books: []
    loans: 0
  }
}

object "list books" @route(path: "/books", method: "GET") {
  description: "All books."
  query: { author: "string?", limit: "integer?" }
}

object "one book"
    @http(path: "/books/{isbn}", method: "GET", description: "One book by its number.") {}

object "lend" @http(path: "/books/{isbn}/loans", method: "POST", description: "Lends a book out.") {
  body: { reader: "string", days: "integer?" }

  on_error(err) {
    log "not lent: " + err.message
  }
}

npc "librarian" @agent(model: "stub", tools: [search, lend]) {
  description: "Finds books and lends them out."
  goals: ["answer within a minute"]
}
