package main

// phoneChecks prove vrr and phone-sleeve-vr.
var phoneChecks = []check{}
