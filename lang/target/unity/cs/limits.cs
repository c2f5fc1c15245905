// The limits of running.
public static class Limit {
	public const int Turn = 10000, Long = 100000, Step = 200000, Init = 50000000, Calls = 128, Events = 10000, Text = 1048576, Items = 100000;
	public const int Stack = 4096, Alloc = 8388608, Held = 67108864, Waiting = 10000, Spawned = 10000, Rows = 200000, Trace = 100000, Depth = 64;
	public const int ChargeElements = 64, ChargeBytes = 512, ChargeRows = 8, Noted = 4096;
}
