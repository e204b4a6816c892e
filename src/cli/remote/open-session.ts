import { OrsHttpError, type RemoteEnvironment, type Session, type TaskSelector } from '../../client/index.ts';
import { CliError } from '../failure.ts';
import type { ServerConnection } from './connect.ts';
import { unknownName } from './names.ts';

/** Opens a session. @throws Failure saying which splits there are, if its split is none; what the client throws. */
export function openSessionWithHints(
  environment: RemoteEnvironment,
  task: TaskSelector,
  secrets: Readonly<Record<string, string>>,
  ask: ServerConnection['request'],
): Promise<Session> {
  const open = (signal: AbortSignal) => environment.session(task, { secrets, signal });
  return 'task' in task ? ask(open) : withKnownSplit(environment, task.split, ask, open);
}

/** Asks for something of a split; a refusal is explained if there is no such split. */
export async function withKnownSplit<T>(
  environment: RemoteEnvironment,
  split: string,
  ask: ServerConnection['request'],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await ask(work);
  } catch (error) {
    if (!(error instanceof OrsHttpError)) throw error;
    const splits = await ask((signal) => environment.splits({ signal })).catch(() => []);
    const names = splits.map(({ name }) => name);
    if (names.length === 0 || names.includes(split)) throw error;
    throw new CliError(`in '${environment.name}' ${unknownName('split', split, names)}`, { cause: error });
  }
}
