import { Command, Option } from 'commander';
import { oneLine } from '../../core/index.ts';
import { describeEnvironment, describeServer } from '../call/describe.ts';
import { fetchTaskPage, showTasks, toTaskRange } from '../call/list-tasks.ts';
import { closedMessage, continueHint, createSessionPrinter, silentListener } from '../call/print-session.ts';
import { type CallFlags, parseCallFlags } from '../call/read-request.ts';
import { callInSession, type SessionCallRequest } from '../call/session-call.ts';
import { showEnvironment, showServer } from '../call/show-description.ts';
import { EXIT } from '../failure.ts';
import { integerOption } from '../option-parsers.ts';
import { connectToServer, type ServerConnection } from '../remote/connect.ts';
import { addConnectionOptions } from '../remote/connection-options.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { reportFailure } from '../remote/report-failure.ts';
import { addTaskOptions } from '../remote/task-options.ts';
import { imageFolder } from '../terminal/images.ts';
import { safeJson } from '../terminal/safe-json.ts';
import { openTerminal } from '../terminal/terminal.ts';

const HELP = `
Values are read by the type that the tool's schema gives them; key:=json sends JSON whatever it says.

Exit codes: 0 all went well; 1 something failed; 2 the tool refused the call; 130 interrupted.

Examples:
  $ ors call http://127.0.0.1:8080
  $ ors call http://127.0.0.1:8080 countdown --tasks test --start 20 --stop 25
  $ ors call http://127.0.0.1:8080 countdown evaluate --split test --index 0 expression='6 * (100 - 8)'
  $ ors call http://127.0.0.1:8080 countdown --split test --index 0 --keep`;

/** `ors call <url> [environment] [tool] [key=value...]`. */
export function callCommand(): Command {
  const command = new Command('call')
    .description('Ask an ORS server what it has, and call tools by hand.')
    .argument('<url>', 'address of the server')
    .argument('[environment]', 'environment to look at or to play')
    .argument('[tool]', 'tool to call; needs an episode: --split and --index, --task, or --sid')
    .argument('[key=value...]', 'parameters of the tool')
    .addOption(new Option('--tasks <split>', 'list tasks of a split').conflicts(['split', 'index', 'task', 'sid']))
    .option('--start <number>', 'first index for --tasks (default: 0)', integerOption())
    .option('--stop <number>', 'index after the last for --tasks (default: ten tasks)', integerOption());
  return addConnectionOptions(addTaskOptions(command))
    .addOption(
      new Option('--sid <id>', 'a session that lives; it is left open').conflicts(['split', 'index', 'task', 'keep']),
    )
    .option('--keep', 'leave the new session open, and say how to go on')
    .option('--close', 'close the session of --sid in the end')
    .option('--input <json>', 'all parameters as JSON, @file, or - for standard input')
    .option('--images <folder>', 'where images are saved (default: a new temporary folder)')
    .option('--json', 'print one JSON document; failures too, on standard error')
    .addHelpText('after', HELP)
    .action(
      (url: string, environment: string | undefined, tool: string | undefined, args: string[], flags: CallFlags) =>
        reportFailure(flags.json === true, () => run(url, environment, tool, args, flags), flags),
    );
}

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
    const range = toTaskRange(flags.tasks, flags.start, flags.stop);
    return print(await fetchTaskPage(environment, range, server.request), showTasks);
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
  if (!flags.json) process.stderr.write(`ors: tool '${request.tool}' refused: ${oneLine(report.result.error)}\n`);
  process.exitCode = EXIT.toolRefused;
}
