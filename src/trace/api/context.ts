import type { DescriptorWatch, OpenResponses } from '../../http/index.ts';
import type { TraceLimits } from '../model/index.ts';
import type { TraceStore } from '../store/index.ts';
import type { TraceMetrics } from './metrics.ts';
import type { RolloutReceiver } from './rollouts/receive.ts';

/** What all operations share. */
export interface ApiContext {
  readonly store: TraceStore;
  readonly limits: TraceLimits;
  readonly rolloutReceiver: RolloutReceiver;
  readonly metrics: TraceMetrics | undefined;
  readonly descriptors: DescriptorWatch | undefined;
  /** Those whose keys may be revoked. */
  readonly openResponses: OpenResponses;
}
