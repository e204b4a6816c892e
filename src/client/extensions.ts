import { fieldsOf, randomId } from '../core/index.ts';
import { ForkUnsupportedError, isMissingOperation, OrsProtocolError, withSessionId } from './errors.ts';
import type { SignalOption } from './http.ts';
import { assertSecrets, secretsHeader } from './open-session.ts';
import type { ClientCallContext } from './resumable-request.ts';

// Operations that the documents of the standard do not have; loaded on demand.
export { assertCandidates, assertReadable, isPlain, scoreGroup } from './score-group.ts';

/**
 * Options of `session.fork`.
 *
 * @example
 * await using branch = await session.fork();
 * const [left, right] = await Promise.all([session.call('go', { to: 'left' }), branch.call('go', { to: 'right' })]);
 */
export interface ForkOptions extends SignalOption {
  /**
   * Task id of a call of the session whose result has arrived (`onStart` of `call` has it): the fork continues after it,
   * without the calls that were running then. @default after the calls that are running now
   */
  readonly at?: string | undefined;
  /** Secrets of the session again, because the server does not store them. @default none */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** Session to fork, and the function that continues the fork. */
interface ForkContext<Session> extends ClientCallContext {
  readonly attach: (handle: { readonly environment: string; readonly sid: string }) => Session;
}

/**
 * Forks a session.
 *
 * @throws ForkUnsupportedError if the server has no journal, or the environment neither durability nor snapshots;
 *   OrsHttpError 400 for an unknown call or missing secrets, 429 or 503 if there is no session slot, 500 if the state
 *   cannot be restored; TypeError for secrets that are not strings; SessionLostError, OrsConnectionError,
 *   OrsProtocolError; the signal's reason.
 */
export async function forkSession<Session>(
  { http, heartbeat, sid, environment, attach }: ForkContext<Session>,
  { at, secrets = {}, signal }: ForkOptions,
): Promise<Session> {
  assertSecrets(secrets);
  try {
    heartbeat.lost.throwIfAborted();
    const headers = Object.keys(secrets).length > 0 ? { 'x-secrets': secretsHeader(secrets) } : {};
    // An attempt after a lost response returns the same fork.
    const body = { task_id: randomId(''), ...(at !== undefined && { at }) };
    const request = { sid, signals: [signal, heartbeat.lost], headers, body };
    const { sid: forked } = fieldsOf(await http.json('forkEpisode', request));
    if (typeof forked === 'string' && forked !== '') return attach({ environment, sid: forked });
    throw new OrsProtocolError(`${http.baseUrl}/fork returned no session id`);
  } catch (error) {
    const sessionError = await heartbeat.toSessionError(error);
    if (sessionError !== error || !isMissingOperation(error)) throw withSessionId(sessionError, sid);
    const { status, detail } = error;
    throw new ForkUnsupportedError(`this session cannot be forked: ${detail}`, { status, detail, sid, cause: error });
  }
}
