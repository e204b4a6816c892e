/** Measures our client, the Python clients and the generated client on our server, and prints figures and ratios. */

import { killClients } from './clients/client-process.ts';
import { type ClientName, clientNames, findClients } from './clients/client-programs.ts';
import { measureEpisodeRates } from './clients/episodes.ts';
import { measureManyAtOnce } from './clients/many-at-once.ts';
import { exitOnSignals, fail, parseNames, readCommandLine, showProgress } from './command-line.ts';
import { pinLoad } from './process/pinning.ts';
import { killServers } from './process/server-process.ts';
import { faultText, machineText, TABLE_LEGEND, table } from './report.ts';
import { Results } from './results.ts';

const parts = { episodes: measureEpisodeRates, many: measureManyAtOnce };
const partNames = ['episodes', 'many'] as const;

const help = `Usage: node --import tsx bench/clients.ts [options]

Measures clients on the same server, ours, one client at a time: ours (OrsClient of the built package), generated (the
generated client with Node's fetch, which neither pings nor retries), ors-sdk and openreward (Python, asynchronous). An
episode is session, prompt, tools, a call that finishes, close. The clients take turns, round after round; a figure is
the median of the rounds, with the minimum and the maximum. It takes at most 4 minutes, or one with --quick; on a busy
machine there are fewer rounds and a shorter timeout for the part many.

Options:
  --quick              shorter rounds, fewer concurrent episodes
  --only <parts>       comma-separated list of ${partNames.join(', ')}:
                         episodes  sequential episodes, 32 at once and one at a time
                         many      2,000 episodes that start at the same moment, each with a call of 5 s
  --clients <names>    comma-separated list of ${clientNames.join(', ')}
  --help               print this help

Example: node --import tsx bench/clients.ts --quick --clients ours,ors-sdk

Exit code: 0; 1 after a failed episode or client; 2 for an invalid option.`;

const QUICK_SECONDS = 50;
const FULL_SECONDS = 220;

interface Options {
  isQuick: boolean;
  parts: readonly (typeof partNames)[number][];
  names: readonly ClientName[];
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  const { programs, missing } = findClients(options.names);
  for (const line of missing) console.error(line);
  if (programs.length === 0) return fail(1, 'no client to measure');

  const pinning = pinLoad();
  const results = new Results();
  const deadline = performance.now() + (options.isQuick ? QUICK_SECONDS : FULL_SECONDS) * 1000;
  const secondsLeft = () => (deadline - performance.now()) / 1000;
  const context = { programs, isQuick: options.isQuick, results, secondsLeft, progress: showProgress };
  for (const part of options.parts) await parts[part](context);
  showProgress('');

  console.log(`${machineText()}. ${pinning.replace('load', 'clients')}`);
  console.log(`${TABLE_LEGEND}\n`);
  const names = programs.map(({ name }) => name);
  console.log(table(results.rows, names));
  if (results.notes.size > 0) console.log(`\n${[...results.notes].join('\n')}`);
  for (const fault of results.faults) fail(1, faultText(fault));
}

function readOptions(): Options | undefined {
  const flags = {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    clients: { type: 'string' },
  } as const;
  return readCommandLine(help, flags, ({ quick, only, clients }) => ({
    isQuick: quick,
    parts: parseNames('--only', only, partNames),
    names: parseNames('--clients', clients, clientNames),
  }));
}

process.on('exit', () => {
  killClients();
  killServers();
});
exitOnSignals();
await main();
