import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { type Awaitable, andThen, errorMessage, isPromiseLike, orElse } from '../../core/index.ts';
import { LazyAbortController } from '../../hosting/index.ts';
import { HttpError } from '../../http/index.ts';
import { OrsError } from '../../protocol/index.ts';
import type { ServerContext } from '../context.ts';
import { retryLater } from '../limits/session-slots.ts';
import {
  DurableEpisode,
  finishes,
  INTERRUPTED,
  JournalError,
  ReplayError,
  replayCalls,
} from '../sessions/durable-episode.ts';
import { EpisodeElsewhereError, type EpisodeKey, type ResumedEpisode } from '../sessions/journal.ts';
import { type EvictedSession, ServerSession } from '../sessions/session.ts';
import { sessionKey } from '../sessions/session-id.ts';
import { runDurableAgain } from './call-tool.ts';
import { recordMessages } from './interaction.ts';
import { decodeSecrets, startRecord } from './sessions.ts';

/**
 * Creates the function that brings a session back from the journal before a request for it is handled. It resolves at once
 * if the session is here, or has ended here, or if the journal does not have it. Simultaneous requests share the work, and
 * those for a fork wait until its state is there. A request that needs no episode leaves an evicted one in the journal. A
 * server whose lease has ended, such as one that was paused, first asserts that no other server has taken the session over,
 * so that nothing outdated is sent from memory.
 *
 * Rejects with OrsError bad_request if the session needs secrets that the request does not bring, and with HttpError 503
 * while another server has the session, the journal is not available, or this server is shutting down; see HANDED_OVER.
 */
export function createResume(
  context: ServerContext,
): (key: EpisodeKey, headers: IncomingHttpHeaders, needsEpisode: boolean) => Awaitable<unknown> {
  const { journal, sessions } = context;
  /** Searches of the journal, which resolve with whether it has the session. */
  const running = new Map<string, Promise<boolean>>();

  async function resume(
    key: EpisodeKey,
    headers: IncomingHttpHeaders,
    evicted: EvictedSession | undefined,
  ): Promise<boolean> {
    const { sid, owner } = key;
    if (!(await sessions.waitForTeardown(sid, owner))) {
      throw retryLater(503, 'the teardown of this session is still running; repeat the request');
    }
    const resumed = await journal?.resume(key).catch((error: unknown) => failedAsBusy(error, context));
    if (!resumed) {
      sessions.forget(sid, owner);
      return false;
    }
    const request = { secrets: headers['x-secrets']?.toString(), onClose: () => {} };
    const other = otherVersion(resumed, context);
    const session = await orElse(
      () => {
        if (other !== undefined) throw refusalHere(other, headers, context);
        return reopen(resumed, request, context, { isReturning: true, evicted });
      },
      async (error) => {
        // Another server, or the next request, may succeed.
        if (evicted) evicted.journal = resumed.journal;
        else await resumed.journal.release().catch(() => undefined);
        throw error;
      },
    );
    const calls = resumed.calls.length;
    await restore(session, resumed, context).then(
      () => context.log.info({ ...session.ref, calls }, 'session continued from the journal'),
      (error: unknown) => endUnrestored(session, error, context),
    );
    return true;
  }

  /** Drops a session that another server has. */
  function assertOwned({ sid, owner }: EpisodeKey): Awaitable<void> {
    const session = sessions.find(sid, owner);
    const evicted = sessions.evictedOf(sid, owner);
    const owned = (session?.durable ?? evicted)?.journal.assertOwned();
    if (!isPromiseLike(owned)) return;
    return owned.catch((error: unknown) => {
      if (error instanceof EpisodeElsewhereError) {
        if (session) sessions.endAsUnstored(session, error);
        else if (sessions.evictedOf(sid, owner) === evicted) sessions.forget(sid, owner);
      }
      failedAsBusy(error, context);
    });
  }

  function bringBack(key: EpisodeKey, headers: IncomingHttpHeaders, needsEpisode: boolean): Awaitable<unknown> {
    const id = sessionKey(key.sid, key.owner);
    const before = running.get(id);
    if (before) return before;
    const fork = context.forks.get(id);
    if (fork) return fork.done.catch(() => undefined).then(() => bringBack(key, headers, needsEpisode));
    if (!journal || sessions.isKnown(key.sid, key.owner)) return;
    const evicted = sessions.evictedOf(key.sid, key.owner);
    if (evicted && !needsEpisode) return;
    if (!context.isReady() && headers[HANDED_OVER.toLowerCase()] !== 'continue') {
      return Promise.reject(refusalHere('this server is shutting down', headers, context));
    }
    const work = resume(key, headers, evicted).finally(() => running.delete(id));
    const resuming = sessions.returning(key.sid, key.owner, work);
    running.set(id, resuming);
    return resuming;
  }

  return (key, headers, needsEpisode) => {
    const proceed = () => bringBack(key, headers, needsEpisode);
    const before = running.get(sessionKey(key.sid, key.owner));
    // A session that an earlier search did not find may have been created meanwhile.
    if (before) return before.then((isFound) => isFound || proceed());
    return andThen(assertOwned(key), proceed);
  };
}

