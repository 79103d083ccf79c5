// verdict: MLE
// why: a vector that grows past the limit is stopped by the kernel, not by bad_alloc
// limits: cpu=10s
#include <cstdio>
#include <vector>

int main() {
	std::vector<long> v;
	for (long i = 0; i < 64 << 20; i++) v.push_back(i);
	std::printf("broke: 512 MiB %ld\n", v.back());
}
