package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"tribunal/internal/tier"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/config"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store/storetest"
)

// TestClusterPage starts three servers with the configuration of docs/cluster.md, and a service and a worker
// with its users. The worker judges a submission. Then its password is used to write the ledger, and to read
// what is secret; the servers must refuse that.
func TestClusterPage(t *testing.T) {
	tier.T2(t, "the cluster of docs/cluster.md")
	tier.Needs(t, "the cluster of docs/cluster.md", "python3")
	t.Setenv(config.CacheVariable, cachetest.Dir(t))
	nodes := startPage(t)
	at := func(user string) string {
		var urls []string
		for _, n := range nodes {
			urls = append(urls, fmt.Sprintf("tls://%s:%s-password@%s:4222", user, user, n.address))
		}
		return strings.Join(urls, ",")
	}
	log := &logLines{lines: make(chan string, 100)}
	launch(t, log, "serve", "--nats", at("serve"), "--nats-ca", nodes[0].file("ca.pem"), "--replicas", "3", "--no-worker", "--listen", "127.0.0.1:0")
	service := "http://" + log.await(t, `"listening","address":"([^"]*)"`)
	var token bytes.Buffer
	if code := execute(t.Context(), []string{"token", "create", "--nats", at("serve"), "--nats-ca", nodes[0].file("ca.pem"), "--owner", "me", "--scopes", "submit"}, &token, t.Output()); code != exitOK {
		t.Fatal("no token can be made")
	}
	launch(t, t.Output(), "worker", "--nats", at("worker"), "--nats-ca", nodes[0].file("ca.pem"), "--no-doctor", "--slots", "1")

	if verdict := judgedAt(t, service, strings.TrimSpace(token.String())); verdict != "AC" {
		t.Errorf("the verdict is %q", verdict)
	}
	hostile, err := nats.Connect(at("worker"), nats.RootCAs(nodes[0].file("ca.pem")), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(hostile.Close)
	for _, subject := range []string{
		"tribunal.ledger.submission.forged", "tribunal.tokens.forged", "$JS.API.STREAM.MSG.GET.tribunal-ledger",
		"$JS.API.DIRECT.GET.tribunal-settings.tribunal.settings.proofs", "$JS.API.STREAM.PURGE.tribunal-ledger",
	} {
		if err := hostile.Publish(subject, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		if err := hostile.FlushWithContext(storetest.Patient(t)); err != nil { // the refusal comes before the answer to this
			t.Fatal(err)
		}
		if err := hostile.LastError(); err == nil || !strings.Contains(err.Error(), subject) {
			t.Errorf("a worker publishes to %s, and the last error is %v", subject, err)
		}
	}
}

// TestSchemaIsDocumented checks that the page says which events this build writes: a cluster is upgraded by that.
func TestSchemaIsDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(repository, "docs", "cluster.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("this build writes %d)", ledger.Schema); !bytes.Contains(page, []byte(want)) {
		t.Errorf("docs/cluster.md does not say %q", want)
	}
}

