import { setTimeout as sleep } from 'node:timers/promises';
import { assertCallResult, parseEvents, UnexpectedResponseError } from '../load/assertions.ts';
import { Connection, withConnections } from '../load/connection.ts';
import { callRequest, openEpisode, ors } from '../load/ors.ts';
import type { HttpResponse } from '../load/response-parser.ts';
import type { Contestant } from '../process/contestants.ts';
import { type ServerProcess, startServer } from '../process/server-process.ts';
import { percentile } from '../statistics.ts';
import { type Measure, type MeasureContext, runRounds } from './measure.ts';
import { startAtConstantRate } from './streams.ts';

const measure = 'resume';

interface StormSize {
  count: number;
  /** Duration of the calls, including the reconnect storm. */
  seconds: number;
}

/** A call whose connection was closed, with what is needed to reconnect to it. */
interface LostCall {
  sid: string;
  taskId: string;
}

/** A reconnect storm: all clients lose their connections during their calls, and reconnect at the same time. */
export const resume: Measure = {
  name: measure,
  about: 'a reconnect storm: 5,000 clients reconnect to their running calls at once',
  run: async (context) => {
    const size = context.quick ? { count: 1000, seconds: 6 } : { count: 5000, seconds: 20 };
    const runners = context.contestants.filter(({ protocol = ors }) => protocol === ors);
    if (runners.length < context.contestants.length) {
      context.note('resume: calls of MCP and OpenEnv end with their connections, so their servers are not measured.');
    }
    const plan = { rounds: 1, runners, warmUp: false, timeoutSeconds: 180 };
    await runRounds(context, measure, plan, (contestant) => measureStorm(context, contestant, size));
  },
};

async function measureStorm(
  context: MeasureContext,
  contestant: Contestant,
  { count, seconds }: StormSize,
): Promise<void> {
  await using server = await startServer(contestant);
  const sids = await withConnections(server.port, 32, (connections) => openEpisodes(connections, count));
  const request = (sid: string, taskId?: string) => callRequest(sid, 'wait', { seconds }, taskId);
  const lost = await startAndLoseCalls(server, sids, request);

  const cpuBefore = server.cpu();
  const from = performance.now();
  const resumed = await Promise.all(lost.map(({ sid, taskId }) => openStream(server.port, request(sid, taskId))));
  while (!resumed.every(hasData)) await sleep(5);
  const cpu = server.cpu() - cpuBefore;

  const firstEvents: number[] = [];
  for (const [index, { response }] of resumed.entries()) {
    try {
      const complete = await response;
      const taskId = assertCallResult(complete, 'Waited.', null);
      if (taskId !== lost[index]?.taskId) {
        throw new UnexpectedResponseError(`resume: the response is of another call, ${taskId}`);
      }
      firstEvents.push(complete.firstByteAt - from);
    } catch (error) {
      context.fault(measure, contestant.name, error);
    }
  }
  for (const { connection } of resumed) connection.close();
  const record = (name: string, better: 'more' | 'less', value: number) =>
    context.record(
      { measure: `${measure}, ${count.toLocaleString('en')} at once`, name, better },
      contestant.name,
      value,
    );
  record('completed', 'more', firstEvents.length);
  record('p50 ms to first event', 'less', percentile(firstEvents, 0.5));
  record('p99 ms to first event', 'less', percentile(firstEvents, 0.99));
  record('CPU us/resumed call', 'less', cpu / count);
}

/** The stream of a call, which is read in the background. */
interface OpenStream {
  connection: Connection;
  response: Promise<HttpResponse>;
  /** The complete body; empty after a failure, undefined before the end. */
  body: string | undefined;
}

async function openStream(port: number, request: string): Promise<OpenStream> {
  const connection = await Connection.open(port);
  const stream: OpenStream = { connection, response: connection.send(request), body: undefined };
  stream.response.then(
    ({ body }) => {
      stream.body = body;
    },
    () => {
      stream.body = '';
    },
  );
  return stream;
}

const hasData = ({ connection, body }: OpenStream): boolean => body !== undefined || connection.received !== '';

/** Opens `count` episodes over some connections, and returns their session ids. */
async function openEpisodes(connections: readonly Connection[], count: number): Promise<string[]> {
  const sids: string[] = [];
  let left = count;
  await Promise.all(
    connections.map(async (connection) => {
      while (left-- > 0) sids.push(await openEpisode(connection));
    }),
  );
  return sids;
}

/** Starts a call per session, waits until each has its task_id, and closes all connections. */
async function startAndLoseCalls(
  server: ServerProcess,
  sids: readonly string[],
  request: (sid: string) => string,
): Promise<LostCall[]> {
  const opening: Promise<OpenStream>[] = [];
  await startAtConstantRate(sids, (sid) => void opening.push(openStream(server.port, request(sid))));
  const streams = await Promise.all(opening);
  while (!streams.every(hasData)) await sleep(20);
  for (const { connection } of streams) connection.close();
  // Waits until the server has noticed that they are closed.
  await sleep(1000);
  return streams.map(({ connection, body }, index) => ({
    sid: sids[index] ?? '',
    taskId: taskIdOf(body || connection.received),
  }));
}

function taskIdOf(body: string): string {
  const [first] = parseEvents(body);
  if (first?.event === 'task_id') return first.data;
  throw new UnexpectedResponseError(`call: the first event was ${first?.event}`);
}
