package judge0

import (
	"strings"

	"tribunal/judge/internal/limits"
	"tribunal/judge/judged/internal/task"
)

// Tries is how often a callback is sent, until there is an answer with a status of success.
const Tries = 3

// Config returns the settings that clients ask for. Queue is how many judgings may wait, timeout the seconds for
// which a callback may take, and extract bounds the additional files.
func (h *Host) Config(queue int, timeout float64, extract limits.Bytes) map[string]any {
	cpu, wall, memory := h.Most.CPU.Seconds(), h.Most.Wall.Seconds(), int64(h.Most.Memory/limits.KiB)
	c := map[string]any{
		"enable_callbacks": h.Calling, "callbacks_max_tries": Tries, "callbacks_timeout": timeout, "max_queue_size": queue,
		"cpu_time_limit": min(cpuTime, cpu), "max_cpu_time_limit": cpu, "cpu_extra_time": 0, "max_cpu_extra_time": cpu,
		"wall_time_limit": min(wallTime, wall), "max_wall_time_limit": wall,
		"memory_limit": min(memoryLimit, memory), "max_memory_limit": memory, "stack_limit": min(memoryLimit, memory), "max_stack_limit": memory,
		"max_processes_and_or_threads": min(processes, h.Most.Processes), "max_max_processes_and_or_threads": h.Most.Processes,
		"max_file_size": min(fileSize, h.maxFile()), "max_max_file_size": h.maxFile(), "max_extract_size": int64(extract / limits.KiB),
		"number_of_runs": 1, "max_number_of_runs": 1, "max_submission_batch_size": MaxBatch, "submission_cache_duration": 0,
		"allowed_languages_for_compile_options": h.withOptions(),
	}
	for _, name := range strings.Fields("wait_result compiler_options command_line_arguments submission_delete additional_files batched_submissions") {
		c["enable_"+name] = true
	}
	for _, name := range strings.Fields("maintenance_mode use_docs_as_homepage redirect_stderr_to_stdout disable_implicit_base64_encoding") {
		c[name] = false
	}
	for _, name := range strings.Fields("network per_process_and_thread_time_limit per_process_and_thread_memory_limit") {
		c["enable_"+name], c["allow_enable_"+name] = false, false
	}
	return c
}

// withOptions returns the names of the languages for which there may be options of the compiler.
func (h *Host) withOptions() []string {
	names := []string{}
	for _, l := range languages {
		if l.numbers[h.Flavor] != nil && h.Knows(l.id) && len(h.Options(l.id)) > 0 {
			names = append(names, l.name)
		}
	}
	return names
}

// maxFile is the largest output that a submission may ask for, in KiB.
func (h *Host) maxFile() int64 { return int64(min(h.Most.Output, task.MaxOutput) / limits.KiB) }
