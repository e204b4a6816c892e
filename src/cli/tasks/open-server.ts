import { pino } from 'pino';
import type { OrsClient, RemoteEnvironment } from '../../client/index.ts';
import { joinSignals, oneLine, startWatchdog } from '../../core/index.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import { loadEnvironments, PACKAGE, serve } from '../../server/index.ts';
import { CliError } from '../failure.ts';
import { connectToServer, parseServerUrl } from '../remote/connect.ts';
import type { ConnectionFlags } from '../remote/connection-options.ts';
import { loadInTime } from '../validate/load-in-time.ts';
import type { ManifestTask, TasksHeader } from './manifest.ts';
import type { TaskFilter, TaskReader } from './task-source.ts';

/** How long a module may take to load, in seconds, where nothing is said. */
const LOAD_SECONDS = 60;

/** The tasks of a server, as players see them. @throws Failure if it is none, or lacks what is asked for. */
export async function openServerTaskReader(
  url: string,
  choice: TaskFilter,
  flags: ConnectionFlags,
  interrupt: AbortSignal,
): Promise<TaskReader> {
  const server = await connectToServer(url, flags, interrupt);
  const timeout = startAnswerTimeout(flags.timeout, interrupt);
  const close = async () => {
    timeout.stop();
    await server[Symbol.asyncDispose]();
  };
  try {
    const environment = server.environment(choice.env ?? onlyOne(server.names, parseServerUrl(url)));
    const header = await headerOf(server.client, environment, choice.splits, timeout);
    return {
      header,
      takenAt: null,
      hasSplit: () => true,
      rows: (splits) => rowsOf(environment, header, splits, timeout),
      tasksAt: (places) =>
        Promise.all(
          places.map(async ({ split, index }) => {
            const { task } = await environment.task(split, index, { signal: timeout.signal });
            timeout.heard();
            return task;
          }),
        ),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Those of a module: it is served in this process, so that they are what players would see. */
export async function openModuleTaskReader(
  module: string,
  choice: TaskFilter,
  flags: ConnectionFlags,
  interrupt: AbortSignal,
): Promise<TaskReader> {
  const environments = await loadInTime(module, flags.timeout ?? LOAD_SECONDS, interrupt, () =>
    loadEnvironments([module]),
  );
  const server = await serve(environments, { port: 0, log: pino({ level: 'silent' }), metrics: false });
  try {
    const { timeout } = flags;
    const source = await openServerTaskReader(server.url, choice, timeout === undefined ? {} : { timeout }, interrupt);
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

interface AnswerTimeout {
  /** Aborts at an interrupt, and after the timeout. */
  readonly signal: AbortSignal;
  /** Restarts the timeout. */
  readonly heard: () => void;
  readonly stop: () => void;
}

/** @param seconds the longest time between two answers. Default: no limit. */
function startAnswerTimeout(seconds = Infinity, interrupt: AbortSignal): AnswerTimeout {
  const joined = joinSignals(interrupt);
  const watchdog = startWatchdog(seconds * 1_000, (): undefined => {
    joined.abort(new CliError(`no answer within ${seconds} s; give it more with --timeout <seconds>`));
  });
  return {
    signal: joined.signal,
    heard: () => watchdog.heard(),
    stop() {
      watchdog.stop();
      joined.release();
    },
  };
}

function onlyOne(names: readonly string[], where: string): string {
  const [first, ...others] = names;
  if (first === undefined) throw new CliError(`${where} has no environment`);
  if (others.length === 0) return first;
  throw new CliError(`there are ${names.length} environments: ${names.map(oneLine).join(', ')}; name one with --env`);
}

async function headerOf(
  client: OrsClient,
  environment: RemoteEnvironment,
  chosen: readonly string[] | undefined,
  { signal, heard }: AnswerTimeout,
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
  { signal, heard }: AnswerTimeout,
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
    const gave = count > tasks ? 'more' : `only ${count}`;
    const advice = 'either they change while they are read, or its num_tasks is wrong';
    throw new CliError(`split '${oneLine(split)}' should have ${tasks} tasks, and the server gave ${gave}; ${advice}`);
  }
}
