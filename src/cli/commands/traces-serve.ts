import { Command, Option } from 'commander';
import { portOption } from '../option-parsers.ts';
import { describeListenError } from '../serve/port.ts';
import { ignoreBrokenPipe } from '../serve/unread-output.ts';
import { addFileOption } from '../traces/access-options.ts';
import { reportTraceFailure } from '../traces/report.ts';
import { serveUntilStopped, type TraceServeFlags } from '../traces/serve-until-stopped.ts';

const HELP = `
An address that other machines reach needs --keys, or --insecure. The file is made where there is none; other commands may
use it at the same time. --db :memory: keeps traces until the server ends, and works with every Node.

LIMIT_MSG_BYTES, LIMIT_THINK_BYTES, LIMIT_TOOL_ARGS_BYTES, LIMIT_TOOL_RESULT_BYTES and LIMIT_REQUEST_BYTES set how large
the parts of a block and a request may be. Ctrl-C and SIGTERM end it in good order.

Examples:
  $ ors traces serve
  $ ors traces serve --db /data/traces.db --host 0.0.0.0 --keys`;

/** `ors traces serve`. */
export function tracesServeCommand(): Command {
  return addFileOption(new Command('serve').description('Serve a store of traces over HTTP.'))
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 takes a free one')
        .env('PORT')
        .default(8090)
        .argParser(portOption),
    )
    .addOption(new Option('--host <address>', 'address to listen on').env('HOST').default('127.0.0.1'))
    .option('--keys', 'every request needs an API key; ors traces keys add makes them')
    .option('--insecure', 'let other machines in without keys: whoever reaches the address can read and write')
    .option('--allowed-host <name...>', 'names that a server without keys on this machine alone answers to')
    .option('--cors-origin <origin...>', 'origins whose pages may use it, such as https://example.org')
    .addHelpText('after', HELP)
    .action((flags: TraceServeFlags) => reportTraceFailure(false, () => run(flags), true));
}

async function run(flags: TraceServeFlags): Promise<void> {
  ignoreBrokenPipe([process.stdout, process.stderr]);
  try {
    await serveUntilStopped(flags);
  } catch (error) {
    throw await describeListenError(error, flags);
  }
}
