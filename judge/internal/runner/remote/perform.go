//go:build linux

package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// perform runs a request and sends the reply.
func (k *connection) perform(ctx context.Context, f *frame) error {
	r, err := decode(f.text)
	if errors.Is(err, errProtocol) {
		return err
	}
	var result runner.Reply
	out := &output{to: k.UnixConn}
	if err == nil {
		var release func()
		if release, err = k.share(ctx, &r, f); err == nil {
			defer release() // after the copies have been sent
			result, err = k.run(ctx, r, f, out)
		}
	}
	if out.err != nil {
		err = errors.Join(out.err, closeCopies(&result))
		return err
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		result, err = runner.Reply{Result: sandbox.Result{Stop: sandbox.Cancelled}}, nil // cancelled before the run started
	}
	defer closeCopies(&result)
	msg, contents := replyOf(r, result, err)
	if err := send(k.UnixConn, kindReply, msg); err != nil {
		return err
	}
	for _, c := range contents {
		reader, data := c.Reader(), make([]byte, chunk)
		for left := c.Size(); left > 0; {
			n, err := reader.Read(data[:min(left, chunk)])
			if n > 0 {
				if err := write(k.UnixConn, kindData, data[:n]); err != nil {
					return err
				}
			}
			if left -= int64(n); err != nil && left > 0 {
				return err
			}
		}
	}
	return nil
}

func closeCopies(r *runner.Reply) error {
	err := r.Copies.Close()
	if r.Interaction != nil {
		err = errors.Join(err, r.Interaction.Copies.Close())
	}
	return err
}

// output sends what a program prints to the caller.
type output struct {
	to  *net.UnixConn
	err error
}

func (o *output) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0 && o.err == nil; {
		n := min(len(rest), chunk)
		o.err = write(o.to, kindOutput, rest[:n])
		rest = rest[n:]
	}
	if o.err != nil {
		o.to.Close() // stops the run
	}
	return len(p), o.err
}

// maxCopied is the largest file or folder that is copied out; the copy of a larger one has an Err.
const maxCopied = 256 * limits.MiB

// needs returns an upper bound of the memory that a program and its copies take.
func (p *program) needs() (n int64) {
	n = int64(p.Limits.Memory)
	var wanted int64
	for _, o := range p.Out {
		wanted += int64(min(o.Most, maxCopied))
	}
	return n + min(wanted, int64(len(p.Out))*int64(min(p.Folder.Size, p.Limits.Memory)))
}

// share waits until the user's quota has room for the run and its memory.
func (k *connection) share(ctx context.Context, r *request, f *frame) (release func(), err error) {
	if total, _ := r.contents(); total > maxContents {
		return nil, refusal("contents of %d bytes", total)
	}
	memory := r.Program.needs()
	for _, fd := range f.fds {
		size, _, err := sealed(fd)
		if err == nil && size > max(maxExe, maxContents) { // otherwise the sum could overflow
			err = refusal("a file of %d bytes", size)
		}
		if err != nil {
			return nil, err
		}
		memory += size
	}
	if r.Interactor != nil {
		memory += r.Interactor.Program.needs() + int64(r.Interactor.Transcript)*2
	}
	return k.user.share(ctx, k.service.users.quota, memory)
}

// run runs a request with the files of its frame.
func (k *connection) run(ctx context.Context, r request, f *frame, out *output) (runner.Reply, error) {
	cpus, release, err := k.service.cpus.acquire(ctx, len(r.CPUs))
	if err != nil {
		return runner.Reply{}, err
	}
	defer release()
	defer k.executables.trim()
	defer k.trees.trim()
	local, err := k.localRequest(r, f)
	if err != nil {
		return runner.Reply{}, err
	}
	local.CPUs = cpus
	return k.local.Run(ctx, local, out)
}

// contentReader reads the contents of a request one after the other.
type contentReader struct {
	from memoryFile
	off  int64
}

func (p *contentReader) next(size int64) ([]byte, error) {
	data := make([]byte, size)
	if size == 0 {
		return data, nil
	}
	_, err := p.from.ReadAt(data, p.off)
	p.off += size
	return data, err
}

