import { OpenResponses } from '../../http/index.ts';
import { readTraceLimits, type TraceLimits } from '../model/index.ts';
import type { TraceStore } from '../store/index.ts';
import { createLocalCall, type LocalCall } from './call-locally.ts';
import { createTracePipeline } from './create-handler.ts';
import { createRolloutReceiver } from './rollouts/receive.ts';

/** As long as a server would wait for a message of the OpenReward client. */
const GAP_MS = 60_000;

/**
 * Asks a store that a server may serve at the same time: unlike `createTraceApi` it does nothing that it is not asked for,
 * so that messages that the server waits for are still waited for.
 *
 * @throws RangeError for a LIMIT_... variable that is no number of bytes.
 */
export function createStoreCall(
  store: TraceStore,
  onError: (error: unknown) => void,
): { readonly call: LocalCall; readonly limits: TraceLimits } {
  const limits = readTraceLimits(process.env);
  const context = {
    store,
    limits,
    rolloutReceiver: createRolloutReceiver(store, limits, GAP_MS, onError),
    metrics: undefined,
    descriptors: undefined,
    openResponses: new OpenResponses(),
  };
  return { call: createLocalCall(createTracePipeline(context, onError), onError), limits };
}
