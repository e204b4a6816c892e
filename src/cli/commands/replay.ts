import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pino } from 'pino';
import {
  type RecordedTrace,
  type ReplayDivergence,
  type ReplayOptions,
  readRecordedTraces,
  replayEnvironments,
} from '../../bridges/replay/index.ts';
import {
  aborted,
  definedFields,
  errorMessage,
  hasScheme,
  isHttpUrl,
  isRecord,
  oneLine,
  plural,
  tryParseJson,
} from '../../core/index.ts';
import { fileProblem } from '../../core/node/index.ts';
import type { TerminalTool, ToolSpec } from '../../protocol/index.ts';
import { serve } from '../../server/index.ts';
import { createClientForApi } from '../../trace/client/index.ts';
import { isContinuation } from '../../trace/model/index.ts';
import { defineCommand, type FlagValues, parsePort } from '../command.ts';
import { CliError, readTextFile } from '../failure.ts';
import { listenForInterrupts } from '../process.ts';
import { explainListenErrors } from '../serve/port.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';
import { safeJson } from '../terminal/terminal.ts';
import { chooseTraces } from '../traces/export-traces.ts';
import { openTraceAccess, organizationFlag, parseTraceId, reportStoreFailure } from '../traces/open-traces.ts';

const flags = {
  '--trace <id...>': 'replay only these traces',
  '--run <name>': 'replay only the traces of this run',
  '--order <order>': {
    help: 'order in which calls are answered: only as recorded, or any',
    choices: ['recorded', 'any'],
    default: 'recorded',
  },
  '--tools <file>': 'JSON list of the tools, as GET /tools returns them, if they were not recorded',
  '--port <number>': { help: 'port to listen on; 0 picks a free one', default: 8080, parse: parsePort },
  '--host <address>': { help: 'address to listen on', default: '127.0.0.1', hidden: true },
  ...organizationFlag,
  '--api-key <key>': { help: 'API key of the trace store', env: 'ORS_TRACES_API_KEY' },
  '--json': 'print the server and divergences as lines of JSON',
} as const;

type ReplayFlags = FlagValues<typeof flags>;

export const replayCommand = defineCommand({
  name: 'replay',
  arguments: [['<traces>', 'an export (JSON Lines), the file of a trace store, or its URL']],
  flags,
  details: `The same calls return the same outputs and rewards. A call that diverges from the recording is rejected and reported here.
A task keeps its split and index; the split 'recorded' has all episodes. A conversation keeps its roles, and the tool that
graded the final message is a terminal tool again.`,
  examples: [
    'ors replay traces.jsonl',
    'ors replay traces.db --trace tr_01k2m3n4p5q6r7s8t9v0w1x2y3 --port 8080',
    'ors replay http://127.0.0.1:8090 --run first-run --order any',
  ],
  report: reportStoreFailure,
  async run(location, options) {
    const replay: ReplayOptions = {
      order: options.order,
      onDivergence: divergenceReporter(options.json === true),
      ...(options.tools !== undefined && (await readTools(options.tools))),
    };
    using interrupts = listenForInterrupts();
    const traces = await loadTraces(location, options, interrupts.signal);
    const environments = await replayEnvironments(traces, replay);
    const { port, host } = options;
    await using server = await explainListenErrors({ port, host }, () =>
      serve(environments, { port, host, log: pino({ level: 'silent' }) }),
    );
    const names = environments.map(({ name }) => name);
    const output = options.json
      ? safeJson({ url: server.url, environments: names, traces: traces.length })
      : `ors replays ${plural(traces.length, 'episode')} of ${names.join(', ')} on ${server.url}`;
    process.stdout.write(`${output}\n`);
    await aborted(interrupts.signal);
  },
});

