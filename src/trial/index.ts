export {
  type CallOutcome,
  CLOSE_TIMEOUT_MS,
  classifyCallError,
  errorDetail,
  isTimeout,
  type RequestLimits,
  withDeadline,
} from './call-outcome.ts';
export { sampleIndexes, selectEnvironments } from './sample.ts';
export { closeSecondCopies, importTarget, loadTarget, openClient, type TrialTarget } from './target.ts';
