import { Command, Option } from 'commander';
import { pino } from 'pino';
import { type ReplayDivergence, type ReplayOptions, replayEnvironments } from '../../bridges/replay/index.ts';
import { aborted, isRecord, oneLine, plural, tryParseJson } from '../../core/index.ts';
import type { ToolSpec } from '../../protocol/index.ts';
import { serve } from '../../server/index.ts';
import { CliError } from '../failure.ts';
import { portOption } from '../option-parsers.ts';
import { readTextFile } from '../read-text-file.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { reportFailure } from '../remote/report-failure.ts';
import { type LoadTracesFlags, loadTraces } from '../replay/load-traces.ts';
import { describeListenError, type ListenAddress } from '../serve/port.ts';
import { safeJson } from '../terminal/safe-json.ts';
import { organizationOption } from '../traces/access-options.ts';

interface ReplayFlags extends LoadTracesFlags, ListenAddress {
  readonly order: 'recorded' | 'any';
  readonly tools?: string;
  readonly json?: true;
}

const HELP = `
For the same calls the episodes give the same outputs and rewards. A call that departs from the record is refused, and
told here. A task is found at its place in its split; the split 'recorded' has all episodes.

Examples:
  $ ors replay traces.jsonl
  $ ors replay traces.db --trace tr_01k2m3n4p5q6r7s8t9v0w1x2y3 --port 8080
  $ ors replay http://127.0.0.1:8090 --run first-run --order any`;

/** `ors replay <traces>`. */
export function replayCommand(): Command {
  return new Command('replay')
    .description('Serve recorded episodes again: the same prompts, tools, outputs and rewards.')
    .argument('<traces>', 'an export (JSON Lines), the file of a trace store, or its URL')
    .option('--trace <id...>', 'replay these traces alone')
    .option('--run <name>', 'replay the traces of this run alone')
    .addOption(
      new Option('--order <which>', 'answer calls in the order of the record alone, or in any')
        .choices(['recorded', 'any'])
        .default('recorded'),
    )
    .option('--tools <file>', 'JSON list of the tools, such as GET /tools answers, where they were not recorded')
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 takes a free one').default(8080).argParser(portOption),
    )
    .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1').hideHelp())
    .addOption(organizationOption())
    .addOption(new Option('--api-key <key>', 'of the trace store').env('ORS_TRACES_API_KEY'))
    .option('--json', 'print what is served, and departures, as lines of JSON')
    .addHelpText('after', HELP)
    .action((place: string, flags: ReplayFlags) => reportFailure(flags.json === true, () => run(place, flags)));
}

async function run(place: string, flags: ReplayFlags): Promise<void> {
  const options: ReplayOptions = {
    order: flags.order,
    onDivergence: teller(flags.json === true),
    ...(flags.tools !== undefined && { tools: await readTools(flags.tools) }),
  };
  using interrupts = listenForInterrupts();
  const traces = await loadTraces(place, flags, (count) => showProgress(count, interrupts.signal));
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  const environments = await replayEnvironments(traces, options);
  const { port, host } = flags;
  await using server = await serve(environments, { port, host, log: pino({ level: 'silent' }) }).catch(
    async (error: unknown) => {
      throw await describeListenError(error, { port, host });
    },
  );
  const names = environments.map(({ name }) => name);
  const output = flags.json
    ? safeJson({ url: server.url, environments: names, traces: traces.length })
    : `ors replays ${plural(traces.length, 'episode')} of ${names.join(', ')} on ${server.url}`;
  process.stdout.write(`${output}\n`);
  await aborted(interrupts.signal);
}

function showProgress(count: number, interrupt: AbortSignal): void {
  interrupt.throwIfAborted();
  if (process.stderr.isTTY) process.stderr.write(`\r${count} traces read`);
}

const teller = (isJson: boolean) => (departure: ReplayDivergence) => {
  const { trace, replayed, tool, input, recorded } = departure;
  const instead = recorded
    ? `the record has ${recorded.name} ${JSON.stringify(recorded.input)}`
    : 'the record has none left';
  const line = `${trace}: after ${replayed} calls came ${tool} ${JSON.stringify(input)}, and ${instead}`;
  process.stderr.write(`${isJson ? safeJson({ departure }) : oneLine(line)}\n`);
};

async function readTools(file: string): Promise<ToolSpec[]> {
  const text = await readTextFile(file, '--tools');
  const value = tryParseJson(text);
  if (value === undefined) throw new CliError(`--tools (${file}) is not valid JSON`);
  const tools = isRecord(value) ? value.tools : value;
  if (Array.isArray(tools) && tools.every((tool) => isRecord(tool) && typeof tool.name === 'string')) {
    return tools.map((tool) => ({ description: '', input_schema: null, ...tool }) as ToolSpec);
  }
  throw new CliError(`--tools (${file}) must be a list of tools, or an object with one as 'tools'`);
}
