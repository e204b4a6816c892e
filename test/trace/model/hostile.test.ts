import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseJson, stringifyJson } from '../../../src/core/index.ts';
import { validateBlock } from '../../../src/trace/model/block-rules.ts';
import { stitch } from '../../../src/trace/model/index.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { traceValidator } from '../../support/validators.ts';

import { call, createConversation, errorSummary, message, result, TRACE } from './store.ts';

const isAccepted = (block: unknown) => {
  let accepted = true;
  validateBlock(block, TRACE, () => {
    accepted = false;
  });
  return accepted;
};

const NASTY = ['\u0000', '\ud83d', '\udc00x', '\u2028', '\u202e<script>', '\u001b[2J', '"\\', '\uffff', '__proto__'];

test.each(NASTY)('stores %j exactly, as value and as key', (text) => {
  const { post, rows } = createConversation();
  const nested = JSON.parse(`{${JSON.stringify(text)}: [${JSON.stringify(text)}]}`);

  const posted = post({
    blocks: [
      message({ payload: { role: 'user', content: text, nested }, raw: nested, extra: nested }),
      call({ payload: { name: 'a', arguments: JSON.stringify(nested) } }),
      result({ payload: { output: nested } }),
    ],
  });

  expect(errorSummary(posted)).toBe('accepted');
  const stored = JSON.stringify(rows.slice(2).map(({ payload, raw, extra }) => ({ payload, raw, extra })));
  expect(stored.split(JSON.stringify(nested))).toHaveLength(6);
  expect(JSON.stringify(stitch(rows)).split(JSON.stringify(nested))).toHaveLength(6);
});

test('treats names of prototype properties like other keys', () => {
  const { post } = createConversation();

  expect(errorSummary(post(JSON.parse('{"__proto__": {"sub_type": "MESSAGE"}, "payload": {}}')))).toBe(
    '422 unknown_field enum',
  );
  expect(
    errorSummary(
      post(JSON.parse('{"sub_type": "MESSAGE", "payload": {"__proto__": {"role": "user", "content": "a"}}}')),
    ),
  ).toBe('422 role content_empty');
  expect(Object.prototype).not.toHaveProperty('role');
});

const nestedText = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

test.each([
  [500, 'accepted'],
  [501, '422 arguments_not_json'],
  [40_000, '422 arguments_not_json'],
])('parses arguments as text of %i levels: %s', (depth, expected) => {
  expect(errorSummary(createConversation().post(call({ payload: { name: 'a', arguments: nestedText(depth) } })))).toBe(
    expected,
  );
});

test('stores, compares and stitches a body with the maximum number of levels', () => {
  const { post, rows } = createConversation();
  const text = `{"id": "tb_deep", "sub_type": "MESSAGE", "payload": {"role": "user", "content": "a"}, "raw": ${nestedText(511)}}`;

  const kinds = [0, 1].map(() => post(parseJson(text).value).outcomes?.[0]?.kind);

  expect(kinds).toEqual(['new', 'replay']);
  expect(JSON.stringify(stitch(rows))).toContain(nestedText(511));
});

test('keeps numbers that a double would change, and tells them apart', () => {
  const { post, rows } = createConversation();
  const parse = (text: string) => parseJson(text, { exactNumbers: true }).value;
  const block = (number: string) =>
    parse(JSON.stringify(message({ id: 'tb_n', extra: { reward: 0 } })).replace('"reward":0', `"reward":${number}`));

  expect(errorSummary(post(block('9007199254740993')))).toBe('accepted');
  expect(post(block('9007199254740993')).outcomes).toMatchObject([{ kind: 'replay' }]);
  expect(errorSummary(post(block('9007199254740992')))).toBe('409 BLOCK_ID_CONFLICT');
  expect(stringifyJson(rows.at(-1)?.extra)).toBe('{"reward":9007199254740993}');
});

