/** Records a CPU profile of a server, client, run or trace store under load, and prints the self time of its code. */

import { writeFileSync } from 'node:fs';
import { killClients } from './clients/client-process.ts';
import { describeChoices, exitOnSignals, fail, readCommandLine } from './command-line.ts';
import { findContestants } from './process/contestants.ts';
import { pinLoad } from './process/pinning.ts';
import { killServers } from './process/server-process.ts';
import { type RecordedProfile, recordProfile } from './profile/record-profile.ts';
import { recordRunProfile } from './profile/record-run-profile.ts';
import { recordStoreProfile } from './profile/record-store-profile.ts';
import { type Share, selfTime } from './profile/self-time.ts';
import { engineNames } from './traces/parts.ts';

const LOADS = {
  calls: { about: 'a server that receives small tool calls', unit: 'calls' },
  episodes: { about: 'a server of whole episodes', unit: 'episodes' },
  client: { about: 'our client, which plays episodes', unit: 'episodes' },
  run: { about: 'a run', unit: 'episodes' },
  recorded: { about: 'a run with its trace store on SQLite', unit: 'episodes' },
  batches: { about: 'a trace store that receives 100 blocks per request', unit: 'blocks' },
  singles: { about: 'a trace store that receives one block per request', unit: 'blocks' },
} as const;

const help = `Usage: node --import tsx bench/profile.ts [options]

Puts load on a process of the built package, and prints the self time of its functions, by owner and one by one: of a
server, a client, a run or a trace store. The garbage collector, and native code without a caller, are separate owners.

Options:
  --seconds <n>        duration of the profile (10); for a client or run an estimate, since the number of episodes is fixed
  --load <kind>        what is recorded (calls):
${describeChoices(
  Object.entries(LOADS).map(([name, { about }]) => ({ name, about })),
  23,
)}
  --connections <n>    number of concurrent connections, or of episodes at once (32); trace stores have 8 or 32
  --server <name>      ours or bare, for calls and episodes (ours)
  --engine <name>      sqlite or postgres, for batches and singles (sqlite; the library libsql if Node has no node:sqlite)
  --out <file>         also write the profile for the Chrome DevTools (to a name that ends in .cpuprofile)
  --help               print this help

Examples:
  node --import tsx bench/profile.ts --seconds 5 --out calls.cpuprofile
  node --import tsx bench/profile.ts --load run --connections 5000
  node --import tsx bench/profile.ts --load batches --engine postgres`;

const TOP_FUNCTIONS = 25;

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  const recorded = await record(options);
  if (recorded === undefined) return;
  const { profile, count, cpu } = recorded;
  if (options.out !== undefined) writeFileSync(options.out, JSON.stringify(profile));

  const { owners, functions, idleShare } = selfTime(profile);
  const { unit } = LOADS[options.load];
  console.log(`${count.toLocaleString('en')} ${unit}, ${(cpu / count).toFixed(1)} us of CPU each (with the profiler)`);
  console.log(`Shares of busy time; the process was idle for ${(idleShare * 100).toFixed(1)} % of the time.\n`);
  console.log(sharesTable(owners));
  console.log(`\n${sharesTable(functions.slice(0, TOP_FUNCTIONS))}`);
}

/** Reports what is missing, and returns nothing, if the load cannot run here. */
async function record(options: Options): Promise<RecordedProfile | undefined> {
  const { load, seconds, connections, engine } = options;
  switch (load) {
    case 'calls':
    case 'episodes': {
      const { contestants, missing } = findContestants([options.server]);
      const [contestant] = contestants;
      if (contestant === undefined) {
        fail(1, missing.join('\n'));
        return undefined;
      }
      console.error(pinLoad());
      return recordProfile(contestant, { load, seconds, connections });
    }
    case 'client':
    case 'run':
    case 'recorded':
      console.error(pinLoad());
      return recordRunProfile({ way: load, seconds, atOnce: connections });
    case 'batches':
    case 'singles':
      return recordStoreProfile({ engine, load, seconds });
  }
}

function sharesTable(shares: readonly Share[]): string {
  return shares.map(({ name, share }) => `${(share * 100).toFixed(1).padStart(5)} %  ${name}`).join('\n');
}

type Options = Exclude<ReturnType<typeof readOptions>, undefined>;

function readOptions() {
  const flags = {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '32' },
    server: { type: 'string', default: 'ours' },
    load: { type: 'string', default: 'calls' },
    engine: { type: 'string', default: 'sqlite' },
    out: { type: 'string' },
  } as const;
  return readCommandLine(help, flags, ({ out, ...values }) => ({
    seconds: positive('--seconds', values.seconds),
    connections: Math.ceil(positive('--connections', values.connections)),
    load: oneOf('--load', values.load, Object.keys(LOADS) as (keyof typeof LOADS)[]),
    engine: oneOf('--engine', values.engine, engineNames),
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

process.on('exit', () => {
  killServers();
  killClients();
});
exitOnSignals();
await main();
