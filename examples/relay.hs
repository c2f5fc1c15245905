// Wires and schedules: one node asks, one answers, one keeps the score.
// targets: all
object "asker" {
  state {
    asked: 0
  }

  function ask() {
    state.asked += 1
    emit("question", { number: state.asked })
  }
}

object "answerer" {
  function answer(question) {
    if (question.number % 2 == 0) emit("answered", { to: question.number })
    else emit("passed")
  }
}

object "score" {
  state {
    last: null
    passes: 0
  }

  function count() {
    state.passes += 1
  }
}

connect asker.question -> answerer.answer()

connect answerer.answered -> score.state.last = event.to as "last answer"

connect answerer.passed -> score.count()

execute asker.ask() every 500ms
