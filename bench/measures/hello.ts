import { WrongAnswer } from '../load/answers.ts';
import { type Connection, withConnections } from '../load/connection.ts';
import { callRequest, submit } from '../load/episode.ts';
import { hello as helloContestant } from '../process/contestants.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { callRound, recordRound, smallCalls } from './calls.ts';
import { type Bench, COMPILING_SECONDS, inGenerations, type Measure, timed, WAKING_SECONDS } from './measure.ts';

const clients = 32;

/** Calls to the bare server beside the same requests to one that does nothing: what the bare one's work costs it. */
export const hello: Measure = {
  name: 'hello',
  about: 'the bare server beside one of a single line, which shows that the bare one is not crippled',
  run: async (bench) => {
    const bare = bench.contestants.find(({ name }) => name === 'bare');
    if (bare === undefined) return;
    const measure = `hello, ${smallCalls(clients)}`;
    const contestants = [bare, helloContestant()];
    const usual = bench.quick ? 0.5 : 1;
    const plan = { count: bench.quick ? 2 : 6, rounds: 2, limitSeconds: 60 };
    await inGenerations({ ...bench, contestants }, measure, plan, async (server, round) => {
      const load = { connections: clients, call: submit, seconds: round === 0 ? COMPILING_SECONDS : usual };
      const figures =
        server.name === 'hello'
          ? await greet(bench, measure, server, load.seconds)
          : await callRound(bench, measure, server, load);
      if (round > 0) recordRound(bench, measure, server, figures);
    });
  },
};

async function greet(bench: Bench, measure: string, server: ServerProcess, seconds: number) {
  const latencies: number[] = [];
  const usage = await withConnections(server.port, clients, async (connections) => {
    await greetFor(WAKING_SECONDS, connections, []);
    return await timed(bench, measure, server, () => greetFor(seconds, connections, latencies));
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
        if (body !== 'hello') throw new WrongAnswer(`hello: ${body}`);
        const now = performance.now();
        latencies.push(now - from);
        from = now;
      }
    }),
  );
}
