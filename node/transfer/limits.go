package transfer

// Limits of exports, imports and answers with changes.
const (
	exportBatch     = 512       // records read at once for an export
	ExportBytes     = 8 << 20   // bytes of them, so that memory stays bounded
	maxExportLine   = 128 << 10 // bytes of a line: the largest head and body in base64, with room
	importBatch     = 256       // changes judged and synced together
	maxImportFaults = 1 << 20   // lines named one by one, 80 bytes each; the rest are counted
	maxChangesBytes = 1 << 20   // bytes of one answer, unless a single change is larger
	maxChangesScan  = 4096      // heads looked at for one answer
)
