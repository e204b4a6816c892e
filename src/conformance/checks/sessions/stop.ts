import { randomUUID } from 'node:crypto';
import { joinWords, poll } from '../../../core/index.ts';
import { assertConforms, assume } from '../../assertions.ts';
import { defineChecks } from '../../check.ts';
import type { Probe, ProbeResponse, TargetProcess } from '../../probe/index.ts';
import { NO_SPLIT } from '../discovery/requests.ts';
import { newKey, postCreate } from '../steps.ts';

/** Time limit for the server to stop. */
const MAX_STOP_MS = 60_000;
/** Duration of the running call; the server may wait for it. */
const CALL_MS = 15_000;
/** Times of the /create requests after the signal, which the server may not have noticed at the first. */
const LATE_AFTER_MS = [0, 100, 400, 1_500];
const STOP_COST = { sessions: 3 + LATE_AFTER_MS.length, calls: 1 };

export const stopChecks = defineChecks({ profile: 'full', needs: ['process', 'fixture:sleep'], cost: STOP_COST }, [
  {
    id: 'stop/teardown',
    title: 'A stopping server tears down every session, including one with a running call',
    requirement: 'ORS-SHUT-001',
    async run(probe) {
      const { output, keys } = await stopServer(probe);
      const left = Object.entries(keys).filter(([, key]) => !output.includes(`conformance: teardown ${key}`));
      const names = joinWords(left.map(([what]) => what));
      assertConforms(left.length === 0, `the server stopped without tearing down ${names}`);
    },
  },
  {
    id: 'stop/streams-end',
    title: 'A stopping server ends running streams with a terminal event',
    requirement: 'ORS-SHUT-002',
    async run(probe) {
      const { stream } = await stopServer(probe);
      const isEnded = stream.resultText !== undefined || stream.streamError !== undefined;
      const events = [...stream.events.map(({ event }) => event), stream.exchange.failure ?? 'nothing more'].join(', ');
      assertConforms(isEnded, `the stream of a running call ended without end or error; the events were ${events}`);
    },
  },
  {
    id: 'stop/no-new-episodes',
    title: 'A stopping server opens no new episodes',
    requirement: 'ORS-SHUT-003',
    async run(probe) {
      const { lateResponse } = await stopServer(probe);
      assertConforms(!lateResponse.isSuccess, `after the signal to stop, /create returned ${lateResponse.summary}`);
      probe.note(`while the server stops, /create returns ${lateResponse.summary}`);
    },
  },
  {
    id: 'stop/secrets-not-logged',
    title: 'The output of the server does not contain the value of a secret, up to its exit',
    requirement: 'ORS-SESS-047',
    async run(probe) {
      const { output, secret } = await stopServer(probe);
      assertConforms(!output.includes(secret), 'the server printed the value of a secret');
    },
  },
]);

const stopped = new WeakMap<TargetProcess, ReturnType<typeof stopOnce>>();

/** Stops the server, once for all checks of the run. */
async function stopServer(probe: Probe) {
  const { process } = probe;
  assume(process, 'the suite did not start the server');
  const stop = stopped.get(process) ?? stopOnce(probe, process);
  stopped.set(process, stop);
  const result = await stop;
  probe.includeEvidence(result.exchanges);
  return result;
}

/**
 * Returns the keys of the open sessions, by description; the response to the call that ran at the signal; the last
 * response to a `/create` after the signal; and everything that the server has printed.
 */
async function stopOnce(probe: Probe, process: TargetProcess) {
  const secret = `secret-${randomUUID()}`;
  const secrets = { CONFORMANCE: secret };
  const keys = { 'an idle session': newKey(), 'a session with a running call': newKey() };
  const [idle, busy] = await Promise.all(Object.values(keys).map((key) => probe.episode({ task: { key }, secrets })));
  assume(idle && busy, 'no episodes');
  await idle.prompt();
  const body = await probe.createBody({ secrets });
  await postCreate(probe, await probe.createSessionId(), { ...body, split: NO_SPLIT });
  const lateSids = await Promise.all(LATE_AFTER_MS.map(() => probe.createSessionId()));
  const call = busy.start('sleep', { ms: CALL_MS }, { timeoutMs: MAX_STOP_MS });
  assume(await call.event('task_id'), 'the call sent no task_id');

  process.terminate();
  const [lateResponse, stream] = await Promise.all([lateCreate(probe, lateSids), call.end()]);
  await probe.within(MAX_STOP_MS, process.ended);
  // The last output of a process may arrive after its exit.
  const hasSaidAll = () => Object.values(keys).every((key) => process.output().includes(key)) || undefined;
  await poll(hasSaidAll, { everyMs: 50, timeoutMs: 1_000 });
  return { keys, secret, stream, lateResponse, output: process.output(), exchanges: [...probe.exchanges] };
}

/** Sends /create until one is rejected. */
async function lateCreate(probe: Probe, sids: readonly string[]): Promise<ProbeResponse> {
  const body = await probe.createBody({ task: {} });
  let response: ProbeResponse | undefined;
  for (const [index, sid] of sids.entries()) {
    await probe.pause(LATE_AFTER_MS[index] ?? 0);
    response = await postCreate(probe, sid, body, { retryWhileFull: false });
    if (!response.isSuccess) break;
  }
  assume(response, 'no request was sent');
  return response;
}
