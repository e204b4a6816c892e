import { OrsHttpError, OrsProtocolError, type RemoteEnvironment } from '../../client/index.ts';
import { oneLine, plural } from '../../core/index.ts';
import type { RunToolOutput, Split } from '../../protocol/index.ts';
import {
  type CallFlags,
  callFlags,
  callInSession,
  continueHint,
  createSessionPrinter,
  parseCallFlags,
  type SessionCallRequest,
} from '../call/session-call.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../failure.ts';
import { listenForInterrupts } from '../process.ts';
import { connectToServer, type ServerConnection, withKnownSplit } from '../remote/connect.ts';
import { imageFolder, terminalToolDetails, toolDetails, toolLines } from '../terminal/show-episode.ts';
import { openTerminal, padAll, safeJson, type Terminal, wrapText } from '../terminal/terminal.ts';

export const callCommand = defineCommand({
  name: 'call',
  arguments: [
    ['<url>', 'URL of the server'],
    ['[environment]', 'environment to show or to play'],
    ['[tool]', 'tool to call; needs an episode: --split and --index, --task, or --sid'],
    ['[key=value...]', 'parameters of the tool'],
  ],
  flags: callFlags,
  details: "key=value is converted to the type in the tool's schema; key:=json is always JSON.",
  exitCodes: { 0: 'success', 1: 'something failed', 2: 'the tool rejected the call', 130: 'interrupted' },
  examples: [
    'ors call http://127.0.0.1:8080',
    'ors call http://127.0.0.1:8080 countdown --tasks test --start 20 --stop 25',
    "ors call http://127.0.0.1:8080 countdown evaluate --split test --index 0 expression='6 * (100 - 8)'",
    'ors call http://127.0.0.1:8080 countdown --split test --index 0 --keep',
    "ors call http://127.0.0.1:8080 capitals --split test --index 0 --answer 'It is Lima.'",
  ],
  async run(url, name, tool, args, flags) {
    const request = await parseCallFlags(name, tool, args, flags);
    using interrupts = listenForInterrupts();
    const header = { 'X-Trace-Tags': 'by-hand', ...flags.header };
    await using server = await connectToServer(url, { ...flags, header }, interrupts.signal);
    const terminal = openTerminal();
    const print = <T>(value: T, show: (value: T, terminal: Terminal) => string) =>
      terminal.print(flags.json ? `${safeJson(value)}\n` : show(value, terminal));

    if (name === undefined) return print(await describeServer(server), showServer);
    const environment = server.environment(name);
    if (flags.tasks !== undefined) {
      return print(await fetchTaskPage(environment, flags.tasks, flags, server.request), showTasks);
    }
    if (request) return await runSession(server, environment, request, flags);
    print(await server.request((signal) => describeEnvironment(environment, signal)), showEnvironment);
  },
});

async function runSession(
  server: ServerConnection,
  environment: RemoteEnvironment,
  request: SessionCallRequest,
  { json, images, close }: CallFlags,
): Promise<void> {
  const terminal = openTerminal();
  const listener = json ? undefined : createSessionPrinter(terminal, imageFolder(images), request);
  const report = await callInSession(environment, request, server, listener);
  if (json) terminal.print(`${safeJson(report)}\n`);
  else if (report.open && request.session.kind === 'new') terminal.print(continueHint(server.url, report));
  else if (close) terminal.print(`session ${oneLine(report.sid)} is closed\n`);
  if (!report.result || report.result.ok) return;
  if (!json) process.stderr.write(`ors: ${describeRefusal(request, report.result)}\n`);
  process.exitCode = EXIT.toolRefused;
}

function describeRefusal(
  { tool }: SessionCallRequest,
  { error, reason }: Extract<RunToolOutput, { ok: false }>,
): string {
  const advice = reason === 'input_validation' ? '; ors call <url> <environment> shows the parameters' : '';
  const why = `${reason ? ` (${oneLine(reason)})` : ''}: ${oneLine(error)}${advice}`;
  return tool === undefined ? `the answer was rejected${why}` : `tool '${tool}' rejected the call${why}`;
}

