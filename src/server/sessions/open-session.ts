import type { HostedEnvironment } from '../../hosting/index.ts';
import { type CreateSession, OrsError } from '../../protocol/index.ts';
import { reportAuthorError, runAuthorCode } from '../author-error.ts';
import type { ServerContext } from '../context.ts';
import { inPlace } from '../limits/in-place.ts';
import { lookUp } from '../look-up.ts';
import type { WorkEnd } from '../observe/observer.ts';
import { watchWork } from '../observe/watch-work.ts';
import type { EpisodeStart } from '../record.ts';
import { redact } from '../redact.ts';
import { Session } from './session.ts';
import { within } from './within.ts';

export interface SessionRequest {
  readonly environment: HostedEnvironment;
  readonly body: CreateSession;
  readonly secrets: Readonly<Record<string, string>>;
  /** Who asks, where the server admits only some. */
  readonly caller: string | undefined;
  /** Told when the client has gone away. */
  readonly onClose: (listener: () => void) => void;
  /** Frees the place that the session has. */
  readonly leave: () => void;
  /** What the client said that the episode belongs to. */
  readonly labels: Pick<EpisodeStart, 'run' | 'group'>;
}

/**
 * Opens a session: finds the task, then lets setup run in the background. Source: HTTP API, "POST /create".
 *
 * @throws OrsError bad_request if the session exists or the task cannot be told.
 */
export async function openSession(sid: string, request: SessionRequest, context: ServerContext): Promise<Session> {
  const { environment, body, secrets, caller, leave, onClose, labels } = request;
  const task = namedTask(body);
  const hidden = Object.values(secrets);
  const abort = new AbortController();
  let session: Session | undefined;
  // Out here, for what lives as long as the session shares its variables, and this one holds the whole request.
  onClose(() => session ?? abort.abort(new OrsError('unavailable', 'the client has gone away')));
  return context.sessions.add(sid, { owner: caller, abort }, async () => {
    const code = { environment: environment.name, sid, secrets: hidden };
    const name = { sid, environment: environment.name };
    let isUndone = true;
    const lose = (reason: string) => session && context.sessions.lose(session, reason);
    const { lookupTimeoutMs } = context.settings;
    const open = (signal: AbortSignal) =>
      environment.open({
        sessionId: sid,
        task,
        secrets,
        signal,
        warn: (message) => context.log.warn({ sid, environment: environment.name }, redact(message, hidden)),
        onError(what, error, secrets = []) {
          isUndone = false;
          reportAuthorError(error, { ...code, what, secrets: [...hidden, ...secrets] }, context);
        },
        onLost: lose,
      });
    const find = () => lookUp(lookupTimeoutMs, open, abort);
    const episode = await runAuthorCode({ ...code, what: 'tasks' }, context, find);
    const setUp = async (end: (end: WorkEnd) => void) => {
      if (abort.signal.aborted) throw abort.signal.reason;
      const work = runAuthorCode({ ...code, what: 'setup' }, context, () => episode.setup());
      const { setupTimeoutMs } = context.settings;
      if (setupTimeoutMs < Infinity && !(await within(setupTimeoutMs, work))) {
        const reason = `its setup took longer than ${setupTimeoutMs} ms`;
        end({ outcome: 'timeout', error: reason });
        episode.abandon(reason);
        lose(reason);
      }
      return work;
    };
    const tearDown = async (end: (end: WorkEnd) => void) => {
      await episode.teardown();
      if (!isUndone) end({ outcome: 'error' });
    };
    const { results, now, observer } = context;
    const stay = () => ({
      signal: abort.signal,
      graceMs: context.settings.deleteGraceMs,
      waiting: () => observer.waiting('setup'),
    });
    const setup = async () =>
      inPlace(context.setupPlaces, stay, () => watchWork(observer, { ...name, kind: 'setup' }, setUp));
    const teardown = async () => watchWork(observer, { ...name, kind: 'teardown' }, tearDown);
    const own = { sid, owner: caller, leave, record: context.recorder?.episode({ ...name, task, secrets, ...labels }) };
    session = new Session({ ...own, environment, episode, secrets: hidden, abort, results, now, setup, teardown });
    return session;
  });
}

/** Exactly one of task_spec or split and index names the task. Source: data types, "CreateSession". */
function namedTask({ task_spec, split, index }: CreateSession): Pick<CreateSession, 'task_spec' | 'split' | 'index'> {
  const hasSplit = split !== undefined && split !== null;
  const hasIndex = index !== undefined && index !== null;
  if (task_spec && (hasSplit || hasIndex)) {
    throw new OrsError('bad_request', 'task_spec and split with index exclude each other; send one of them');
  }
  if (task_spec) return { task_spec };
  if (hasSplit && hasIndex) return { split, index };
  if (hasSplit) throw new OrsError('bad_request', 'split came without index; send both, or task_spec');
  if (hasIndex) throw new OrsError('bad_request', 'index came without split; send both, or task_spec');
  throw new OrsError('bad_request', 'no task is named; send task_spec, or split and index');
}
