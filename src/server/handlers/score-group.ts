import type { operations } from '../../../generated/ors.ts';
import { type Awaitable, abortable, deadlineSignal, errorMessage, isInstance } from '../../core/index.ts';
import type { HostedEpisode } from '../../hosting/index.ts';
import type { EventList, LateEvents, OperationRequest } from '../../http/index.ts';
import { OrsError, OutputError, type ScoreGroupCandidate, serializeMessages } from '../../protocol/index.ts';
import type { CallOutcome } from '../calls/call-table.ts';
import type { ServerContext } from '../context.ts';
import { reportAuthorError } from '../observability/author-error.ts';
import { type AuthorWorkEnd, observeWork } from '../observability/observer.ts';
import type { ServerSession } from '../sessions/session.ts';
import { describeExcessSize, streamCall } from './call-tool.ts';

/**
 * Handles `POST /{env_name}/score_group`: compares rollouts of the session's task, and streams the scores. Calls run beside
 * it, and it also works when the episode is finished. Source: openreward 0.1.167.
 *
 * @throws OrsError bad_request for invalid messages, not_found if the environment cannot compare rollouts.
 */
export function scoreGroup(
  { header, body, caller }: OperationRequest<operations['scoreGroup']>,
  context: ServerContext,
): Awaitable<EventList | LateEvents> {
  const session = context.sessions.get(header['X-Session-ID'], caller);
  const candidates = readCandidates(body.candidates);
  const { environment } = session;
  if (!environment.supportsScoreGroup) {
    throw new OrsError('not_found', `environment '${environment.name}' cannot compare rollouts; it has no scoreGroup`);
  }
  // The input of a tool is an object, so no call has the fingerprint of this array.
  const call = { taskId: body.task_id, name: 'score_group', input: body.candidates };
  return streamCall(session, call, () => runScoring(session, candidates, context), context);
}

function readCandidates(
  candidates: OperationRequest<operations['scoreGroup']>['body']['candidates'],
): readonly ScoreGroupCandidate[] {
  try {
    return candidates.map(({ messages, metadata = null }, index) => ({
      // The type of a message forbids blocks that a message of its role cannot have, which has been checked.
      messages: serializeMessages(messages, `body.candidates[${index}].messages`, {
        anyImage: true,
      }) as ScoreGroupCandidate['messages'],
      metadata,
    }));
  } catch (error) {
    if (isInstance(error, OutputError)) throw new OrsError('bad_request', error.message);
    throw error;
  }
}

/** Runs the author's function after setup. Never rejects. */
async function runScoring(
  session: ServerSession,
  candidates: readonly ScoreGroupCandidate[],
  context: ServerContext,
): Promise<CallOutcome> {
  try {
    const episode = session.readyEpisode ?? (await session.ready);
    const work = { ...session.ref, kind: 'scoring' } as const;
    return await observeWork(context.observer, work, (end) => compare(episode, session, candidates, context, end));
  } catch (error) {
    // Setup has failed, or the session has ended.
    return { event: 'error', message: errorMessage(error) };
  }
}

async function compare(
  episode: HostedEpisode,
  session: ServerSession,
  candidates: readonly ScoreGroupCandidate[],
  context: ServerContext,
  end: (end: AuthorWorkEnd) => void,
): Promise<CallOutcome> {
  const { callTimeoutMs, maxResultBytes } = context.settings;
  const timeoutMessage = `scoreGroup was stopped: it ran longer than ${callTimeoutMs} ms`;
  const deadline = deadlineSignal(
    callTimeoutMs,
    () => new DOMException(timeoutMessage, 'TimeoutError'),
    session.signal,
  );
  const { signal } = deadline;
  try {
    const scores = () => session.tools.runBeside(() => episode.compare(candidates, signal));
    const json = await abortable(signal, scores);
    const excess = describeExcessSize(json, maxResultBytes);
    if (excess === undefined) return { event: 'end', json };
    end({ outcome: 'error', error: excess });
    return { event: 'error', message: `scoreGroup failed: ${excess}` };
  } catch (error) {
    if (session.hasEnded) {
      end({ outcome: 'gone' });
      return { event: 'error', message: 'session is over' };
    }
    const isTimeout = deadline.isTimedOut;
    const message = isTimeout ? timeoutMessage : reportAuthorError(error, session.describeCode('scoreGroup'), context);
    if (isTimeout) context.log.warn({ ...session.ref }, timeoutMessage);
    end({ outcome: isTimeout ? 'timeout' : 'error', error: message });
    return { event: 'error', message };
  } finally {
    deadline.release();
  }
}
