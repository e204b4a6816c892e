export { type RecordedTrace, readRecordedTraces } from './recorded-episode.ts';
export {
  type ReplayDivergence,
  type ReplayOptions,
  type ReplayOrder,
  replayEnvironment,
  replayEnvironments,
} from './replay-environment.ts';
