package health

// Damage is handled in two steps. Records heal one by one, from copies of peers,
// while the node runs. The files below them, where a bad block stays in the way of
// scans, are written anew when the node starts next, as is a store that cannot be
// opened at all; the damaged one is kept aside.

// records is the component of incidents about damaged changes.
const Records = "records"
