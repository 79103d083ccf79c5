package pages

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
)

// functions are those that templates call.
var functions = template.FuncMap{
	"when": when, "stamp": stamp, "duration": layout.Duration, "size": func(n limits.Bytes) string { return layout.Size(n) },
	"kind": kind, "points": points, "minutes": minutes, "code": layout.Code, "lines": func(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") },
	"visible": visible, "add": func(a, b int) int { return a + b }, "join": strings.Join, "asset": assetPath,
	"count": layout.Count, "waits": func(s ledger.Status) bool { return s == ledger.Waiting }, "passed": layout.Passed,
	"verdicts": verdict.All, "roles": func() []ledger.Role { return []ledger.Role{ledger.Participant, ledger.Observer, ledger.Teacher} },
	"tab": func(path, to, text string) map[string]any {
		return map[string]any{"To": to, "Text": text, "Here": path == to || strings.HasPrefix(path, to+"/") && strings.Count(to, "/") > 2 || strings.HasPrefix(path, to+"/p/")}
	},
	"rows": func(list []Listed, who, scored bool) map[string]any {
		return map[string]any{"Rows": list, "Who": who, "Scored": scored}
	},
	"titled": func(v verdict.Verdict) string { return v.Title() }, "short": func(s string) string { return s[:min(len(s), 12)] },
	"by": func(by string) string { // without the course in the name of a member
		if course := ledger.CourseOf(by); course != "" {
			by, _ = ledger.LoginOf(course, by)
		}
		return by
	},
}

// html marks text of our own templates as HTML.
func html(text []byte) template.HTML { return template.HTML(text) }

// when writes a time for people, in the zone in which it was given.
func when(t time.Time) string {
	if t.IsZero() {
		return "any time"
	}
	return t.Format("Mon 2 Jan 2006, 15:04 MST")
}

// stamp writes a time for the attribute datetime, from which the script makes the time of the reader.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// kind returns the CSS class of a verdict.
func kind(v verdict.Verdict) string {
	switch v.Kind() {
	case verdict.Accepted:
		return "ok"
	case verdict.WrongOutput:
		return "wrong"
	case verdict.TooSlow, verdict.TooMuch:
		return "slow"
	case verdict.Crashed:
		return "crash"
	case verdict.NotBuilt:
		return "build"
	case verdict.JudgeFailed:
		return "judge"
	}
	return "none"
}

func points(p float64) string { return strconv.FormatFloat(p, 'f', -1, 64) }

// minutes writes a time since the beginning of a contest, in minutes as the ICPC does.
func minutes(d time.Duration) string { return strconv.Itoa(int(d / time.Minute)) }

// visible makes white space of a line of a difference visible: blanks at its end, and tabs.
func visible(s string) string {
	body := strings.TrimRight(s, " ")
	return strings.ReplaceAll(body, "\t", "→\t") + strings.Repeat("·", len(s)-len(body))
}

// asset is a file that browsers keep, because its address changes with its content.
type asset struct {
	name, kind string
	data       []byte
}

// assets returns the assets by the names under which they are served.
func assets(from embed.FS) map[string]asset {
	all := map[string]asset{}
	entries, err := from.ReadDir("static")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		data, err := from.ReadFile("static/" + e.Name())
		if err != nil {
			panic(err)
		}
		a := asset{hashed(e.Name(), data), mime.TypeByExtension(path.Ext(e.Name())), data}
		all[a.name] = a
	}
	return all
}

func hashed(name string, data []byte) string {
	sum := sha256.Sum256(data)
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "-" + hex.EncodeToString(sum[:6]) + ext
}

// assetPath returns the address of an asset.
func assetPath(name string) (string, error) {
	data, err := files.ReadFile("static/" + name)
	if err != nil {
		return "", fmt.Errorf("no asset %s", name)
	}
	return "/static/" + hashed(name, data), nil
}

func (p *Pages) serveStatic(w http.ResponseWriter, r *http.Request) {
	a, ok := p.static[r.PathValue("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", a.kind)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	_, _ = w.Write(a.data)
}
