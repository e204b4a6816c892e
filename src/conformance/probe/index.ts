export type { ProbeResponse } from './answer.ts';
export { RunBudget } from './budget.ts';
export { ProbeConnection } from './connection.ts';
export type { ProbeEpisode } from './episode.ts';
export type { StreamEvent, StrictSseParser } from './event-reader.ts';
export type { Exchange, HttpHeader, ReceivedChunk } from './exchange.ts';
export { Probe, type ProbeContext, sessionIdOf, type TargetProcess } from './probe.ts';
export type { RawConnection } from './raw-connection.ts';
export { ProbeRequests, type RequestOptions } from './requests.ts';
export { retryWhileFull } from './room.ts';
export {
  allowedTools,
  chooseSamples,
  memoizeAsync,
  type SampleCall,
  type SharedFixtures,
} from './shared.ts';
export { headerPairs, type PendingExchange } from './transfer.ts';
