package main

// gameChecks prove unity and vrchat.
var gameChecks = []check{}
