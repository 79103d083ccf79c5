// Runs a program on test cases and compares its output with the answers, and does nothing else: no
// limits, no jail, no record. This is the floor of the comparison, the least that a judge can do. It
// also drives contenders that only run a program, such as isolate.
//
//	drive SLOTS CASES COMMAND [ARGUMENT]...
//
// runs COMMAND on the files 0001.in, 0002.in, … of the working directory, SLOTS at a time, and
// prints the numbers of the cases that have a wrong output or another exit status than 0. In each
// ARGUMENT "{slot}" becomes the number of the slot, counted from 0.
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// answer is a case's answer, mapped into memory, because its size is not bounded.
struct answer {
	char *text;
	size_t size;
};

static struct answer load(int number) {
	char name[16];
	snprintf(name, sizeof name, "%04d.ans", number);
	int file = open(name, O_RDONLY | O_CLOEXEC);
	struct stat about;
	if (file < 0 || fstat(file, &about) < 0)
		err(1, "%s", name);
	struct answer a = {NULL, about.st_size};
	if (a.size > 0 && (a.text = mmap(NULL, a.size, PROT_READ, MAP_PRIVATE, file, 0)) == MAP_FAILED)
		err(1, "%s", name);
	close(file);
	return a;
}

// equal reads a program's output to its end, and reports whether it is the answer.
static bool equal(int output, struct answer want) {
	static char block[1 << 16];
	bool same = true;
	size_t done = 0;
	for (;;) {
		ssize_t size = read(output, block, sizeof block);
		if (size < 0)
			err(1, "read");
		if (size == 0)
			return same && done == want.size;
		if (same)
			same = (size_t)size <= want.size - done && memcmp(block, want.text + done, size) == 0;
		done += size;
	}
}

// fill replaces {slot} in a word of the command.
static char *fill(char *word, int slot) {
	static const char mark[] = "{slot}";
	char *at = strstr(word, mark), *filled;
	if (!at)
		return word;
	if (asprintf(&filled, "%.*s%d%s", (int)(at - word), word, slot, at + strlen(mark)) < 0)
		err(1, "asprintf");
	return filled;
}

// right runs the command on a case and reports whether it accepts the case.
static bool right(char **command, int number) {
	char name[16];
	snprintf(name, sizeof name, "%04d.in", number);
	int input = open(name, O_RDONLY | O_CLOEXEC), ends[2];
	if (input < 0 || pipe2(ends, O_CLOEXEC) < 0)
		err(1, "%s", name);
	posix_spawn_file_actions_t files;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, input, 0);
	posix_spawn_file_actions_adddup2(&files, ends[1], 1);
	pid_t child;
	if (posix_spawnp(&child, command[0], &files, NULL, command, environ) != 0)
		errx(1, "cannot start %s", command[0]);
	posix_spawn_file_actions_destroy(&files);
	close(input);
	close(ends[1]);
	struct answer want = load(number);
	bool same = equal(ends[0], want);
	close(ends[0]);
	if (want.size > 0)
		munmap(want.text, want.size);
	int status;
	if (waitpid(child, &status, 0) < 0)
		err(1, "wait");
	return same && status == 0;
}

int main(int argc, char **argv) {
	if (argc < 4)
		errx(2, "usage: drive SLOTS CASES COMMAND [ARGUMENT]...");
	int slots = atoi(argv[1]), cases = atoi(argv[2]);
	atomic_int *next = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (next == MAP_FAILED)
		err(1, "mmap");
	for (int slot = 0; slot < slots; slot++) {
		pid_t worker = fork();
		if (worker < 0)
			err(1, "fork");
		if (worker > 0)
			continue;
		for (char **word = argv + 3; *word; word++)
			*word = fill(*word, slot);
		for (int i; (i = atomic_fetch_add(next, 1) + 1) <= cases;)
			if (!right(argv + 3, i))
				printf("%04d\n", i);
		return 0;
	}
	int failed = 0;
	for (int status; wait(&status) > 0;)
		failed |= status != 0;
	return failed;
}
