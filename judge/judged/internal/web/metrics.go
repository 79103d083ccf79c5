package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/service"
)

type metrics struct {
	w        *Web
	registry *prometheus.Registry
	serve    http.Handler
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	limited  prometheus.Counter
}

func newMetrics(w *Web) *metrics {
	m := &metrics{
		w: w, registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "judged_http_requests_total", Help: "Requests that were answered."}, []string{"method", "route", "status"}),
		seconds:  prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "judged_http_request_seconds", Help: "Time from the header of a request to the end of its answer, without streams.", Buckets: prometheus.ExponentialBuckets(0.001, 4, 9)}, []string{"method", "route"}),
		limited:  prometheus.NewCounter(prometheus.CounterOpts{Name: "judged_http_limited_total", Help: "Requests refused because an address or a token asked too often."}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.limited, m, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.serve = promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
	return m
}

func (w *Web) getMetrics(rw http.ResponseWriter, r *http.Request) error {
	w.metrics.serve.ServeHTTP(rw, r)
	return nil
}

// request counts a request that has ended.
func (m *metrics) request(row *row, status int, took time.Duration) {
	m.requests.WithLabelValues(row.method, row.path, strconv.Itoa(status)).Inc()
	if row.time > 0 {
		m.seconds.WithLabelValues(row.method, row.path).Observe(took.Seconds())
	}
}

// Descriptions of the metrics that are read from the service when Prometheus asks.
var (
	submissionsDesc = describe("judged_submissions", "Submissions in the ledger.")
	waitingDesc     = describe("judged_waiting", "Judgings that wait for a worker or for its result.")
	oldestDesc      = describe("judged_oldest_waiting_seconds", "How long the oldest waiting judging has waited.")
	heldDesc        = describe("judged_held", "Judgings that the judge failed to judge, and that wait for a release.")
	verdictsDesc    = describe("judged_verdicts", "Submissions by the verdict that counts.", "verdict")
	leaderDesc      = describe("judged_leader", "Whether this service leads: 1 or 0.")
	sequenceDesc    = describe("judged_ledger_sequence", "The record up to which this service knows the ledger.")
	ignoredDesc     = describe("judged_ledger_ignored", "Records that did not fit the state. Above 0, something is wrong.")
	takenDesc       = describe("judged_submitted_total", "Submissions that this service has taken.")
	refusedDesc     = describe("judged_answers_refused_total", "Answers of workers with a wrong proof, or that could not be read.")
	staleDesc       = describe("judged_answers_stale_total", "Answers of workers to attempts that were over.")
	erasedDesc      = describe("judged_erased_total", "Submissions erased because of their age.")
	failedDesc      = describe("judged_attempts_failed_total", "Attempts to judge that failed by an error of the judge (JE), with any service of the store.")
	watchersDesc    = describe("judged_watchers", "Clients that watch judgings.")
	bufferedDesc    = describe("judged_buffered_bytes", "Bytes of bodies that are in memory.")
	workersDesc     = describe("judged_workers", "Workers by whether they take tasks: ready, draining or sick.", "state")
	slotsDesc       = describe("judged_slots", "Programs that workers can run at a time.", "worker")
	busyDesc        = describe("judged_busy", "Tasks that workers do now.", "worker")
	deathsDesc      = describe("judged_worker_box_deaths_total", "Runs of a worker that had no result because their box died.", "worker")
	factorDesc      = describe("judged_worker_factor", "How long a worker takes for the reference runs, in units of the first worker.", "worker")
)

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

// Describe sends nothing: what there is depends on the workers.
func (m *metrics) Describe(chan<- *prometheus.Desc) {}

// Collect reads the metrics of the service.
func (m *metrics) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	count := func(d *prometheus.Desc, v int64) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v))
	}
	s, c := m.w.o.Service.Stats(), m.w.o.Service.Metrics()
	gauge(submissionsDesc, float64(s.Submissions))
	gauge(waitingDesc, float64(s.Waiting))
	gauge(oldestDesc, s.Oldest.Seconds())
	gauge(heldDesc, float64(s.Held))
	for _, v := range verdict.All() {
		gauge(verdictsDesc, float64(s.Verdicts[v]), v.String())
	}
	leads := 0.0
	if s.Leader {
		leads = 1
	}
	gauge(leaderDesc, leads)
	gauge(sequenceDesc, float64(s.Sequence))
	gauge(ignoredDesc, float64(s.Ignored))
	count(takenDesc, c.Submitted.Load())
	count(failedDesc, c.Failed.Load())
	count(refusedDesc, c.Refused.Load())
	count(staleDesc, c.Stale.Load())
	count(erasedDesc, c.Erased.Load())
	gauge(watchersDesc, float64(m.w.o.Service.Watchers()))
	gauge(bufferedDesc, float64(m.w.budget.held()))
	m.workers(to, gauge)
}

// workers reads the metrics of the workers. If the store does not answer, there are none.
func (m *metrics) workers(to chan<- prometheus.Metric, gauge func(*prometheus.Desc, float64, ...string)) {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	list, err := m.w.o.Service.Workers(ctx)
	if err != nil {
		m.w.o.Log.Warn("metrics without workers", "error", err)
		return
	}
	states := map[string]int{"ready": 0, "draining": 0, "sick": 0}
	for name, worker := range list {
		states[stateOf(&worker)]++
		gauge(slotsDesc, float64(worker.Slots), name)
		gauge(busyDesc, float64(worker.Busy), name)
		gauge(factorDesc, worker.Factor, name)
		to <- prometheus.MustNewConstMetric(deathsDesc, prometheus.CounterValue, float64(worker.Deaths), name)
	}
	for state, n := range states {
		gauge(workersDesc, float64(n), state)
	}
}

func stateOf(w *service.Worker) string {
	switch {
	case w.Sick != "":
		return "sick"
	case w.Draining:
		return "draining"
	}
	return "ready"
}