/** Ends a session that could not be continued, and keeps it in the journal unless each attempt would fail in the same way. */
function endUnrestored(session: ServerSession, error: unknown, { sessions }: ServerContext): void {
  const reason = session.redactor.text(`it could not be continued: ${errorMessage(error)}`);
  if (error instanceof JournalError) {
    sessions.endAsUnstored(session, error);
    return;
  }
  session.warn(reason);
  if (error instanceof ReplayError) sessions.endAsLost(session, reason);
  else sessions.endAsMoved(session, reason);
}

/**
 * Header of proxies that can send a request to another server. With the value 425, a server that cannot continue the session
 * responds with that status, and with its tag in the same header: nothing has been started, so the proxy may repeat the
 * request elsewhere. With the value `continue`, the proxy cannot repeat it, because its body is too large to be kept, and a
 * draining server brings the session back for this request.
 */
const HANDED_OVER = 'X-Handed-Over';

/** Returns a problem if the episode began with another version of its environment. */
function otherVersion({ episode }: ResumedEpisode, { environments }: ServerContext): string | undefined {
  const environment = environments.find(episode.environment);
  if (!environment || environment.version === episode.version) return undefined;
  const [began, here] = [episode.version, environment.version].map((version) => version ?? 'none');
  return `this session began with version ${began} of '${environment.name}', and this server has ${here}`;
}

/** Returns the response to a request for a session that this server cannot continue, and others may. */
function refusalHere(problem: string, headers: IncomingHttpHeaders, { settings }: ServerContext): HttpError {
  const refusal = retryLater(503, `${problem}; repeat the request`);
  if (headers[HANDED_OVER.toLowerCase()] !== '425') return refusal;
  return new HttpError(425, refusal.message, { ...refusal.headers, [HANDED_OVER]: settings.nodeTag ?? '' });
}

/** Keeps a session from being handed over while a request for it is being read and answered. */
export function holdUntilClosed(
  { sid, owner }: EpisodeKey,
  response: ServerResponse,
  { sessions }: ServerContext,
): void {
  const session = sessions.find(sid, owner);
  if (!session?.durable || response.closed) return;
  session.retain();
  response.once('close', () => session.release());
}

/** @throws HttpError 503 for an error of the journal, which may be the one that another server has the session. */
export function failedAsBusy(error: unknown, { log }: Pick<ServerContext, 'log'>): never {
  const reason = error instanceof JournalError ? error.cause : error;
  if (reason instanceof EpisodeElsewhereError) throw retryLater(503, `${reason.message}; repeat the request`);
  log.warn({ error: errorMessage(reason) }, 'the journal failed');
  throw retryLater(503, 'the journal of this session is not available; repeat the request');
}

/** Request that brings an episode back. */
interface ReopeningRequest {
  /** Header `X-Secrets`. */
  readonly secrets: string | undefined;
  onClose(listener: () => void): void;
}

