package limits

import "time"

// Processes is how many processes and threads a run may have at a time where nobody says
// otherwise. A virtual machine such as Java's has some thirty before it runs anything.
const Processes = 256

// Validator bounds one run of a validator, of an input or of an output, whose package does
// not bound it.
var Validator = Limits{CPU: 30 * time.Second, Wall: time.Minute, Memory: GiB, Output: MiB, Processes: Processes}

// PatientWall is the least wall limit of a run whose wall time is not what is judged: a busy
// machine makes every program slow by the clock.
const PatientWall = 2 * time.Minute
