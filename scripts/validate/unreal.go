package main

// unrealChecks prove unreal.
var unrealChecks = []check{}
