// A small service over a catalogue of books: its paths run its actions, and an agent uses them.
// targets: all

/// A book of the catalogue.
struct Book {
  isbn: string
  title: string
  author: string
  lent: boolean = false
}

/// What a reader has.
struct Loan {
  isbn: string
  reader: string
  days: integer  // until it has to be back
}

object "catalogue" @service {
  state {
    books: [
      { isbn: "111", title: "Tides", author: "Mora", lent: false }
      { isbn: "222", title: "Harbours", author: "Mora", lent: false }
      { isbn: "333", title: "Slow Light", author: "Osei", lent: false }
    ]
    loans: 0
  }

  // The books, of one author when a name is given.
  action search(author?: string, limit: integer = 20): Book[] {
    return state.books.filter(b => author == null || b.author == author).slice(0, limit)
  }

  // One book by its number.
  action book(isbn: string): Book {
    const found = state.books.find(b => b.isbn == isbn)
    if (found == null) {
      throw {
        status: 404
        error: "no_such_book"
        message: "There is no book " + isbn
      }
    }
    return found
  }

  // Lends a book out.
  action lend(isbn: string, reader: string, days: integer = 14): Loan {
    const wanted = book(isbn)
    if (wanted.lent) {
      throw {
        status: 409
        error: "lent"
        message: wanted.title + " is lent out"
      }
    }
    wanted.lent = true
    state.loans += 1
    emit("lent", { isbn, reader })
    return { isbn, reader, days }
  }
}

object "list books" @route(path: "/books", method: "GET", handler: catalogue.search) {
  description: "All books."
}

object "one book"
    @http(
      path: "/books/{isbn}",
      method: "GET",
      description: "One book by its number.",
      handler: catalogue.book
    ) {}

object "lend" @http(path: "/books/{isbn}/loans", method: "POST", description: "Lends a book out.") {
  handler: catalogue.lend

  on_error(err) {
    log "not lent: " + err.message
  }
}

npc "librarian" @agent(model: "stub", tools: [search, lend]) {
  description: "Finds books and lends them out."
  goals: ["answer within a minute"]

  identity {
    name: "Librarian"
    version: "2.1.0"
    capability_tags: ["catalogue", "lending"]
  }

  // Answers what readers ask.
  on "message"(m) {
    emit("answered", { found: catalogue.search(m.author) })
  }
}

@test {
  name: "a book is lent once"
  setup: {
    catalogue.lend("222", "Ada")
  }
  assert: {
    catalogue.state.loans == 1
    catalogue.book("222").lent
    catalogue.search("Mora").length == 2
  }
}
