import { type Awaitable, andThen, tooShortWarning } from '../../core/index.ts';
import { type HostedEnvironment, LazyAbortController, type TaskSelectorFields } from '../../hosting/index.ts';
import { type CreateSession, OrsError } from '../../protocol/index.ts';
import { runAuthorCode } from '../author-error.ts';
import type { ServerContext } from '../context.ts';
import { withLookupTimeout } from '../look-up.ts';
import type { EpisodeStart } from '../record.ts';
import { ServerSession } from './session.ts';

export interface OpenSessionRequest {
  readonly environment: HostedEnvironment;
  readonly body: CreateSession;
  readonly secrets: Readonly<Record<string, string>> | undefined;
  /** Who asks, where the server admits only some. */
  readonly caller: string | undefined;
  /** Told when the client has gone away. */
  readonly onClose: (listener: () => void) => void;
  /** What the client said that the episode belongs to. */
  readonly labels: Pick<EpisodeStart, 'run' | 'group'>;
}

/**
 * Opens a session: finds the task, then lets setup run in the background. Source: HTTP API, "POST /create".
 *
 * @throws OrsError bad_request if the session exists or the task cannot be told.
 */
export function openServerSession(
  sid: string,
  request: OpenSessionRequest,
  context: ServerContext,
): Awaitable<ServerSession> {
  const { environment, body, secrets, caller, onClose, labels } = request;
  const task = namedTask(body);
  const session = new ServerSession({ sid, owner: caller, environment, secrets }, context);
  for (const name of session.redactor.tooShort) context.logOnce(session.redactor.text(tooShortWarning(name)));
  const wait = new LazyAbortController();
  let isFound = false;
  onClose(() => isFound || wait.abort(new OrsError('unavailable', 'the client has gone away')));
  const { lookupTimeoutMs } = context.settings;
  const find = () => withLookupTimeout(lookupTimeoutMs, () => environment.open(task, session, wait), wait);
  const added = context.sessions.add(session, wait, () =>
    andThen(runAuthorCode(session.describeCode('tasks'), context, find), (episode) => {
      isFound = true;
      session.recorder = context.recorder?.startEpisode({ ...session.name, task, secrets: session.secrets, ...labels });
      return episode;
    }),
  );
  return andThen(added, () => session);
}

/** Exactly one of task_spec or split and index names the task. Source: data types, "CreateSession". */
function namedTask({ task_spec, split, index }: CreateSession): TaskSelectorFields {
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
