import { counters, gauges, histograms, measureEventLoopLag, processFamilies } from '../../metrics/index.ts';

const REQUESTS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const DELAYS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What a trace server has counted since it began, for Prometheus. */
export interface TraceMetrics {
  request(operation: string, status: number, seconds: number): void;
  written(blocks: number, replayed: number): void;
  /** @returns what ends it. */
  follows(): () => void;
  text(): string;
  close(): void;
}

export function createTraceMetrics(): TraceMetrics {
  const of = (name: string, help: string, ...labels: string[]) => ({ name, help, labels });
  const requests = histograms(
    of('ors_traces_http_request_duration_seconds', 'Requests until their answer was sent.', 'operation', 'status'),
    REQUESTS,
  );
  const blocks = counters(of('ors_traces_blocks_written_total', 'Blocks that were written.'));
  const replays = counters(of('ors_traces_blocks_replayed_total', 'Blocks that were there already.'));
  const streams = gauges(of('ors_traces_streams_open', 'Traces that are being followed.'));
  const delays = histograms(
    of('ors_traces_event_loop_delay_seconds', 'How late a timer of the event loop fires; looked at every 50 ms.'),
    DELAYS,
  );
  const own = processFamilies();
  const loop = measureEventLoopLag((seconds) => delays.labels().observe(seconds));
  for (const family of [blocks, replays, streams]) family.labels();
  return {
    request: (operation, status, seconds) => requests.labels(operation, String(status)).observe(seconds),
    written(count, replayed) {
      blocks.labels().value += count;
      replays.labels().value += replayed;
    },
    follows() {
      streams.labels().value++;
      return () => {
        streams.labels().value--;
      };
    },
    text() {
      own.read();
      return [requests, blocks, replays, streams, delays, ...own.all].map((family) => family.text()).join('');
    },
    close: loop.stop,
  };
}
