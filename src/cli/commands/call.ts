import { oneLine } from '../../core/index.ts';
import {
  describeEnvironment,
  describeServer,
  fetchTaskPage,
  showEnvironment,
  showServer,
  showTasks,
} from '../call/describe.ts';
import { type CallFlags, callFlags, parseCallFlags, type SessionCallRequest } from '../call/read-request.ts';
import {
  callInSession,
  closedMessage,
  continueHint,
  createSessionPrinter,
  silentListener,
} from '../call/session-call.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../failure.ts';
import { listenForInterrupts } from '../process.ts';
import { connectToServer, type ServerConnection } from '../remote/connect.ts';
import { imageFolder } from '../terminal/show-result.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { safeJson } from '../terminal/text.ts';

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
