package pages

import (
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"tribunal/judge/judged/internal/course"
	"tribunal/judge/judged/internal/ledger"
)

// maxQuestion bounds a question and an answer in characters.
const maxQuestion = 4000

// questions returns the questions and announcements that the viewer may see, the oldest first.
func (q *request) questions() []ledger.QuestionState {
	return slices.DeleteFunc(q.o.Service.Questions(q.course.ID), func(s ledger.QuestionState) bool {
		return !(q.jury() || s.Public || s.Asker != "" && s.Asker == q.viewer.Login)
	})
}

func (p *Pages) questionsPage(q *request) error {
	list := q.questions()
	slices.Reverse(list)
	return q.show("questions", "Questions", map[string]any{"List": list, "Problem": q.FormValue("problem")})
}

// ask takes a question of a participant; from a teacher, an announcement or the answer to a question.
func (p *Pages) ask(q *request) error {
	text := strings.TrimSpace(strings.ReplaceAll(q.FormValue("text"), "\r\n", "\n"))
	problem := q.FormValue("problem")
	switch {
	case text == "":
		return fail(http.StatusUnprocessableEntity, "there is no text (hint: go back and write some)")
	case utf8.RuneCountInString(text) > maxQuestion || !utf8.ValidString(text):
		return fail(http.StatusUnprocessableEntity, "a text has at most %d characters", maxQuestion)
	case problem != "" && (q.course.Problem(problem) == nil || q.phase == course.Before && !q.jury()):
		return errNoPage
	}
	id, after := "", uint64(0)
	item := ledger.Question{Asker: q.viewer.Login, Problem: problem, Text: text}
	if q.teacher() {
		item = ledger.Question{Problem: problem, Answer: text, Public: true}
	} else if ok, _ := p.attempts.Allow("question " + q.course.ID + "/" + q.viewer.Login); !ok {
		return fail(http.StatusTooManyRequests, "that is many questions (hint: wait some seconds)")
	}
	if to := q.FormValue("to"); to != "" && q.teacher() {
		list := p.o.Service.Questions(q.course.ID)
		i := slices.IndexFunc(list, func(s ledger.QuestionState) bool { return s.ID == to })
		if i < 0 {
			return errNoPage
		}
		id, after, item = to, number(q.FormValue("after")), list[i].Question
		item.Answer, item.Public = text, q.FormValue("public") != ""
	}
	if _, err := p.o.Service.SetQuestion(q.ctx, q.course.ID, id, item, after, q.by()); err != nil {
		return err
	}
	return q.then("/c/%s/questions", q.course.ID)
}
