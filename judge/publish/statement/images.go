package statement

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/problem"
)

const (
	maxImage  = 4 << 20  // bytes of one
	maxImages = 16 << 20 // bytes of all in a page, each as often as it is shown
	maxPixels = 1 << 26
)

// endings are the endings of images that LaTeX names without one, the best first.
var endings = []string{".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf"}

// imageReader reads the images of a page.
type imageReader struct {
	open   func(name string, max int64) ([]byte, error)
	size   int
	opened []string // the files that were read
}

// resolve replaces the names of images by their data. An image that cannot be shown is a fault, and
// its name stays in the page.
func (m *imageReader) resolve(r *reader, list []*node) {
	walk(list, func(n *node) {
		if n.tag != "img" {
			return
		}
		name := n.attr["src"]
		data, kind, err := m.read(r.part.Format, n)
		if err == nil && m.size+len(data) > maxImages {
			err = fmt.Errorf("the images of a statement are larger than %d MiB together", maxImages>>20)
		}
		if err != nil {
			shown := excerpt(name)
			hint := "put it beside the statement"
			if !errors.Is(err, fs.ErrNotExist) {
				hint = ""
			}
			other := false
			if h, ok := errors.AsType[*hinted](err); ok {
				hint, other = h.hint, h.other
			}
			r.fault(n.line, other, hint, "image %s: %s", shown, reason(err))
			*n = node{tag: "code", attr: map[string]string{"class": "source"}, kids: []*node{{text: "[" + shown + "]"}}, line: n.line}
			return
		}
		m.size += len(data)
		n.attr["file"] = name
		n.attr["src"] = "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)
	})
}

// hinted is an error with a hint. other is whether other tools can show the image.
type hinted struct {
	msg, hint string
	other     bool
}

func (e *hinted) Error() string { return e.msg }

func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file"
	case errors.Is(err, problem.ErrTooLarge):
		return fmt.Sprintf("it is larger than %d MiB", maxImage>>20)
	}
	return err.Error()
}

func (m *imageReader) read(format string, n *node) (data []byte, kind string, err error) {
	name := strings.TrimSpace(n.attr["src"])
	if u, err := url.Parse(name); strings.HasPrefix(name, "//") || err == nil && len(u.Scheme) > 1 {
		if strings.HasPrefix(name, "data:") {
			return inline(name)
		}
		return nil, "", &hinted{"it is not a file of the problem", "put the file beside the statement", true}
	} else if err == nil && format != ".tex" {
		name = u.Path // %20 is a blank
	}
	if m.open == nil {
		return nil, "", fs.ErrNotExist
	}
	var names []string
	for _, folder := range append([]string{""}, strings.Split(n.attr["folders"], "\n")...) {
		full := path.Clean(path.Join(folder, name))
		if name == "" || strings.HasPrefix(name, "/") || strings.ContainsAny(name, "\\\x00") {
			return nil, "", &hinted{"it is not the name of a file beside the statement", "", false}
		}
		if slices.Contains(endings, strings.ToLower(path.Ext(name))) {
			names = append(names, full)
		}
		if base := strings.TrimSuffix(full, path.Ext(full)); format == ".tex" {
			if ext := strings.ToLower(path.Ext(full)); ext != ".pdf" && ext != ".eps" {
				base = full
			}
			for _, ending := range endings {
				names = append(names, base+ending)
			}
		} else {
			names = append(names, full)
		}
	}
	var first error
	for _, name := range names {
		data, err := m.open(name, maxImage)
		if err == nil {
			m.opened = append(m.opened, name)
			kind, err = sniff(data)
		}
		if err == nil {
			return data, kind, nil
		}
		if first == nil || errors.Is(first, fs.ErrNotExist) {
			first = err
		}
	}
	return nil, "", first
}

// inline reads an image that is in the statement itself.
func inline(uri string) ([]byte, string, error) {
	_, text, ok := strings.Cut(uri, ";base64,")
	if !ok || len(text) > 2*maxImage {
		return nil, "", &hinted{"its data cannot be read", "", false}
	}
	data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil {
		return nil, "", &hinted{"its data cannot be read", "", false}
	}
	kind, err := sniff(data)
	return data, kind, err
}

// sniff returns the media type of an image that browsers show. It looks at the content, because
// names lie.
func sniff(data []byte) (string, error) {
	switch {
	case len(data) > maxImage:
		return "", problem.ErrTooLarge
	case bytes.HasPrefix(data, []byte("%PDF")):
		return "", &hinted{"it is a PDF, which pages cannot show", "add it as .svg or .png, with the same name", true}
	case bytes.HasPrefix(data, []byte("%!PS")):
		return "", &hinted{"it is PostScript, which pages cannot show", "add it as .svg or .png, with the same name", true}
	case len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "image/webp", nil
	}
	if c, kind, err := image.DecodeConfig(bytes.NewReader(data)); err == nil {
		if c.Width <= 0 || c.Height <= 0 || c.Width > maxPixels/c.Height {
			return "", fmt.Errorf("it has %d × %d pixels, more than %d million", c.Width, c.Height, maxPixels/1_000_000)
		}
		return "image/" + kind, nil
	}
	if isSVG(data) {
		return "image/svg+xml", nil
	}
	return "", errors.New("it is not an image: neither PNG, JPEG, GIF, WebP nor SVG")
}

// isSVG reports whether data is a well-formed SVG. A browser runs none of its scripts and loads
// nothing that it refers to, because pages show it as an image.
func isSVG(data []byte) bool {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	root := ""
	for {
		t, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return root == "svg"
		}
		if err != nil {
			return false
		}
		if start, ok := t.(xml.StartElement); ok && root == "" {
			if root = start.Name.Local; root != "svg" {
				return false
			}
		}
	}
}
