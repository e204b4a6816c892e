import { equalJson } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable, assumeInTime } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import type { Probe, ProbeEpisode, ProbeResponse } from '../../probe/index.ts';
import { describeEvents } from '../responses.ts';

const JOIN = { ms: 1_000 };
const DROP = { ms: 2_000 };
/** Time that the result has to be ready after its tool has ended. */
const READY_MS = 1_000;

export const resumeChecks = defineChecks({ profile: 'full', needs: ['call'], cost: { sessions: 1, calls: 2 } }, [
  {
    id: 'resume/same-result',
    title: 'A call repeated with the id of its task_id event returns the same result',
    requirement: 'ORS-RECN-012',
    profile: 'core',
    async run(probe) {
      const first = await makeSampleCall(probe);
      const again = await repeatCall(probe, first);
      assertConforms(again.resultText !== undefined, `the call repeated with its task_id got ${again.summary}`);
      const { resultText, result } = first.response;
      const isSame = again.resultText === resultText || equalJson(again.result, result);
      assertConforms(isSame, `the first result was ${resultText}, the repeated one ${again.resultText}`);
    },
  },
  fixtureCheck({
    id: 'resume/replay',
    title: 'A call repeated with its task_id returns the same text, and the tool has run once',
    requirement: 'ORS-RECN-001',
    tools: ['count'],
    calls: 3,
    async play(episode, probe) {
      const first = await makeOriginalCall(episode, 'count');
      const again = await repeatCall(probe, first);
      const isSame = again.outputText === first.response.outputText;
      assertConforms(isSame, `the repeated call returned ${again.summary}`);
      const next = await first.episode.text('count');
      assertConforms(next === '2', `after a call and its repetition the counter is ${next}: the tool ran again`);
    },
  }),
  fixtureCheck({
    id: 'resume/large-replay',
    title: 'A repeated result of 20,000 characters arrives completely, from its beginning',
    requirement: 'ORS-RECN-009',
    tools: ['big'],
    calls: 2,
    async play(episode, probe) {
      const input = { characters: 20_000, pattern: 'prose' };
      const first = await makeOriginalCall(episode, 'big', input);
      const again = await repeatCall(probe, first);
      const { outputText: text } = first.response;
      assume(text?.length === 20_000, 'the first result was incomplete');
      const streams = `the first stream was ${describeEvents(first.response)}, the repeated one ${describeEvents(again)}`;
      assertConforms(again.outputText === text, streams);
    },
  }),
  fixtureCheck({
    id: 'resume/fresh-call',
    title: 'Two equal calls without task_id run the tool twice',
    requirement: 'ORS-RECN-015',
    tools: ['echo', 'runs'],
    calls: 3,
    async play(episode) {
      const one = await episode.call('echo', { text: 'same' });
      const two = await episode.call('echo', { text: 'same' });
      const areEchoed = one.outputText === 'same' && two.outputText === 'same';
      assume(areEchoed, `two equal calls returned ${one.summary} and ${two.summary}`);
      const runs = await episode.runs('echo');
      assertConforms(runs === 2, `two equal calls ran the tool ${runs} times`);
    },
  }),
  fixtureCheck({
    id: 'resume/other-input',
    title: 'A task_id with another tool or input is rejected',
    requirement: 'ORS-RECN-014',
    tools: ['echo', 'noargs'],
    calls: 3,
    async play(episode, probe) {
      const first = await makeOriginalCall(episode, 'echo', { text: 'first' });
      const others = [
        { name: 'echo', input: { text: 'second' } },
        { name: 'noargs', input: {} },
      ];
      for (const other of others) {
        const again = await repeatCall(probe, { ...first, ...other });
        const what = `the task_id of echo {"text":"first"} with ${other.name} ${JSON.stringify(other.input)}`;
        assertConforms(again.failure !== undefined, `${what} got ${again.summary}`);
      }
    },
  }),
  fixtureCheck({
    id: 'resume/other-session',
    title: 'The task_id of one session does not return its result to another',
    requirement: 'ORS-RECN-008',
    tools: ['count'],
    sessions: 2,
    calls: 3,
    async run(probe) {
      const own = await probe.episode();
      const foreign = await probe.episode();
      const first = await makeOriginalCall(own, 'count', { by: 7 });
      // The counter of the other session differs, so that its own call would return another number.
      await foreign.text('count', { by: 100 });
      const again = await repeatCall(probe, { ...first, episode: foreign });
      const isOther = again.outputText !== first.response.outputText;
      assertConforms(isOther, `another session got the result ${again.resultText}`);
    },
  }),
  fixtureCheck({
    id: 'resume/foreign-id',
    title: 'The task_id of another session gets task_id, then the error unknown task_id, and no tool runs',
    requirement: 'ORS-RECN-005',
    tools: ['count'],
    sessions: 2,
    calls: 3,
    async run(probe) {
      const first = await makeOriginalCall(await probe.episode(), 'count');
      const foreign = await probe.episode();
      const { taskId } = first;
      const response = await foreign.start('count', {}, { taskId }).end();
      const what = "the task_id of another session's call";
      const isUnknown = response.streamError === 'unknown task_id';
      assertConforms(isUnknown, `${what} got ${response.streamError ?? response.summary}`);
      assertConforms(response.events[0]?.event === 'task_id', `${what} got ${describeEvents(response)}`);
      const count = await foreign.text('count');
      assertConforms(count === '1', `${what} ran the tool: the next call is number ${count}`);
    },
  }),
  fixtureCheck({
    id: 'resume/join-running',
    title: 'A request with the task_id of a running call whose connection broke joins it under the same task_id',
    requirement: 'ORS-RECN-002',
    tools: ['sleep', 'runs'],
    calls: 3,
    async play(episode, probe) {
      const { taskId, sentAt } = await startAndDisconnect(episode, JOIN);
      const again = await episode.start('sleep', JOIN, { taskId }).end();
      assumeWithinLinger(probe, again, sentAt + JOIN.ms);
      const [event] = again.events;
      const isSame = event?.event === 'task_id' && event.data === taskId;
      const begin = event ? `${event.event} ${event.data}` : again.summary;
      assertConforms(isSame, `joining ${taskId} returned ${begin}`);
      assertConforms(again.outputText === 'slept', `joining a running call returned ${describeEvents(again)}`);
      const runs = await episode.runs('sleep');
      assertConforms(runs === 1, `a call that was joined ran ${runs} times`);
    },
  }),
  fixtureCheck({
    id: 'resume/dropped-connection',
    title: 'A call whose connection broke continues, and its result can be fetched afterwards',
    requirement: 'ORS-RECN-013',
    tools: ['sleep'],
    calls: 2,
    async play(episode, probe) {
      const { taskId, sentAt } = await startAndDisconnect(episode, DROP);
      await probe.pause(DROP.ms + READY_MS);
      const again = await episode.start('sleep', DROP, { taskId }).end();
      assumeWithinLinger(probe, again, sentAt + DROP.ms);
      const what = 'the result of a call whose connection dropped';
      assertConforms(again.outputText === 'slept', `${what} is ${again.summary}`);
    },
  }),
  fixtureCheck({
    id: 'resume/two-readers',
    title: 'Two streams that wait for one call both get its result',
    requirement: 'ORS-RECN-010',
    tools: ['sleep'],
    calls: 2,
    async play(episode, probe) {
      const first = episode.start('sleep', JOIN);
      const taskId = (await first.event('task_id'))?.data;
      assume(taskId && !first.hasEnded, 'the stream has no task_id before its result');
      const second = episode.start('sleep', JOIN, { taskId });
      assumeWithinLinger(probe, await second.end(), first.exchange.sentAt + JOIN.ms);
      for (const [which, call] of Object.entries({ first, second })) {
        const { outputText, summary } = await call.end();
        assertConforms(outputText === 'slept', `the ${which} of two readers got ${summary}`);
      }
    },
  }),
  fixtureCheck({
    id: 'resume/altered-id',
    title: 'An issued task_id with altered last characters is rejected, and no tool runs',
    requirement: 'ORS-RECN-005',
    tools: ['count'],
    calls: 3,
    async play(episode) {
      const { taskId: issued } = await makeOriginalCall(episode, 'count');
      const taskId = alterTaskId(issued);
      const again = await episode.start('count', {}, { taskId }).end();
      assertConforms(again.failure !== undefined, `${taskId}, which was never issued, got ${again.summary}`);
      const next = await episode.text('count');
      assertConforms(next === '2', `the counter is ${next}: an id that was never issued ran the tool`);
    },
  }),
  {
    id: 'resume/task-id-before-unknown',
    title: 'The error event for an unknown task_id comes after task_id',
    requirement: 'ORS-RECN-006',
    async run(probe) {
      const { episode, name, input, taskId } = await makeSampleCall(probe);
      const again = await episode.call(name, input, { taskId: alterTaskId(taskId) });
      const isError = again.streamError !== undefined;
      assumeApplicable(isError, `an unknown task_id got ${again.summary} instead of an error event`);
      assertConforms(again.events[0]?.event === 'task_id', `an unknown task_id got ${describeEvents(again)}`);
    },
  },
  {
    id: 'resume/chosen-id',
    title: 'A task_id that the client chose is accepted on the first call',
    requirement: 'ORS-RECN-007',
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const taskId = `call-${Math.floor(probe.random() * 1e9)}`;
      const response = await callWithTaskId(probe, taskId);
      const what = `a first call with the task_id ${taskId}`;
      assertConforms(response.resultText !== undefined, `${what} got ${response.summary}`);
      assertConforms(response.taskId === taskId, `${what} got the task_id ${response.taskId}`);
    },
  },
  {
    id: 'resume/null-id',
    title: 'A call whose task_id is null runs like one without it',
    requirement: 'ORS-RECN-011',
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { resultText, summary, taskId } = await callWithTaskId(probe, null);
      assertConforms(resultText !== undefined, `a call with task_id null got ${summary}`);
      assume(taskId, 'the stream has no task_id');
      assertConforms(taskId !== 'null' && taskId !== 'None', `the task_id of the stream is ${taskId}`);
    },
  },
  fixtureCheck({
    id: 'resume/near-the-end',
    title: 'A result can still be fetched ten seconds before it expires',
    requirement: 'ORS-RECN-003',
    profile: 'soak',
    tools: ['echo'],
    calls: 2,
    async play(episode, probe) {
      const first = await makeOriginalCall(episode, 'echo', { text: 'kept' });
      await probe.pause(shortlyBefore(probe.times.lingerMs));
      const again = await repeatCall(probe, first);
      const after = `${shortlyBefore(probe.times.lingerMs) / 1_000} s after completion`;
      assertConforms(again.outputText === 'kept', `${after}, the task_id returned ${again.summary}`);
    },
  }),
  fixtureCheck({
    id: 'resume/after-the-end',
    title: 'An expired task_id is rejected, and the tool does not run again',
    requirement: 'ORS-RECN-004',
    profile: 'soak',
    tools: ['count'],
    calls: 3,
    async play(episode, probe) {
      const { taskId } = await makeOriginalCall(episode, 'count');
      const waitMs = (probe.times.lingerMs * 7) / 6 + 2_000;
      for (let part = 0; part < 4; part++) {
        await probe.pause(waitMs / 4);
        assume((await episode.ping()).isSuccess, 'the session is gone');
      }
      const again = await episode.start('count', {}, { taskId }).end();
      const after = `${Math.round(waitMs / 1_000)} s after completion`;
      assertConforms(again.failure !== undefined, `${after}, the task_id still returned ${again.summary}`);
      const next = await episode.text('count');
      assertConforms(next === '2', `${after}, the task_id ran the tool again: the counter is ${next}`);
    },
  }),
]);

