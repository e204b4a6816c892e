/** Records a CPU profile of a server under load, and prints the self time by owner and by function. */

import { writeFileSync } from 'node:fs';
import { exitOnSignals, fail, readCommandLine } from './command-line.ts';
import { findContestants } from './process/contestants.ts';
import { pinLoad } from './process/pinning.ts';
import { killServers } from './process/server-process.ts';
import { recordProfile } from './profile/record-profile.ts';
import { type Share, selfTime } from './profile/self-time.ts';

const help = `Usage: node --import tsx bench/profile.ts [options]

Runs small tool calls or whole episodes against our server (the built package), and prints the self time of its functions,
by owner and one by one. The garbage collector, and native code without a caller, are separate owners.

Options:
  --seconds <n>        duration of the profile (10)
  --load <kind>        calls or episodes (calls)
  --connections <n>    number of concurrent connections (32)
  --server <name>      ours or bare (ours)
  --out <file>         also write the profile for the Chrome DevTools (to a name that ends in .cpuprofile)
  --help               print this help

Example: node --import tsx bench/profile.ts --seconds 5 --out calls.cpuprofile`;

const TOP_FUNCTIONS = 25;

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  const { contestants, missing } = findContestants([options.server]);
  const [contestant] = contestants;
  if (contestant === undefined) return fail(1, missing.join('\n'));

  console.error(pinLoad());
  const { profile, count, cpu } = await recordProfile(contestant, options);
  if (options.out !== undefined) writeFileSync(options.out, JSON.stringify(profile));

  const { owners, functions, idleShare } = selfTime(profile);
  console.log(
    `${count.toLocaleString('en')} ${options.load}, ${(cpu / count).toFixed(1)} us of CPU each (with the profiler)`,
  );
  console.log(`Shares of busy time; the process was idle for ${(idleShare * 100).toFixed(1)} % of the time.\n`);
  console.log(sharesTable(owners));
  console.log(`\n${sharesTable(functions.slice(0, TOP_FUNCTIONS))}`);
}

function sharesTable(shares: readonly Share[]): string {
  return shares.map(({ name, share }) => `${(share * 100).toFixed(1).padStart(5)} %  ${name}`).join('\n');
}

function readOptions() {
  const flags = {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '32' },
    server: { type: 'string', default: 'ours' },
    load: { type: 'string', default: 'calls' },
    out: { type: 'string' },
  } as const;
  return readCommandLine(help, flags, ({ out, ...values }) => ({
    seconds: positive('--seconds', values.seconds),
    connections: Math.ceil(positive('--connections', values.connections)),
    load: oneOf('--load', values.load, ['calls', 'episodes'] as const),
    server: oneOf('--server', values.server, ['ours', 'bare'] as const),
    out,
  }));
}

function oneOf<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text);
  if (found === undefined) throw new Error(`invalid ${option} '${text}': expected ${names.join(' or ')}`);
  return found;
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`invalid ${option} '${text}': expected a positive number`);
  return value;
}

process.on('exit', () => killServers());
exitOnSignals();
await main();
