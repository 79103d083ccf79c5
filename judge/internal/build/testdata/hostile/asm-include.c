// verdict: CE
// why: the assembler and the accounts of the host
// says: open
// never: root:

__asm__(".include \"/etc/passwd\"");
int main(void) { return 0; }
