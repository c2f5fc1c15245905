package scene

// Limits of scenes.
const (
	maxSceneInline = 45 << 10 // bytes of a source in the scene's own document: with its room it fits one change
	scenePartTexts = 11       // texts of doc.MaxScalar bytes in one part: 44 KiB, which is one change too
	maxSceneParts  = 8        // of one source
)