/** A split with its number of tasks, or null if the server does not know it. */
type DescribedSplit = Split & { readonly num_tasks: number | null };

type EnvironmentDescription = Awaited<ReturnType<typeof describeEnvironment>>;

/** Reads everything that a server offers without an episode. */
const describeServer = ({ url, client, names, request }: ServerConnection) =>
  request(async (signal) => {
    const [{ name, version }, ...environments] = await Promise.all([
      client.dialect(),
      ...names.map((each) => describeEnvironment(client.environment(each), signal)),
    ]);
    return { url, dialect: { name, version }, environments };
  });

/** Reads everything that a server offers for an environment without an episode. */
async function describeEnvironment(environment: RemoteEnvironment, signal: AbortSignal) {
  const [splits, tools, terminal_tool] = await Promise.all([
    environment.splits({ signal }),
    environment.tools({ signal }),
    environment.terminalTool({ signal }),
  ]);
  const counted = splits.map(async ({ name, type }): Promise<DescribedSplit> => {
    const num_tasks = await environment.countTasks(name, { signal }).catch((error: unknown) => {
      if (error instanceof OrsHttpError || error instanceof OrsProtocolError) return null;
      throw error;
    });
    return { name, type, num_tasks };
  });
  return { name: environment.name, splits: await Promise.all(counted), tools, terminal_tool };
}

const DEFAULT_PAGE_SIZE = 10;

/** Fetches the tasks from `start` up to `stop`: ten tasks if `stop` is undefined. */
const fetchTaskPage = (
  environment: RemoteEnvironment,
  split: string,
  { start = 0, stop = start + DEFAULT_PAGE_SIZE }: CallFlags,
  request: ServerConnection['request'],
) =>
  withKnownSplit(environment, split, request, async (signal) => {
    const tasks = [];
    for await (const { index, task } of environment.tasks(split, { start, stop, signal })) tasks.push({ index, task });
    return { environment: environment.name, split, tasks };
  });

/** Formats a line per task: its index and its JSON. */
function showTasks({ tasks }: Awaited<ReturnType<typeof fetchTaskPage>>): string {
  const column = String(tasks.at(-1)?.index ?? 0).length;
  return tasks.map(({ index, task }) => `${String(index).padStart(column)}  ${safeJson(task)}\n`).join('');
}

/** Formats a summary of a server. */
function showServer(
  { url, dialect, environments }: Awaited<ReturnType<typeof describeServer>>,
  terminal: Terminal,
): string {
  const software = dialect.name === 'unknown' ? 'unknown software' : dialect.name;
  const sections = environments.map(({ name, splits, tools, terminal_tool }) => {
    const counts = splits.map((split) => `${oneLine(split.name)} (${shownCount(split)})`).join(', ');
    const title = terminal.style('bold', oneLine(name));
    const line = wrapText(`splits  ${counts || 'none'}`, terminal.width, '  ');
    const graded = terminal_tool ? `  the final message is graded by '${oneLine(terminal_tool.name)}'\n` : '';
    return `\n${title}\n${line}\n${toolLines(tools, terminal, '  ')}${graded}`;
  });
  return `${url} runs ${oneLine(`${software} ${dialect.version ?? ''}`)}\n${sections.join('') || '\nIt has no environments.\n'}`;
}

/** Formats an environment with its splits and tools. */
function showEnvironment({ name, splits, tools, terminal_tool }: EnvironmentDescription, terminal: Terminal): string {
  const names = padAll(splits.map((split) => oneLine(split.name)));
  const types = padAll(splits.map(({ type }) => oneLine(type)));
  const lines = splits.map((split, at) => `    ${names[at]}  ${types[at]}  ${shownCount(split)}\n`);
  const title = terminal.style('bold', oneLine(name));
  const details = toolDetails(tools, terminal, '    ');
  const graded = terminal_tool ? `\n${terminalToolDetails(terminal_tool, terminal, '  ')}` : '';
  return `${title}\n\n  splits\n${lines.join('') || '    none\n'}\n  tools\n${details || '    none\n'}${graded}`;
}

const shownCount = ({ num_tasks: count }: DescribedSplit): string =>
  count === null ? 'tasks not counted' : plural(count, 'task');