/** Starts `sleep`, and breaks the connection as soon as the task_id is known, while the tool still sleeps for long. */
async function startAndDisconnect(episode: ProbeEpisode, input: { readonly ms: number }) {
  const startedAt = performance.now();
  using call = episode.start('sleep', input);
  const event = await call.event('task_id');
  assume(event && !call.hasEnded, 'the stream has no task_id before its result');
  const afterMs = Math.round(performance.now() - startedAt);
  assumeInTime(afterMs < input.ms / 2, `the task_id of a call of ${input.ms} ms came after ${afterMs} ms`);
  return { taskId: event.data, sentAt: call.exchange.sentAt };
}

/** Makes a first call of any tool with a task_id. @throws UntestableError if no call gets a result */
async function callWithTaskId(probe: Probe, taskId: string | null): Promise<ProbeResponse> {
  const { tool, input } = await probe.sample();
  const response = await (await probe.episode()).call(tool.name, input, { taskId });
  if (response.resultText === undefined)
    assume((await probe.sharedCall()).resultText !== undefined, 'no call gets a result');
  return response;
}

/** Returns the time ten seconds before the end; half of a short linger time. */
const shortlyBefore = (lingerMs: number) => (lingerMs > 20_000 ? lingerMs - 10_000 : lingerMs / 2);