// localRequest turns a request and the files of its frame into a request for the local runner.
func (k *connection) localRequest(r request, f *frame) (local runner.Request, err error) {
	want := 1
	programs := []*program{&r.Program}
	if r.Interactor != nil {
		programs = append(programs, &r.Interactor.Program)
	}
	for _, p := range programs {
		if p.Exe {
			want++
		}
	}
	if len(f.fds) != want {
		return local, violation("%d descriptors, not %d", len(f.fds), want)
	}
	total, _ := r.contents()
	if size, _, err := sealed(f.fds[want-1]); err != nil || size != total {
		return local, cmp.Or(err, violation("contents of %d bytes, not %d", size, total))
	}
	contents := &contentReader{from: memoryFile(f.fds[want-1])}
	fds := f.fds
	var list []runner.Program
	for _, p := range programs {
		run := runner.Program{Limits: p.Limits, StderrEnds: p.StderrEnds, StderrMost: p.StderrMost, Merged: p.Merged, Args: texts(p.Args), Env: texts(p.Env)}
		if p.Exe {
			if run.Exe, err = k.executables.get(&fds[0]); err != nil {
				return local, err
			}
			fds = fds[1:]
		}
		if err := k.addFiles(&run, p, contents); err != nil {
			return local, err
		}
		list = append(list, run)
	}
	input, err := contents.next(r.Input)
	if err != nil {
		return local, err
	}
	local = runner.Request{Program: list[0], Input: content.Of(input), Grace: r.Grace, Fresh: r.Fresh}
	if r.Interactor != nil {
		local.Interactor = &runner.Interactor{Program: list[1], Decides: r.Interactor.Decides, Accepts: r.Interactor.Accepts, Transcript: r.Interactor.Transcript}
	}
	return local, nil
}

// addFiles gives a program its folders and files.
func (k *connection) addFiles(to *runner.Program, p *program, contents *contentReader) error {
	to.Box = sandbox.Spec{Dir: p.Dir, Temp: p.Temp, Folder: p.Folder, ReadOnly: p.ReadOnly}
	for _, f := range p.Files {
		data, err := contents.next(f.Size)
		if err != nil {
			return err
		}
		if to.Files == nil {
			to.Files = map[string][]byte{}
		}
		to.Files[string(f.Name)] = data
	}
	for _, f := range p.In {
		data, err := contents.next(f.Size)
		if err != nil {
			return err
		}
		to.In = append(to.In, runner.File{Name: string(f.Name), Mode: f.Mode, Content: content.Of(data)})
	}
	for _, m := range p.Mounts {
		mount := sandbox.Mount{Source: m.Path, Target: m.Path}
		if m.Sent {
			sent, err := k.trees.get(k.service.host.Temp(), m.Files, contents)
			if err != nil {
				return err
			}
			mount.Source, mount.Version = sent.dir, sent.key
		} else if err := shown(m.Path, k.service.shown); err != nil {
			return fmt.Errorf("%w (hint: install it for everybody, or judge without the service: TRIBUNAL_RUNNER=none)", err)
		}
		to.Box.Mounts = append(to.Box.Mounts, mount)
	}
	for _, o := range p.Out {
		o.Most = min(o.Most, maxCopied+1)
		to.Out = append(to.Out, o)
	}
	return nil
}

func texts(list []text) []string {
	s := make([]string, len(list))
	for i, t := range list {
		s[i] = string(t)
	}
	return s
}

// replyOf returns the message for a reply or an error, and the contents to send after it.
func replyOf(r request, result runner.Reply, err error) (msg reply, contents []content.Content) {
	if err != nil {
		return reply{Failed: failureOf(err)}, nil
	}
	msg = reply{Result: resultOf(result.Result), Stderr: result.Stderr, Truncated: result.Truncated, Folder: text(result.Folder), Copies: copiesOf(&r.Program, &result.Copies, &contents)}
	if d := result.Interaction; d != nil {
		msg.Interaction = &interaction{
			Interactor: resultOf(d.Interactor), Stderr: d.Stderr, Truncated: d.Truncated, First: d.First, Ended: d.Ended,
			Stalled: d.Stalled, Decided: d.Decided, Transcript: d.Transcript, Copies: copiesOf(&r.Interactor.Program, &d.Copies, &contents),
		}
	}
	return msg, contents
}

func copiesOf(p *program, of *runner.Copies, contents *[]content.Content) (list []copied) {
	for _, o := range p.Out {
		got := of.Get(o.Name)
		if got.Err == nil && o.Files == 0 && got.Content.Size() > int64(maxCopied) {
			got = runner.Copy{Err: &sandbox.ExcessError{What: fmt.Sprintf("a file of more than %v", maxCopied)}}
		}
		c := copied{Name: text(o.Name), Failed: failureOf(got.Err)}
		if got.Err == nil {
			c.Size = got.Content.Size()
			*contents = append(*contents, got.Content)
			for _, f := range got.Files {
				c.Files = append(c.Files, file{Name: text(f.Name), Mode: f.Mode & (fs.ModeDir | fs.ModePerm), Size: f.Content.Size(), Time: f.Time})
				*contents = append(*contents, f.Content)
			}
		}
		list = append(list, c)
	}
	return list
}
