/** Takes a CPU profile of a server under load, and prints where its time goes: by owner, and by function. */

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { errorMessage } from '../src/core/index.ts';
import { findContestants } from './process/contestants.ts';
import { pinLoad } from './process/pinning.ts';
import { killServers } from './process/server-process.ts';
import { busyTime, type Share } from './profile/busy-time.ts';
import { profileLoad } from './profile/profile-load.ts';
import { fail } from './say.ts';

const help = `Usage: node --import tsx bench/profile.ts [options]

Runs small tool calls, or whole episodes, against our server (the built package) and prints the self time of its functions, by owner and
one by one. Time in the collector and time outside JavaScript that has no caller are owners of their own.

Options:
  --seconds <n>        length of the profile (10)
  --load <what>        calls or episodes (calls)
  --connections <n>    connections that call at once (32)
  --server <name>      ours or bare (ours)
  --out <file>         also write the profile, for Chrome's developer tools (a name that ends in .cpuprofile)
  --help               this text

Example: node --import tsx bench/profile.ts --seconds 5 --out calls.cpuprofile`;

const topFunctions = 25;

interface Options {
  seconds: number;
  connections: number;
  load: 'calls' | 'episodes';
  server: 'ours' | 'bare';
  out: string | undefined;
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  const { contestants, missing } = findContestants([options.server]);
  const [contestant] = contestants;
  if (contestant === undefined) return fail(1, missing.join('\n'));

  console.error(pinLoad());
  const { profile, count, cpu } = await profileLoad(contestant, options);
  if (options.out !== undefined) writeFileSync(options.out, JSON.stringify(profile));

  const { owners, functions, idleShare } = busyTime(profile);
  console.log(
    `${count.toLocaleString('en')} ${options.load}, ${(cpu / count).toFixed(1)} us of CPU each (with the profiler)`,
  );
  console.log(`Shares of busy time; the process was idle for ${(idleShare * 100).toFixed(1)} % of all.\n`);
  console.log(sharesTable(owners));
  console.log(`\n${sharesTable(functions.slice(0, topFunctions))}`);
}

function sharesTable(shares: readonly Share[]): string {
  return shares.map(({ name, share }) => `${(share * 100).toFixed(1).padStart(5)} %  ${name}`).join('\n');
}

function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        seconds: { type: 'string', default: '10' },
        connections: { type: 'string', default: '32' },
        server: { type: 'string', default: 'ours' },
        load: { type: 'string', default: 'calls' },
        out: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(help);
      return undefined;
    }
    const { server, out, load } = values;
    if (server !== 'ours' && server !== 'bare') throw new Error(`--server: '${server}' is none of ours, bare.`);
    if (load !== 'calls' && load !== 'episodes') throw new Error(`--load: '${load}' is none of calls, episodes.`);
    const seconds = positive('--seconds', values.seconds);
    const connections = Math.ceil(positive('--connections', values.connections));
    return { seconds, connections, load, server, out };
  } catch (error) {
    fail(2, `${errorMessage(error)}\nSee --help.`);
    return undefined;
  }
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${option}: '${text}' is no positive number.`);
  return value;
}

process.on('exit', () => killServers());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
await main();
