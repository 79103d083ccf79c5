// verdict: CE
// why: the preprocessor's way to read any file
// says: embed
// never: root:

char text[] = {
#embed "/etc/passwd"
};
int main(void) { return 0; }
