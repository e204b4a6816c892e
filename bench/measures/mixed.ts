import { createRepeatedCallAssertion } from '../load/assertions.ts';
import { busyPoll } from '../load/busy-poll.ts';
import { type Connection, withConnections } from '../load/connection.ts';
import { callRequest, closeEpisode, openEpisode } from '../load/ors.ts';
import { submit } from '../load/protocol.ts';
import { ours } from '../process/contestants.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { type Measure, type MeasureContext, runGenerations, WARM_UP_SECONDS } from './measure.ts';

const measure = 'mixed';
const clients = 32;
/** Consecutive calls of each client, first on the fast path and then through Express. */
const turn = { fast: 18, express: 2 };

/**
 * CPU time of calls on the fast path while 10 % of all calls take the route through Express, which changes the hidden
 * classes of objects that both routes use. The two kinds take turns, so that their CPU times can be measured
 * separately.
 */
export const mixed: Measure = {
  name: measure,
  about: 'CPU per fast-path call while 10 % of the calls take the route through Express, relative to none',
  run: async (context) => {
    if (!context.contestants.some(({ name }) => name === 'ours')) return;
    const contestants = ['pure', 'mixed'].map((name) => ({ name, ...ours() }));
    const seconds = context.quick ? 0.5 : 1.5;
    const costs = { pure: [] as number[], mixed: [] as number[] };
    const plan = { count: context.quick ? 2 : 6, rounds: 2, timeoutSeconds: 60 };
    await runGenerations({ ...context, contestants }, measure, plan, async (server, round) => {
      const cpu = await runTurns(server, round === 0 ? WARM_UP_SECONDS : seconds);
      if (round > 0) costs[server.name === 'pure' ? 'pure' : 'mixed'].push(cpu);
    });
    for (const [round, pure] of costs.pure.entries()) record(context, pure, costs.mixed[round] ?? Number.NaN);
  },
};

function record(context: MeasureContext, pure: number, mixedCost: number): void {
  const put = (name: string, value: number) => context.record({ measure, name, better: 'less' }, 'ours', value);
  put('CPU us/fast-path call, fast path only', pure);
  put('CPU us/fast-path call, 10 % through Express', mixedCost);
  put('ratio of the two', mixedCost / pure);
}

/** @returns the CPU time of a call on the fast path in microseconds. */
async function runTurns(server: ServerProcess, seconds: number): Promise<number> {
  return withConnections(server.port, clients, async (connections) => {
    const sids = await Promise.all(connections.map((connection) => openEpisode(connection)));
    const fast = sids.map((sid) => callRequest(sid, submit.tool, submit.input));
    // A media type with a parameter is valid, but the fast path does not accept it.
    const express = fast.map((text) => text.replace('application/json', 'application/json; charset=utf-8'));
    const end = performance.now() + seconds * 1000;
    let cpu = 0;
    let calls = 0;
    await busyPoll(async () => {
      while (performance.now() < end) {
        const before = server.cpu();
        await callTimes(connections, fast, turn.fast);
        cpu += server.cpu() - before;
        calls += turn.fast * clients;
        if (server.name === 'mixed') await callTimes(connections, express, turn.express);
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
  const assertResult = createRepeatedCallAssertion(submit.text, submit.reward);
  await Promise.all(
    connections.map(async (connection, index) => {
      for (let call = 0; call < times; call += 1) assertResult(await connection.send(requests[index] ?? ''));
    }),
  );
}
