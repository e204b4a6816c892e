import { equalJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { assumeReadableResult, describeCallOutcome, outputText } from './reading.ts';

const DELETED_WITHIN_MS = 10_000;

/** Calls beside other calls and other requests, and clients that go away. */
export const concurrencyChecks: readonly ConformanceCheck[] = [
  {
    id: 'call/parallel-sessions',
    title: 'A call ends while a longer one runs in another session',
    requirement: 'ORS-CALL-018',
    profile: 'full',
    needs: ['fixture:sleep', 'fixture:noargs'],
    cost: { sessions: 2, calls: 2 },
    async run(probe) {
      const [one, two] = [await probe.episode(), await probe.episode()];
      const ms = Math.min(8_000, Math.floor(probe.timeoutMs * 0.7));
      const long = one.start('sleep', { ms });
      // Not every server tells at once that a call has begun.
      await probe.within(500, long.event('task_id'));
      const short = await two.call('noargs');
      const isBeside = !long.hasEnded;
      assume(short.failure === undefined, `the call beside it was answered with ${describeCallOutcome(short)}`);
      if (!isBeside) assume((await long.end()).failure === undefined, 'the longer call did not last');
      assertConforms(isBeside, `a call in another session waited until a call of ${ms / 1_000} s was over`);
      long.abort();
    },
  },
  {
    id: 'call/parallel-calls',
    title: 'Calls sent at once in one session are all answered',
    requirement: 'ORS-CALL-019',
    profile: 'full',
    needs: ['fixture:sleep', 'fixture:count'],
    cost: { sessions: 1, calls: 4 },
    async run(probe) {
      const episode = await probe.episode();
      const long = episode.start('sleep', { ms: 400 });
      await probe.within(200, long.event('task_id'));
      const short = Array.from({ length: 3 }, () => episode.start('count', { by: 1 }));
      const answers = await Promise.all([long, ...short].map((call) => call.end()));
      for (const response of answers) assumeReadableResult(response);
      const wrong = answers.find(({ result, failure }) => result === undefined || failure !== undefined);
      assertConforms(
        wrong === undefined,
        `of four calls at once, one was answered with ${wrong && describeCallOutcome(wrong)}`,
      );
    },
  },
  {
    id: 'call/disconnect',
    title: 'A call continues when its client disconnects',
    requirement: 'ORS-CALL-022',
    profile: 'full',
    needs: ['fixture:sleep', 'fixture:runs'],
    cost: { sessions: 1, calls: 6 },
    async run(probe) {
      const episode = await probe.episode();
      const quick = await episode.call('sleep', { ms: 0 });
      assume(quick.taskId, 'a call names no task_id');
      assume(outputText(quick), "'sleep' gives no text");
      const again = await episode.call('sleep', { ms: 0 }, { taskId: quick.taskId });
      const isFetched = equalJson(again.result, quick.result) && (await episode.runs('sleep')) === 1;
      assume(isFetched, `a result cannot be fetched again: ${describeCallOutcome(again)}`);
      const [ms, began] = [1_000, performance.now()];
      const left = episode.start('sleep', { ms });
      const started = await left.event('task_id');
      assume(started, 'a call names no task_id');
      left.abort();
      await probe.pause(ms / 4);
      const { data: taskId } = started;
      const response = await episode.call('sleep', { ms }, { taskId });
      const isKept = performance.now() - began < ms + probe.times.lingerMs;
      const isSame = equalJson(response.result, quick.result);
      assume(isSame || isKept, 'it took so long that the result need not be there any more');
      assertConforms(isSame, `a call whose client went away came to ${describeCallOutcome(response)}`);
      assertConforms((await episode.runs('sleep')) === 2, 'a call whose client went away was begun again');
    },
  },
  {
    id: 'call/delete',
    title: '/delete ends the stream of a running call within ten seconds',
    requirement: 'ORS-CALL-025',
    profile: 'full',
    needs: ['fixture:sleep'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const episode = await probe.episode();
      const timeoutMs = 3 * DELETED_WITHIN_MS;
      const call = episode.start('sleep', { ms: timeoutMs }, { timeoutMs });
      await probe.within(1_000, call.event('task_id'));
      assume(!call.hasEnded, 'the call did not last');
      // A server may hold its answer back until the call is over.
      const deleted = episode.delete();
      await probe.within(DELETED_WITHIN_MS, call.end());
      const response = !call.hasEnded && (await probe.within(0, deleted)) ? await deleted : undefined;
      assume(!response || response.isSuccess, `/delete was answered with ${response?.summary}`);
      assertConforms(call.hasEnded, "ten seconds after /delete the stream of the session's call is still open");
    },
  },
];
