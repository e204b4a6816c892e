import type { Mutant } from '../mutant.ts';
import { frameOf, recut, resultFrames } from './frames.ts';

const CHUNK = 4_096;

export const chunkMutants: readonly Mutant[] = [
  {
    name: 'every result is cut in two',
    caughtBy: ['chunk/small-result', 'chunk/just-below-4kb'],
    wire: () => ({ frames: recut((data) => resultFrames(data.length > 1 ? data : inTwo(data[0] ?? ''))) }),
  },
  {
    name: 'results of more than 1 KB are cut',
    caughtBy: ['chunk/just-below-4kb'],
    wire: () => ({
      frames: recut((data) =>
        resultFrames(data.length > 1 || (data[0]?.length ?? 0) < 1_024 ? data : inTwo(data[0] ?? '')),
      ),
    }),
  },
  {
    name: 'results of less than 6 KB are not cut',
    caughtBy: ['chunk/large-result'],
    wire: () => ({
      frames: recut((data) => resultFrames(data.join('').length < 6_144 ? [data.join('')] : data)),
    }),
  },
  {
    name: 'chunks have 8192 characters',
    caughtBy: ['chunk/at-most-4096', 'chunk/at-most-4096-bytes'],
    wire: () => ({ frames: recut((data) => resultFrames([...inPairs(data.slice(0, -1)), ...data.slice(-1)])) }),
  },
  {
    name: 'chunks of a large result have 100 KB',
    caughtBy: ['chunk/line-length'],
    wire: () => ({
      frames: recut((data) => resultFrames(data.length < 100 ? data : together(data, 25))),
    }),
  },
  {
    name: 'white space at the beginning of a chunk is not escaped',
    caughtBy: ['chunk/no-leading-space'],
    wire: () => ({ frames: recut((data) => resultFrames(data.map((part) => part.replace(/^\\u0020/, ' ')))) }),
  },
  {
    name: 'a no-break space at the beginning of a chunk is not escaped',
    caughtBy: ['chunk/no-leading-space'],
    wire: () => ({
      frames: recut((data) => {
        const text = data.join('');
        const at = text.indexOf('\u00a0', 1_000);
        if (at < 0) return resultFrames(data);
        const rest = slices([...text.slice(at)], 1_000).map((part) => part.join(''));
        return resultFrames([text.slice(0, at), ...rest]);
      }),
    }),
  },
  {
    name: 'chunks have 4096 characters of up to four bytes',
    caughtBy: ['chunk/at-most-4096-bytes'],
    wire: () => ({
      frames: recut((data) =>
        resultFrames(isEmoji(data) ? slices([...data.join('')], CHUNK).map((part) => part.join('')) : data),
      ),
    }),
  },
  {
    name: 'results are cut at 4096 bytes, and each piece is decoded separately',
    caughtBy: ['chunk/whole-characters'],
    wire: () => ({
      frames: recut((data) => {
        const bytes = Buffer.from(data.join(''));
        return resultFrames(isEmoji(data) ? slices(bytes, CHUNK).map((slice) => slice.toString()) : data);
      }),
    }),
  },
  {
    name: 'results are cut between the halves of an emoji',
    caughtBy: ['chunk/whole-characters', 'chunk/at-most-4096-bytes'],
    wire: () => ({
      frames: recut((data) => resultFrames(isEmoji(data) ? slices(data.join(''), CHUNK - 1) : data)),
    }),
  },
  {
    name: 'a result that fills its chunks ends with an empty end',
    caughtBy: ['chunk/end-has-data'],
    wire: () => ({
      frames: recut((data) => resultFrames(data.at(-1)?.length === CHUNK ? [...data, ''] : data)),
    }),
  },
  {
    name: 'the 200th chunk is empty',
    caughtBy: ['chunk/one-megabyte', 'chunk/ten-megabytes', 'sse/slow-reader'],
    wire: () => ({ frames: recut((data) => resultFrames(data.map((part, index) => (index === 199 ? '' : part)))) }),
  },
  {
    name: 'the 2000th chunk is sent twice',
    caughtBy: ['chunk/ten-megabytes'],
    wire: () => ({
      frames: recut((data) => resultFrames([...data.slice(0, 2_000), ...data.slice(1_999)])),
    }),
  },
  {
    name: 'the second and the third of about fifteen chunks are swapped',
    caughtBy: ['chunk/in-order'],
    wire: () => ({
      frames: recut((data) => {
        const [one = '', two = '', three = '', ...rest] = data;
        return data.length > 10 && data.length < 20 ? resultFrames([one, three, two, ...rest]) : resultFrames(data);
      }),
    }),
  },
  {
    name: 'one of about fifteen chunks is sent twice',
    caughtBy: ['chunk/in-order'],
    wire: () => ({
      frames: recut((data) => {
        const isMeant = data.length > 10 && data.length < 20;
        return [...(isMeant ? [frameOf('chunk', data[0] ?? '')] : []), ...resultFrames(data)];
      }),
    }),
  },
];

const inTwo = (data: string) => [data.slice(0, data.length / 2), data.slice(data.length / 2)];

/** A long text of only emoji. */
const isEmoji = (data: readonly string[]) => data.length > 1 && data[0]?.endsWith('\u{1f600}'.repeat(1_000));

const together = (data: readonly string[], count: number) =>
  slices([...data], count).map((several) => several.join(''));

const inPairs = (data: readonly string[]) => together(data, 2);

interface Sliceable<T> {
  readonly length: number;
  slice(from: number, to: number): T;
}

function slices<T>(all: Sliceable<T>, size: number): T[] {
  const parts: T[] = [];
  for (let at = 0; at < all.length; at += size) parts.push(all.slice(at, at + size));
  return parts;
}
