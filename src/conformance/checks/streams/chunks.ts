import type { Check } from '../../check.ts';
import type { Answer, Episode } from '../../probe/index.ts';
import { applies, ensure, given } from '../../verdict.ts';
import { codePoints, type Pattern } from './big-text.ts';
import { chunks, outline, parts, streamOf } from './stream-answers.ts';

const LIMIT = 4_096;
/** Counts as 4 KB in every reading: of 1000 or 1024, of bytes or of characters. */
const SURELY_SMALL = 4_000;
const SURELY_LARGE = 5_000;
const LONGEST_LINE = 65_536;
/** What Python calls white space, and JSON text may hold unescaped. */
const WHITE_SPACE = /^[ \t\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** How a result is cut. */
export const chunkChecks: readonly Check[] = [
  {
    id: 'chunk/small-result',
    title: 'A result of up to 4 KB comes without chunk events',
    requirement: 'ORS-CHNK-001',
    profile: 'core',
    needs: ['call'],
    async run(probe) {
      const answer = await probe.sharedCall();
      streamOf(answer);
      given(answer.resultText !== undefined, 'the stream has no end event');
      const bytes = Buffer.byteLength(answer.resultText);
      applies(bytes <= SURELY_SMALL, `the result has ${bytes} bytes`);
      ensure(chunks(answer).length === 0, `a result of ${bytes} bytes came as ${outline(answer)}`);
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
      const answer = await ofLength(await probe.episode(), () => SURELY_SMALL);
      ensure(chunks(answer).length === 0, `a result of ${SURELY_SMALL} bytes came as ${outline(answer)}`);
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
      const answer = await ofLength(await probe.episode(), () => SURELY_LARGE);
      ensure(chunks(answer).length > 0, `a result of ${SURELY_LARGE} bytes came as ${outline(answer)}`);
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
        const lengths = parts(await big(episode, 20_000, pattern)).map(({ data }) => codePoints(data));
        const longest = Math.max(...lengths);
        ensure(longest <= LIMIT, `a data value of a result of '${pattern}' has ${longest} characters`);
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
        const bad = parts(await big(episode, 20_000, pattern)).find(({ data }) => WHITE_SPACE.test(data));
        const shown = JSON.stringify(bad?.data.slice(0, 8));
        ensure(!bad, `the data of ${bad?.event} begins with white space: ${shown}`);
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
      const { longestLine } = streamOf(await big(await probe.episode(), 1_000_000, 'ascii'));
      ensure(longestLine <= LONGEST_LINE, `a line has ${longestLine} bytes`);
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
      const answer = await ofLength(await probe.episode(), (first) => {
        const [chunk] = chunks(first);
        given(chunk, 'a result of 20 000 characters came without chunks');
        return 3 * codePoints(chunk.data);
      });
      const end = answer.events.find(({ event }) => event === 'end');
      ensure(end?.data !== '', `a result of ${answer.resultText?.length} characters came as ${outline(answer)}`);
    },
  },
];

const FIRST = 20_000;

/** The answer of `big`; untestable if it gives no result. */
async function big(episode: Episode, characters: number, pattern: Pattern): Promise<Answer> {
  const answer = await episode.call('big', { characters, pattern });
  given(answer.resultText !== undefined, `${characters} characters were answered with ${answer.summary}`);
  return answer;
}

/** The answer of `big` whose result, as JSON text, has so many bytes; a first answer tells what surrounds the text. */
async function ofLength(episode: Episode, lengthFor: (first: Answer) => number): Promise<Answer> {
  const first = await big(episode, FIRST, 'ascii');
  const around = (first.resultText?.length ?? 0) - FIRST;
  const length = lengthFor(first);
  const answer = await big(episode, length - around, 'ascii');
  given(answer.resultText?.length === length, `a result of ${length} bytes was wanted and could not be had`);
  return answer;
}
