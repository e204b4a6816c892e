import { randomUUID } from 'node:crypto';
import { poll } from '../../../core/index.ts';
import type { Exchange, Probe, ProbeResponse, TargetProcess } from '../../probe/index.ts';
import { assume } from '../../verdict.ts';
import { newKey, postCreate } from './steps.ts';

/** How long a server may take to stop. */
const MAX_STOP_MS = 60_000;
/** A running call, which a patient server may wait for. */
const CALL_MS = 15_000;
/** When new episodes are asked for; the server need not have noticed the signal at the first. */
const LATE_AFTER_MS = [0, 100, 400, 1_500];

export const STOP_COST = { sessions: 3 + LATE_AFTER_MS.length, calls: 1 };

/** What was seen of a server from the moment at which it was told to stop. */
export interface StoppedServer {
  /** Of the sessions that were open, by what was special with them. */
  readonly keys: Readonly<Record<string, string>>;
  readonly secret: string;
  /** The answer to a call that ran at that moment. */
  readonly stream: ProbeResponse;
  /** The last answer to a `/create` after it. */
  readonly lateResponses: ProbeResponse;
  /** All that the server printed in its life. */
  readonly output: string;
  readonly exchanges: readonly Exchange[];
}

const stopped = new WeakMap<TargetProcess, Promise<StoppedServer>>();

/** Stops the server, once for all checks that look at it. */
export async function stopServer(probe: Probe): Promise<StoppedServer> {
  const { process } = probe;
  assume(process, 'the suite did not start the server');
  let stop = stopped.get(process);
  if (!stop) {
    stop = stopOnce(probe, process);
    stopped.set(process, stop);
  }
  const seen = await stop;
  probe.includeEvidence(seen.exchanges);
  return seen;
}

async function stopOnce(probe: Probe, process: TargetProcess): Promise<StoppedServer> {
  const secret = `secret-${randomUUID()}`;
  const secrets = { CONFORMANCE: secret };
  const keys = { 'an idle session': newKey(), 'a session with a running call': newKey() };
  const [idle, busy] = await Promise.all(Object.values(keys).map((key) => probe.episode({ task: { key }, secrets })));
  assume(idle && busy, 'no episodes could be had');
  await idle.prompt();
  const body = await probe.createBody({ secrets });
  await postCreate(probe, await probe.createSessionId(), { ...body, split: 'conformance-no-such-split' });
  const lateSids = await Promise.all(LATE_AFTER_MS.map(() => probe.createSessionId()));
  const call = busy.start('sleep', { ms: CALL_MS }, { timeoutMs: MAX_STOP_MS });
  assume(await call.event('task_id'), 'the call that was to run named no task_id');

  process.terminate();
  const [late, stream] = await Promise.all([lateCreate(probe, lateSids), call.end()]);
  await probe.within(MAX_STOP_MS, process.ended);
  // What a process printed last may arrive after its end.
  const hasSaidAll = () => Object.values(keys).every((key) => process.output().includes(key)) || undefined;
  await poll(hasSaidAll, { everyMs: 50, timeoutMs: 1_000 });
  return { keys, secret, stream, lateResponses: late, output: process.output(), exchanges: [...probe.exchanges] };
}

/** Asks for new episodes until one is refused. */
async function lateCreate(probe: Probe, sids: readonly string[]): Promise<ProbeResponse> {
  const body = await probe.createBody({ task: {} });
  let response: ProbeResponse | undefined;
  for (const [index, sid] of sids.entries()) {
    await probe.pause(LATE_AFTER_MS[index] ?? 0);
    response = await postCreate(probe, sid, body, { retryWhileFull: false });
    if (!response.isSuccess) break;
  }
  assume(response, 'nothing was asked');
  return response;
}
