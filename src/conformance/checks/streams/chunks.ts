import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import type { Probe, ProbeEpisode, ProbeResponse } from '../../probe/index.ts';
import {
  bigText,
  chunks,
  codePoints,
  describeEvents,
  describeTextDifference,
  eventStream,
  resultChunkEvents,
  type TextPattern,
} from '../responses.ts';

const LIMIT = 4_096;
/** Sizes below and above 4 KB, whether 1000 or 1024, bytes or characters. */
const SURELY_SMALL = 4_000;
const SURELY_LARGE = 5_000;
const MAX_LINE_LENGTH = 65_536;
/** White space by Python's definition that JSON may contain unescaped. */
const WHITE_SPACE = /^[ \t\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const FIRST = 20_000;
const EMOJI = '\u{1f600}'.repeat(5_000);
const NUMBERED = Array.from({ length: 7_500 }, (_, index) => `${String(index).padStart(7, '0')} `).join('');

export const chunkChecks = defineChecks({ profile: 'core' }, [
  {
    id: 'chunk/small-result',
    title: 'A result of up to 4 KB comes without chunk events',
    requirement: 'ORS-CHNK-001',
    needs: ['call'],
    async run(probe) {
      const response = await probe.sharedCall();
      eventStream(response);
      assume(response.resultText !== undefined, 'the stream has no end event');
      const bytes = Buffer.byteLength(response.resultText);
      assumeApplicable(bytes <= SURELY_SMALL, `the result has ${bytes} bytes`);
      assertChunked(response, false, bytes);
    },
  },
  fixtureCheck({
    id: 'chunk/just-below-4kb',
    title: 'A result of 4000 bytes comes without chunk events',
    requirement: 'ORS-CHNK-001',
    tools: ['big'],
    calls: 2,
    async play(episode) {
      const response = await callBigOfLength(episode, () => SURELY_SMALL);
      assertChunked(response, false, SURELY_SMALL);
    },
  }),
  fixtureCheck({
    id: 'chunk/large-result',
    title: 'A result of 5000 bytes comes in chunk events and an end event',
    requirement: 'ORS-CHNK-002',
    tools: ['big'],
    calls: 2,
    async play(episode) {
      const response = await callBigOfLength(episode, () => SURELY_LARGE);
      assertChunked(response, true, SURELY_LARGE);
    },
  }),
  fixtureCheck({
    id: 'chunk/at-most-4096',
    title: 'No data value of a result of 20,000 characters is longer than 4096 characters',
    requirement: 'ORS-CHNK-004',
    tools: ['big'],
    calls: 2,
    async play(episode) {
      for (const pattern of ['ascii', 'emoji'] as const) {
        const lengths = resultChunkEvents(await callBig(episode, 20_000, pattern)).map(({ data }) => codePoints(data));
        const longest = Math.max(...lengths);
        assertConforms(longest <= LIMIT, `a data value of a result of '${pattern}' has ${longest} characters`);
      }
    },
  }),
  fixtureCheck({
    id: 'chunk/at-most-4096-bytes',
    title: 'No data value of a result of 20,000 characters is longer than 4096 bytes',
    requirement: 'ORS-CHNK-004',
    tools: ['big'],
    calls: 2,
    async play(episode) {
      for (const pattern of ['mixed', 'emoji'] as const) {
        const events = resultChunkEvents(await callBig(episode, 20_000, pattern));
        const longest = Math.max(...events.map(({ data }) => Buffer.byteLength(data)));
        assertConforms(longest <= LIMIT, `a data value of a result of '${pattern}' has ${longest} bytes`);
      }
    },
  }),
  fixtureCheck({
    id: 'chunk/no-leading-space',
    title: 'No data value begins with white space, even if the text is only white space',
    requirement: 'ORS-CHNK-005',
    tools: ['big'],
    calls: 2,
    async play(episode) {
      for (const pattern of ['spaces', 'mixed'] as const) {
        const events = resultChunkEvents(await callBig(episode, 20_000, pattern));
        const bad = events.find(({ data }) => WHITE_SPACE.test(data));
        const shown = JSON.stringify(bad?.data.slice(0, 8));
        assertConforms(!bad, `the data of ${bad?.event} begins with white space: ${shown}`);
      }
    },
  }),
  fixtureCheck({
    id: 'chunk/line-length',
    title: 'No line of a stream with 1 MB is longer than 64 KiB',
    requirement: 'ORS-CHNK-007',
    tools: ['big'],
    async play(episode) {
      const { longestLine } = eventStream(await callBig(episode, 1_000_000, 'ascii'));
      assertConforms(longestLine <= MAX_LINE_LENGTH, `a line has ${longestLine} bytes`);
    },
  }),
  fixtureCheck({
    id: 'chunk/end-has-data',
    title: 'The end event of a result that exactly fills its chunks has data',
    requirement: 'ORS-CHNK-008',
    tools: ['big'],
    calls: 2,
    async play(episode) {
      const response = await callBigOfLength(episode, (first) => {
        const [chunk] = chunks(first);
        assume(chunk, 'a result of 20,000 characters arrived without chunks');
        return 3 * codePoints(chunk.data);
      });
      const end = response.events.find(({ event }) => event === 'end');
      const what = `a result of ${response.resultText?.length} characters`;
      assertConforms(end?.data !== '', `${what} arrived as ${describeEvents(response)}`);
    },
  }),
  fixtureCheck({
    id: 'chunk/one-megabyte',
    title: 'A result of a million assorted characters arrives exactly',
    requirement: 'ORS-CHNK-003',
    tools: ['big'],
    run: (probe) => assertBigArrives(probe, 1_000_000, 'mixed'),
  }),
  fixtureCheck({
    id: 'chunk/ten-megabytes',
    title: 'A result of 10 MB arrives exactly',
    requirement: 'ORS-CHNK-003',
    tools: ['big'],
    exclusive: true,
    run: (probe) => assertBigArrives(probe, 10_000_000, 'prose'),
  }),
  fixtureCheck({
    id: 'chunk/whole-characters',
    title: 'Splitting 5000 emoji into chunks, at any offset, breaks none of them',
    requirement: 'ORS-CHNK-006',
    tools: ['echo'],
    calls: 4,
    async play(episode) {
      for (const shift of [0, 1, 2, 3]) {
        const text = 'a'.repeat(shift) + EMOJI;
        assertText(await episode.call('echo', { text }), text);
      }
    },
  }),
  fixtureCheck({
    id: 'chunk/in-order',
    title: 'The chunks of a text with 7500 numbers arrive in order, without duplicates or gaps',
    requirement: 'ORS-CHNK-009',
    tools: ['echo'],
    async play(episode) {
      const response = await episode.call('echo', { text: NUMBERED });
      assume(chunks(response).length > 1, 'the result has fewer than two chunks');
      const numbers = chunks(response).flatMap(({ data }) => data.match(/\b\d{7}\b/g) ?? []);
      const wrong = numbers.findIndex((number, index) => number <= (numbers[index - 1] ?? ''));
      assertConforms(wrong < 0, `${numbers[wrong]} comes after ${numbers[wrong - 1]}`);
      assertText(response, NUMBERED);
    },
  }),
]);

/** Calls `big`. @throws UntestableError without a result */
async function callBig(episode: ProbeEpisode, characters: number, pattern: TextPattern): Promise<ProbeResponse> {
  const response = await episode.call('big', { characters, pattern });
  assume(response.resultText !== undefined, `${characters} characters returned ${response.summary}`);
  return response;
}

/** Calls `big` for a result of this length as JSON text; a first call shows the length of the JSON around the text. */
async function callBigOfLength(episode: ProbeEpisode, lengthFor: (first: ProbeResponse) => number) {
  const first = await callBig(episode, FIRST, 'ascii');
  const overhead = (first.resultText?.length ?? 0) - FIRST;
  const length = lengthFor(first);
  const response = await callBig(episode, length - overhead, 'ascii');
  assume(response.resultText?.length === length, `a result of ${length} bytes was not possible`);
  return response;
}

/** Asserts that a result arrived with or without chunk events. */
function assertChunked(response: ProbeResponse, isChunked: boolean, bytes: number): void {
  const isRight = chunks(response).length > 0 === isChunked;
  assertConforms(isRight, `a result of ${bytes} bytes arrived as ${describeEvents(response)}`);
}

/** Asserts that the text of `big` arrives exactly. */
async function assertBigArrives(probe: Probe, characters: number, pattern: TextPattern): Promise<void> {
  const response = await (await probe.episode()).call('big', { characters, pattern });
  assertText(response, bigText(characters, pattern));
}

/** Asserts that the output of a call is exactly this text. */
function assertText(response: ProbeResponse, requested: string): void {
  assume(response.failure === undefined, `the call failed: ${response.failure}`);
  const { outputText: text } = response;
  assertConforms(text !== undefined, `the joined data of ${response.events.length} events is not a result`);
  assertConforms(text === requested, `the result has ${describeTextDifference(text, requested)}`);
}
