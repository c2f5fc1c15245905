// The limits of running and of documents: the same numbers as lang/run/limits.go,
// which the tests compare.
export const enum Limit {
  MaxTurn = 10_000, MaxLong = 100_000, MaxStep = 200_000, MaxInit = 50_000_000, MaxHosted = 10_000, MaxCalls = 128, MaxEvents = 10_000,
  MaxText = 1 << 20, MaxItems = 100_000, MaxStack = 4096, MaxAlloc = 8 << 20, MaxHeld = 64 << 20, MaxWaiting = 10_000, MaxSpawned = 10_000, MaxRows = 200_000,
  MaxTrace = 100_000, MaxDepth = 64, MaxDocument = 32 << 20, MaxFunctions = 100_000, MaxCode = 1 << 20, MaxTotalCode = 4 << 20,
  MaxConsts = 1 << 20, MaxEntries = 100_000, MaxLocals = 4096, MaxNesting = 64, ChargeElements = 64, ChargeBytes = 512, ChargeRows = 8,
}
