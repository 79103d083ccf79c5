package repo

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/internal/problem"
)

// TestProtocolEnum checks that validators may have each protocol that the table gives to problems of the
// repository, and no other.
func TestProtocolEnum(t *testing.T) {
	t.Parallel()
	field, _ := reflect.TypeFor[validatorDocument]().FieldByName("Protocol")
	enum := strings.Split(field.Tag.Get("enum"), ",")
	for _, p := range problem.Protocols() {
		if ours := p.Rules().Ours == p; ours != slices.Contains(enum, string(p)) {
			t.Errorf("%s: ours is %v, the enum %q", p, ours, enum)
		}
	}
}
