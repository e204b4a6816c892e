import { expect, test } from '@jest/globals';
import type { BlockHit } from '../../generated/trace.ts';
import {
  groupHitsByTrace,
  hasSearchTerm,
  readSearchQuery,
  unknownSearchParams,
} from '../../src/viewer/page/search/query.ts';

test('groups hits by trace, in order of arrival', () => {
  const hits = ['b 1', 'a 1', 'b 2', 'a 2'].map((text) => {
    const [trace_id, id] = text.split(' ');
    return { trace_id, block: { id } } as BlockHit;
  });

  const traces = groupHitsByTrace(hits).map(({ traceId, hits: own }) => [
    traceId,
    own.map(({ block }) => block.id).join(),
  ]);

  expect(traces).toEqual([
    ['b', '1,2'],
    ['a', '1,2'],
  ]);
});

test('reads the search from the address, and ignores values that the API would reject', () => {
  const wanted = readSearchQuery(
    new URLSearchParams('view=search&q=a%20b&name=bash&run=r&has_error=true&sub_type=THINK'),
  );

  expect(wanted).toEqual({ q: 'a b', name: 'bash', run: 'r', has_error: true, sub_type: 'THINK' });
  expect(readSearchQuery(new URLSearchParams('q=&sub_type=POEM&has_error=maybe'))).toEqual({});
});

test.each([
  ['run=r', false],
  ['trace_id=tr_1&environment=e', false],
  ['q=x', true],
  ['has_error=false', true],
  ['sub_type=MESSAGE', true],
])('decides whether %j is a search: %j', (address, asks) => {
  expect(hasSearchTerm(readSearchQuery(new URLSearchParams(address)))).toBe(asks);
});

test.each([
  ['q=target&has_error=maybe&sub_type=zzz', ['sub_type', 'has_error']],
  ['q=target&has_error=true&sub_type=THINK', []],
  ['has_error=&sub_type=', []],
])('reports the invalid parameters of the address ?%s of a search: %j', (address, names) => {
  expect(unknownSearchParams(new URLSearchParams(address))).toEqual(names);
});
