import { readdirSync } from 'node:fs';
import { counters, gauges } from './families.ts';

/** Creates the standard process metrics of Prometheus. */
export function processFamilies() {
  const cpu = counters({ name: 'process_cpu_seconds_total', help: 'CPU time used.' });
  const start = gauges({ name: 'process_start_time_seconds', help: 'Start of the process, in Unix time.' });
  const resident = gauges({ name: 'process_resident_memory_bytes', help: 'Resident memory of the process.' });
  const heapUsed = gauges({ name: 'nodejs_heap_size_used_bytes', help: 'Used heap of V8.' });
  const heapTotal = gauges({ name: 'nodejs_heap_size_total_bytes', help: 'Total heap of V8.' });
  const external = gauges({ name: 'nodejs_external_memory_bytes', help: 'Memory outside of the heap of V8.' });
  const files = gauges({ name: 'process_open_fds', help: 'Open files and sockets.' });
  start.labels().value = Math.round(Date.now() / 1_000 - process.uptime());
  const isLinux = process.platform === 'linux';
  return {
    all: [cpu, start, resident, heapUsed, heapTotal, external, ...(isLinux ? [files] : [])],
    /** Updates the values. */
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
    // Without free file descriptors, the other metrics matter even more.
    return Number.NaN;
  }
}

const INTERVAL_MS = 50;

/**
 * Calls `notify` every 50 ms with the delay of the event loop in seconds. Not with `monitorEventLoopDelay` of Node, since
 * each reader would reset the histogram for the others.
 */
export function measureEventLoopLag(notify: (seconds: number) => void): { stop: () => void } {
  let due = performance.now() + INTERVAL_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    notify(Math.max(0, now - due) / 1_000);
    due = now + INTERVAL_MS;
  }, INTERVAL_MS).unref();
  return { stop: () => clearInterval(timer) };
}
