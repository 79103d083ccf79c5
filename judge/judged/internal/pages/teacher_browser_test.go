package pages

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"

	"tribunal/judge/judged/internal/ledger"
	chromium "tribunal/judge/publish/browser"
)

// TestTeacherBrowser goes from a list to an invitation in Chromium, and looks at every page of a teacher. The table of
// people changes by itself.
func TestTeacherBrowser(t *testing.T) {
	c := newWindows(t)
	w, tea := classroom(t)
	list := filepath.Join(t.TempDir(), "class.csv")
	if err := os.WriteFile(list, []byte("Name;Gruppe\nBob Ray;g1\nCid Öz;g2\nA rather long name of a student who has several;g1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	window := c.newWindow()
	at := func(path string) chromedp.Action[chromedp.Void] { return chromedp.Navigate(w.server.URL + path) }
	c.run(window, "sign in", at("/c/c/people"), chromedp.WaitVisible(`input[name=password]`), chromedp.SendKeys(`input[name=login]`, "tea"), chromedp.SendKeys(`input[name=password]`, password("tea")+"\r"), chromedp.WaitVisible(`//th[contains(., "Name of ann")]`))
	wrong := w.browser("ann").submission("c", "a", "WA once")
	w.browser("ann").submission("c", "b", "AC")
	c.run(window, "the table changes", chromedp.WaitVisible(`//td[contains(@class, "solved")]`))
	c.run(window, "import", at("/c/c/import"), chromedp.SetUploadFiles(`input[type=file]`, []string{list}), chromedp.Click(`form.ask button`), chromedp.WaitVisible(`//h1[contains(., "What would change")]`))
	c.picture(window, "import-preview")
	c.run(window, "apply", chromedp.Click(`main form button`), chromedp.WaitVisible(`//code[contains(., "/join/tj_")]`))
	c.picture(window, "import-done")
	c.run(window, "store the links", chromedp.Click(`a[download]`))
	w.mend()
	batch := filepath.Base(tea.post("/c/c/rejudge", url.Values{"problem": {"a"}}).Header.Get("Location"))
	w.judged(batch)
	tea.post("/c/c/s/"+wrong+"/rule", url.Values{"verdict": {"RTE"}, "points": {"0.5"}, "reason": {"it is half right"}}).want(t, http.StatusSeeOther)
	w.problem("first")
	w.contest("d", func(c *ledger.Course) {
		c.Scoring, c.Problems = ledger.Points, []ledger.CourseProblem{{Label: "A", Problem: "first", Points: 10, Colour: "#e03131"}, {Label: "B", Problem: "b", Points: 5}}
	})
	drawn := ""
	for login, text := range map[string]string{"ann": "WA " + alikeAnn, "bob": "AC " + alikeBob, "cy": "AC " + program("", 1, 30, "x"), "dan": "AC {}", "eve": "AC {}"} {
		w.person("d", login, ledger.Participant)
		if id := w.browser(login).submission("d", "first", text); login == "ann" {
			drawn = "/c/d/s/" + id
		}
	}
	w.person("d", "tea", ledger.Teacher)
	w.browser("ann").submission("d", "b", "CE x")
	pair := regexp.MustCompile(`/c/d/likeness/first/[^"]*`).FindString(tea.get("/c/d/likeness").want(t, http.StatusOK).text)
	for _, page := range [][2]string{
		{"drawing", drawn}, {"likeness", "/c/d/likeness"}, {"pair", pair}, {"sheets", "/c/d/sheets"}, {"sheet", "/c/d/sheets/ann?sources=yes"},
		{"people", "/c/c/people"}, {"import", "/c/c/import"}, {"person", "/c/c/person/ann"}, {"person-new", "/c/c/person"}, {"settings", "/c/c/settings"},
		{"ruled", "/c/c/s/" + wrong}, {"judging", "/c/c/s/" + wrong + "/judging/1"}, {"rejudge", "/c/c/rejudge"}, {"rejudge-preview", "/c/c/rejudge/" + batch},
	} {
		c.run(window, page[0], at(page[1]), chromedp.WaitVisible(`h1`))
		c.picture(window, page[0])
	}
	c.run(window, "the drawing", at(drawn), chromedp.WaitVisible(`img.drawing`))
	shown, err := chromedp.Run(window, chromedp.Evaluate[int](`document.querySelector("img.drawing").naturalWidth`))
	if err != nil || shown != 300 {
		t.Errorf("the drawing is %d pixels wide, %v", shown, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, text := range c.said {
		t.Errorf("the browser says: %s", text)
	}
}

// alikeAnn is a program, of which alikeBob is a disguised copy.
const alikeAnn = `// Reads the grid and fills every room.
#include <iostream>
#include <string>
#include <vector>

std::vector<std::string> grid;

int fill(int row, int column) {
    if (row < 0 || column < 0 || row >= (int)grid.size() || column >= (int)grid[row].size()) return 0;
    if (grid[row][column] != '.') return 0;
    grid[row][column] = '#';
    return 1 + fill(row + 1, column) + fill(row - 1, column) + fill(row, column + 1) + fill(row, column - 1);
}

int main() {
    for (std::string line; std::getline(std::cin, line);) grid.push_back(line);
    int rooms = 0, largest = 0;
    for (int row = 0; row < (int)grid.size(); row++) {
        for (int column = 0; column < (int)grid[row].size(); column++) {
            int size = fill(row, column);
            if (size > 0) rooms++;
            if (size > largest) largest = size;
        }
    }
    std::cout << rooms << " " << largest << "\n";
}
`

const alikeBob = `#include <iostream>
#include <string>
#include <vector>
using namespace std;
vector<string> g;
int flood(int y, int x)
{
    // outside
    if (y < 0 || x < 0 || y >= (int)g.size() || x >= (int)g[y].size()) return 0;
    if (g[y][x] != '.') return 0;
    g[y][x] = 'x';
    return 1 + flood(y + 1, x) + flood(y - 1, x) + flood(y, x + 1) + flood(y, x - 1);
}
string greeting() { string s = "hello"; for (auto& c : s) c ^= 1; return s; }
int main()
{
    greeting();
    for (string s; getline(cin, s);) g.push_back(s);
    int n = 0, best = 0;
    for (int y = 0; y < (int)g.size(); y++)
    {
        for (int x = 0; x < (int)g[y].size(); x++)
        {
            int k = flood(y, x);
            if (k > 0) n++;
            if (k > best) best = k;
        }
    }
    cout << n << " " << best << "\n";
}
`
