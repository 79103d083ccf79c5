package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// keys are the keys of the log's records, which programs of operators rely on. A key always means the same.
var keys = []string{
	"address",      // of a client or of a listener
	"answer",       // id of an answer in its queue
	"attempt",      // number of an attempt
	"audit",        // true: the record is one of the audit
	"before",       // a time
	"blob",         // hash of a blob
	"callback",     // id of a callback in its queue
	"delivery",     // how often a task was delivered
	"error",        // what went wrong
	"failures",     // number of failures in a row
	"file",         // path of a file
	"findings",     // number of findings of a check
	"jump",         // how far a clock went, in nanoseconds
	"judging",      // number of a judging of its submission
	"languages",    // that a worker has
	"method",       // of a request
	"nats",         // URL of a NATS server
	"new",          // whether a version was new
	"newest",       // when the newest submission was handed in
	"object",       // id of what a request is about
	"owner",        // of a token
	"problem",      // id of a problem
	"record",       // sequence of a record of the ledger
	"route",        // pattern of a request's path
	"slots",        // number of slots of a worker
	"snapshot",     // sequence of a snapshot
	"stack",        // of a panic
	"status",       // of an answer over HTTP
	"subject",      // of a record
	"submission",   // id of a submission
	"submissions",  // number of submissions
	"task",         // id of a task in its queue
	"tls",          // whether a listener uses TLS
	"token",        // id of a client's token, or path of the file with one
	"unused_blobs", // number of blobs
	"usable",       // whether a version can be judged
	"user",         // of a NATS server
	"version",      // of a problem
	"viewer",       // of a page: a login, or the owner of a token
	"waiting",      // number of judgings that wait
	"worker",       // name of a worker
}

// logs are the methods that write records, and how many arguments come before the first key.
var logs = map[string]int{"Debug": 1, "Info": 1, "Warn": 1, "Error": 1, "With": 0}

// TestLogKeys checks that records have no other keys than those, and that all of those are used.
func TestLogKeys(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	note := func(at token.Position, e ast.Expr) {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			t.Errorf("%s: a key that is not written out", at)
			return
		}
		key, _ := strconv.Unquote(lit.Value)
		if used[key] = true; !slices.Contains(keys, key) {
			t.Errorf("%s: the key %q is not in the list (hint: use one that is there, or add it with its meaning)", at, key)
		}
	}
	files := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "scripts") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := method.X.(*ast.Ident); ok && x.Name == "slog" && slices.Contains([]string{"String", "Int", "Bool", "Duration", "Any"}, method.Sel.Name) {
				note(files.Position(call.Pos()), call.Args[0]) // slog.String("key", value)
			}
			if first, ok := logs[method.Sel.Name]; ok && isLog(method.X) {
				for i := first; i < len(call.Args); i += 2 {
					note(files.Position(call.Pos()), call.Args[i])
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		if !used[key] {
			t.Errorf("no record has the key %q: remove it", key)
		}
	}
}

// isLog reports whether an expression is a log: log, o.Log, w.o.Audit.
func isLog(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "log"
	case *ast.SelectorExpr:
		return e.Sel.Name == "Log" || e.Sel.Name == "Audit"
	}
	return false
}
