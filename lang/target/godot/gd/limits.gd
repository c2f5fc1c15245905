# The limits of running.

const MaxTurn = 10000
const MaxLong = 100000
const MaxStep = 200000
const MaxInit = 50000000
const MaxCalls = 128
const MaxEvents = 10000
const MaxText = 1048576
const MaxItems = 100000
const MaxStack = 4096
const MaxAlloc = 8388608
const MaxHeld = 67108864
const MaxWaiting = 10000
const MaxSpawned = 10000
const MaxRows = 200000
const MaxTrace = 100000
const MaxDepth = 64
const ChargeElements = 64
const ChargeBytes = 512
const ChargeRows = 8
