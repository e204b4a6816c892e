import { readdirSync } from 'node:fs';
import { counters, gauges } from './family.ts';

/** What Prometheus knows of processes in general, under the usual names. */
export function processFamilies() {
  const cpu = counters({ name: 'process_cpu_seconds_total', help: 'Time spent on processors.' });
  const start = gauges({ name: 'process_start_time_seconds', help: 'Start of the process, in Unix time.' });
  const resident = gauges({ name: 'process_resident_memory_bytes', help: 'Memory of the process.' });
  const heapUsed = gauges({ name: 'nodejs_heap_size_used_bytes', help: "What is in use of V8's heap." });
  const heapTotal = gauges({ name: 'nodejs_heap_size_total_bytes', help: "V8's heap." });
  const external = gauges({ name: 'nodejs_external_memory_bytes', help: "Memory outside of V8's heap." });
  const files = gauges({ name: 'process_open_fds', help: 'Open files and sockets.' });
  start.labels().value = Math.round(Date.now() / 1_000 - process.uptime());
  const isLinux = process.platform === 'linux';
  return {
    all: [cpu, start, resident, heapUsed, heapTotal, external, ...(isLinux ? [files] : [])],
    /** Reads what is true now. */
    read() {
      const { user, system } = process.cpuUsage();
      const memory = process.memoryUsage();
      cpu.labels().value = (user + system) / 1e6;
      resident.labels().value = memory.rss;
      heapUsed.labels().value = memory.heapUsed;
      heapTotal.labels().value = memory.heapTotal;
      external.labels().value = memory.external;
      if (isLinux) files.labels().value = openFiles();
    },
  };
}

function openFiles(): number {
  try {
    // One of them is the folder that is being read.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    // Where no file can be opened any more, the other metrics count the more.
    return Number.NaN;
  }
}
