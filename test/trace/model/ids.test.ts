import { expect, test } from '@jest/globals';
import { BLOCK_ID, createUlids, newBlockId, newTraceId, TRACE_ID } from '../../../src/trace/model/index.ts';
import fc from '../../support/fast-check.ts';

const bytes = (value: number) => (length: number) => new Uint8Array(length).fill(value);

test('creates ids that are tr_ or tb_ and a lower-case ULID, and sort by time', () => {
  const ids = Array.from({ length: 10_000 }, newBlockId);

  expect(newTraceId()).toMatch(/^tr_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  expect(ids.every((id) => /^tb_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(id))).toBe(true);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  [0, 0, '00000000000000000000000000'],
  [1_469_918_176_385, 0, '01aryz6s410000000000000000'],
  [2 ** 48 - 1, 255, '7zzzzzzzzzzzzzzzzzzzzzzzzz'],
])('encodes %i ms and bytes of %i as the ULID %s', (now, byte, expected) => {
  const ulid = createUlids({ now: () => now, random: bytes(byte) });

  expect(ulid()).toBe(expected);
});

test('increments the random part within a millisecond, and carries into the time when it overflows', () => {
  const [zeros, ones] = [0, 255].map((byte) => createUlids({ now: () => 1, random: bytes(byte) }));

  expect([zeros?.(), zeros?.()]).toEqual(['00000000010000000000000000', '00000000010000000000000001']);
  expect([ones?.(), ones?.()]).toEqual(['0000000001zzzzzzzzzzzzzzzz', '00000000020000000000000000']);
});

test('creates increasing ids whatever the clock does', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 2 }),
      fc.infiniteStream(fc.nat(255)),
      (times, random) => {
        const clock = times.values();
        const ulid = createUlids({
          now: () => clock.next().value ?? 0,
          random: (length) => Uint8Array.from({ length }, () => random.next().value),
        });

        const ids = times.map(ulid);

        expect([...new Set(ids)].sort()).toEqual(ids);
      },
    ),
  );
});

test.each([
  ['tb_msg123', true],
  ['tb_A-_z', true],
  [`tb_${'x'.repeat(64)}`, true],
  [`tb_${'x'.repeat(65)}`, false],
  ['tb_', false],
  ['tr_msg123', false],
  ['tb_a b', false],
  ['tb_a\n', false],
  ['tb_é', false],
])('validates the block id %j: %j', (id, expected) => {
  expect(BLOCK_ID.test(id)).toBe(expected);
  expect(TRACE_ID.test(id.replace(/^tb/, 'tr'))).toBe(expected || id === 'tr_msg123');
});
