import type { ConformanceCheck } from '../../check.ts';
import type { ProbeEpisode, ProbeResponse } from '../../probe/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../verdict.ts';
import { codePoints, type TextPattern } from './big-text.ts';
import { chunks, describeEvents, eventStream, resultChunkEvents } from './stream-answers.ts';

const LIMIT = 4_096;
/** Counts as 4 KB in every reading: of 1000 or 1024, of bytes or of characters. */
const SURELY_SMALL = 4_000;
const SURELY_LARGE = 5_000;
const MAX_LINE_LENGTH = 65_536;
/** What Python calls white space, and JSON text may hold unescaped. */
const WHITE_SPACE = /^[ \t\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** How a result is cut. */
export const serverChunkChecks: readonly ConformanceCheck[] = [
  {
    id: 'chunk/small-result',
    title: 'A result of up to 4 KB comes without chunk events',
    requirement: 'ORS-CHNK-001',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const response = await probe.sharedCall();
      eventStream(response);
      assume(response.resultText !== undefined, 'the stream has no end event');
      const bytes = Buffer.byteLength(response.resultText);
      assumeApplicable(bytes <= SURELY_SMALL, `the result has ${bytes} bytes`);
      assertConforms(chunks(response).length === 0, `a result of ${bytes} bytes came as ${describeEvents(response)}`);
    },
  },
  {
    id: 'chunk/just-below-4kb',
    title: 'A result of 4000 bytes comes without chunk events',
    requirement: 'ORS-CHNK-001',
    profile: 'full',
    needs: ['fixture:big'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const response = await ofLength(await probe.episode(), () => SURELY_SMALL);
      assertConforms(
        chunks(response).length === 0,
        `a result of ${SURELY_SMALL} bytes came as ${describeEvents(response)}`,
      );
    },
  },
  {
    id: 'chunk/large-result',
    title: 'A result of 5000 bytes comes in chunk events and an end event',
    requirement: 'ORS-CHNK-002',
    profile: 'full',
    needs: ['fixture:big'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const response = await ofLength(await probe.episode(), () => SURELY_LARGE);
      assertConforms(
        chunks(response).length > 0,
        `a result of ${SURELY_LARGE} bytes came as ${describeEvents(response)}`,
      );
    },
  },
  {
    id: 'chunk/at-most-4096',
    title: 'No data value of a result of 20 000 characters is longer than 4096 characters',
    requirement: 'ORS-CHNK-004',
    profile: 'full',
    needs: ['fixture:big'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const episode = await probe.episode();
      for (const pattern of ['ascii', 'emoji'] as const) {
        const lengths = resultChunkEvents(await big(episode, 20_000, pattern)).map(({ data }) => codePoints(data));
        const longest = Math.max(...lengths);
        assertConforms(longest <= LIMIT, `a data value of a result of '${pattern}' has ${longest} characters`);
      }
    },
  },
  {
    id: 'chunk/no-leading-space',
    title: 'No data value begins with white space, even if the text is only white space',
    requirement: 'ORS-CHNK-005',
    profile: 'full',
    needs: ['fixture:big'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const episode = await probe.episode();
      for (const pattern of ['spaces', 'mixed'] as const) {
        const bad = resultChunkEvents(await big(episode, 20_000, pattern)).find(({ data }) => WHITE_SPACE.test(data));
        const shown = JSON.stringify(bad?.data.slice(0, 8));
        assertConforms(!bad, `the data of ${bad?.event} begins with white space: ${shown}`);
      }
    },
  },
  {
    id: 'chunk/line-length',
    title: 'No line of a stream with 1 MB is longer than 64 KiB',
    requirement: 'ORS-CHNK-007',
    profile: 'full',
    needs: ['fixture:big'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { longestLine } = eventStream(await big(await probe.episode(), 1_000_000, 'ascii'));
      assertConforms(longestLine <= MAX_LINE_LENGTH, `a line has ${longestLine} bytes`);
    },
  },
  {
    id: 'chunk/end-has-data',
    title: 'The end event of a result that fills its chunks exactly has data',
    requirement: 'ORS-CHNK-008',
    profile: 'full',
    needs: ['fixture:big'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const response = await ofLength(await probe.episode(), (first) => {
        const [chunk] = chunks(first);
        assume(chunk, 'a result of 20 000 characters came without chunks');
        return 3 * codePoints(chunk.data);
      });
      const end = response.events.find(({ event }) => event === 'end');
      assertConforms(
        end?.data !== '',
        `a result of ${response.resultText?.length} characters came as ${describeEvents(response)}`,
      );
    },
  },
];

const FIRST = 20_000;

/** The answer of `big`; untestable if it gives no result. */
async function big(episode: ProbeEpisode, characters: number, pattern: TextPattern): Promise<ProbeResponse> {
  const response = await episode.call('big', { characters, pattern });
  assume(response.resultText !== undefined, `${characters} characters were answered with ${response.summary}`);
  return response;
}

/** The answer of `big` whose result, as JSON text, has so many bytes; a first answer tells what surrounds the text. */
async function ofLength(episode: ProbeEpisode, lengthFor: (first: ProbeResponse) => number): Promise<ProbeResponse> {
  const first = await big(episode, FIRST, 'ascii');
  const around = (first.resultText?.length ?? 0) - FIRST;
  const length = lengthFor(first);
  const response = await big(episode, length - around, 'ascii');
  assume(response.resultText?.length === length, `a result of ${length} bytes was wanted and could not be had`);
  return response;
}
