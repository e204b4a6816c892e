import { setTimeout as sleep } from 'node:timers/promises';
import { checkCall, eventsOf, WrongAnswer } from '../load/answers.ts';
import { Connection, withConnections } from '../load/connection.ts';
import { callRequest, openEpisodes } from '../load/episode.ts';
import type { Reply } from '../load/reply-parser.ts';
import { percentile } from '../load/statistics.ts';
import type { Contestant } from '../process/contestants.ts';
import { type ServerProcess, startServer } from '../process/server-process.ts';
import { type Bench, inRounds, type Measure } from './measure.ts';
import { atEvenPace } from './streams.ts';

const measure = 'resume';

interface Size {
  count: number;
  /** How long the calls take, the storm included. */
  seconds: number;
}

/** What a lost call needs to be asked for again. */
interface Lost {
  sid: string;
  taskId: string;
}

/** All clients lose their connections while their calls run, and ask for their results anew, all at once. */
export const resume: Measure = {
  name: measure,
  about: 'a storm: 5,000 clients come back at once to calls that are under way',
  run: async (bench) => {
    const size = bench.quick ? { count: 1000, seconds: 6 } : { count: 5000, seconds: 20 };
    const plan = { rounds: 1, runners: bench.contestants, warmUp: false, limitSeconds: 180 };
    await inRounds(bench, measure, plan, (contestant) => measureStorm(bench, contestant, size));
  },
};

async function measureStorm(bench: Bench, contestant: Contestant, { count, seconds }: Size): Promise<void> {
  await using server = await startServer(contestant);
  const sids = await withConnections(server.port, 32, (connections) => openEpisodes(connections, count));
  const request = (sid: string, taskId?: string) => callRequest(sid, 'wait', { seconds }, taskId);
  const lost = await loseAll(server, sids, request);

  const cpuBefore = server.cpu();
  const from = performance.now();
  const asked = await Promise.all(lost.map(({ sid, taskId }) => ask(server.port, request(sid, taskId))));
  while (!asked.every(hasBegun)) await sleep(5);
  const cpu = server.cpu() - cpuBefore;

  const firsts: number[] = [];
  for (const [index, { reply }] of asked.entries()) {
    try {
      const whole = await reply;
      const taskId = checkCall(whole, 'Waited.', null);
      if (taskId !== lost[index]?.taskId) throw new WrongAnswer(`resume: another call answers, ${taskId}`);
      firsts.push(whole.firstByteAt - from);
    } catch (error) {
      bench.fault(measure, contestant.name, error);
    }
  }
  for (const { connection } of asked) connection.close();
  const sorted = Float64Array.from(firsts);
  const record = (name: string, better: 'more' | 'less', value: number) =>
    bench.record(
      { measure: `${measure}, ${count.toLocaleString('en')} at once`, name, better },
      contestant.name,
      value,
    );
  record('ended right', 'more', firsts.length);
  record('p50 ms to first event', 'less', percentile(sorted, 0.5));
  record('p99 ms to first event', 'less', percentile(sorted, 0.99));
  record('CPU us/resumed call', 'less', cpu / count);
}

/** A request whose answer is awaited elsewhere. */
interface Asked {
  connection: Connection;
  reply: Promise<Reply>;
  /** The body, once all of it is there; empty if it never will be. */
  whole: string | undefined;
}

async function ask(port: number, request: string): Promise<Asked> {
  const connection = await Connection.open(port);
  const asked: Asked = { connection, reply: connection.send(request), whole: undefined };
  asked.reply.then(
    ({ body }) => {
      asked.whole = body;
    },
    () => {
      asked.whole = '';
    },
  );
  return asked;
}

const hasBegun = ({ connection, whole }: Asked): boolean => whole !== undefined || connection.received !== '';

/** Starts a call per session, waits until each has its task_id, and closes all connections. */
async function loseAll(
  server: ServerProcess,
  sids: readonly string[],
  request: (sid: string) => string,
): Promise<Lost[]> {
  const asking: Promise<Asked>[] = [];
  await atEvenPace(sids, (sid) => void asking.push(ask(server.port, request(sid))));
  const asked = await Promise.all(asking);
  while (!asked.every(hasBegun)) await sleep(20);
  for (const { connection } of asked) connection.close();
  // Until the server has seen them all go.
  await sleep(1000);
  return asked.map(({ connection, whole }, index) => ({
    sid: sids[index] ?? '',
    taskId: taskIdOf(whole || connection.received),
  }));
}

function taskIdOf(body: string): string {
  const [first] = eventsOf(body);
  if (first?.event === 'task_id') return first.data;
  throw new WrongAnswer(`call: the first event was ${first?.event}`);
}
