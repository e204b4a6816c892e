export {
  CLOSE_TIMEOUT_MS,
  classifyCallError,
  errorDetail,
  isTimeout,
  type RequestLimits,
  type TrialCallOutcome,
  withDeadline,
} from './call-outcome.ts';
export { sampleIndexes, selectEnvironments } from './sample.ts';
export { closeSecondCopies, importTarget, loadTarget, openClient, type TrialTarget } from './target.ts';
