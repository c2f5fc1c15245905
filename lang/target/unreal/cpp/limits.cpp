// The limits of running. They are part of what a program means: all interpreters
// stop at the same place.

constexpr int MaxTurn = 10000;
constexpr int MaxLong = 100000;
constexpr int MaxStep = 200000;
constexpr int MaxInit = 50000000;
constexpr int MaxCalls = 128;
constexpr int MaxEvents = 10000;
constexpr int MaxText = 1 << 20;
constexpr int MaxItems = 100000;
constexpr int MaxStack = 4096;
constexpr int MaxAlloc = 8 << 20;
constexpr int MaxHeld = 64 << 20;
constexpr int MaxWaiting = 10000;
constexpr int MaxSpawned = 10000;
constexpr int MaxRows = 200000;
constexpr int MaxEntries = 100000;
constexpr int MaxTrace = 100000;
constexpr int MaxDepth = 64;
constexpr int MaxNoted = 4096;
constexpr int ChargeElements = 64;
constexpr int ChargeBytes = 512;
constexpr int ChargeRows = 8;
constexpr double Ever = 1e9;
const double Nan = std::numeric_limits<double>::quiet_NaN();
const double Infinite = std::numeric_limits<double>::infinity();

int sizeOf(std::size_t n) { return n > 0x7fffffff ? 0x7fffffff : static_cast<int>(n); }
