import { errorMessage } from '../../core/index.ts';
import { HttpError, NO_DESCRIPTORS } from '../../http/index.ts';

/** Seconds after which rejected clients can try again. */
const RETRY_AFTER_S = '5';

/** 503 for new episodes while the server is draining or closing. */
export const shuttingDownError = (): HttpError =>
  new HttpError(503, 'this server is shutting down and takes no new episodes', { 'Retry-After': RETRY_AFTER_S });

/** 503 for readiness probes while the process has no free file descriptors. */
export const outOfDescriptorsError = (): HttpError =>
  new HttpError(503, NO_DESCRIPTORS, { 'Retry-After': RETRY_AFTER_S });

/** 503 for readiness probes while episodes cannot be recorded. */
export const recordingUnavailableError = (error: unknown): HttpError =>
  new HttpError(503, `episodes cannot be recorded: ${errorMessage(error)}`, { 'Retry-After': RETRY_AFTER_S });

export interface Occupancy {
  readonly active: number;
  readonly max: number;
}

/** 503: all session slots are in use. */
export function serverFullError({ active, max }: Occupancy): HttpError {
  const detail = `this server is full: ${active} sessions are active, and ${max} is the most; try again later`;
  return new HttpError(503, detail, { 'Retry-After': RETRY_AFTER_S }, { active, max });
}

/** 429: the caller uses all of its session slots. */
export function tooManySessionsError({ active, max }: Occupancy): HttpError {
  const detail = `your API key has ${active} active sessions, and ${max} is the most; delete one, or try again later`;
  return new HttpError(429, detail, { 'Retry-After': RETRY_AFTER_S }, { active, max });
}
