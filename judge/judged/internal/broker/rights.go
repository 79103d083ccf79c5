package broker

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Role names a kind of user of the NATS servers. It is the user's name in a server of [Start].
type Role string

const (
	Service Role = "serve"
	Worker  Role = "worker"
)

// Rights are the subjects that a user may publish to and subscribe to.
type Rights struct{ Publish, Subscribe []string }

// RightsOf returns exactly the rights that a role needs for the streams with a prefix; "" means tribunal. A service
// may do everything to them. A worker may take and answer tasks, read and add blobs, and post that it is there; it
// can neither read nor write the ledger, the tokens, and the secret with which services prove tasks. Both may
// receive answers only in an inbox of their role ([Inbox]).
func RightsOf(prefix string, r Role) Rights {
	b := &broker{o: Options{Prefix: cmp.Or(prefix, usualPrefix)}}
	worker := Rights{
		Publish: b.api(
			"STREAM.INFO", "work results blobs named board settings",
			"CONSUMER.INFO", "work.* results.all",
			"CONSUMER.MSG.NEXT", "work.*",
			"STREAM.MSG.GET", "blobs",
		),
		Subscribe: []string{b.inbox(r) + ".>", b.subject("signal.stop.>")},
	}
	worker.Publish = append(worker.Publish,
		"$JS.ACK."+b.name("work")+".>",
		"$JS.API.DIRECT.GET."+b.name("settings")+"."+b.subject("settings.reference"),
		b.subject("results.>"), b.subject("blobs.data.*.*"), b.subject("board.worker.*"), b.subject("settings.reference"), b.subject("signal.live.*"),
	)
	if r == Worker {
		return worker
	}
	service := Rights{
		Publish: b.api(
			"STREAM.INFO", "ledger tokens",
			"STREAM.CREATE", "work results blobs named board settings ledger tokens",
			"STREAM.UPDATE", "work results blobs named board settings ledger tokens",
			"STREAM.PURGE", "work blobs named ledger tokens",
			"STREAM.MSG.DELETE", "work",
			"STREAM.MSG.GET", "work named board ledger",
			"CONSUMER.CREATE", "work.> results.all ledger.* tokens.* blobs.*",
			"CONSUMER.LIST", "work",
			"CONSUMER.MSG.NEXT", "results.all ledger.* tokens.* blobs.*",
		),
		Subscribe: []string{b.inbox(r) + ".>", b.subject("signal.>")},
	}
	service.Publish = append(append(worker.Publish, service.Publish...),
		"$JS.ACK."+b.name("results")+".all.>",
		"$JS.API.DIRECT.GET."+b.name("settings")+"."+b.subject("settings.>"),
		b.subject("work.>"), b.subject("named.>"), b.subject("board.>"), b.subject("settings.>"), b.subject("signal.>"),
		b.subject("ledger.>"), b.subject("tokens.>"),
	)
	return service
}

// api returns the subjects of requests to JetStream. The arguments are names of requests, each with the streams, or
// the consumers of streams, that it may be about.
func (b *broker) api(requests ...string) (list []string) {
	for i := 0; i < len(requests); i += 2 {
		for _, about := range strings.Fields(requests[i+1]) {
			list = append(list, "$JS.API."+requests[i]+"."+b.name(about))
		}
	}
	return list
}

// name returns the full name of a stream or consumer.
func (b *broker) name(about string) string { return b.o.Prefix + "-" + about }

// inbox begins the subjects to which answers for a role are sent.
func (b *broker) inbox(r Role) string { return b.subject("inbox", string(r)) }

// Inbox makes a connection receive answers where the rights of its role allow. Without it, a user with the right to
// receive answers would receive those for all users.
func Inbox(prefix string, r Role) nats.Option {
	b := &broker{o: Options{Prefix: cmp.Or(prefix, usualPrefix)}}
	return nats.CustomInboxPrefix(b.inbox(r))
}

// String returns the rights in the form of the configuration of nats-server, on lines of their own.
func (r Rights) String() string {
	var s strings.Builder
	for _, side := range []struct {
		name     string
		subjects []string
	}{{"publish", r.Publish}, {"subscribe", r.Subscribe}} {
		fmt.Fprintf(&s, "%s: [\n", side.name)
		for _, subject := range side.subjects {
			fmt.Fprintf(&s, "  %q\n", subject)
		}
		s.WriteString("]\n")
	}
	return s.String()
}

// permissions returns the rights in the form of a server.
func (r Rights) permissions() *server.Permissions {
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: r.Publish},
		Subscribe: &server.SubjectPermission{Allow: r.Subscribe},
	}
}
