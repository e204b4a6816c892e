export { ProbeConnection, type RawConnection } from './connection.ts';
export type { ProbeEpisode } from './episode.ts';
export {
  type Exchange,
  type HttpHeader,
  headerPairs,
  JSON_TYPE,
  type PendingExchange,
  type ProbeResponse,
  type ReceivedChunk,
} from './exchange.ts';
export {
  type BudgetLimits,
  Probe,
  type ProbeContext,
  RunBudget,
  type SampleCall,
  type SharedFixtures,
  sessionIdOf,
  type TargetProcess,
} from './probe.ts';
export { ProbeRequests, type RequestOptions, retryWhileFull } from './requests.ts';
export type { StreamEvent, StrictSseParser } from './sse-parser.ts';
