import { expect, test } from '@jest/globals';
import { completeQuery, queryOf, quoteValue, withTerm } from '../../src/viewer/page/search/query.ts';

test.each([
  ['view=search&q=a%20tool:b', 'a tool:b'],
  ['q=a&run=my%20run&name=bash&has_error=true', 'a tool:=bash run:="my run" error:true'],
  ['trace_id=tr_1&environment=e&group_id=g&sub_type=THINK', 'env:=e group:=g trace:=tr_1 kind:thought'],
  ['q=&sub_type=POEM&has_error=maybe&run=', ''],
])('reads the query of the address ?%s', (address, query) => {
  expect(queryOf(new URLSearchParams(address))).toBe(query);
});

test.each([
  ['plain', 'plain'],
  ['two words', '"two words"'],
  ['say "no"', String.raw`"say \"no\""`],
  ['>1', '">1"'],
  ['C:\\x', 'C:\\x'],
  ['\\x', String.raw`"\\x"`],
  ['', '""'],
])('quotes the value %j as %j', (value, quoted) => {
  expect(quoteValue(value)).toBe(quoted);
});

test.each([
  ['tool:a', 'tool:a error:true'],
  ['', 'error:true'],
  ['a error:timeout', 'a error:timeout'],
])('adds a term to the query %j unless it has its field', (query, changed) => {
  expect(withTerm(query, 'error', 'true')).toBe(changed);
});

const VALUES = { run: ['first run', 'second'], tool: ['bash'], 'meta.level': ['hard', 'easy'] };

/** Completes a query at the position of `|`. */
function complete(marked: string) {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { start, end, items } = completeQuery(text, caret, VALUES);
  return items.map((item) => text.slice(0, start) + item.text + text.slice(end));
}

test.each<[string, string[]]>([
  ['to|', ['tool:']],
  ['a -mo| b', ['a -model: b']],
  ['run:|', ['run:"first run" ', 'run:second ']],
  ['run:="fi|', ['run:="first run" ']],
  ['run:SEC| x', ['run:second  x']],
  ['meta.l|', ['meta.level:']],
  ['-meta.level:h|', ['-meta.level:hard ']],
  ['status:fin|', ['status:finished ']],
  ['unknown:x|', []],
  ['"a tool|', []],
  ['reward:>0|', []],
])('completes %j', (marked, expected) => {
  expect(complete(marked)).toEqual(expected);
});

test('offers every field where a word begins', () => {
  expect(complete('a |').length).toBeGreaterThan(15);
});
