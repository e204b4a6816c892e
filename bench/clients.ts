/** Measures our client beside the Python clients and the generated one, on our server, and prints figures and ratios. */

import { parseArgs } from 'node:util';
import { errorMessage } from '../src/core/index.ts';
import { playInRounds } from './clients/episodes.ts';
import { playManyAtOnce } from './clients/many-at-once.ts';
import { killPlayers } from './clients/player-process.ts';
import { findPlayers, type PlayerName, playerNames } from './clients/players.ts';
import { chosen } from './flags.ts';
import { pinLoad } from './process/pinning.ts';
import { killServers } from './process/server-process.ts';
import { faultText, machineText, table } from './report.ts';
import { Results } from './results.ts';
import { fail, showProgress } from './say.ts';

const parts = { episodes: playInRounds, many: playManyAtOnce };
const partNames = ['episodes', 'many'] as const;

const help = `Usage: node --import tsx bench/clients.ts [options]

Measures clients on the same server, ours, one client at a time: ours (OrsClient of the built package), generated (the
generated client over Node's fetch, which neither pings nor retries), ors-sdk and openreward (for Python, asynchronous).
An episode is session, prompt, tools, a call that finishes, close. The clients take turns, round after round; a figure
is the median of the rounds with the least and the most. It takes at most 4 minutes, or one with --quick;
a busy machine gets fewer rounds and less time for many episodes, which the figures then show.

Options:
  --quick              short rounds, fewer episodes at once
  --only <parts>       some of ${partNames.join(', ')}, separated by commas:
                         episodes  episodes one after the other, 32 at once and one at a time
                         many      2,000 episodes that begin at the same moment, each with a call of 5 s
  --clients <names>    some of ${playerNames.join(', ')}
  --help               this text

Example: node --import tsx bench/clients.ts --quick --clients ours,ors-sdk

Exit code: 0, or 1 if an episode went wrong or a client failed, 2 for a wrong option.`;

const quickSeconds = 50;
const fullSeconds = 220;

interface Options {
  isQuick: boolean;
  parts: readonly (typeof partNames)[number][];
  names: readonly PlayerName[];
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  const { players, missing } = findPlayers(options.names);
  for (const line of missing) console.error(line);
  if (players.length === 0) return fail(1, 'There is no client to measure.');

  const pinning = pinLoad();
  const results = new Results();
  const deadline = performance.now() + (options.isQuick ? quickSeconds : fullSeconds) * 1000;
  const secondsLeft = () => (deadline - performance.now()) / 1000;
  const bench = { players, isQuick: options.isQuick, results, secondsLeft, progress: showProgress };
  for (const part of options.parts) await parts[part](bench);
  showProgress('');

  console.log(`${machineText()}. ${pinning.replace('load', 'clients')}`);
  console.log('Median (least-most of the rounds); + more is better, - less is better.\n');
  const names = players.map(({ name }) => name);
  console.log(table(results.rows, names));
  if (results.notes.size > 0) console.log(`\n${[...results.notes].join('\n')}`);
  for (const fault of results.faults) fail(1, faultText(fault));
}

function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        only: { type: 'string' },
        clients: { type: 'string' },
      },
    });
    const names = chosen('--clients', values.clients, playerNames);
    const options = { isQuick: values.quick, parts: chosen('--only', values.only, partNames), names };
    if (!values.help) return options;
    console.log(help);
  } catch (error) {
    fail(2, `${errorMessage(error)}\nSee --help.`);
  }
  return undefined;
}

process.on('exit', () => {
  killPlayers();
  killServers();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
await main();
