import { fieldsOf, previewJson } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable, assumeInTime } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import type { ProbeEpisode, ProbeResponse } from '../../probe/index.ts';
import { assumeReadableResult, describeCallOutcome, isFailure } from '../responses.ts';
import { NO_SUCH_TOOL } from '../steps.ts';
import { reasonOf } from './announced.ts';

const SLEEP_MS = 400;

export const callOrderChecks = defineChecks({ profile: 'full' }, [
  {
    id: 'reason/unknown-tool',
    title: 'The refusal of an unknown tool has the reason not_found',
    requirement: 'ORS-EXT-022',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1, calls: 1 },
    async play(episode) {
      assertReason(await episode.call(NO_SUCH_TOOL), 'not_found', 'an unknown tool');
    },
  },
  fixtureCheck({
    id: 'reason/invalid-input',
    title: 'The refusal of an input that does not match the schema has the reason input_validation',
    requirement: 'ORS-EXT-023',
    tools: ['nested'],
    async play(episode) {
      assertReason(await episode.call('nested', { mode: 'medium' }), 'input_validation', 'an invalid input');
    },
  }),
  fixtureCheck({
    id: 'reason/finished',
    title: 'After finished true, a known tool is refused as episode_finished and an unknown one as not_found',
    requirement: 'ORS-EXT-024',
    tools: ['finish', 'nested'],
    calls: 3,
    async play(episode) {
      await episode.call('finish');
      assertReason(await episode.call('nested', {}), 'episode_finished', 'a call after finished true');
      const unknown = await episode.call(NO_SUCH_TOOL);
      if (reasonOf(unknown) !== undefined) assertReason(unknown, 'not_found', 'an unknown tool after finished true');
    },
  }),
  fixtureCheck({
    id: 'reason/of-tool',
    title: 'A failure of the tool itself has no reason',
    requirement: 'ORS-EXT-025',
    tools: ['fail'],
    async play(episode) {
      const response = await episode.call('fail', { message: 'It failed.' });
      assumeApplicable(isFailure(response.result), 'a tool that fails is not reported by ok false here');
      const reason = reasonOf(response);
      assertConforms(reason === undefined, `a tool that failed was reported with the reason ${previewJson(reason)}`);
    },
  }),
  fixtureCheck({
    id: 'exclusive/late-result',
    title: 'A result that arrives after another call has finished the episode is refused',
    requirement: 'ORS-EXT-026',
    tools: ['sleep', 'finish', 'noargs'],
    calls: 3,
    async play(episode) {
      const late = await endAfterFinish(episode, 'sleep');
      assertFinished(late, 'a call that ended after finished true of another call');
    },
  }),
  fixtureCheck({
    id: 'exclusive/late-failure',
    title: 'A tool that fails after another call has finished the episode is refused as episode_finished',
    requirement: 'ORS-EXT-036',
    tools: ['crash', 'finish', 'noargs'],
    calls: 3,
    async play(episode, probe) {
      const crash = probe.environment.tools.find(({ name }) => name === 'crash');
      const hasDelay = Object.hasOwn(fieldsOf(fieldsOf(crash?.inputSchema).properties), 'ms');
      assumeApplicable(hasDelay, "the fixture's 'crash' has no parameter ms");
      const late = await endAfterFinish(episode, 'crash');
      assertFinished(late, 'a call that failed after finished true of another call');
    },
  }),
  fixtureCheck({
    id: 'exclusive/waits',
    title: 'An exclusive tool waits for running calls, and later calls wait for it',
    requirement: 'ORS-EXT-027',
    tools: ['final', 'sleep', 'noargs'],
    calls: 4,
    async play(episode) {
      const before = await begin(episode, 'sleep', { ms: SLEEP_MS });
      const final = await begin(episode, 'final', { ms: SLEEP_MS });
      const after = episode.start('noargs');
      const again = episode.start('final', { ms: 0 });
      const [first, exclusive, later, second] = await Promise.all(
        [before, final, after, again].map((call) => call.end()),
      );
      for (const response of [first, exclusive, later, second]) {
        assume(response?.failure === undefined, `a call was refused: ${response && describeCallOutcome(response)}`);
      }
      for (const response of [exclusive, second]) {
        const { running } = fieldsOf(response?.output.metadata);
        assertConforms(running === 0, `${previewJson(running)} other calls ran during an exclusive one`);
      }
    },
  }),
  fixtureCheck({
    id: 'exclusive/finishes',
    title: 'A call that waits for an exclusive tool does not run if that tool finishes the episode',
    requirement: 'ORS-EXT-028',
    tools: ['final', 'count'],
    calls: 2,
    async play(episode) {
      const final = await begin(episode, 'final', { ms: SLEEP_MS, finish: true });
      const waiting = await episode.start('count').end();
      const ended = await final.end();
      assume(ended.failure === undefined, `'final' was refused: ${describeCallOutcome(ended)}`);
      assertFinished(waiting, 'a call that waited for a tool that finished the episode');
    },
  }),
]);

/**
 * Starts a call that takes a while, finishes the episode meanwhile, and returns the response of that call.
 *
 * @throws NotApplicableError if the server does not refuse calls of a finished episode as `episode_finished`.
 */
async function endAfterFinish(episode: ProbeEpisode, tool: 'sleep' | 'crash'): Promise<ProbeResponse> {
  const call = await begin(episode, tool, { ms: SLEEP_MS });
  const finished = await episode.call('finish');
  assume(finished.output.finished === true, `'finish' returned ${finished.summary}`);
  const isLate = !call.hasEnded;
  const late = await call.end();
  const after = await episode.call('noargs');
  assumeApplicable(reasonOf(after) === 'episode_finished', 'the server does not refuse calls as episode_finished');
  assumeInTime(isLate, `'${tool}' ended before 'finish'`);
  return late;
}

/** Starts a call. Resolves when its stream has begun. */
async function begin(episode: ProbeEpisode, tool: string, input: Record<string, unknown>) {
  const call = episode.start(tool, input);
  assume(await call.event('task_id'), 'the stream has no task_id');
  return call;
}

/** Asserts that a call was refused because the episode is finished. */
function assertFinished(response: ProbeResponse, what: string): void {
  assumeReadableResult(response);
  const isRefused = isFailure(response.result) && reasonOf(response) === 'episode_finished';
  assertConforms(isRefused, `${what} returned ${describeCallOutcome(response)}`);
}

/** Asserts the reason of a refused call. @throws NotApplicableError if it was not refused, or has no reason */
function assertReason(response: ProbeResponse, expected: string, what: string): void {
  assumeReadableResult(response);
  const reason = reasonOf(response);
  // That these calls are refused has its own checks.
  const isRefused = isFailure(response.result);
  assumeApplicable(isRefused, `${what} is not reported by ok false here: ${describeCallOutcome(response)}`);
  assumeApplicable(reason !== undefined, 'the server sends no reason with a refusal');
  assertConforms(reason === expected, `the reason of ${what} is ${previewJson(reason)} instead of ${expected}`);
}
