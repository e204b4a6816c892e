export {
  CLOSE_TIMEOUT_MS,
  classifyCallError,
  errorDetail,
  isTimeout,
  type RequestLimits,
  type TrialCallOutcome,
  withDeadline,
} from './call-outcome.ts';
export { MemoryJournal, type RecordedEpisode } from './memory-journal.ts';
export {
  closeSecondCopies,
  importTarget,
  loadTarget,
  openClient,
  sampleIndexes,
  selectEnvironments,
  type TrialTarget,
} from './target.ts';
