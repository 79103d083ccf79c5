//go:build linux

package sandbox

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestPipeReader reads from a program that twice writes much and is then idle. While much data comes,
// the thread that reads is on the program's CPU and does not interrupt it. When the program is idle,
// and at the end, the thread is where it was before.
func TestPipeReader(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	thread := unix.Gettid()
	home := stateOf(t, thread)
	cpu := AllowedCPUs()[len(AllowedCPUs())-1:]
	var own unix.CPUSet
	own.Set(cpu[0])

	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	r := newPipeReader(read, cpu)
	r.slow = time.Hour // on a busy host any read may be slow
	defer r.close()
	sent := make([]byte, 3*bulkAfter)
	for i := range sent {
		sent[i] = byte(rand.Uint32())
	}
	var got []byte
	bulk := false
	take := func(until int) {
		for buf := make([]byte, pipeSize); len(got) < until; {
			n, err := r.read(buf)
			if err != nil {
				t.Fatalf("after %d bytes: %v", len(got), err)
			}
			got = append(got, buf[:n]...)
			want := home
			if r.bulk {
				bulk, want = true, threadState{unix.SCHED_BATCH, own}
			}
			if now := stateOf(t, thread); now != want {
				t.Fatalf("after %d bytes: %+v, want %+v", len(got), now, want)
			}
		}
	}
	for turn := range 2 {
		bulk = false
		go write.Write(sent)
		take((turn+1)*len(sent) + turn)
		if !bulk {
			t.Errorf("%d bytes were not read in bulk", len(sent))
		}
		go func() {
			for stateOf(t, thread) != home {
				runtime.Gosched()
			}
			write.Write([]byte{'!'})
		}()
		take((turn + 1) * (len(sent) + 1))
	}
	write.Close()
	if _, err := r.read(make([]byte, 1)); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	r.close()
	if now := stateOf(t, thread); now != home {
		t.Errorf("at the end: %+v, want %+v", now, home)
	}
	if !bytes.Equal(got, bytes.Join([][]byte{sent, sent, nil}, []byte{'!'})) {
		t.Error("read other bytes than the program wrote")
	}
}

// TestPipeReaderSlow reads much from a program, and each read in bulk is slow. So each is the only one
// until twice as much has come as before the last.
func TestPipeReaderSlow(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r := newPipeReader(read, AllowedCPUs()[:1])
	r.slow, r.idle = -1, time.Hour // a read never ends because this host is too busy to run the writer
	defer r.close()
	go func() {
		write.Write(make([]byte, 20*bulkAfter))
		write.Close()
	}()
	since, after := 0, bulkAfter
	for buf := make([]byte, pipeSize); ; {
		before := r.bulk
		n, err := r.read(buf)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if since += n; before {
			if r.bulk {
				t.Fatal("a slow read did not end reading in bulk")
			}
			since, after = 0, 2*after
		} else if r.bulk != (since >= after) {
			t.Fatalf("bulk is %t after %d bytes, want it after %d", r.bulk, since, after)
		}
	}
	if after != 16*bulkAfter {
		t.Errorf("the next reading in bulk is after %d bytes, want %d", after, 16*bulkAfter)
	}
}

// TestPipeReaderDeadline stops reading from a program that writes without end, and from one that
// has written much and keeps its pipe.
func TestPipeReaderDeadline(t *testing.T) {
	t.Parallel()
	for _, idle := range []bool{false, true} {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer write.Close()
		r := newPipeReader(read, AllowedCPUs()[:1])
		go func() {
			for {
				if _, err := write.Write(make([]byte, bulkAfter)); err != nil || idle {
					return
				}
			}
		}()
		buf := make([]byte, pipeSize)
		for !r.bulk {
			if _, err := r.read(buf); err != nil {
				t.Fatal(err)
			}
		}
		if !idle {
			_ = read.SetReadDeadline(time.Now())
		} else {
			time.AfterFunc(time.Millisecond, func() { _ = read.SetReadDeadline(time.Now()) })
		}
		for err := error(nil); !errors.Is(err, os.ErrDeadlineExceeded); {
			if _, err = r.read(buf); err == io.EOF {
				t.Fatal("end of a pipe that is open")
			}
		}
		r.close()
	}
}

// threadState says how and where a thread runs.
type threadState struct {
	policy uint32
	cpus   unix.CPUSet
}

func stateOf(t *testing.T, thread int) (p threadState) {
	sched, err := unix.SchedGetAttr(thread, 0)
	if err = errors.Join(err, unix.SchedGetaffinity(thread, &p.cpus)); err != nil {
		t.Error(err)
		return p
	}
	p.policy = sched.Policy
	return p
}
