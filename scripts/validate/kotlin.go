package main

// androidChecks prove android and android-xr.
var androidChecks = []check{}
