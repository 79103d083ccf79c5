//go:build linux

package sandbox

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/criyle/go-sandbox/pkg/rlimit"
	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/quote"
)

// jail is the judge's connection to the init of a container. It serves one request at a time, as
// protocol.go describes; only kill may be called meanwhile.
type jail struct {
	init   int // process number of the init
	socket *os.File
	raw    syscall.RawConn // of socket
	words  *os.File        // the init's standard error
	buffer []byte          // the current request
	dead   bool            // the connection is broken, or a reply was lost
	until  time.Time       // the deadline of the socket's reads; zero is none

	mu      sync.Mutex
	serial  int   // of the current run
	running int   // process number of the program, between its readyReply and its endedReply
	killed  bool  // kill has been called for the current run
	fault   error // why kill had to end the container
}

// initName is the argument by which a process knows that it is the init of a container.
const initName = "tribunal-init"

// jailTimeout is how long an init may take to answer on a busy machine. It does not bound runs.
const jailTimeout = 10 * time.Second // at least, and at most twice as long

// startJail starts the init of a new container, with the namespaces of flags and these accounts. The
// init ends when the judge does.
func startJail(flags uintptr, accounts idMaps) (*jail, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	end := os.NewFile(uintptr(pair[1]), "init")
	defer end.Close()
	err = errors.Join(unix.SetNonblock(pair[0], true), unix.SetsockoptInt(pair[0], unix.SOL_SOCKET, unix.SO_PASSCRED, 1))
	if err != nil {
		unix.Close(pair[0])
		return nil, fmt.Errorf("socket: %w", err)
	}
	j := &jail{socket: os.NewFile(uintptr(pair[0]), "jail")}
	if j.raw, err = j.socket.SyscallConn(); err != nil {
		j.socket.Close()
		return nil, err
	}
	words, stderr, err := os.Pipe()
	if err != nil {
		j.socket.Close()
		return nil, err
	}
	defer stderr.Close()
	j.words = words
	if j.init, err = startInit(flags, accounts, end, stderr); err != nil {
		j.socket.Close()
		j.words.Close()
		return nil, err
	}
	return j, nil
}

func (j *jail) pid() int { return j.init }

// close kills the init, and with it all processes of the container.
func (j *jail) close() error {
	j.socket.Close()
	err := endInit(j.init)
	j.words.Close()
	return err
}

// largest returns about the size of the largest request so far.
func (j *jail) largest() limits.Bytes { return limits.Bytes(cap(j.buffer)) }

// request begins a request in the jail's buffer; send completes and sends it.
func (j *jail) request() { j.buffer = append(j.buffer[:0], make([]byte, headerSize)...) }

func (j *jail) send(kind uint32, files ...int) error {
	binary.NativeEndian.PutUint32(j.buffer, kind)
	binary.NativeEndian.PutUint32(j.buffer[4:], uint32(len(j.buffer)-headerSize))
	var rights []byte
	if len(files) > 0 {
		rights = unix.UnixRights(files...)
	}
	var failed error
	rest := j.buffer
	err := j.raw.Write(func(fd uintptr) bool {
		for len(rest) > 0 {
			n, err := unix.SendmsgN(int(fd), rest, rights, nil, unix.MSG_NOSIGNAL)
			switch err {
			case nil:
				rest, rights = rest[n:], nil
			case unix.EAGAIN:
				return false
			case unix.EINTR:
			default:
				failed = err
				return true
			}
		}
		return true
	})
	if err = errors.Join(err, failed); err != nil {
		return j.broken(err)
	}
	return nil
}

// order sends a request without payload.
func (j *jail) order(kind uint32) error {
	j.request()
	return j.send(kind)
}

// receive waits for a reply. A prompt one does not depend on a program: receive waits for it for no
// longer than jailTimeout. pid is the process that sent the reply, and file one that came with
// it.
func (j *jail) receive(prompt bool) (r reply, pid int, file *os.File, err error) {
	var buf [replySize]byte
	var control [128]byte
	// To set a deadline wakes the runtime's poller, which costs a short run too much. So one serves
	// the replies of several seconds, and another kind of reply ignores it.
	if prompt && time.Until(j.until) < jailTimeout {
		if err := j.setDeadline(time.Now().Add(2 * jailTimeout)); err != nil {
			return r, 0, nil, err
		}
	}
	var n, size, flags int
	var failed error
	receive := func(fd uintptr) bool {
		for {
			n, size, flags, _, failed = unix.Recvmsg(int(fd), buf[:], control[:], unix.MSG_CMSG_CLOEXEC)
			if failed != unix.EINTR {
				return failed != unix.EAGAIN
			}
		}
	}
	err = j.raw.Read(receive)
	if !prompt && errors.Is(err, os.ErrDeadlineExceeded) {
		if err = j.setDeadline(time.Time{}); err == nil {
			err = j.raw.Read(receive)
		}
	}
	if err = errors.Join(err, failed); err != nil || n < replySize { // 0 bytes: the init has ended
		return r, 0, nil, j.broken(err)
	}
	if flags&unix.MSG_CTRUNC != 0 {
		j.dead = true
		return r, 0, nil, unix.EMFILE // no descriptor was free to receive the file
	}
	messages, err := unix.ParseSocketControlMessage(control[:size])
	if err != nil {
		j.dead = true
		return r, 0, nil, err
	}
	for _, m := range messages {
		if sender, err := unix.ParseUnixCredentials(&m); err == nil {
			pid = int(sender.Pid)
		} else if fds, err := unix.ParseUnixRights(&m); err == nil {
			if err := unix.SetNonblock(fds[0], true); err != nil { // so that the runtime can poll it
				unix.Close(fds[0])
				return r, 0, nil, err
			}
			file = os.NewFile(uintptr(fds[0]), "denied calls")
		}
	}
	r.decode(&buf)
	return r, pid, file, nil
}

