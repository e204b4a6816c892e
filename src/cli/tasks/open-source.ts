import { pino } from 'pino';
import type { OrsClient, RemoteEnvironment } from '../../client/index.ts';
import { definedFields, isHttpUrl, oneLine, type SilenceSignal, silenceSignal } from '../../core/index.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import { loadEnvironments, PACKAGE, serve } from '../../server/index.ts';
import { CliError, noResponse, onlyName } from '../failure.ts';
import { connectToServer } from '../remote/connect.ts';
import type { ConnectionFlags } from '../remote/flags.ts';
import { loadInTime } from '../validate/open-subject.ts';
import {
  type ManifestTask,
  openManifestReader,
  type TaskFilter,
  type TaskPosition,
  type TaskReader,
  type TasksHeader,
} from './manifest.ts';

const isModule = (subject: string): boolean => /\.[cm]?[jt]sx?$/i.test(subject);

/** Returns true for a manifest, false for the URL of a server and for a module. */
export const isManifest = (subject: string): boolean => !isHttpUrl(subject) && !isModule(subject);

/** Opens the URL of a server, a module, or a manifest. @throws CliError or Error if it cannot be read. */
export function openTaskReader(
  subject: string,
  filter: TaskFilter,
  flags: ConnectionFlags,
  interrupt: AbortSignal,
): Promise<TaskReader> {
  if (isHttpUrl(subject)) return openServerTaskReader(subject, filter, flags, interrupt);
  if (isModule(subject)) return openModuleTaskReader(subject, filter, flags, interrupt);
  return openManifestReader(subject);
}

/** Default time limit for loading a module. */
const LOAD_SECONDS = 60;

/** Opens the public tasks of a server. @throws CliError if it is not a server, or lacks what `filter` selects. */
async function openServerTaskReader(
  url: string,
  filter: TaskFilter,
  flags: ConnectionFlags,
  interrupt: AbortSignal,
): Promise<TaskReader> {
  const server = await connectToServer(url, flags, interrupt);
  const { timeout: seconds = Number.POSITIVE_INFINITY } = flags;
  const timeout = silenceSignal(seconds * 1_000, () => noResponse(seconds), interrupt);
  const close = async () => {
    timeout.release();
    await server[Symbol.asyncDispose]();
  };
  try {
    const environment = server.environment(filter.env ?? onlyName('environment', '--env', server.names), '--env');
    const header = await headerOf(server.client, environment, filter.splits, timeout);
    return {
      header,
      takenAt: null,
      hasSplit: () => true,
      rows: (splits) => rowsOf(environment, header, splits, timeout),
      tasksAt(places) {
        const read = async ({ split, index }: TaskPosition) => {
          const { task } = await environment.task(split, index, { signal: timeout.signal });
          timeout.heard();
          return task;
        };
        return Promise.all(places.map(read));
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the public tasks of a module, by serving it in this process. */
async function openModuleTaskReader(
  module: string,
  filter: TaskFilter,
  flags: ConnectionFlags,
  interrupt: AbortSignal,
): Promise<TaskReader> {
  const { timeout } = flags;
  const load = () => loadEnvironments([module]);
  const environments = await loadInTime(module, timeout ?? LOAD_SECONDS, interrupt, load);
  const server = await serve(environments, { port: 0, log: pino({ level: 'silent' }), metrics: false });
  try {
    const source = await openServerTaskReader(server.url, filter, definedFields({ timeout }), interrupt);
    const close = async () => {
      await source[Symbol.asyncDispose]();
      await server.close();
    };
    return { ...source, [Symbol.asyncDispose]: close };
  } catch (error) {
    await server.close();
    throw error;
  }
}

async function headerOf(
  client: OrsClient,
  environment: RemoteEnvironment,
  chosen: readonly string[] | undefined,
  { signal, heard }: SilenceSignal,
): Promise<TasksHeader> {
  const all = await environment.splits({ signal });
  const splits = [];
  for (const { name, type } of all) {
    if (chosen && !chosen.includes(name)) continue;
    splits.push({ name, type, tasks: await environment.countTasks(name, { signal }) });
    heard();
  }
  const { name, version } = await client.dialect();
  return {
    environment: environment.name,
    server: { name: name === 'ors-kit' ? PACKAGE.name : name, version },
    complete: splits.length === all.length,
    splits,
  };
}

async function* rowsOf(
  environment: RemoteEnvironment,
  { splits }: TasksHeader,
  requested: ReadonlySet<string>,
  { signal, heard }: SilenceSignal,
): AsyncGenerator<ManifestTask> {
  for (const { name: split, tasks } of splits) {
    if (!requested.has(split)) continue;
    let count = 0;
    for await (const { index, task } of environment.tasks(split, { signal })) {
      heard();
      count += 1;
      if (count > tasks) break;
      yield { split, index, hash: sha256OfJson(task), task };
    }
    if (count === tasks) continue;
    const received = count > tasks ? 'more' : `only ${count}`;
    const advice = 'either the tasks change while they are read, or num_tasks is wrong';
    throw new CliError(
      `split '${oneLine(split)}' should have ${tasks} tasks, and the server returned ${received}; ${advice}`,
    );
  }
}
