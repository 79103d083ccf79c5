package rbx

// The parts of rbx.h around the table of the variables. Programs call getVar<T>("name") or
// getVar<T>("outer", "name"); an input validator gets the values of the group in its argument --group.
const headerBegin = `#ifndef RBX_H
#define RBX_H
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>
namespace rbx {
namespace detail {
enum Kind { text, whole, number, flag };
struct Variable {
	const char *group, *name;
	Kind kind;
	std::int64_t integer;
	double real;
	const char *string;
};
inline const Variable table[] = {
`

const headerEnd = `inline std::string groupArgument() {
	std::ifstream line("/proc/self/cmdline", std::ios::binary);
	std::string word, group;
	bool next = false;
	for (std::getline(line, word, '\0'); std::getline(line, word, '\0');) {
		if (next)
			group = word;
		next = word == "--group";
		if (word.rfind("--group=", 0) == 0)
			group = word.substr(8);
	}
	return group;
}
} // namespace detail
inline const std::string &getGroup() {
	static const std::string group = detail::groupArgument();
	return group;
}
namespace detail {
inline const Variable *find(const std::string &name) {
	std::string group;
	for (const char *const *own = groupsOf; *own; own++)
		if (getGroup() == *own)
			group = *own;
	for (const Variable *v = table; v->name; v++)
		if (group == v->group && name == v->name)
			return v;
	return nullptr;
}
inline std::string join(const std::string &path) { return path; }
template <typename... More>
std::string join(const std::string &path, const std::string &next, const More &...more) {
	return join(path.empty() || next.empty() ? path + next : path + "." + next, more...);
}
[[noreturn]] inline void fail(const std::string &name, const char *wanted) {
	throw std::runtime_error("rbx.h: variable " + name + " is not " + wanted);
}
template <typename T> T read(const std::string &name) {
	const Variable *v = find(name);
	if (!v)
		fail(name, "defined");
	if constexpr (std::is_same_v<T, std::string>) {
		if (v->kind == number)
			return std::to_string(v->real);
		return v->kind == flag ? std::to_string(v->integer) : v->string;
	} else if constexpr (std::is_same_v<T, bool>) {
		if (v->kind != flag && v->kind != whole)
			fail(name, "a truth value");
		return v->integer != 0;
	} else if constexpr (std::is_floating_point_v<T>) {
		if (v->kind == text)
			fail(name, "a number");
		return v->kind == number ? static_cast<T>(v->real) : static_cast<T>(v->integer);
	} else {
		static_assert(std::is_integral_v<T>, "getVar: use an integer, a floating-point number, bool or std::string");
		if (v->kind != whole && v->kind != flag)
			fail(name, "a whole number");
		if (sizeof(T) < sizeof v->integer && static_cast<std::int64_t>(static_cast<T>(v->integer)) != v->integer)
			fail(name, "small enough for its type");
		return static_cast<T>(v->integer);
	}
}
template <typename T> std::optional<T> maybe(const std::string &name, Kind kind, Kind other) {
	const Variable *v = find(name);
	if (!v || v->kind != kind && v->kind != other)
		return std::nullopt;
	return read<T>(name);
}
} // namespace detail
} // namespace rbx
template <typename T, typename... More> T getVar(const std::string &first, const More &...more) {
	return rbx::detail::read<T>(rbx::detail::join(first, more...));
}
inline std::optional<std::string> getStringVar(std::string name) {
	return rbx::detail::maybe<std::string>(name, rbx::detail::text, rbx::detail::text);
}
inline std::optional<std::int64_t> getIntVar(std::string name) {
	return rbx::detail::maybe<std::int64_t>(name, rbx::detail::whole, rbx::detail::flag);
}
inline std::optional<float> getFloatVar(std::string name) {
	return rbx::detail::maybe<float>(name, rbx::detail::number, rbx::detail::number);
}
inline std::optional<bool> getBoolVar(std::string name) {
	return rbx::detail::maybe<bool>(name, rbx::detail::flag, rbx::detail::flag);
}
#endif
`
