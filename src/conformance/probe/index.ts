export type { ProbeResponse as Answer } from './answer.ts';
export { RunBudget as Budget } from './budget.ts';
export { ProbeConnection as Connection } from './connection.ts';
export type { ProbeEpisode as Episode } from './episode.ts';
export type { StreamEvent, StrictSseParser as EventReader } from './event-reader.ts';
export type { Exchange, HttpHeader as Header, ReceivedChunk as Piece } from './exchange.ts';
export { Probe, type ProbeContext, sessionIdOf as sidOf, type TargetProcess as ServerProcess } from './probe.ts';
export type { RawConnection } from './raw-connection.ts';
export { ProbeRequests as Requests, type RequestOptions } from './requests.ts';
export { retryWhileFull as withRoom } from './room.ts';
export {
  allowedTools,
  chooseSamples,
  memoizeAsync as once,
  type SampleCall as Sample,
  type SharedFixtures as Shared,
} from './shared.ts';
export { headerPairs, type PendingExchange as Transfer } from './transfer.ts';
