// verdict: RTE
// why: an exception that nobody catches is told in its own words
// says: the sky is falling
#include <stdexcept>

int main() { throw std::runtime_error("the sky is falling"); }
