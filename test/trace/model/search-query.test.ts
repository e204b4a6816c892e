import { describe, expect, test } from '@jest/globals';
import type { SearchHit, Trace } from '../../../generated/trace.ts';
import {
  errorSignature,
  findsBlocks,
  groupErrors,
  isSearchProblem,
  matchesBlock,
  matchesTrace,
  parseSearch,
  SEARCH_FIELDS,
  type SearchQuery,
} from '../../../src/trace/model/index.ts';
import fc, { runs } from '../../support/fast-check.ts';

const NOW = Date.UTC(2026, 0, 31, 12);

function parse(text: string): SearchQuery {
  const query = parseSearch(text, NOW);
  if (isSearchProblem(query)) throw new Error(`not a query: ${JSON.stringify(query)}`);
  return query;
}

/** Writes terms as `-meta.level~hard`. */
const written = (text: string) =>
  parse(text).terms.map(
    ({ field = '', key, operator, value, isNegated }) =>
      `${isNegated ? '-' : ''}${field}${key === undefined ? '' : `.${key}`}${operator}${value}`,
  );

describe('a query', () => {
  test.each<[string, string[]]>([
    ['', []],
    ['  a  "b c" ', ['~a', '~b c']],
    [String.raw`"say \"no\" to C:\temp\\"`, [`${String.raw`~say "no" to C:\temp`}\\`]],
    ['-a NOT "b" - --flag', ['-~a', '-~b', '~-', '-~-flag']],
    ['a AND b', ['~a', '~b']],
    ['"AND" "tool:x" 10:30', ['~AND', '~tool:x', '~10:30']],
    ['tool:bash tool:="ls -l" -tool:cat', ['tool~bash', 'tool=ls -l', '-tool~cat']],
    ['error:true error:false -error:true', ['error=true', 'error=false', '-error=true']],
    ['error:"no such file"', ['error=true', '~no such file']],
    ['kind:Thought kind:call role:user', ['kind=THINK', 'kind=TOOL_CALL', 'role~user']],
    ['reward:>0.5 reward:<=-1e3 step:3', ['reward>0.5', 'reward<=-1000', 'step=3']],
    ['environment:a env:b', ['env~a', 'env~b']],
    ['meta.a.b:hard metadata.lr:>=1e-3', ['meta.a.b~hard', 'meta.lr>=1e-3']],
    ['score:quality score.quality:>=0.5 score.kind:wrong', ['score=quality', 'score.quality>=0.5', 'score.kind=wrong']],
    ['status:FINISHED', ['status=finished']],
    [
      'after:2026-01-30 before:2026-01-30T10:30+01:00',
      ['after>=2026-01-30T00:00:00.000000Z', 'before<2026-01-30T09:30:00.000000Z'],
    ],
    ['after:7d before:90m', ['after>=2026-01-24T12:00:00.000000Z', 'before<2026-01-31T10:30:00.000000Z']],
  ])('%j has the terms %j', (text, terms) => {
    expect(written(text)).toEqual(terms);
  });

  test.each<[string, number, string, string]>([
    ['a "b c', 2, '"\\"b c"', 'end the phrase'],
    ['tol:bash', 0, '"tol:"', 'write tool:, or quote'],
    ['x http://host', 2, '"http:"', 'quote a text'],
    ['constructor:x', 0, '"constructor:"', 'quote a text'],
    ['reward:abc', 7, '"abc"', 'reward:>0.5'],
    ['reward:>', 8, 'nothing', 'reward:>0.5'],
    ['reward:"1"', 7, '"1"', 'reward:>0.5'],
    ['a reward>0.5', 2, '"reward>0.5"', 'write reward:>0.5'],
    ['model:>a', 6, '">a"', 'model:abc'],
    ['status:done', 7, '"done"', 'status:running'],
    ['kind:tool', 5, '"tool"', 'kind:message'],
    ['after:yesterday', 6, '"yesterday"', 'after:7d'],
    ['after:=7d', 6, '"=7d"', 'after:7d'],
    ['after:2026-13-01', 6, '"2026-13-01"', 'after:2026-01-31'],
    ['meta:x', 0, '"meta:"', 'meta.level:hard'],
    ['meta.:x', 0, '"meta.:"', 'meta.level:hard'],
    ['model.a:x', 0, '"model.a:"', 'quote a text'],
    ['score.quality:>good', 14, '">good"', 'score.correctness:>=0.5'],
    ['-error:timeout', 7, '"timeout"', 'error:true'],
    ['tool:', 5, 'nothing', 'tool:abc'],
    ['tool:""', 5, 'nothing', 'tool:abc'],
    ['a NOT ', 2, 'nothing', 'NOT tool:bash'],
    ['a OR b', 2, '"OR"', 'quote the word'],
    ['""', 0, '""', 'between the quotes'],
  ])('%j is rejected at %j', (text, position, got, advice) => {
    expect(parseSearch(text, NOW)).toEqual({
      position,
      expected: expect.any(String),
      got,
      advice: expect.stringContaining(advice),
    });
  });

  test('any text is a query or is rejected at a position in it', () => {
    const parts = [
      '"',
      '\\',
      ' ',
      '-',
      ':',
      '>',
      '=',
      'NOT',
      'tool',
      'meta.',
      'score.a',
      'a',
      '1',
      '\ud800',
      '\n',
      '.',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts)), (all) => {
        const text = all.join('');
        const query = parseSearch(text, NOW);
        if (isSearchProblem(query)) {
          expect(query.position).toBeGreaterThanOrEqual(0);
          expect(query.position).toBeLessThanOrEqual(text.length);
          expect(query.got.length).toBeLessThanOrEqual(80);
        } else for (const { position } of query.terms) expect(position).toBeLessThan(text.length);
      }),
      { numRuns: runs(300) },
    );
  });

  test('any phrase can be quoted', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (phrase) => {
        const quoted = `"${phrase.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
        expect(parse(quoted).terms).toEqual([{ operator: '~', value: phrase, isNegated: false, position: 0 }]);
      }),
      { numRuns: runs(200) },
    );
  });

  test.each([
    ['model:a reward:>1 meta.x:y score:q after:1d', false],
    ['a', true],
    ['-"a b"', true],
    ['model:a -tool:x', true],
    ['error:true', true],
  ])('%j is about blocks: %j', (text, isAboutBlocks) => {
    expect(findsBlocks(parse(text))).toBe(isAboutBlocks);
  });

  test('has a help text for every field', () => {
    for (const { help } of Object.values(SEARCH_FIELDS)) expect(help).toMatch(/^[A-Z].{5,}/);
  });
});

const TRACE = {
  id: 'tr_abc',
  name: null,
  run: 'Baseline 7B',
  environment: 'Ümwelt',
  split: 'test',
  task_key: null,
  task_index: 12,
  group_id: null,
  step: 0,
  model: 'Qwen/Qwen2.5',
  status: 'finished',
  tags: ['stop:length', 'draft'],
  metadata: { level: 'Hard', lr: 0.001, isLast: true, nested: { n: 3 }, list: ['a', 'b'], nothing: null },
  reward_sum: 0.5,
  block_count: 7,
  error_count: 2,
  created_at: '2026-01-30T00:00:00.000001Z',
} as unknown as Trace;

test.each<[string, boolean]>([
  ['model:qwen run:baseline env:ümWELT', true],
  ['model:=qwen', false],
  ['model:=Qwen/Qwen2.5 status:finished', true],
  ['task:12', true],
  ['task:1', false],
  ['tag:stop', true],
  ['tag:=stop', false],
  ['-tag:=draft', false],
  ['-tag:final', true],
  ['reward:>=0.5 reward:<1 reward:0.5', true],
  ['reward:>0.5', false],
  ['-reward:>0.5', true],
  ['name:a', false],
  ['-name:a', true],
  ['meta.level:hard', true],
  ['meta.lr:0.001 meta.lr:<1 meta.nested.n:3', true],
  ['meta.lr:00', false],
  ['meta.isLast:true meta.list:b', true],
  ['meta.nested:object', false],
  ['meta.nothing:null', false],
  ['meta.constructor:function', false],
  ['errors:2 blocks:>6 step:0', true],
  ['after:2026-01-30 before:2026-01-31', true],
  ['before:2026-01-30', false],
])('a trace matches %j: %j', (text, isMatch) => {
  expect(matchesTrace(parse(text).terms, TRACE, [])).toBe(isMatch);
});

test.each<[string, boolean]>([
  ['tool:BASH', true],
  ['tool:=BASH', false],
  ['-tool:bash', false],
  ['error:true kind:result', true],
  ['error:false', false],
  ['-kind:call -role:user', true],
  ['role:user', false],
])('a failed result of bash matches %j: %j', (text, isMatch) => {
  const block = { sub_type: 'TOOL_RESULT', role: null, is_error: true, tool: 'bash' } as const;

  expect(matchesBlock(parse(text).terms, block)).toBe(isMatch);
});

test('a message matches neither error:true nor error:false', () => {
  const message = { sub_type: 'MESSAGE', role: 'user', is_error: false, tool: null } as const;

  expect(matchesBlock(parse('error:false').terms, message)).toBe(false);
  expect(matchesBlock(parse('error:true').terms, message)).toBe(false);
  expect(matchesBlock(parse('-error:true role:us').terms, message)).toBe(true);
});

test.each([
  ['timeout after 30 s', 'timeout after # s'],
  ['no such file: /tmp/a1/b.txt', 'no such file: …'],
  ['at 0x7ffe12 in 3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'at … in …'],
  ['commit deadbeef12 failed', 'commit … failed'],
  ['facade', 'facade'],
])('the signature of %j is %j', (message, signature) => {
  expect(errorSignature(message)).toBe(signature);
});

test('groups failed results by message, the most frequent first', () => {
  const hit = (trace_id: string, error: string | null, tool = 'bash') =>
    ({ trace_id, error, tool, text: '', block: {} }) as unknown as SearchHit;

  const groups = groupErrors([
    hit('tr_1', 'division by zero', 'evaluate'),
    hit('tr_1', 'timeout after 3 s'),
    hit('tr_2', null),
    hit('tr_2', 'timeout after 20 s', 'python'),
    hit('tr_2', 'timeout after 7 s'),
  ]);

  expect(groups.map(({ message, hits, traceCount, tools }) => [message, hits.length, traceCount, tools])).toEqual([
    ['timeout after 3 s', 3, 2, ['bash', 'python']],
    ['division by zero', 1, 1, ['evaluate']],
  ]);
});
