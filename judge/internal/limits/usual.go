package limits

import "time"

// Processes is how many processes and threads a run may have at a time by default. A virtual
// machine such as Java's has some thirty before it runs anything.
const Processes = 256

// Validator limits one run of an input or output validator, or of a grader, if its problem does
// not: the typical limits of the specification of problem packages.
var Validator = Limits{CPU: time.Minute, Wall: 2 * time.Minute, Memory: 2 * GiB, Output: 8 * MiB, Processes: Processes}

// PatientWall is the least wall limit of a run that is not judged by wall time: on a busy machine
// every program is slow by the clock.
const PatientWall = 2 * time.Minute
