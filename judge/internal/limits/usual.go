package limits

import "time"

// Processes is how many processes and threads a run may have at a time by default. A virtual
// machine such as Java's has some thirty before it runs anything.
const Processes = 256

// Validator limits one run of an input or output validator if its package does not.
var Validator = Limits{CPU: 30 * time.Second, Wall: time.Minute, Memory: GiB, Output: MiB, Processes: Processes}

// PatientWall is the least wall limit of a run that is not judged by wall time: on a busy machine
// every program is slow by the clock.
const PatientWall = 2 * time.Minute
