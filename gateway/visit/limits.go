package visit

// Limits of a scene and of the room around it.
const (
	maxSceneObjects = 2000 // blocks of a source, nodes of a description
	maxRoomName     = 64
	maxRoomText     = 300
	maxRoomSide     = 1000 // metres
	maxVisitors     = 500
	defaultVisitors = 50
)
