// verdict: RTE
// why: the report of an uncaught exception quotes its message
// message: the sky is falling
#include <stdexcept>

int main() { throw std::runtime_error("the sky is falling"); }
