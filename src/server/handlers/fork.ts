import type { operations } from '../../../generated/ors.ts';
import { errorMessage, orElse, truncate } from '../../core/index.ts';
import { HttpError, type OperationRequest, Reply } from '../../http/index.ts';
import { OrsError, SESSION_HEADER } from '../../protocol/index.ts';
import type { ServerContext } from '../context.ts';
import { retryLater, shuttingDownError } from '../limits/session-slots.ts';
import { type DurableEpisode, JournalError } from '../sessions/durable-episode.ts';
import { EpisodeExistsError, type ForkRecord, type ResumedEpisode } from '../sessions/journal.ts';
import type { ServerSession } from '../sessions/session.ts';
import { forkedSessionId, newSessionId, sessionKey } from '../sessions/session-id.ts';
import { failedAsBusy, reopen, restore } from './resume.ts';
import { requireReady } from './sessions.ts';

/**
 * Handles `POST /fork`: copies the journal of a session, and brings the copy back as if its server had ended. Requests with
 * the same task id share one copy.
 *
 * @throws OrsError not_found if the server or the environment cannot fork sessions, bad_request for an unknown call,
 *   missing secrets, or the task id of another fork; HttpError 500 if the state does not come back, 429 and 503 as `/create`.
 */
export async function forkEpisode(
  { header, body, caller, onClose }: OperationRequest<operations['forkEpisode']>,
  context: ServerContext,
): Promise<Reply<{ sid: string }>> {
  const parent = context.sessions.get(header['X-Session-ID'], caller);
  const durable = requireDurable(parent, context);
  requireReady(context);
  const at = body?.at ?? undefined;
  const key = body?.task_id ?? undefined;
  const sid = key === undefined ? newSessionId(context.settings.nodeTag) : forkedSessionId(parent.sid, key);
  const { forks, sessions } = context;
  const id = sessionKey(sid, caller);
  let fork = forks.get(id);
  if (!fork && (sessions.find(sid, caller) || sessions.evictedOf(sid, caller))) {
    await assertSameFork(durable, sid, at, context);
  } else if (!fork) {
    const clients = new Clients();
    const request = { parent, durable, sid, at, secrets: header['X-Secrets'], clients };
    const done = createFork(request, context).finally(() => forks.delete(id));
    fork = { at, done, join: (listen) => clients.add(listen) };
    forks.set(id, fork);
  }
  if (fork && fork.at !== at) throw anotherForkError();
  fork?.join(onClose);
  await fork?.done;
  return new Reply({ sid }, { [SESSION_HEADER]: sid });
}

/** The requests that wait for a fork. */
class Clients {
  #count = 0;
  readonly #listeners: (() => void)[] = [];

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  add(onClose: (listener: () => void) => void): void {
    this.#count++;
    onClose(() => {
      this.#count--;
      if (this.isEmpty) for (const listener of this.#listeners) listener();
    });
  }

  /** Adds a listener that is called when no client waits any more. */
  readonly onClose = (listener: () => void): void => {
    this.#listeners.push(listener);
  };
}

interface ForkRequest {
  readonly parent: ServerSession;
  readonly durable: DurableEpisode;
  readonly sid: string;
  readonly at: string | undefined;
  readonly secrets: string | undefined;
  readonly clients: Clients;
}

async function createFork(
  { parent, durable, sid, at, secrets, clients }: ForkRequest,
  context: ServerContext,
): Promise<void> {
  const { owner } = parent;
  // An earlier attempt may have failed.
  if (!(await context.sessions.waitForTeardown(sid, owner))) {
    throw retryLater(503, 'the teardown of this session is still running; repeat the request');
  }
  const forked = await parent.hold(async () => {
    if (at === undefined) await parent.untilEnded(durable.idle());
    return copy(durable, sid, at, context);
  });
  // Its next request brings it back.
  if (forked === 'exists') return assertSameFork(durable, sid, at, context);
  const { onClose } = clients;
  const session = await orElse(
    () => reopen(forked, { secrets, onClose }, context, { isReturning: false }),
    async (error) => {
      await forked.journal.remove().catch(() => undefined);
      throw error;
    },
  );
  await restore(session, forked, context).catch((error: unknown) => {
    const reason = errorMessage(error);
    context.sessions.endAsLost(session, reason);
    if (error instanceof JournalError) failedAsBusy(error, context);
    if (!context.isReady()) throw shuttingDownError();
    throw new HttpError(500, `session ${parent.sid} was not forked: ${reason}`);
  });
  // A client that is gone has not received the id of the fork.
  if (clients.isEmpty) {
    await context.sessions.delete(sid, owner);
    throw retryLater(503, 'no client waited for this fork; repeat the request');
  }
  context.log.info({ ...session.ref, parent: parent.sid, calls: forked.calls.length }, 'session forked');
}

/** @throws OrsError bad_request if the fork with this id was made at another call. */
async function assertSameFork(
  { journal }: DurableEpisode,
  sid: string,
  at: string | undefined,
  context: ServerContext,
): Promise<void> {
  const forkedAt = await journal.forkedAt(sid).catch((error: unknown) => failedAsBusy(error, context));
  if (forkedAt !== undefined && forkedAt !== (at ?? null)) throw anotherForkError();
}

const anotherForkError = (): OrsError =>
  new OrsError('bad_request', 'task_id already used for a fork at another call; leave it out or choose a fresh one');

function requireDurable({ durable, environment }: ServerSession, { journal }: ServerContext): DurableEpisode {
  if (durable) return durable;
  throw new OrsError(
    'not_found',
    journal
      ? `environment '${environment.name}' cannot fork sessions; it has neither durability: 'replay' nor snapshot and restore`
      : 'this server cannot fork sessions; it has no journal (ors serve --journal, or the option `journal`)',
  );
}

async function copy(
  durable: DurableEpisode,
  sid: string,
  at: string | undefined,
  context: ServerContext,
): Promise<ResumedEpisode | 'exists'> {
  const recordOf: ForkRecord = (record, calls) => {
    const recordId = context.recorder?.newRecordId?.();
    if (!record || recordId === undefined) return undefined;
    return { ...record, recordId, parent: { recordId: record.recordId, calls } };
  };
  const forked = await durable.journal.fork(sid, at, recordOf).catch((error: unknown) => {
    if (error instanceof EpisodeExistsError) return 'exists' as const;
    return failedAsBusy(error, context);
  });
  if (forked) return forked;
  throw new OrsError(
    'bad_request',
    `at: no call of this session with the task_id '${truncate(at ?? '', 100)}' has a result; pass that of a call whose result you have received, or leave it out`,
  );
}
