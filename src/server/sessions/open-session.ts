import { type Environment, Episode, resolveTask, taskAt } from '../../environment/index.ts';
import { type CreateSession, OrsError } from '../../protocol/index.ts';
import { reportAuthorError, runAuthorCode } from '../author-error.ts';
import type { ServerContext } from '../context.ts';
import { redact } from '../redact.ts';
import { Session } from './session.ts';

export interface EpisodeRequest {
  readonly environment: Environment;
  readonly body: CreateSession;
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * Opens a session: finds the task, then lets setup run in the background. Source: HTTP API, "POST /create".
 *
 * @throws OrsError bad_request if the session exists or the task cannot be told.
 */
export async function openSession(sid: string, request: EpisodeRequest, context: ServerContext): Promise<Session> {
  const { environment, body, secrets } = request;
  const hidden = Object.values(secrets);
  const findTask = taskFinder(environment, body);
  return context.sessions.add(sid, async () => {
    const code = { environment: environment.name, sid, secrets: hidden };
    const task = await runAuthorCode({ ...code, what: 'tasks' }, context, findTask);
    const abort = new AbortController();
    const warn = (message: string) => context.log.warn({ sid, environment: environment.name }, redact(message, hidden));
    const onError = (what: string, error: unknown) => void reportAuthorError(error, { ...code, what }, context);
    return new Session({
      sid,
      episode: new Episode(environment, { sessionId: sid, task, secrets, signal: abort.signal, warn, onError }),
      secrets: hidden,
      abort,
      results: context.results,
      now: context.now,
      setup: (episode) => runAuthorCode({ ...code, what: 'setup' }, context, () => episode.setup()),
    });
  });
}

/** Exactly one of task_spec or split and index names the task. Source: data types, "CreateSession". */
function taskFinder(environment: Environment, { task_spec, split, index }: CreateSession): () => Promise<unknown> {
  const hasSplit = split !== undefined && split !== null;
  const hasIndex = index !== undefined && index !== null;
  if (task_spec && (hasSplit || hasIndex)) {
    throw new OrsError('bad_request', 'task_spec and split with index exclude each other; send one of them');
  }
  if (task_spec) return () => resolveTask(environment, task_spec);
  if (hasSplit && hasIndex) return () => taskAt(environment, split, index);
  if (hasSplit) throw new OrsError('bad_request', 'split came without index; send both, or task_spec');
  if (hasIndex) throw new OrsError('bad_request', 'index came without split; send both, or task_spec');
  throw new OrsError('bad_request', 'no task is named; send task_spec, or split and index');
}
