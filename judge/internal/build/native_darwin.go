package build

// programMagic is how an executable of macOS for one architecture begins (MH_MAGIC_64).
const programMagic = "\xcf\xfa\xed\xfe"
