package build

// programMagic is how an executable of Windows begins.
const programMagic = "MZ"
