import { expect, test } from '@jest/globals';
import { collectOutput } from '../../src/sandbox/collect-output.ts';
import fc from '../support/fast-check.ts';

function collect(chunks: readonly Uint8Array[], limit: number) {
  const output = collectOutput(limit);
  for (const chunk of chunks) output.add(Buffer.from(chunk));
  return output;
}

const leftOut = /\n\[\.\.\. (\d+) bytes left out \.\.\.]\n/;

test.each([
  ['abcdef', 6, 'abcdef', 0],
  ['abcdefg', 6, 'abc\n[... 1 bytes left out ...]\nefg', 1],
  ['abcdefg', 1, 'a\n[... 6 bytes left out ...]\n', 6],
  ['', 6, '', 0],
  // ä has two bytes, 日 three, 😀 four; none is split.
  ['aääääa', 4, 'a\n[... 8 bytes left out ...]\na', 8],
  ['日日日日', 8, '日\n[... 6 bytes left out ...]\n日', 6],
  ['😀😀😀', 10, '😀\n[... 4 bytes left out ...]\n😀', 4],
])('keeps of %j %i bytes, as %j', (given, limit, text, omitted) => {
  const bytes = Buffer.from(given);

  expect(collect([bytes], limit).read()).toEqual({ text, omitted });
  expect(
    collect(
      [...bytes].map((byte) => Uint8Array.of(byte)),
      limit,
    ).read(),
  ).toEqual({ text, omitted });
});

test('keeps all bytes within the limit, for any bytes in any chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (chunks) => {
      const bytes = Buffer.concat(chunks);

      const output = collect(chunks, bytes.length + 1);

      expect(output.bytes().equals(bytes)).toBe(true);
      expect(output.read()).toEqual({ text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), omitted: 0 });
    }),
  );
});

test('counts kept and omitted bytes that add up to all bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.integer({ min: 1, max: 40 }), (texts, limit) => {
      const chunks = texts.map((text) => Buffer.from(text));
      const whole = Buffer.concat(chunks).toString();
      const size = Buffer.byteLength(whole);

      const { text, omitted } = collect(chunks, limit).read();

      if (size <= limit) return expect([text, omitted]).toEqual([whole, 0]);
      const [before = '', , after = ''] = text.split(leftOut);
      expect(Number(leftOut.exec(text)?.[1])).toBe(omitted);
      expect(Buffer.byteLength(before) + omitted + Buffer.byteLength(after)).toBe(size);
      expect(Buffer.byteLength(before) + Buffer.byteLength(after)).toBeLessThanOrEqual(limit);
      expect([whole.startsWith(before), whole.endsWith(after)]).toEqual([true, true]);
    }),
  );
});

test('stores at most the limit of endless output', () => {
  const output = collectOutput(1_000);
  const chunk = Buffer.alloc(65_536, 'x');

  const before = process.memoryUsage().arrayBuffers;
  for (let n = 0; n < 5_000; n++) output.add(Buffer.from(chunk));

  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
  expect(output.read().omitted).toBe(5_000 * 65_536 - 1_000);
});