const divergenceReporter = (isJson: boolean) => (departure: ReplayDivergence) => {
  const { trace, replayed, tool, input, recorded } = departure;
  const expected = recorded ? `${recorded.name} ${JSON.stringify(recorded.input)}` : 'no further call';
  const line = `${trace}: divergence after ${replayed} calls: got ${tool} ${JSON.stringify(input)}, recorded: ${expected}`;
  process.stderr.write(`${isJson ? safeJson({ departure }) : oneLine(line)}\n`);
};

async function readTools(file: string): Promise<Pick<ReplayOptions, 'tools' | 'terminalTool'>> {
  const value = tryParseJson(await readTextFile(file, '--tools'));
  if (value === undefined) throw new CliError(`--tools (${file}) is not valid JSON`);
  const tools = isRecord(value) ? value.tools : value;
  if (Array.isArray(tools) && tools.every((tool) => isRecord(tool) && typeof tool.name === 'string')) {
    const terminal = isRecord(value) ? value.terminal_tool : undefined;
    return {
      tools: tools.map((tool) => ({ description: '', input_schema: null, ...tool }) as ToolSpec),
      ...(isRecord(terminal) && typeof terminal.name === 'string' && { terminalTool: terminal as TerminalTool }),
    };
  }
  throw new CliError(`invalid --tools (${file}): expected a list of tools, or an object with a list in 'tools'`);
}

/** Reads traces from a store or an export. @throws CliError if there are none. */
async function loadTraces(location: string, options: ReplayFlags, interrupt: AbortSignal): Promise<RecordedTrace[]> {
  using progress = createProgressBar(countUnit('trace'));
  const traces: RecordedTrace[] = [];
  const source = (await isStore(location)) ? readStore(location, options) : readExport(location, options);
  for await (const trace of source) {
    traces.push(trace);
    interrupt.throwIfAborted();
    progress.show(traces.length);
  }
  if (traces.length > 0) return traces;
  const which = options.run === undefined ? 'traces' : `traces of the run '${options.run}'`;
  throw new CliError(`'${location}' has no ${which} to replay`);
}

/** First bytes of a SQLite file. */
const SQLITE_HEADER = 'SQLite format 3\0';

async function isStore(location: string): Promise<boolean> {
  if (hasScheme(location)) return true;
  try {
    await using file = await open(location, 'r');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SQLITE_HEADER.length), 0, SQLITE_HEADER.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === SQLITE_HEADER;
  } catch (cause) {
    throw new CliError(`cannot read '${location}': ${fileProblem(cause)}`, { cause });
  }
}

async function* readExport(file: string, { trace: ids = [], run }: ReplayFlags): AsyncGenerator<RecordedTrace> {
  if (run !== undefined) throw new CliError('--run needs a store; select traces of an export with --trace');
  const requested = new Set(ids.map(parseTraceId));
  try {
    for await (const trace of readRecordedTraces(createReadStream(file))) {
      const isChosen = ids.length > 0 ? requested.delete(trace.trace.id) : !isContinuation(trace.trace);
      if (!isChosen) continue;
      yield trace;
      if (ids.length > 0 && requested.size === 0) return;
    }
  } catch (cause) {
    const advice = 'pass an export of ors traces export, or a trace store';
    throw new CliError(`cannot replay '${file}': ${errorMessage(cause)}; ${advice}`, { cause });
  }
  if (requested.size > 0) throw new CliError(`'${file}' has no trace ${[...requested].join(', ')}`);
}

async function* readStore(
  location: string,
  { trace: ids = [], run, org, apiKey }: ReplayFlags,
): AsyncGenerator<RecordedTrace> {
  const where = isHttpUrl(location) ? { url: location } : { db: location };
  await using store = await openTraceAccess({ ...where, org, ...definedFields({ apiKey }) }, { flag: '<traces>' });
  const client = createClientForApi(store.api);
  // Continuations of other traces do not begin with the task: they are replayed only if they are named.
  const filters = ids.length === 0 ? { has_parent: false } : {};
  const { traces } = await chooseTraces(store.api, ids, { ...definedFields({ run }), ...filters });
  for await (const { id } of traces) yield await client.readTrace(id);
}