/** A call that can be repeated. */
type OriginalCall = Awaited<ReturnType<typeof makeOriginalCall>>;

/** Makes a call. @throws UntestableError if it has no task_id or result */
async function makeOriginalCall(episode: ProbeEpisode, name: string, input: Record<string, unknown> = {}) {
  const response = await episode.call(name, input);
  const { taskId, resultText } = response;
  assume(taskId, 'the first call sent no task_id');
  assume(resultText !== undefined, `the first call got no result: ${response.summary}`);
  return { episode, name, input, taskId, response };
}

/** Makes a call of any tool in a new episode. */
async function makeSampleCall(probe: Probe): Promise<OriginalCall> {
  const { tool, input } = await probe.sample();
  return await makeOriginalCall(await probe.episode(), tool.name, input);
}

/** Repeats a call with its task_id. @throws UntestableError if its result may have expired */
async function repeatCall(probe: Probe, first: OriginalCall): Promise<ProbeResponse> {
  const { episode, name, input, taskId, response } = first;
  const again = await episode.start(name, input, { taskId }).end();
  assumeWithinLinger(probe, again, response.exchange.sentAt);
  return again;
}

/** Assumes that the linger time was not over, if the repeated call got no result. */
function assumeWithinLinger(probe: Probe, again: ProbeResponse, completedAt: number): void {
  const afterMs = Math.round((again.exchange.headAt ?? 0) - completedAt);
  const isInTime = again.resultText !== undefined || afterMs < probe.times.lingerMs;
  assumeInTime(isInTime, `the response to the repeated request came ${afterMs} ms after the first one`);
}

/** Returns an id of the same form with other last characters. */
function alterTaskId(taskId: string): string {
  const next = (character: string) => {
    const row = ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ'].find((each) =>
      each.includes(character),
    );
    return row ? (row[(row.indexOf(character) + 1) % row.length] ?? character) : character;
  };
  const end = taskId.slice(-4);
  const other = [...end].map(next).join('');
  return other === end ? `${taskId}0` : taskId.slice(0, -4) + other;
}
