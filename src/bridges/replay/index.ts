export type { ReplayDivergence, ReplayOrder } from './playback.ts';
export { readRecordedTraces } from './read-recorded-traces.ts';
export type { RecordedTrace } from './recorded-episode.ts';
export { type ReplayOptions, replayEnvironment, replayEnvironments } from './replay-environment.ts';
