package yamlstrict

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Reference returns a list in Markdown of all keys of the documents that a schema describes, which
// [Schema] made: for each key its path, what its values are, whether it is required, its default, and
// what it means. In a path, [] stands for each item of a list, and NAME for each key of a mapping whose
// keys are names.
func Reference(schema []byte) (string, error) {
	var doc yaml.Node // JSON is YAML, and a node keeps the order of keys
	if err := yaml.Unmarshal(schema, &doc); err != nil {
		return "", err
	}
	var b strings.Builder
	referenceRecord(&b, schemaNode{doc.Content[0]}, "")
	return b.String(), nil
}

// schemaNode is an object of a schema.
type schemaNode struct{ *yaml.Node }

// get returns the member of an object, or an empty node.
func (n schemaNode) get(key string) schemaNode {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return schemaNode{n.Content[i+1]}
		}
	}
	return schemaNode{&yaml.Node{}}
}

// words returns the texts of a list.
func (n schemaNode) words() (list []string) {
	for _, c := range n.Content {
		list = append(list, c.Value)
	}
	return list
}

// text returns a value as a document has it: an empty text for an empty node.
func (n schemaNode) text() string {
	if n.Kind == yaml.SequenceNode {
		return "[" + strings.Join(n.words(), ", ") + "]"
	}
	return n.Value
}

// referenceRecord writes an item for each key of a record, and below each the keys of its own.
func referenceRecord(b *strings.Builder, record schemaNode, path string) {
	required := record.get("required").words()
	properties := record.get("properties")
	for i := 0; i+1 < len(properties.Content); i += 2 {
		key, value := properties.Content[i].Value, schemaNode{properties.Content[i+1]}
		facts := []string{kindOf(value)}
		if slices.Contains(required, key) {
			facts = append(facts, "required")
		}
		if d := value.get("default").text(); d != "" {
			facts = append(facts, "default `"+d+"`")
		}
		if needs := record.get("dependentRequired").get(key).words(); needs != nil {
			facts = append(facts, "only with `"+strings.Join(needs, "`, `")+"`")
		}
		for _, group := range record.get("allOf").Content {
			var others []string
			member := false
			for _, one := range (schemaNode{group}).get("oneOf").Content {
				name := schemaNode{one}.get("required").words()[0]
				if name == key {
					member = true
				} else {
					others = append(others, "`"+name+"`")
				}
			}
			if member {
				facts = append(facts, "this or "+strings.Join(others, " or "))
			}
		}
		item := fmt.Sprintf("- `%s%s` (%s): %s", path, key, strings.Join(facts, "; "), strings.ReplaceAll(value.get("description").Value, "<", `\<`))
		b.WriteString(wrapItem(strings.TrimSuffix(item, ": ")))
		inner, innerPath := value, path+key
		for {
			if items := inner.get("items"); items.Kind != 0 {
				inner, innerPath = items, innerPath+"[]"
			} else if values := inner.get("additionalProperties"); values.Kind == yaml.MappingNode {
				inner, innerPath = values, innerPath+".NAME"
			} else {
				break
			}
		}
		referenceRecord(b, inner, innerPath+".")
	}
}

func kindOf(v schemaNode) string {
	pattern := v.get("pattern").Value
	switch enum, kind := v.get("enum").words(), v.get("type"); {
	case enum != nil:
		return "`" + strings.Join(enum, "`, `") + "`"
	case strings.Contains(pattern, "ns|us|ms"):
		return "time, such as `1s`"
	case strings.Contains(pattern, "KiB|MiB"):
		return "size, such as `64MiB`"
	case kind.Kind == yaml.SequenceNode:
		return "word"
	case kind.Value == "string":
		return "text"
	case kind.Value == "boolean":
		return "`true` or `false`"
	case kind.Value == "integer" || kind.Value == "number":
		return number(v)
	case kind.Value == "array":
		if n := v.get("maxItems").Value; n != "" {
			return fmt.Sprintf("list of %s, each %s", n, kindOf(v.get("items")))
		}
		return "list, each " + kindOf(v.get("items"))
	case v.get("additionalProperties").Kind == yaml.MappingNode:
		return "mapping by names, each " + kindOf(v.get("additionalProperties"))
	default:
		return "mapping"
	}
}

func number(v schemaNode) string {
	least, most, kind := v.get("minimum").Value, v.get("maximum").Value, v.get("type").Value
	switch {
	case least != "" && most != "":
		return fmt.Sprintf("%s from %s to %s", kind, least, most)
	case least != "":
		return fmt.Sprintf("%s from %s", kind, least)
	case most != "":
		return fmt.Sprintf("%s up to %s", kind, most)
	}
	return kind
}

// wrapItem breaks an item of a list into lines of at most 120 columns, but no code.
func wrapItem(item string) string {
	const columns = 120
	var b strings.Builder
	width, code := 0, false
	word := ""
	for _, w := range strings.Split(item, " ") {
		if word != "" {
			w = word + " " + w
		}
		if code = strings.Count(w, "`")%2 == 1; code {
			word = w
			continue
		}
		word = ""
		n := len([]rune(w))
		switch {
		case width == 0:
		case width+1+n > columns:
			b.WriteString("\n  ")
			width = 2
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(w)
		width += n
	}
	b.WriteString(word)
	b.WriteByte('\n')
	return b.String()
}