// judgedAt hands a right program in at a service, and returns its verdict.
func judgedAt(t *testing.T, service, token string) string {
	t.Helper()
	ask := func(method, path, body string) (status int, judging struct{ ID, Status, Verdict string }) {
		r, err := http.NewRequestWithContext(t.Context(), method, service+path+"?wait=60s", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if answer.StatusCode < 300 { // the status of a refusal is a number
			if err := json.NewDecoder(answer.Body).Decode(&judging); err != nil {
				t.Fatalf("%s: %v", answer.Status, err)
			}
		}
		return answer.StatusCode, judging
	}
	status, judging := http.StatusUnauthorized, struct{ ID, Status, Verdict string }{}
	for status == http.StatusUnauthorized { // a service knows a moment later what others have added
		status, judging = ask("POST", "/v1/judgings", `{"language": "python3", "source": "print(sum(map(int, input().split())))", "tests": [{"input": "1 2\n", "output": "3\n"}]}`)
	}
	for judging.Verdict == "" && status < 300 {
		status, judging = ask("GET", "/v1/judgings/"+judging.ID, "")
	}
	return judging.Verdict
}

// pageNode is a machine of the page.
type pageNode struct{ address, dir string }

func (n *pageNode) file(name string) string { return filepath.Join(n.dir, name) }

// startPage starts the servers of the page. Each has an address of this machine, and its files in a folder.
func startPage(t *testing.T) []pageNode {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(repository, "docs", "cluster.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)\n```conf nats.conf\n(.*?)\n```\n").FindSubmatch(page)
	if block == nil {
		t.Fatal("docs/cluster.md has no nats.conf")
	}
	network := fmt.Sprintf("127.%d.%d.", 100+mathrand.IntN(100), mathrand.IntN(250))
	nodes, names := make([]pageNode, 3), []string(nil)
	for i := range nodes {
		nodes[i] = pageNode{fmt.Sprint(network, i+1), t.TempDir()}
		names = append(names, string(rune('a'+i))+".example.org", nodes[i].address)
	}
	authority, key := certificate(t, nil, nil, "")
	var g sync.WaitGroup
	for _, n := range nodes {
		certify(t, n, authority, key)
		for _, role := range []string{"serve", "worker"} {
			var rights bytes.Buffer
			if code := execute(t.Context(), []string{"rights", role}, &rights, t.Output()); code != exitOK {
				t.Fatal("no rights")
			}
			write(t, n.file(role+".rights"), rights.Bytes())
		}
		for name, value := range map[string]string{
			"NODE": n.address, "ADDRESS": n.address, "SERVE_PASSWORD": "serve-password", "WORKER_PASSWORD": "worker-password", "ADMIN_PASSWORD": "admin-password",
		} {
			t.Setenv(name, value)
		}
		places := strings.NewReplacer(append(names, "/etc/tribunal", n.dir, "/var/lib/nats", n.file("store"), "127.0.0.1:8222", n.address+":8222")...)
		write(t, n.file("nats.conf"), []byte(places.Replace(string(block[1]))))
		o, err := server.ProcessConfigFile(n.file("nats.conf"))
		if err != nil {
			t.Fatal(err)
		}
		o.NoSigs = true
		s, err := server.NewServer(o)
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		g.Go(func() {
			if !s.ReadyForConnections(time.Hour) {
				t.Errorf("the server at %s does not start", n.address)
			}
		})
	}
	g.Wait()
	return nodes
}

// certify writes the certificate and the key of a node, and that of the authority.
func certify(t *testing.T, n pageNode, authority *x509.Certificate, key *ecdsa.PrivateKey) {
	t.Helper()
	own, ownKey := certificate(t, authority, key, n.address)
	secret, err := x509.MarshalPKCS8PrivateKey(ownKey)
	if err != nil {
		t.Fatal(err)
	}
	write(t, n.file("ca.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authority.Raw}))
	write(t, n.file("node.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.Raw}))
	write(t, n.file("node.key"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}

// certificate makes a certificate for an address, or that of an authority if there is none.
func certificate(t *testing.T, authority *x509.Certificate, by *ecdsa.PrivateKey, address string) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "tribunal " + address},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true,
	}
	if authority == nil {
		c.IsCA, c.KeyUsage = true, x509.KeyUsageCertSign
		authority, by = c, key
	} else {
		c.IPAddresses = []net.IP{net.ParseIP(address)}
	}
	der, err := x509.CreateCertificate(rand.Reader, c, authority, &key.PublicKey, by)
	if err != nil {
		t.Fatal(err)
	}
	if c, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	return c, key
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// launch runs a command until the test ends. It must then have ended in order.
func launch(t *testing.T, log io.Writer, args ...string) {
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan int)
	go func() { done <- execute(ctx, args, io.Discard, log) }()
	t.Cleanup(func() {
		stop()
		if code := <-done; code != exitOK {
			t.Errorf("judged %s ended with status %d", args[0], code)
		}
	})
}

// logLines is a log in which a test waits for lines.
type logLines struct{ lines chan string }

func (w *logLines) Write(p []byte) (int, error) {
	select {
	case w.lines <- string(p):
	default: // nobody waits any more
	}
	return len(p), nil
}

// await waits for a line that matches, and returns what the group of the pattern matches.
func (w *logLines) await(t *testing.T, pattern string) string {
	t.Helper()
	find, ctx := regexp.MustCompile(pattern), storetest.Patient(t)
	for {
		select {
		case line := <-w.lines:
			t.Log(strings.TrimSpace(line))
			if m := find.FindStringSubmatch(line); m != nil {
				return m[1]
			}
		case <-ctx.Done():
			t.Fatalf("no line of the log matches %s", pattern)
		}
	}
}
