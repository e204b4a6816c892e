import type { ConformanceCheck } from '../../check.ts';
import type { ProbeResponse } from '../../probe/index.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { bigText, describeTextDifference } from './big-text.ts';
import { chunks, outputTextOrUndefined } from './stream-answers.ts';

const EMOJI = '\u{1f600}'.repeat(5_000);
const NUMBERED = Array.from({ length: 7_500 }, (_, index) => `${String(index).padStart(7, '0')} `).join('');

/** Whether a result arrives as the tool gave it. */
export const exactResultChecks: readonly ConformanceCheck[] = [
  {
    id: 'chunk/one-megabyte',
    title: 'A result of a million characters of all kinds arrives exactly',
    requirement: 'ORS-CHNK-003',
    profile: 'full',
    needs: ['fixture:big'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const input = { characters: 1_000_000, pattern: 'mixed' };
      exact(await (await probe.episode()).call('big', input), bigText(1_000_000, 'mixed'));
    },
  },
  {
    id: 'chunk/ten-megabytes',
    title: 'A result of 10 MB arrives exactly',
    requirement: 'ORS-CHNK-003',
    profile: 'full',
    needs: ['fixture:big'],
    cost: { sessions: 1, calls: 1 },
    exclusive: true,
    async run(probe) {
      const input = { characters: 10_000_000, pattern: 'prose' };
      exact(await (await probe.episode()).call('big', input), bigText(10_000_000, 'prose'));
    },
  },
  {
    id: 'chunk/whole-characters',
    title: 'Cutting 5000 emoji, at any offset, breaks none of them',
    requirement: 'ORS-CHNK-006',
    profile: 'full',
    needs: ['fixture:echo'],
    cost: { sessions: 1, calls: 4 },
    async run(probe) {
      const episode = await probe.episode();
      for (const shift of [0, 1, 2, 3]) {
        const text = 'a'.repeat(shift) + EMOJI;
        const response = await episode.call('echo', { text });
        exact(response, text);
      }
    },
  },
  {
    id: 'chunk/in-order',
    title: 'The chunks of a text that counts to 7500 arrive in order, none twice and none missing',
    requirement: 'ORS-CHNK-009',
    profile: 'full',
    needs: ['fixture:echo'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const response = await (await probe.episode()).call('echo', { text: NUMBERED });
      assume(chunks(response).length > 1, 'the result came in less than two chunks');
      const numbers = chunks(response).flatMap(({ data }) => data.match(/\b\d{7}\b/g) ?? []);
      const wrong = numbers.findIndex((number, index) => number <= (numbers[index - 1] ?? ''));
      assertConforms(wrong < 0, `${numbers[wrong]} comes after ${numbers[wrong - 1]}`);
      exact(response, NUMBERED);
    },
  },
];

/** The answer must hold the text and nothing else. */
function exact(response: ProbeResponse, requested: string): void {
  assume(response.failure === undefined, `the call failed: ${response.failure}`);
  const text = outputTextOrUndefined(response);
  assertConforms(text !== undefined, `the joined data of ${response.events.length} events is no result`);
  assertConforms(text === requested, `the result has ${describeTextDifference(text, requested)}`);
}
