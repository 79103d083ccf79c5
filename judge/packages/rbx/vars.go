package rbx

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// vars are the variables of a problem or of a group, by their names with dots.
type vars struct {
	given  map[string]rbxVar
	values map[string]any // int64, uint64, float64, bool or string
	order  []string       // names, as they are written
}

// rbxVar is a variable as it is written.
type rbxVar struct {
	text string
	at   yamlloose.Node
}

// read reads a mapping of variables and of mappings.
func (v *vars) read(n yamlloose.Node) error {
	if v.given == nil {
		v.given = map[string]rbxVar{}
	}
	return v.readBelow(n, "", 0)
}

func (v *vars) readBelow(n yamlloose.Node, prefix string, depth int) error {
	list, err := n.Pairs()
	if err != nil {
		return err
	}
	for _, k := range list {
		name, value := prefix+k.Key, k.Value
		value.Key = "vars." + name
		if err = value.Doc.Tree.Spend(file, 2*len(v.order)); err != nil {
			return err
		}
		if value.IsMapping() && depth < tree.MaxDepth {
			v.remove(name, false)
			err = v.readBelow(value, name+".", depth+1)
		} else {
			var text string
			text, err = value.Text()
			v.remove(name, true)
			v.given[name] = rbxVar{text, value}
			if !slices.Contains(v.order, name) {
				v.order = append(v.order, name)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// remove removes a variable that another one replaces; with all, those below it, too.
func (v *vars) remove(name string, all bool) {
	v.order = slices.DeleteFunc(v.order, func(other string) bool {
		gone := other == name && !all || all && strings.HasPrefix(other, name+".")
		if gone {
			delete(v.given, other)
		}
		return gone
	})
}

// over returns v with the variables in n, if any, in place of those of the same name.
func (v *vars) over(n *yamlloose.Node, notes *tree.Notes) (*vars, error) {
	if n == nil {
		return v, nil
	}
	if err := n.Doc.Tree.Spend(file, costOfVar*len(v.order)); err != nil {
		return nil, err
	}
	own := &vars{given: map[string]rbxVar{}, order: slices.Clone(v.order)}
	for name, one := range v.given {
		own.given[name] = one
	}
	if err := own.read(*n); err != nil {
		return nil, err
	}
	return own, own.expand(notes)
}

// costOfVar is about how many steps it takes to copy a variable, and to write it for each validator.
const costOfVar = 64

// expand sets the values. A variable whose value is an expression of Python is noted and left out.
func (v *vars) expand(notes *tree.Notes) error {
	v.values = map[string]any{}
	var known []string
	for _, name := range v.order {
		one := v.given[name]
		if err := one.at.Doc.Tree.Spend(file, 16+16*len(one.text)); err != nil {
			return err
		}
		value, ok := v.value(one)
		if !ok {
			notes.Add(one.at.Doc.Tree.Errorf(one.at.Doc.Rel, one.at.Line(), "write its value", "%s is left out: expressions of Python are not computed: %s", one.at.Key, quote.Name(one.text)))
			continue
		}
		v.values[name] = value
		known = append(known, name)
	}
	v.order = known
	return nil
}

func (v *vars) value(one rbxVar) (any, bool) {
	text, quoted := strings.CutPrefix(one.text, `\`)
	if quoted {
		return text, true
	}
	if strings.HasPrefix(text, "py`") && strings.HasSuffix(text, "`") {
		return nil, false
	}
	switch n := one.at.Raw; {
	case n == nil || n.Kind != yaml.ScalarNode:
		return "", true
	case n.Tag == "!!int":
		digits := strings.ReplaceAll(text, "_", "")
		if i, err := strconv.ParseInt(digits, 0, 64); err == nil {
			return i, true
		}
		if u, err := strconv.ParseUint(digits, 0, 64); err == nil {
			return u, true
		}
	case n.Tag == "!!float":
		if f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64); err == nil {
			return f, true
		}
	case n.Tag == "!!bool":
		return strings.EqualFold(text, "true"), true
	}
	return text, true
}

// args returns the arguments of an input validator.
func (v *vars) args(group string) (list []string) {
	for _, name := range v.order {
		list = append(list, fmt.Sprintf("--%s=%s", name, argOf(v.values[name])))
	}
	if group != "" {
		list = append(list, "--group", group)
	}
	return list
}

// argOf returns a value as an argument.
func argOf(value any) string {
	switch value := value.(type) {
	case bool:
		return map[bool]string{true: "1", false: "0"}[value]
	case float64:
		return pythonFloat(value)
	}
	return fmt.Sprint(value)
}

// pythonFloat formats a number as Python does.
func pythonFloat(f float64) string {
	if e := math.Abs(f); f != 0 && (e < 1e-4 || e >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.ContainsAny(text, ".IN") {
		text += ".0"
	}
	return text
}

// header sets the text of rbx.h, by which programs in C++ read the variables, unless the package
// brings a header for it.
func (r *reader) header() error {
	own, err := r.Tree.Read("rbx.override.h", tree.MaxDocument)
	if err != nil {
		return err
	}
	if own == nil {
		sets := map[string]*vars{"": r.vars}
		for _, g := range r.groups {
			if g.ownVars {
				sets[g.name] = g.vars
			}
		}
		own = headerOf(sets)
	}
	r.Inclusion.Made[r.Tree.At(header)] = own
	return nil
}

// headerOf writes rbx.h. A group with variables of its own has a table; all others use that of "".
func headerOf(sets map[string]*vars) []byte {
	var b strings.Builder
	b.WriteString(headerBegin)
	for _, group := range draft.SortedKeys(sets) {
		set := sets[group]
		for _, name := range slices.Sorted(slices.Values(set.order)) {
			kind, whole, number := "text", "0", "0"
			switch value := set.values[name].(type) {
			case int64:
				kind, whole = "whole", fmt.Sprintf("%dLL", value)
				if value == math.MinInt64 {
					whole = "INT64_MIN"
				}
			case uint64:
				kind, whole = "whole", fmt.Sprintf("%dLL", int64(value))
			case float64:
				kind, number = "number", strconv.FormatFloat(value, 'g', -1, 64)
			case bool:
				kind, whole = "flag", argOf(value)
			}
			fmt.Fprintf(&b, "\t{%s, %s, rbx::detail::%s, %s, %s, %s},\n", cText(group), cText(name), kind, whole, number, cText(fmt.Sprint(set.values[name])))
		}
	}
	b.WriteString("\t{nullptr, nullptr, rbx::detail::text, 0, 0, nullptr},\n};\n")
	b.WriteString("inline const char *const groupsOf[] = {")
	for _, group := range draft.SortedKeys(sets) {
		if group != "" {
			b.WriteString(cText(group) + ", ")
		}
	}
	b.WriteString("nullptr};\n" + headerEnd)
	return []byte(b.String())
}

// cText returns a literal of C++.
func cText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' || c == '?' {
			fmt.Fprintf(&b, "\\%03o", c)
			continue
		}
		b.WriteByte(c)
	}
	b.WriteByte('"')
	return b.String()
}

// cmpPaths orders paths as Python does, which compares them folder by folder.
func cmpPaths(a, b string) int {
	return cmp.Compare(strings.ReplaceAll(a, "/", "\x00"), strings.ReplaceAll(b, "/", "\x00"))
}

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
