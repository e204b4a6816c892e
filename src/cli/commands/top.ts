import { parseNumber, sleep } from '../../core/index.ts';
import { defineCommand, type FlagValues } from '../command.ts';
import { orInvalid, parseSeconds, parseServerUrl } from '../flag-parsers.ts';
import { listenForInterrupts } from '../process.ts';

import { connectionFlags } from '../remote/flags.ts';
import { describeError } from '../report-failure.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';
import { computeOverview } from '../top/overview.ts';
import { createScrapeWindow, DEFAULT_TIMEOUT_SECONDS, scrapeServer } from '../top/scrape.ts';
import { createFullScreenDisplay, createJsonDisplay, createPageDisplay, type OverviewDisplay } from '../top/screen.ts';

const flags = {
  '--once': 'print one overview and exit',
  '--json': 'print JSON, one document per line',
  '--interval <seconds>': { help: 'time between two requests', default: 1, parse: parseInterval },
  ...connectionFlags,
  '--timeout <seconds>': {
    help: `longest wait for one response (default: ${DEFAULT_TIMEOUT_SECONDS})`,
    parse: parseSeconds,
  },
} as const;

type TopFlags = FlagValues<typeof flags>;

export const topCommand = defineCommand({
  name: 'top',
  summary: 'Watch a server: sessions, calls, queues, event loop, memory.',
  arguments: [['<url>', 'URL of the server']],
  flags,
  details: `Rates and times are those of the last ten seconds; at first, and with --once, those since the server started.
Ctrl-C leaves and restores the terminal.`,
  examples: ['ors top http://127.0.0.1:8080', 'ors top http://127.0.0.1:8080 --once --json | jq .calls.p95'],
  async run(address, options) {
    const url = parseServerUrl(address);
    using interrupts = listenForInterrupts();
    const { signal } = interrupts;
    // `ors top | head`: exit when the reader of the output is gone.
    process.stdout.on('error', () => process.exit());
    try {
      await watch(url, options, signal);
    } catch (error) {
      // Ctrl-C is the way to leave, not a failure.
      if (!signal.aborted) throw error;
    }
  },
});

async function watch(url: string, options: TopFlags, signal: AbortSignal): Promise<void> {
  const terminal = openTerminal();
  const earlier = createScrapeWindow();
  const read = async () => {
    const snapshot = await scrapeServer(url, options, signal);
    return computeOverview(snapshot, earlier(snapshot.scrape));
  };
  const first = await read();
  using display = createDisplay(url, terminal, options);
  display.show(first);
  while (!options.once) {
    await sleep(options.interval * 1_000, signal);
    try {
      display.show(await read());
    } catch (error) {
      signal.throwIfAborted();
      // The server may come back at the same address.
      display.fail(describeError(error));
    }
  }
}

function createDisplay(url: string, terminal: Terminal, { json, once }: TopFlags): OverviewDisplay {
  if (json) return createJsonDisplay(terminal);
  return terminal.isInteractive && !once
    ? createFullScreenDisplay(url, terminal, () => process.stdout.rows)
    : createPageDisplay(url, terminal);
}

function parseInterval(text: string): number {
  return orInvalid(parseNumber(text, { min: 0.1, max: 3_600 }), 'a number of seconds from 0.1 to 3600');
}
