import { oneLine, plural } from '../../core/index.ts';
import { callFlags, callInSession, closedMessage, continueHint, createSessionPrinter, parseCallFlags, silentListener, type CallFlags, type SessionCallRequest } from '../call/session-call.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../failure.ts';
import { listenForInterrupts } from '../process.ts';
import { connectToServer, type ServerConnection, withKnownSplit } from '../remote/connect.ts';
import { imageFolder, toolDetails, toolLines } from '../terminal/show-episode.ts';
import { openTerminal, safeJson, type Terminal, wrapText } from '../terminal/terminal.ts';
import { OrsHttpError, OrsProtocolError, type RemoteEnvironment } from '../../client/index.ts';
import { type JSONObject, type Split, type ToolSpec } from '../../protocol/index.ts';

export const callCommand = defineCommand({
  name: 'call',
  summary: 'List what an ORS server offers, and call its tools.',
  arguments: [
    ['<url>', 'URL of the server'],
    ['[environment]', 'environment to show or to play'],
    ['[tool]', 'tool to call; needs an episode: --split and --index, --task, or --sid'],
    ['[key=value...]', 'parameters of the tool'],
  ],
  flags: callFlags,
  details: "key=value is converted to the type in the tool's schema; key:=json is always JSON.",
  exitCodes: {
    0: 'success',
    1: 'something failed',
    2: 'the tool rejected the call',
    130: 'interrupted',
  },
  examples: [
    'ors call http://127.0.0.1:8080',
    'ors call http://127.0.0.1:8080 countdown --tasks test --start 20 --stop 25',
    "ors call http://127.0.0.1:8080 countdown evaluate --split test --index 0 expression='6 * (100 - 8)'",
    'ors call http://127.0.0.1:8080 countdown --split test --index 0 --keep',
  ],
  run,
});

async function run(
  url: string,
  name: string | undefined,
  tool: string | undefined,
  args: readonly string[],
  flags: CallFlags,
): Promise<void> {
  const request = await parseCallFlags(name, tool, args, flags);
  using interrupts = listenForInterrupts();
  await using server = await connectToServer(url, flags, interrupts.signal);
  const terminal = openTerminal();
  const print = <T>(value: T, show: (value: T) => string) =>
    terminal.print(flags.json ? `${safeJson(value)}\n` : show(value));

  if (name === undefined) return print(await describeServer(server), (all) => showServer(all, terminal));
  const environment = server.environment(name);
  if (flags.tasks !== undefined) {
    const { tasks: split, start, stop } = flags;
    return print(await fetchTaskPage(environment, { split, start, stop }, server.request), showTasks);
  }
  if (request) return await runSession(server, environment.name, request, flags);
  print(await describeEnvironment(environment, server.request), (all) => showEnvironment(all, terminal));
}

async function runSession(
  server: ServerConnection,
  name: string,
  request: SessionCallRequest,
  flags: CallFlags,
): Promise<void> {
  const terminal = openTerminal();
  const listener = flags.json
    ? silentListener
    : createSessionPrinter(terminal, imageFolder(flags.images), request.tool);
  const report = await callInSession(server.environment(name), request, server, listener);
  if (flags.json) terminal.print(`${safeJson(report)}\n`);
  else if (report.open && request.session.kind === 'new') terminal.print(continueHint(server.url, report));
  else if (flags.close) terminal.print(closedMessage(report));
  if (!report.result || report.result.ok) return;
  if (!flags.json) {
    process.stderr.write(`ors: tool '${request.tool}' rejected the call: ${oneLine(report.result.error)}\n`);
  }
  process.exitCode = EXIT.toolRefused;
}

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
