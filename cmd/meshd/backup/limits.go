package backup

// maxImportReply bounds the report of an import, in bytes: it names every fault.
const maxImportReply = 1 << 30
