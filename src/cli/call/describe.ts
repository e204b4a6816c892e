import { OrsHttpError, OrsProtocolError, type RemoteEnvironment } from '../../client/index.ts';
import { oneLine, plural } from '../../core/index.ts';
import type { JSONObject, Split, ToolSpec } from '../../protocol/index.ts';
import { type ServerConnection, withKnownSplit } from '../remote/connect.ts';
import { toolDetails, toolLines } from '../terminal/show-tools.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { safeJson, wrapText } from '../terminal/text.ts';

/** A split with its number of tasks, or null if the server does not know it. */
type DescribedSplit = Split & { readonly num_tasks: number | null };

interface EnvironmentDescription {
  readonly name: string;
  readonly splits: readonly DescribedSplit[];
  readonly tools: readonly ToolSpec[];
}

interface ServerDescription {
  readonly url: string;
  /** Implementation of the server; the version is null if it does not report one. */
  readonly dialect: { readonly name: string; readonly version: string | null };
  readonly environments: readonly EnvironmentDescription[];
}

/** Reads everything that a server offers without an episode. */
export async function describeServer({ url, client, names, request }: ServerConnection): Promise<ServerDescription> {
  return request(async (signal) => {
    const [dialect, ...environments] = await Promise.all([
      client.dialect(),
      ...names.map((name) => describe(client.environment(name), signal)),
    ]);
    return { url, dialect: { name: dialect.name, version: dialect.version }, environments };
  });
}

/** Reads everything that a server offers for an environment without an episode. */
export function describeEnvironment(environment: RemoteEnvironment, request: ServerConnection['request']) {
  return request((signal) => describe(environment, signal));
}

async function describe(environment: RemoteEnvironment, signal: AbortSignal): Promise<EnvironmentDescription> {
  const [splits, tools] = await Promise.all([environment.splits({ signal }), environment.tools({ signal })]);
  const counted = splits.map(async ({ name, type }) => {
    return { name, type, num_tasks: await count(environment, name, signal) };
  });
  return { name: environment.name, splits: await Promise.all(counted), tools };
}

async function count(environment: RemoteEnvironment, split: string, signal: AbortSignal): Promise<number | null> {
  try {
    return await environment.countTasks(split, { signal });
  } catch (error) {
    if (error instanceof OrsHttpError || error instanceof OrsProtocolError) return null;
    throw error;
  }
}

const DEFAULT_PAGE_SIZE = 10;

interface TaskRange {
  readonly split: string;
  readonly start: number | undefined;
  /** Index after the last. */
  readonly stop: number | undefined;
}

interface ListedTaskPage {
  readonly environment: string;
  readonly split: string;
  readonly tasks: readonly { readonly index: number; readonly task: JSONObject }[];
}

/** Fetches the tasks from `start` up to `stop`: ten tasks if `stop` is undefined. */
export function fetchTaskPage(
  environment: RemoteEnvironment,
  { split, start = 0, stop = start + DEFAULT_PAGE_SIZE }: TaskRange,
  request: ServerConnection['request'],
): Promise<ListedTaskPage> {
  return withKnownSplit(environment, split, request, async (signal) => {
    const tasks: { index: number; task: JSONObject }[] = [];
    for await (const { index, task } of environment.tasks(split, { start, stop, signal })) tasks.push({ index, task });
    return { environment: environment.name, split, tasks };
  });
}

/** Formats a line per task: its index and its JSON. */
export function showTasks({ tasks }: ListedTaskPage): string {
  const column = String(tasks.at(-1)?.index ?? 0).length;
  return tasks.map(({ index, task }) => `${String(index).padStart(column)}  ${safeJson(task)}\n`).join('');
}

/** Formats a summary of a server. */
export function showServer({ url, dialect, environments }: ServerDescription, terminal: Terminal): string {
  const software = dialect.name === 'unknown' ? 'unknown software' : dialect.name;
  const sections = environments.map(({ name, splits, tools }) => {
    const counts = splits.map((split) => `${oneLine(split.name)} (${shownCount(split)})`).join(', ');
    const title = terminal.style('bold', oneLine(name));
    const line = wrapText(`splits  ${counts || 'none'}`, terminal.width, '  ');
    return `\n${title}\n${line}\n${toolLines(tools, terminal, '  ')}`;
  });
  return `${url} runs ${oneLine(`${software} ${dialect.version ?? ''}`)}\n${sections.join('') || '\nIt has no environments.\n'}`;
}

/** Formats an environment with its splits and tools. */
export function showEnvironment({ name, splits, tools }: EnvironmentDescription, terminal: Terminal): string {
  const rows = splits.map((split) => [oneLine(split.name), oneLine(split.type), shownCount(split)] as const);
  const first = Math.max(0, ...rows.map(([split]) => split.length));
  const second = Math.max(0, ...rows.map(([, type]) => type.length));
  const lines = rows.map(([split, type, tasks]) => `    ${split.padEnd(first)}  ${type.padEnd(second)}  ${tasks}\n`);
  const title = terminal.style('bold', oneLine(name));
  const details = toolDetails(tools, terminal, '    ');
  return `${title}\n\n  splits\n${lines.join('') || '    none\n'}\n  tools\n${details || '    none\n'}`;
}

function shownCount({ num_tasks: count }: DescribedSplit): string {
  if (count === null) return 'tasks not counted';
  return plural(count, 'task');
}
