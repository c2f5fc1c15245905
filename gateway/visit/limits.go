package visit

// Limits of a scene and of the room around it.
const (
	maxSceneBytes   = 256 << 10 // bytes of a scene's source
	maxSceneObjects = 2000      // blocks of a source, nodes of a description
	maxRoomName     = 64
	maxRoomText     = 300
	maxRoomSide     = 1000 // metres
	maxVisitors     = 500
	defaultVisitors = 50
)