/**
 * Opens the episode again, and adds its session, which starts its setup in the background.
 *
 * @throws OrsError bad_request if the request lacks secrets; HttpError 503 if this server does not have the environment; 503
 *   and 429 as `/create`.
 */
export async function reopen(
  resumed: ResumedEpisode,
  request: ReopeningRequest,
  context: ServerContext,
  { isReturning, evicted }: { readonly isReturning: boolean; readonly evicted?: EvictedSession | undefined },
): Promise<ServerSession> {
  const { episode: created, calls, snapshot, journal } = resumed;
  const { sid, owner, toolset, task, seed, now, prompts } = created;
  const environment = context.environments.find(created.environment);
  if (!environment?.durability) {
    throw retryLater(503, `the environment '${created.environment}' of this session cannot continue here`);
  }
  const durable = new DurableEpisode(journal, { seed, now }, context.wallClock, {
    lastCall: calls.at(-1)?.number,
    prompts,
  });
  const secrets = evicted ? evicted.secrets : readSecretsAgain(created.secrets, request.secrets);
  await context.sessionSlots.acquire({ caller: owner, onClose: request.onClose });
  const session = new ServerSession(
    { sid, owner, environment, toolset, secrets, durable, snapshot, evicted, isReturning },
    context,
  );
  // The record of an evicted session has not ended.
  if (!evicted) continueRecord(session, resumed, context);
  try {
    const wait = new LazyAbortController();
    await context.sessions.add(session, wait, () => environment.open(task, session, wait), isReturning);
  } catch (error) {
    context.sessionSlots.release(owner);
    throw error;
  }
  return session;
}

/** Starts the record of an episode again, with its prompt and calls: the server that ended may not have recorded all. */
function continueRecord(
  session: ServerSession,
  { episode: { task, record, prompts }, calls }: ResumedEpisode,
  context: ServerContext,
): void {
  if (!record) return;
  startRecord(session, task, record, context);
  const { recorder } = session;
  if (prompts?.messages) recordMessages(recorder, prompts.messages);
  else if (prompts?.prompt) recorder?.prompt(prompts.prompt);
  for (const call of calls) if (call.outcome) recorder?.call(call)(call.outcome);
}

/**
 * Restores the state and the calls of a session after its setup.
 *
 * @throws the error of setup; ReplayError for another result.
 */
export async function restore(session: ServerSession, resumed: ResumedEpisode, context: ServerContext): Promise<void> {
  const { calls } = resumed;
  await session.hold(async () => {
    const episode = await session.ready;
    // Set by `reopen`.
    const durable = session.durable as DurableEpisode;
    session.isFinished =
      session.environment.durability === 'replay'
        ? await replayCalls(episode, resumed, durable, context.settings)
        : calls.some(({ outcome }) => finishes(outcome));
    session.isReturning = false;
    await restoreCalls(session, durable, calls, context);
  });
}

/** Makes the results available to clients again, and runs interrupted calls once more if their tools allow it. */
async function restoreCalls(
  session: ServerSession,
  durable: DurableEpisode,
  calls: ResumedEpisode['calls'],
  context: ServerContext,
): Promise<void> {
  for (const call of calls) {
    if (call.outcome) {
      session.calls.restore(call, call.outcome);
      continue;
    }
    if (session.readyEpisode?.tools.get(call.name)?.idempotent && !call.isRepeated) {
      session.calls.restore(call, () => runDurableAgain(session, durable, call, context));
      continue;
    }
    await durable.interrupt(call);
    session.calls.restore(call, INTERRUPTED);
    session.recorder?.call(call)(INTERRUPTED);
  }
}

function readSecretsAgain(
  names: readonly string[],
  header: string | undefined,
): Readonly<Record<string, string>> | undefined {
  if (names.length === 0) return undefined;
  const secrets = header === undefined ? {} : decodeSecrets(header);
  const missing = names.filter((name) => secrets[name] === undefined);
  if (missing.length === 0) return secrets;
  throw new OrsError(
    'bad_request',
    `the journal of this session has no secrets; repeat the request with X-Secrets, which must have: ${missing.join(', ')}`,
  );
}
