import { expect, test } from '@jest/globals';
import {
  decodeFragment,
  isWithin,
  parentPointer,
  pointerKeys,
  pointerPath,
  pointerSegment,
  toFragment,
  valueAt,
} from '../../src/core/index.ts';
import fc, { unicode } from '../support/fast-check.ts';

const DOCUMENT = JSON.parse(
  '{"a/b":1,"m~n":2,"":3,"list":[{"0":4}],"__proto__":5,"e f":6,"100%":7,"a":{"b":8},"~1":9}',
);

test.each([
  ['', DOCUMENT],
  ['/a~1b', 1],
  ['/m~0n', 2],
  ['/', 3],
  ['/list/0/0', 4],
  ['/__proto__', 5],
  ['/100%', 7],
  ['/a/b', 8],
  ['/~01', 9],
  ['/list/00', undefined],
  ['/list/length', undefined],
  ['/constructor', undefined],
  ['/a/b/c', undefined],
  ['a', undefined],
])('valueAt reads %j', (pointer, value) => {
  expect(valueAt(DOCUMENT, pointer)).toBe(value);
});

test.each([
  ['/e f', '#/e%20f'],
  ['/100%', '#/100%25'],
  ['/a~1b', '#/a~1b'],
  ['/#', '#/%23'],
  ['', '#'],
])('toFragment encodes %j', (pointer, fragment) => {
  expect(toFragment(pointer)).toBe(fragment);
});

test.each([
  ['/a%2Fb', '/a/b'],
  ['/m%7E0n', '/m~0n'],
  ['/100%', '/100%'],
])('decodeFragment decodes %j', (fragment, pointer) => {
  expect(decodeFragment(fragment)).toBe(pointer);
});

test('restores keys of every kind from a pointer, a fragment and a URL', () => {
  fc.assert(
    fc.property(fc.array(unicode()), (keys) => {
      const pointer = keys.map(pointerSegment).join('');
      const fragment = toFragment(pointer);

      expect(pointerKeys(pointer)).toEqual(keys);
      expect(decodeFragment(fragment.slice(1))).toBe(pointer);
      expect(decodeFragment(new URL(fragment, 'https://example.org/').hash.slice(1))).toBe(pointer);
    }),
  );
});

test('rejects a text that does not begin with a slash as a pointer', () => {
  expect(pointerKeys('name')).toBeUndefined();
});

test('compares pointers by whole segments', () => {
  expect(isWithin('/a/b', '/a')).toBe(true);
  expect(isWithin('/a', '/a')).toBe(true);
  expect(isWithin('/ab', '/a')).toBe(false);
  expect(isWithin('/a', '')).toBe(true);
  expect(parentPointer('/a/b')).toBe('/a');
  expect(parentPointer('')).toBe('');
});

test('formats a pointer as a path for people', () => {
  expect(pointerPath('body', '/tags/0/a~1b/x')).toBe('body.tags[0]["a/b"].x');
  expect(pointerPath('', '/tags/0')).toBe('tags[0]');
});
