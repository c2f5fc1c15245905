package unity

// Runs compiles C# and runs it.
var Runs = runs
