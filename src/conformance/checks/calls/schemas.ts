import { previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { ProbeEpisode } from '../../probe/index.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { assumeReadableResult, describeCallOutcome, isRejected, outputText } from './reading.ts';

const VALID = { mode: 'fast', point: { x: 1, y: 2 } };

/** `nested` with the rest of a valid input. */
async function ensureNested(episode: ProbeEpisode, changed: Record<string, unknown>, isTaken: boolean): Promise<void> {
  const input = { ...VALID, ...changed };
  const response = await episode.start('nested', input).end();
  assumeReadableResult(response);
  const isRight = isTaken ? response.failure === undefined && response.isSuccess : isRejected(response);
  assertConforms(isRight, `'nested' with ${previewJson(input)} was answered with ${describeCallOutcome(response)}`);
}

const INVALID: readonly Record<string, unknown>[] = [
  { mode: 'medium' },
  { mode: null },
  { point: { x: 11, y: 1 } },
  { point: { x: 1 } },
  { point: [1, 2] },
  { tags: ['a', 'b', 'c', 'd'] },
  { level: 6 },
  { level: 'high' },
];

/** What the schemas of the fixture's tools ask for. */
export const schemaChecks: readonly ConformanceCheck[] = [
  {
    id: 'call/invalid-does-not-run',
    title: 'A tool does not run with an input that does not match its input_schema',
    requirement: 'ORS-CALL-027',
    profile: 'full',
    needs: ['fixture:nested', 'fixture:runs'],
    cost: { sessions: 1, calls: 12 },
    async run(probe) {
      const episode = await probe.episode();
      await episode.call('nested', VALID);
      assume((await episode.runs('nested')) === 1, "'runs' does not count a valid call of 'nested'");
      await episode.start('nested', {}).end();
      for (const changed of INVALID) await episode.start('nested', { ...VALID, ...changed }).end();
      const more = (await episode.runs('nested')) - 1;
      assertConforms(more === 0, `of ${INVALID.length + 1} calls of 'nested' with invalid inputs, ${more} ran`);
    },
  },
  {
    id: 'call/defaults',
    title: 'A missing parameter gets the default of its schema',
    requirement: 'ORS-CALL-029',
    profile: 'full',
    needs: ['fixture:count', 'fixture:fail'],
    cost: { sessions: 1, calls: 3 },
    async run(probe) {
      const episode = await probe.episode();
      const first = await episode.call('count');
      assertConforms(
        first.failure === undefined,
        `'count' without its parameter was answered with ${describeCallOutcome(first)}`,
      );
      assertConforms(outputText(first) === '1', `'count' with the default 1 came to ${outputText(first)}`);
      const { failure } = await episode.call('fail', { message: 'It failed here.' });
      assume(failure?.includes('It failed here.'), "'fail' does not give its message");
      const unsaid = await episode.call('fail');
      assertConforms(
        unsaid.failure?.includes('It failed.'),
        `'fail' with its default message was answered with ${describeCallOutcome(unsaid)}`,
      );
    },
  },
  {
    id: 'call/enum',
    title: 'Each value of an enum is accepted, and no other',
    requirement: 'ORS-CALL-030',
    profile: 'full',
    needs: ['fixture:nested'],
    cost: { sessions: 1, calls: 5 },
    async run(probe) {
      const episode = await probe.episode();
      for (const mode of ['fast', 'slow']) await ensureNested(episode, { mode }, true);
      for (const mode of ['medium', 'FAST', '']) await ensureNested(episode, { mode }, false);
    },
  },
  {
    id: 'call/nested-bounds',
    title: 'Bounds and nested objects of an input_schema are enforced, and values just inside are accepted',
    requirement: 'ORS-CALL-031',
    profile: 'full',
    needs: ['fixture:nested'],
    cost: { sessions: 1, calls: 12 },
    async run(probe) {
      const episode = await probe.episode();
      const inside = [
        { point: { x: 0, y: 10 }, level: 1, tags: [] },
        { level: 5, tags: ['a', 'b', 'c'] },
      ];
      for (const changed of inside) await ensureNested(episode, changed, true);
      const outside = [
        { point: { x: 10.5, y: 1 } },
        { point: { x: 1, y: -1 } },
        { point: { x: 1 } },
        { point: { x: 1, y: 1, z: 1 } },
        { point: 'here' },
        { tags: ['a', 'b', 'c', 'd'] },
        { tags: [{}] },
        { level: 0 },
        { level: 6 },
        { level: 1.5 },
      ];
      for (const changed of outside) await ensureNested(episode, changed, false);
    },
  },
];