test.each(['payload', 'id', 'sub_type', 'parent_block_id', 'payload/role', 'payload/content', 'blocks'])(
  'rejects a number that a double would change as %s',
  (path) => {
    const [field = '', member] = path.split('/');
    const body = message();
    const changed =
      member === undefined ? { ...body, [field]: 'N' } : { ...body, payload: { ...body.payload, [member]: 'N' } };
    const { value } = parseJson(JSON.stringify(changed).replace('"N"', '12345678901234567890'), { exactNumbers: true });

    expect(errorSummary(createConversation().post(value))).toMatch(/^422 /);
  },
);

test('limits the listed issues of an error and returns their number', () => {
  const unusual = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${index}${'x'.repeat(1000)}`, 0]));

  const { failure } = createConversation().post(message(unusual));

  expect(failure?.message).toContain('(5000 issues, of which the first 100 are listed)');
  expect(JSON.stringify(failure).length).toBeLessThan(50_000);
});

test('accepts or rejects any JSON', () => {
  const any = fc.oneof(
    fc.jsonValue(),
    fc.record({ sub_type: fc.constantFrom('MESSAGE', 'TOOL_CALL'), payload: fc.jsonValue() }),
  );
  fc.assert(
    fc.property(any, (body) => expect(errorSummary(createConversation().post(body))).toMatch(/^(accepted|422 |409 )/)),
  );
});

const folder = new URL('../../../spec/messages/trace/', import.meta.url);
const KINDS = readdirSync(folder).filter((name) => name.endsWith('BlockInput.json'));

test.each(KINDS)('validates the messages of %s like the schema', (file) => {
  const { valid, invalid } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  const values: unknown[] = [...valid, ...invalid].flatMap(({ value }) => (value === undefined ? [] : [value]));
  const comparable = values.filter((value) => !JSON.stringify(value).includes('"trace_id"'));

  expect(comparable.filter((value) => isAccepted(value) !== traceValidator('BlockInput')(value))).toEqual([]);
  expect(comparable.length).toBeGreaterThan(5);
});

test('validates random blocks like the schema', () => {
  const scalar = fc.constantFrom<unknown>(
    ...[undefined, null, '', 'a', ' a', 0, -1, 1.5, true, [], {}, ['a'], [{ type: 'text' }], [{ type: '' }]],
  );
  const mostly = (likely: unknown) => fc.oneof({ weight: 4, arbitrary: fc.constant(likely) }, scalar);
  const payload = fc.record({
    role: mostly('user'),
    content: mostly('a'),
    text: mostly('a'),
    name: mostly('a'),
    arguments: fc.constantFrom<unknown>('{}', {}, {}, null, [], 1, undefined),
    output: mostly(undefined),
    delta: mostly('a'),
    seq: mostly(3),
    call_id: mostly('call_1'),
  });
  const block = fc.record({
    id: fc.constantFrom<unknown>(undefined, undefined, 'tb_1', 'x', null),
    block_type: fc.constantFrom<unknown>(undefined, undefined, undefined, 'MESSAGE', 'ACT', 'OBSERVE', null),
    sub_type: fc.constantFrom('MESSAGE', 'TOOL_CALL', 'TOOL_RESULT', 'THINK', 'OTHER'),
    payload: fc.oneof({ weight: 20, arbitrary: payload }, scalar),
    parent_block_id: fc.constantFrom<unknown>(undefined, null, 'tb_1', 'tb_2', 'x'),
    metadata: fc.constantFrom<unknown>(undefined, null, {}, 1),
    extra: fc.constantFrom<unknown>(undefined, null, {}, []),
  });
  const accepted = new Set<unknown>();

  fc.assert(
    fc.property(block, (parts) => {
      const value: unknown = JSON.parse(JSON.stringify(parts));
      const verdict = isAccepted(value);
      if (verdict) accepted.add(parts.sub_type);

      expect(verdict).toBe(traceValidator('BlockInput')(value));
    }),
    { numRuns: runs(3000), seed: 6 },
  );
  expect([...accepted].sort()).toEqual(['MESSAGE', 'THINK', 'TOOL_CALL', 'TOOL_RESULT']);
});
