import { UnexpectedResponseError } from '../load/assertions.ts';
import { type Connection, withConnections } from '../load/connection.ts';
import { callRequest } from '../load/ors.ts';
import { submit } from '../load/protocol.ts';
import { hello as helloContestant } from '../process/contestants.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { recordRound, runCalls, smallCalls } from './calls.ts';
import {
  type Measure,
  type MeasureContext,
  measureUsage,
  RAMP_UP_SECONDS,
  runGenerations,
  WARM_UP_SECONDS,
} from './measure.ts';

const clients = 32;

/**
 * Calls to the bare server, and the same requests to a server that does no work: the cost of the bare server's work.
 */
export const hello: Measure = {
  name: 'hello',
  about: 'the bare server relative to a server of one line, which shows that the bare one is not slow by itself',
  run: async (context) => {
    const bare = context.contestants.find(({ name }) => name === 'bare');
    if (bare === undefined) return;
    const measure = `hello, ${smallCalls(clients)}`;
    const contestants = [bare, helloContestant()];
    const usual = context.quick ? 0.5 : 1;
    const plan = { count: context.quick ? 2 : 6, rounds: 2, timeoutSeconds: 60 };
    await runGenerations({ ...context, contestants }, measure, plan, async (server, round) => {
      const load = { connections: clients, call: submit, seconds: round === 0 ? WARM_UP_SECONDS : usual };
      const figures =
        server.name === 'hello'
          ? await runGreetings(context, measure, server, load.seconds)
          : await runCalls(context, measure, server, load);
      if (round > 0) recordRound(context, measure, server, figures);
    });
  },
};

async function runGreetings(context: MeasureContext, measure: string, server: ServerProcess, seconds: number) {
  const latencies: number[] = [];
  const usage = await withConnections(server.port, clients, async (connections) => {
    await greetFor(RAMP_UP_SECONDS, connections, []);
    return await measureUsage(context, measure, server, () => greetFor(seconds, connections, latencies));
  });
  return { latencies, ...usage };
}

async function greetFor(seconds: number, connections: readonly Connection[], latencies: number[]): Promise<void> {
  const request = callRequest('a-session', submit.tool, submit.input);
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    connections.map(async (connection) => {
      for (let from = performance.now(); from < end; ) {
        const { body } = await connection.send(request);
        if (body !== 'hello') throw new UnexpectedResponseError(`hello: ${body}`);
        const now = performance.now();
        latencies.push(now - from);
        from = now;
      }
    }),
  );
}
