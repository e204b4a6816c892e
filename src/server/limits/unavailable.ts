import { errorMessage } from '../../core/index.ts';
import { HttpError, NO_DESCRIPTORS } from '../../http/index.ts';

/** When those who were turned away may ask again, in seconds. */
const RETRY_AFTER_S = '5';

/** 503 for new episodes, from a server that is going away. */
export const shuttingDownError = (): HttpError =>
  new HttpError(503, 'this server is shutting down and takes no new episodes', { 'Retry-After': RETRY_AFTER_S });

/** 503 for readiness probes, while no connection can be accepted. */
export const outOfDescriptorsError = (): HttpError =>
  new HttpError(503, NO_DESCRIPTORS, { 'Retry-After': RETRY_AFTER_S });

/** 503 for readiness probes, while episodes cannot be recorded. */
export const recordingUnavailableError = (error: unknown): HttpError =>
  new HttpError(503, `episodes cannot be recorded: ${errorMessage(error)}`, { 'Retry-After': RETRY_AFTER_S });

export interface Occupancy {
  readonly active: number;
  readonly max: number;
}

/** 503: there is no place for one more session. */
export function serverFullError({ active, max }: Occupancy): HttpError {
  const detail = `this server is full: ${active} sessions are active, and ${max} is the most; try again later`;
  return new HttpError(503, detail, { 'Retry-After': RETRY_AFTER_S }, { active, max });
}

/** 429: who asks has as many sessions as one may have. */
export function tooManySessionsError({ active, max }: Occupancy): HttpError {
  const detail = `your API key has ${active} active sessions, and ${max} is the most; delete one, or try again later`;
  return new HttpError(429, detail, { 'Retry-After': RETRY_AFTER_S }, { active, max });
}
