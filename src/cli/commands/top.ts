import { Command, Option } from 'commander';
import { parseNumber, sleep } from '../../core/index.ts';
import { orInvalid } from '../option-parsers.ts';
import { parseServerUrl } from '../remote/connect.ts';
import { addConnectionOptions, type ConnectionFlags } from '../remote/connection-options.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { describeError, reportFailure } from '../remote/report-failure.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';
import { computeOverview } from '../top/overview.ts';
import { DEFAULT_TIMEOUT_SECONDS, scrapeServer } from '../top/read-server.ts';
import { createScrapeWindow } from '../top/scrape-window.ts';
import { createFullScreenDisplay, createJsonDisplay, createPageDisplay, type OverviewDisplay } from '../top/screen.ts';

interface TopFlags extends ConnectionFlags {
  readonly once?: true;
  readonly json?: true;
  readonly interval: number;
}

const HELP = `
Rates and times are those of the last ten seconds; the first ones, and those of --once, those since the server began.
Ctrl-C leaves, and leaves the terminal as it was.

Examples:
  $ ors top http://127.0.0.1:8080
  $ ors top http://127.0.0.1:8080 --once --json | jq .calls.p95`;

/** `ors top <url>`. */
export function topCommand(): Command {
  const command = new Command('top')
    .description('Watch how a server is doing: sessions, calls, queues, event loop, memory.')
    .argument('<url>', 'address of the server')
    .option('--once', 'show it once, and end')
    .option('--json', 'print JSON, one document a line')
    .addOption(new Option('--interval <seconds>', 'how often the server is asked').default(1).argParser(readInterval));
  addConnectionOptions(command);
  const timeout = command.options.find(({ long }) => long === '--timeout');
  if (timeout) timeout.description = `longest wait for one answer (default: ${DEFAULT_TIMEOUT_SECONDS})`;
  return command
    .addHelpText('after', HELP)
    .action((url: string, flags: TopFlags) => reportFailure(flags.json === true, () => run(url, flags)));
}

async function run(address: string, flags: TopFlags): Promise<void> {
  const url = parseServerUrl(address);
  using interrupts = listenForInterrupts();
  const { signal } = interrupts;
  // Whoever reads a pipe may have seen enough.
  process.stdout.on('error', () => process.exit());
  try {
    await watch(url, flags, signal);
  } catch (error) {
    // Ctrl-C is the way to leave, and no failure.
    if (!signal.aborted) throw error;
  }
}

async function watch(url: string, flags: TopFlags, signal: AbortSignal): Promise<void> {
  const terminal = openTerminal();
  const earlier = createScrapeWindow();
  const read = async () => {
    const moment = await scrapeServer(url, flags, signal);
    return computeOverview(moment, earlier(moment.scrape));
  };
  const first = await read();
  using screen = screenFor(url, terminal, flags);
  screen.show(first);
  while (!flags.once) {
    await sleep(flags.interval * 1_000, signal);
    try {
      screen.show(await read());
    } catch (error) {
      signal.throwIfAborted();
      // It may come back, under the same address.
      screen.fail(describeError(error));
    }
  }
}

function screenFor(url: string, terminal: Terminal, { json, once }: TopFlags): OverviewDisplay {
  if (json) return createJsonDisplay(terminal);
  return terminal.isInteractive && !once
    ? createFullScreenDisplay(url, terminal, () => process.stdout.rows)
    : createPageDisplay(url, terminal);
}

const readInterval = (text: string): number =>
  orInvalid(parseNumber(text, { min: 0.1, max: 3_600 }), 'a number of seconds from 0.1 to 3600');
