import type { operations } from '../../../generated/ors.ts';
import { errorMessage, orElse, truncate } from '../../core/index.ts';
import { HttpError, type OperationRequest, Reply } from '../../http/index.ts';
import { OrsError, SESSION_HEADER } from '../../protocol/index.ts';
import type { ServerContext } from '../context.ts';
import { shuttingDownError } from '../limits/session-slots.ts';
import { type DurableEpisode, JournalError } from '../sessions/durable-episode.ts';
import type { ForkRecord, ResumedEpisode } from '../sessions/journal.ts';
import type { ServerSession } from '../sessions/session.ts';
import { newSessionId } from '../sessions/session-id.ts';
import { failedAsBusy, reopen, restore } from './resume.ts';
import { requireReady } from './sessions.ts';

/**
 * Handles `POST /fork`: copies the journal of a session, and brings the copy back as if its server had ended.
 *
 * @throws OrsError not_found if the server or the environment cannot fork sessions, bad_request for an unknown call or
 *   missing secrets; HttpError 500 if the state does not come back, 429 and 503 as `/create`.
 */
export async function forkEpisode(
  { header, body, caller, onClose }: OperationRequest<operations['forkEpisode']>,
  context: ServerContext,
): Promise<Reply<{ sid: string }>> {
  const parent = context.sessions.get(header['X-Session-ID'], caller);
  const durable = requireDurable(parent, context);
  requireReady(context);
  let isOpen = true;
  onClose(() => {
    isOpen = false;
  });
  const sid = newSessionId(context.settings.nodeTag);
  const at = body?.at ?? undefined;
  const forked = await parent.hold(async () => {
    if (at === undefined) await parent.untilEnded(durable.idle());
    return copy(durable, sid, at, context);
  });
  const session = await orElse(
    () => reopen(forked, { secrets: header['X-Secrets'], onClose }, context, { isReturning: false }),
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
  if (!isOpen) await context.sessions.delete(sid, caller);
  context.log.info({ ...session.ref, parent: parent.sid, calls: forked.calls.length }, 'session forked');
  return new Reply({ sid }, { [SESSION_HEADER]: sid });
}

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
): Promise<ResumedEpisode> {
  const recordOf: ForkRecord = (record, calls) => {
    const recordId = context.recorder?.newRecordId?.();
    if (!record || recordId === undefined) return undefined;
    return { ...record, recordId, parent: { recordId: record.recordId, calls } };
  };
  const forked = await durable.journal.fork(sid, at, recordOf).catch((error: unknown) => failedAsBusy(error, context));
  if (forked) return forked;
  throw new OrsError(
    'bad_request',
    `at: no call of this session with the task_id '${truncate(at ?? '', 100)}' has a result; pass that of a call whose result you have received, or leave it out`,
  );
}
