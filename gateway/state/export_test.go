package state

// Write lets tests run a transaction of their own.
var Write = (*DB).write
