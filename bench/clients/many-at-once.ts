import { openFileLimit } from '../process/proc.ts';
import { startServer } from '../process/server-process.ts';
import type { Bench } from './bench.ts';
import { server } from './episodes.ts';
import { startPlayer } from './player-process.ts';
import type { Player } from './players.ts';

const filesOfItsOwn = 100;
/** One for the call, one for a ping meanwhile, one that is about to close. */
const filesPerEpisode = 3;
/** What it takes to start a server and a player. */
const startSeconds = 5;

interface Size {
  count: number;
  seconds: number;
  limit: number;
}

/** Episodes that begin all at the same moment, on one client, each with a call of some seconds. */
export async function playManyAtOnce(bench: Bench): Promise<void> {
  const size = bench.isQuick ? { count: 300, seconds: 2, limit: 10 } : { count: 2000, seconds: 5, limit: 40 };
  const needed = size.count * filesPerEpisode + filesOfItsOwn;
  if (openFileLimit('self') < needed) {
    bench.results.notes.add(`Many at once was left out: it needs ${needed} open files (\`ulimit -n ${needed}\`).`);
    return;
  }
  const measure = `${size.count.toLocaleString('en')} episodes at once, each with a call of ${size.seconds} s`;
  const share = bench.secondsLeft() / bench.players.length - startSeconds;
  const limit = Math.max(size.seconds + 5, Math.min(size.limit, share));
  for (const player of bench.players) {
    bench.progress(`${measure}, ${player.name}`);
    await playOnce(bench, measure, player, { ...size, limit }).catch((error) =>
      bench.results.fault(measure, player.name, error),
    );
  }
}

async function playOnce({ results }: Bench, measure: string, player: Player, size: Size): Promise<void> {
  const { count, seconds, limit } = size;
  await using host = await startServer(server);
  await using client = startPlayer(player, host.port);
  // One episode first: a client that was never used has not loaded all of itself.
  const call = { name: 'submit_slowly', input: { answer: '4', seconds: 0 } };
  await client.play({ workers: 1, seconds: 0, limit, call });
  const memoryBefore = client.memory().now;
  const filesBefore = client.openFiles();
  let files = filesBefore;
  const sampler = setInterval(() => {
    files = Math.max(files, client.openFiles());
  }, 250);
  const order = { workers: count, seconds: 0, limit, call: { ...call, input: { ...call.input, seconds } } };
  const answer = await client.play(order).finally(() => clearInterval(sampler));

  for (const fault of answer.faults) results.fault(measure, player.name, fault);
  const late = count - answer.durations.length - answer.faults.length;
  if (late > 0)
    results.notes.add(`${measure}, ${player.name}: ${late} had not ended after ${limit.toFixed(0)} s, the limit.`);
  const { peak } = client.memory();
  const record = (name: string, better: 'more' | 'less' | 'neither', value: number) =>
    results.record({ measure, name, better }, player.name, value);
  record('ended right', 'more', answer.durations.length);
  if (late === 0) record('after s', 'less', answer.seconds);
  if (late === 0) record('client CPU us/episode', 'less', answer.cpu / count);
  record('peak RSS MB', 'less', peak / 1024 / 1024);
  record('RSS kB/episode', 'less', (peak - memoryBefore) / 1024 / count);
  record('sockets at most', 'neither', files - filesBefore);
}
