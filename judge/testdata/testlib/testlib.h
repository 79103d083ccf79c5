// What the small problems of judge new use of testlib, for tests. testlib itself is not part of the judge.
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

const int _ok = 0, _wa = 1, _fail = 3;

[[noreturn]] static void quitf(int status, const char* format, ...) {
  std::fprintf(stderr, status == _ok ? "ok " : status == _wa ? "wrong answer " : "FAIL ");
  va_list list;
  va_start(list, format);
  std::vfprintf(stderr, format, list);
  va_end(list);
  std::exit(status);
}

static bool strict;

struct InStream {
  std::istream* in = &std::cin;
  int wrong = _fail;
  long long readLong(long long low = INT64_MIN, long long high = INT64_MAX, const std::string& name = "") {
    if (!strict) *in >> std::ws;
    std::string digits;
    while (std::isdigit(in->peek())) digits += char(in->get());
    const bool zero = digits.size() > 1 && digits[0] == '0';
    if (digits.empty() || digits.size() > 18 || zero || std::stoll(digits) < low || std::stoll(digits) > high) {
      quitf(wrong, "no number %s", name.c_str());
    }
    return std::stoll(digits);
  }
  int readInt(int low = INT32_MIN, int high = INT32_MAX, const std::string& name = "") { return int(readLong(low, high, name)); }
  void readSpace() { must(' '); }
  void readEoln() { must('\n'); }
  void readEof() { must(EOF); }
  void must(int c) {
    if (in->get() != c) quitf(wrong, "want another character");
  }
};

static InStream inf, ouf, ans;
static std::ofstream tout;
static std::map<std::string, std::string> options;

struct Random {
  uint64_t state = 1;
  long long next(long long n) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return (long long)((state >> 33) % uint64_t(n));
  }
};
static Random rnd;

static void registerGen(int argc, char** argv, int) {
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    for (char c : word) rnd.state = rnd.state * 31 + (unsigned char)c;
    const auto equals = word.find('=');
    if (word[0] == '-' && equals != std::string::npos) options[word.substr(1, equals - 1)] = word.substr(equals + 1);
  }
}

template <class T>
T opt(const std::string& key, T otherwise) {
  return options.count(key) ? T(std::stoll(options[key])) : otherwise;
}

static void registerValidation(int, char**) { strict = true; }

static void registerTestlibCmd(int, char** argv) {
  inf.in = new std::ifstream(argv[1]);
  ouf.in = new std::ifstream(argv[2]);
  ouf.wrong = _wa;
}

static void registerInteraction(int, char** argv) {
  inf.in = new std::ifstream(argv[1]);
  tout.open(argv[2]);
  ouf.wrong = _wa;
}
