package main

// appleChecks prove visionos and ios.
var appleChecks = []check{}
