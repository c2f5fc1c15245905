service "library" {
  port: 8080
  base_path: "/api/v1"
  cors: { origins: ["https://library.example"], methods: ["GET", "POST", "DELETE"], max_age: 3600 }
  auth: bearer("${env.LIB_TOKEN}")

  state {
    books: [
      { id: 1, title: "Dune", copies: 2 },
      { id: 2, title: "Middlemarch", copies: 1 }
    ]
    loans: []
  }

  get "/books" (req, res) {
    const q = req.query.q ?? ""
    res.json(state.books.filter(b => b.title.toLowerCase().includes(q.toLowerCase())))
  }

  get "/books/:id" (req, res) {
    const book = state.books.find(b => b.id == Number(req.params.id))
    if (!book) return res.status(404).json({ error: "no such book" })
    return res.json(book)
  }

  post "/loans" {
    body: { book: int, reader: string }
    rate_limit: 5 per minute
    handler(req, res) {
      const book = state.books.find(b => b.id == req.body.book)
      if (book.copies == 0) return res.status(409).json({ error: "all copies are out" })
      book.copies -= 1
      state.loans.push({ book: book.id, reader: req.body.reader, due: days_from_now(21) })
      res.status(201).json({ ok: true })
    }
  }

  delete "/loans/:book" (req, res) {
    state.loans = state.loans.filter(l => l.book != Number(req.params.book))
    res.status(204).end()
  }

  websocket "/live" { heartbeat: 30s; on_connect(client) { client.send({ hello: "reader" }) } }

  health: "/healthz"
  log: { level: "info", format: "json" }
}

@test {
  name: "an unknown book is a 404"
  request: { method: "GET", path: "/api/v1/books/99" }
  expect: { status: 404, body: { error: "no such book" } }
}

@test {
  name: "the single Middlemarch can be lent once"
  setup: {
    library.post("/loans", { book: 2, reader: "ada" })
    library.post("/loans", { book: 2, reader: "ben" })
  }
  assert: {
    library.state.loans.length == 1
    library.state.books[1].copies == 0
  }
}