func (j *jail) readText(r reply) string {
	text := make([]byte, min(r.text, 4096))
	n, _ := j.socket.Read(text)
	return string(text[:n])
}

func (j *jail) setDeadline(until time.Time) error {
	j.until = until
	return j.socket.SetReadDeadline(until)
}

// answer waits for the reply to a request other than a run, and returns the file that came with it.
func (j *jail) answer() (*os.File, error) {
	r, _, file, err := j.receive(true)
	if err != nil {
		return nil, err
	}
	if r.kind == failedReply {
		text := quote.First(j.readText(r))
		if r.errno != 0 {
			return nil, fmt.Errorf("%s: %w", text, unix.Errno(r.errno))
		}
		return nil, errors.New(text)
	}
	return file, nil
}

// setUp builds the container. It returns the descriptor that reports denied calls, nil for none.
func (j *jail) setUp(s setup) (*os.File, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	j.request()
	j.buffer = append(j.buffer, text...)
	if err := j.send(setupRequest); err != nil {
		return nil, err
	}
	return j.answer()
}

// empty empties the container's temporary folders.
func (j *jail) empty() error {
	if err := j.order(emptyRequest); err != nil {
		return err
	}
	_, err := j.answer()
	return err
}

// prepare sends a runRequest. files are the three standard files of the program and those of flags.
// It returns the function that kills the run, see kill.
func (j *jail) prepare(args, env []string, limits []rlimit.RLimit, flags uint32, files []int) (kill func(), err error) {
	for _, s := range slices.Concat(args, env) {
		if strings.IndexByte(s, 0) >= 0 {
			return nil, fmt.Errorf("an argument or variable of the program holds a zero byte: %.40q", s)
		}
	}
	j.request()
	j.buffer = appendProgram(j.buffer, flags, limits, args, env)
	if err := j.send(runRequest, files...); err != nil {
		return nil, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.serial++
	j.running, j.killed = 0, false
	serial := j.serial
	return func() { j.kill(serial) }, nil
}

// run lets the program of a runRequest begin and waits for its end. When everything is ready, it
// calls begin with the program's process number; if that fails, the program does not begin. The
// caller must call reaped next, unless there is an error.
func (j *jail) run(begin func(pid int) error) (reply, error) {
	defer j.end()
	r, pid, _, err := j.receive(true)
	if err != nil || r.kind != readyReply {
		return r, cmp.Or(err, r.failure(), errUnready)
	}
	order := goRequest
	refused := begin(pid)
	if refused != nil || !j.begin(pid) {
		order = stopRequest
	}
	if err = j.order(order); err == nil {
		r, _, _, err = j.receive(false)
	}
	return r, cmp.Or(err, refused, r.failure()) // begin fails too if the container dies meanwhile
}

var errUnready = errors.New("the process of the program died before it was ready")

// reaped waits until no process is left of a program, given the endedReply about it.
func (j *jail) reaped(r reply) (err error) {
	if r.last == 0 {
		_, _, _, err = j.receive(false)
	}
	return err
}

// begin records the process number of a program that is ready to begin. It returns false if kill
// has been called already.
func (j *jail) begin(pid int) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.running = pid
	return !j.killed
}

// end records that no program is running.
func (j *jail) end() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.running = 0
}

// kill kills the program of a run, and the init then kills what it leaves. If no program has begun
// yet, none will. If the program cannot be reached, kill ends the whole container. It may come
// late, when that run is over and another one has begun: then it does nothing.
func (j *jail) kill(serial int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.serial != serial {
		return
	}
	j.killed = true
	if j.running == 0 {
		return
	}
	if err := j.killChild(j.running); err != nil {
		j.fault = fmt.Errorf("the program could not be stopped: %w", err)
		_ = unix.Kill(j.init, unix.SIGKILL)
	}
}

// killChild kills the process of this number if it is a child of the init. The init may have reaped
// the program by now, and its number may belong to another process.
func (j *jail) killChild(pid int) error {
	fd, err := unix.PidfdOpen(pid, 0)
	if err == unix.ESRCH {
		return nil
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	stat, err := readStat(pid)
	if Exhausted(err) {
		return err
	}
	if err != nil || stat.parent != j.pid() {
		return nil
	}
	if err := unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0); err != unix.ESRCH { // else the init has just reaped it
		return err
	}
	return nil
}

// broken records that the connection failed with err, and returns the error to report.
func (j *jail) broken(err error) error {
	j.dead = true
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("%w (%w)", &StarvedError{}, err) // an init that does not answer for seconds has no CPU
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return cmp.Or(j.fault, lastWords(quote.First(j.readWords())))
}
