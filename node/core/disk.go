package core

import "github.com/meshd/meshd/node/store"

// freeDisk asks the file system of the home.
func (o *Options) freeDisk() (uint64, error) { return store.FreeBytes(o.Home.Dir()) }
