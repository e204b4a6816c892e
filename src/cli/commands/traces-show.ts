import { Command } from 'commander';
import { openTerminal } from '../terminal/terminal.ts';
import { addStoreAccessOptions, type StoreAccessFlags } from '../traces/access-options.ts';
import { openTraceAccess } from '../traces/open-traces.ts';
import { reportTraceFailure } from '../traces/report.ts';
import { printTraceJson, showTrace } from '../traces/show-trace.ts';
import { parseTraceId } from '../traces/trace-ids.ts';

interface ShowFlags extends StoreAccessFlags {
  readonly json?: true;
}

const HELP = `
Under each message stand its thoughts and calls, under each call its result: pieces are put together, and those that are
missing are named. Nothing is cut; what was too large for a block is fetched.

Examples:
  $ ors traces show tr_01k2m3n4p5q6r7s8t9v0w1x2y3 | less
  $ ors traces show 01k2m3n4p5q6r7s8t9v0w1x2y3 --json | jq '.messages[].tool_calls[].assembled.value'`;

/** `ors traces show <trace>`. */
export function tracesShowCommand(): Command {
  const command = new Command('show')
    .description('Show a trace as a tree.')
    .argument('<trace>', 'id of the trace; tr_ may be left out')
    .option('--json', 'print one JSON document: the stitched trace, with results assembled');
  return addStoreAccessOptions(command)
    .addHelpText('after', HELP)
    .action((trace: string, flags: ShowFlags) => reportTraceFailure(flags.json === true, () => run(trace, flags)));
}

async function run(trace: string, flags: ShowFlags): Promise<void> {
  const id = parseTraceId(trace);
  await using traces = await openTraceAccess(flags);
  await (flags.json ? printTraceJson : showTrace)(traces.api, id, openTerminal());
}
