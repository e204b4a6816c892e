import { repeatedCallCheck } from '../load/answers.ts';
import { awake } from '../load/awake.ts';
import { type Connection, withConnections } from '../load/connection.ts';
import { callRequest, closeEpisode, openEpisode, submit } from '../load/episode.ts';
import { ours } from '../process/contestants.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { type Bench, COMPILING_SECONDS, inGenerations, type Measure } from './measure.ts';

const measure = 'mixed';
const clients = 32;
/** Calls of each client in a row, through the direct entrance and then through Express. */
const turn = { hot: 18, unusual: 2 };

/**
 * What calls through the direct entrance cost where a tenth of all goes through Express, which changes the shapes of
 * objects that both use. The two kinds take turns, so that the CPU time of each can be told.
 */
export const mixed: Measure = {
  name: measure,
  about: 'CPU per call through the direct entrance where a tenth of all goes through Express, beside none',
  run: async (bench) => {
    if (!bench.contestants.some(({ name }) => name === 'ours')) return;
    const contestants = ['pure', 'mixed'].map((name) => ({ name, ...ours() }));
    const seconds = bench.quick ? 0.5 : 1.5;
    const found = { pure: [] as number[], mixed: [] as number[] };
    const plan = { count: bench.quick ? 2 : 6, rounds: 2, limitSeconds: 60 };
    await inGenerations({ ...bench, contestants }, measure, plan, async (server, round) => {
      const cpu = await playTurns(server, round === 0 ? COMPILING_SECONDS : seconds);
      if (round > 0) found[server.name === 'pure' ? 'pure' : 'mixed'].push(cpu);
    });
    for (const [round, pure] of found.pure.entries()) record(bench, pure, found.mixed[round] ?? Number.NaN);
  },
};

function record(bench: Bench, pure: number, beside: number): void {
  const put = (name: string, value: number) => bench.record({ measure, name, better: 'less' }, 'ours', value);
  put('CPU us/direct call, no other', pure);
  put('CPU us/direct call, a tenth by Express', beside);
  put('the second through the first', beside / pure);
}

/** The CPU time of a call through the direct entrance. */
async function playTurns(server: ServerProcess, seconds: number): Promise<number> {
  return withConnections(server.port, clients, async (connections) => {
    const sids = await Promise.all(connections.map((connection) => openEpisode(connection)));
    const hot = sids.map((sid) => callRequest(sid, submit.tool, submit.input));
    // A media type with a parameter is valid, and nothing that the direct entrance takes.
    const unusual = hot.map((text) => text.replace('application/json', 'application/json; charset=utf-8'));
    const end = performance.now() + seconds * 1000;
    let [cpu, calls] = [0, 0];
    await awake(async () => {
      while (performance.now() < end) {
        const before = server.cpu();
        await callTimes(connections, hot, turn.hot);
        cpu += server.cpu() - before;
        calls += turn.hot * clients;
        if (server.name === 'mixed') await callTimes(connections, unusual, turn.unusual);
      }
    });
    await Promise.all(connections.map((connection, index) => closeEpisode(connection, sids[index] ?? '')));
    return cpu / calls;
  });
}

async function callTimes(
  connections: readonly Connection[],
  requests: readonly string[],
  times: number,
): Promise<void> {
  const check = repeatedCallCheck(submit.text, submit.reward);
  await Promise.all(
    connections.map(async (connection, index) => {
      for (let call = 0; call < times; call += 1) check(await connection.send(requests[index] ?? ''));
    }),
  );
}
