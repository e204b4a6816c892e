import type { DescriptorWatch, OpenResponses } from '../../http/index.ts';
import { counters, gauges, histograms, measureEventLoopLag, processFamilies } from '../../metrics/index.ts';
import type { TraceLimits } from '../model/index.ts';
import type { TraceStore } from '../store/index.ts';
import type { RolloutReceiver } from './rollout-receiver.ts';
import type { SpanReceiver } from './span-receiver.ts';

/** Shared by all operations. */
export interface ApiContext {
  readonly store: TraceStore;
  readonly limits: TraceLimits;
  readonly rolloutReceiver: RolloutReceiver;
  readonly spanReceiver: SpanReceiver;
  readonly metrics: TraceMetrics | undefined;
  readonly descriptors: DescriptorWatch | undefined;
  /** Responses in progress, which end when their key is revoked. */
  readonly openResponses: OpenResponses;
}

const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const DELAY_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Prometheus metrics of a trace server. */
interface TraceMetrics {
  request(operation: string, status: number, seconds: number): void;
  written(blocks: number, replayed: number): void;
  /** Counts an open stream. @returns a function to call when the stream ends. */
  follows(): () => void;
  text(): string;
  close(): void;
}

export function createTraceMetrics(): TraceMetrics {
  const of = (name: string, help: string, ...labels: string[]) => ({ name, help, labels });
  const requests = histograms(
    of(
      'ors_traces_http_request_duration_seconds',
      'Duration of requests until the response ended.',
      'operation',
      'status',
    ),
    DURATION_BUCKETS,
  );
  const blocks = counters(of('ors_traces_blocks_written_total', 'Blocks written.'));
  const replays = counters(of('ors_traces_blocks_replayed_total', 'Blocks that were already stored.'));
  const streams = gauges(of('ors_traces_streams_open', 'Open streams of traces.'));
  const delays = histograms(
    of('ors_traces_event_loop_delay_seconds', 'Delay of event loop timers, sampled every 50 ms.'),
    DELAY_BUCKETS,
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
