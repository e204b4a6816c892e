import { equalJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { makeOriginalCall, makeSampleCall, repeatCall } from './repeated.ts';
import { describeEvents, outputTextOrUndefined } from './stream-answers.ts';

/** Calls that have completed, and are asked for again. */
export const resumeChecks: readonly ConformanceCheck[] = [
  {
    id: 'resume/same-result',
    title: 'A call repeated with the id of its task_id event returns the same result',
    requirement: 'ORS-RECN-012',
    profile: 'core',
    needs: ['call'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const first = await makeSampleCall(probe);
      const again = await repeatCall(probe, first);
      assertConforms(again.resultText !== undefined, `the call repeated with its task_id got ${again.summary}`);
      const isSame = again.resultText === first.answer.resultText;
      assertConforms(
        isSame || equalJson(again.result, first.answer.result),
        `the first result was ${first.answer.resultText}, the repeated one ${again.resultText}`,
      );
    },
  },
  {
    id: 'resume/replay',
    title: 'A call repeated with its task_id returns the same text, and the tool has run once',
    requirement: 'ORS-RECN-001',
    profile: 'full',
    needs: ['fixture:count'],
    cost: { sessions: 1, calls: 3 },
    async run(probe) {
      const first = await makeOriginalCall(await probe.episode(), 'count');
      const again = await repeatCall(probe, first);
      assertConforms(
        outputTextOrUndefined(again) === outputTextOrUndefined(first.answer),
        `the repeated call gave ${again.summary}`,
      );
      const next = await first.episode.text('count');
      assertConforms(next === '2', `after a call and its repeat the counter goes to ${next}: the tool ran again`);
    },
  },
  {
    id: 'resume/large-replay',
    title: 'A repeated result of 20 000 characters comes whole, from its beginning',
    requirement: 'ORS-RECN-009',
    profile: 'full',
    needs: ['fixture:big'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const input = { characters: 20_000, pattern: 'prose' };
      const first = await makeOriginalCall(await probe.episode(), 'big', input);
      const again = await repeatCall(probe, first);
      const text = outputTextOrUndefined(first.answer);
      assume(text?.length === 20_000, 'the first result was not whole');
      assertConforms(
        outputTextOrUndefined(again) === text,
        `the first stream was ${describeEvents(first.answer)}, the repeated one ${describeEvents(again)}`,
      );
    },
  },
  {
    id: 'resume/fresh-call',
    title: 'Two equal calls without task_id run the tool twice',
    requirement: 'ORS-RECN-015',
    profile: 'full',
    needs: ['fixture:echo', 'fixture:runs'],
    cost: { sessions: 1, calls: 3 },
    async run(probe) {
      const episode = await probe.episode();
      const [one, two] = [await episode.call('echo', { text: 'same' }), await episode.call('echo', { text: 'same' })];
      assume(
        outputTextOrUndefined(one) === 'same' && outputTextOrUndefined(two) === 'same',
        `two equal calls gave ${one.summary} and ${two.summary}`,
      );
      const runs = await episode.runs('echo');
      assertConforms(runs === 2, `two equal calls ran the tool ${runs} times`);
    },
  },
  {
    id: 'resume/other-input',
    title: 'A task_id with another tool or input is rejected',
    requirement: 'ORS-RECN-014',
    profile: 'full',
    needs: ['fixture:echo', 'fixture:noargs'],
    cost: { sessions: 1, calls: 3 },
    async run(probe) {
      const first = await makeOriginalCall(await probe.episode(), 'echo', { text: 'first' });
      const others = [
        { name: 'echo', input: { text: 'second' } },
        { name: 'noargs', input: {} },
      ];
      for (const other of others) {
        const again = await repeatCall(probe, { ...first, ...other });
        assertConforms(
          again.failure !== undefined,
          `the task_id of echo {"text":"first"} with ${other.name} ${JSON.stringify(other.input)} got ${again.summary}`,
        );
      }
    },
  },
  {
    id: 'resume/other-session',
    title: 'The task_id of one session does not return its result to another',
    requirement: 'ORS-RECN-008',
    profile: 'full',
    needs: ['fixture:count'],
    cost: { sessions: 2, calls: 3 },
    async run(probe) {
      const [own, foreign] = [await probe.episode(), await probe.episode()];
      const first = await makeOriginalCall(own, 'count', { by: 7 });
      // The same request in a session whose counter stands elsewhere: a call of its own would give another number.
      await foreign.text('count', { by: 100 });
      const again = await repeatCall(probe, { ...first, episode: foreign });
      assertConforms(
        outputTextOrUndefined(again) !== outputTextOrUndefined(first.answer),
        `another session got the result ${again.resultText}`,
      );
    },
  },
];
