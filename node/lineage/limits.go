package lineage

import "time"

const (
	timeSlack = 2 * time.Second // by which a file system may round times
	copySlack = time.Minute     // between the writing of a file and the last change of what is known of it
)
