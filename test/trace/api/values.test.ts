import { afterEach, expect, test } from '@jest/globals';
import fc, { runs } from '../../support/fast-check.ts';
import { call, message, result, TRACE, think } from '../model/store.ts';
import { allBlocks, closeServers, errorSummary, startConversation, startServer } from './server.ts';

afterEach(closeServers);

const block = (members: string) =>
  `{"id":"tb_1","sub_type":"MESSAGE","payload":{"role":"user","content":"x"},${members}}`;
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test.each([
  ['1e21', 1e21],
  ['6.02e23', 6.02e23],
  ['0.1', 0.1],
  ['-1.5E-7', -1.5e-7],
  ['100e-2', 1],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ['-9007199254740991', Number.MIN_SAFE_INTEGER],
  ['5e-324', 5e-324],
  ['1.7976931348623157e308', Number.MAX_VALUE],
  ['0.00000000000000000000000001', 1e-26],
  ['9007199254740992', 2 ** 53],
])('keeps the number %s as it is: %s', async (literal, kept) => {
  const { write, read } = await startConversation();

  const response = await write(block(`"raw": [${literal}], "extra": {"reward": ${literal}}`));

  expect(errorSummary(response)).toBe('201');
  const { raw, extra } = (await read('tb_1')).json;
  expect([raw, extra]).toEqual([[kept], { reward: kept }]);
});

const INEXACT = [
  ...['9007199254740993', '-9223372036854775808', '12345678901234567890', '0.12345678901234567890123', '-0.0'],
  ...['1e400', '-1e400', '1e-400', '3.14159265358979323846264338327950288'],
];

/** Reads a response as text: parsing it would change the numbers. */
async function textOf(url: string): Promise<string> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return response.text();
}

/** Reads the first block event of a stream. */
async function firstEvent(url: string): Promise<string> {
  const { body } = await fetch(url);
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    if (/id: 3\n[\s\S]*\n\n/.test(text)) break;
  }
  return text;
}

test.each(INEXACT)('returns the number %s, which a double changes, as it was sent', async (literal) => {
  const { url, post } = await startConversation();
  const base = `${url}/v1/organizations/default/traces/${TRACE}`;
  const write = (body: string) =>
    fetch(`${base}/blocks`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const sent = `"metadata":{"m":${literal}},"raw":[${literal}],"extra":{"n":{"deep":${literal}}}`;

  const response = await write(block(sent));
  const replay = await write(block(sent));
  const other = await write(block(sent.replaceAll(literal, '1')));
  await post('traces', `{"id":"tr_n","metadata":{"n":${literal}},"task_spec":{"n":${literal}}}`);

  expect([response.status, replay.status, other.status]).toEqual([201, 200, 409]);
  const responses = [
    await response.text(),
    await replay.text(),
    await textOf(`${base}/blocks/tb_1`),
    await textOf(`${base}/blocks`),
    await textOf(`${base}/blocks.stitched`),
    await textOf(`${base}/blocks.stitched?limit=5`),
    await textOf(`${base}/export`),
    await firstEvent(`${base}/stream`),
  ];
  for (const text of responses) {
    expect(text).toContain(`"m":${literal}}`);
    expect(text).toContain(`"raw":[${literal}]`);
    expect(text).toContain(`{"deep":${literal}}`);
  }
  const trace = await textOf(`${url}/v1/organizations/default/traces/tr_n`);
  expect(trace.split(`{"n":${literal}}`)).toHaveLength(3);
});

test('keeps long numbers in payloads, and counts a long reward as the nearest double', async () => {
  const { url, write } = await startConversation();
  const long = '12345678901234567890';
  const answers = [
    await write(
      `{"sub_type":"TOOL_CALL","parent_block_id":"tb_msg123","payload":{"name":"f","arguments":{"id":${long}}}}`,
    ),
    await write(
      `{"sub_type":"TOOL_CALL","parent_block_id":"tb_msg123","payload":{"name":"f","arguments":"{\\"id\\":${long}}"}}`,
    ),
    await write(
      `{"sub_type":"TOOL_RESULT","parent_block_id":"tb_call123","payload":{"output":[${long}]},"extra":{"reward":${long}}}`,
    ),
  ];

  const text = await textOf(`${url}/v1/organizations/default/traces/${TRACE}/blocks.stitched?assemble=true`);

  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(text.split(`"arguments":{"id":${long}}`)).toHaveLength(3);
  expect(text).toContain(`"value":[${long}]`);
  expect(JSON.parse(text).trace.reward_sum).toBe(Number(long));
});

test('imports the numbers of an export as they are', async () => {
  const { url, write } = await startConversation();
  await write(block('"raw": 12345678901234567890, "metadata": {"n": 0.1000000000000000000001}'));
  const other = await startServer();

  const exported = await textOf(`${url}/v1/organizations/default/traces/${TRACE}/export`);
  const report = await other.send('POST', 'import', exported, { 'Content-Type': 'application/x-ndjson' });

  expect(report.json).toMatchObject({ traces: 1, blocks: 3, failed: [] });
  const text = await textOf(`${other.url}/v1/organizations/default/traces/${TRACE}/blocks/tb_1`);
  expect(text).toContain('"raw":12345678901234567890');
  expect(text).toContain('"metadata":{"n":0.1000000000000000000001}');
});

const STRANGE = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00\ud800x',
  '\ufffe\uffff\ufffd',
  '\u2028\u2029',
  '\ufeff',
  "'; DROP TABLE traces; --",
  '%_\\',
  '"quoted"',
  '{"a":1}',
  '1e5',
  'null',
  'Å A\u030a é',
  '𝕏👩‍👩‍👧‍👦',
];

test.each(STRANGE)('keeps the text %j in every field of a block', async (text) => {
  const { post, get, write, read } = await startConversation();
  const parts = { raw: { [text]: text }, extra: { [text]: [text] } };
  const blocks = [
    message({ id: 'tb_m', ...parts, payload: { role: 'user', content: [{ type: text, [text]: text }] } }),
    call({ id: 'tb_c', payload: { name: 'f', call_id: text, arguments: { [text]: text } } }),
    call({ id: 'tb_d', payload: { name: 'f', call_id: `${text} `, arguments: JSON.stringify({ [text]: text }) } }),
    result({ id: 'tb_r', parent_block_id: 'tb_c', payload: { call_id: text, output: text, seq: 0 } }),
    think({ id: 'tb_t', payload: { text } }),
  ];

  for (const each of blocks) expect((await write(each)).status).toBe(201);

  const [m, c, d, r, t] = (await allBlocks(get, TRACE)).slice(2);
  expect(m).toMatchObject(blocks[0] ?? {});
  expect(c).toMatchObject(blocks[1] ?? {});
  expect(d?.payload).toMatchObject({ call_id: `${text} `, arguments: { [text]: text } });
  expect(r).toMatchObject(blocks[3] ?? {});
  expect(t?.payload).toEqual({ text });
  expect((await read('tb_m')).json).toEqual(m);
  expect((await write(blocks[0])).status).toBe(200);
  expect(errorSummary(await write({ ...blocks[1], id: 'tb_e' }))).toBe('409 DUPLICATE_CALL_ID');
  expect(errorSummary(await write({ ...blocks[3], id: 'tb_e' }))).toBe('409 DUPLICATE_RESULT_SEQ');
  expect((await get(`traces/${TRACE}/blocks.stitched?assemble=true`)).status).toBe(200);
  expect((await post('traces', { id: 'tr_n' })).status).toBe(201);
});

test.each(STRANGE)('keeps the text %j in every field of a trace', async (text) => {
  const { post, get, patch } = await startServer();
  const fields = { name: text, run: text, environment: text, variant: text, split: text, group_id: text, model: text };
  const objects = { metadata: { [text]: text }, run_info: { [text]: text }, rollout_info: { [text]: [text] } };
  const input = { id: 'tr_a', ...fields, ...objects, task_spec: { [text]: text }, tags: [text] };

  const { json } = await post('traces', input);
  const again = await post('traces', input);
  await post('traces', { ...input, id: 'tr_b', run: `${text}!` });

  expect(json).toMatchObject(input);
  expect([again.status, again.json]).toEqual([200, json]);
  expect((await get('traces?order=asc')).json.traces[0]).toEqual(json);
  expect((await get('runs')).json.runs.map(({ run }: { run: string }) => run).sort()).toEqual(
    [text, `${text}!`].sort(),
  );
  expect((await patch('traces/tr_a', { name: `${text}?`, tags: [`${text}?`] })).json).toMatchObject({
    name: `${text}?`,
    tags: [`${text}?`],
  });
  // A URL cannot contain a lone surrogate.
  if (!text.isWellFormed()) return;
  const found = async (query: string) =>
    (await get(`traces?${query}=${encodeURIComponent(text)}`)).json.traces.map(({ id }: { id: string }) => id);
  expect(await found('run')).toEqual(['tr_a']);
  expect(await found('tag')).toEqual(['tr_b']);
  expect((await get(`runs/${encodeURIComponent(text)}/stats`)).json.run.run).toBe(text);
});

test.each(["'; DROP", '%_\\', '😀', '\u2028', 'null', '_', '%', '\\', 'é'])(
  'a search for %j finds the names that hold it, and no others',
  async (text) => {
    const { post, get } = await startServer();
    for (const [id, name] of Object.entries({ tr_a: `x${text}y`, tr_b: text, tr_c: 'xy' }))
      await post('traces', { id, name });

    const { json } = await get(`traces?order=asc&q=${encodeURIComponent(text)}`);

    // All ids contain their prefix.
    const expected = text === '_' ? ['tr_a', 'tr_b', 'tr_c'] : ['tr_a', 'tr_b'];
    expect(json.traces.map(({ id }: { id: string }) => id)).toEqual(expected);
  },
);

test('keeps the keys __proto__, constructor and toString like any other', async () => {
  const { post, get, write } = await startConversation();
  const unusual = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1}';
  const written = JSON.stringify(JSON.parse(unusual));

  const responses = [
    await write(block(`"raw":${unusual},"extra":${unusual}`)),
    await write(`{"sub_type":"MESSAGE","payload":{"role":"user","content":[{"type":"x","v":${unusual}}]}}`),
    await post('traces', `{"id":"tr_p","metadata":${unusual},"task_spec":${unusual},"run_info":${unusual}}`),
  ];

  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
  const [stored, parts] = (await allBlocks(get, TRACE)).slice(2);
  const trace = (await get('traces/tr_p')).json;
  const kept = [stored?.raw, stored?.extra, trace.metadata, trace.task_spec, trace.run_info];
  expect(kept.map((value) => JSON.stringify(value))).toEqual(Array(5).fill(written));
  expect(JSON.stringify(parts?.payload)).toContain(`"v":${written}`);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('treats a role, content or sub_type inside of __proto__ as missing', async () => {
  const { write } = await startConversation();

  const payload = '{"__proto__":{"role":"user","content":"x"}}';

  expect(errorSummary(await write(`{"sub_type":"MESSAGE","payload":${payload}}`))).toBe('422 role content_empty');
  expect(errorSummary(await write('{"__proto__":{"sub_type":"MESSAGE"},"payload":{}}'))).toBe('422 unknown_field enum');
});

test('keeps 512 levels everywhere, and rejects 513', async () => {
  const { write, read, get, post } = await startConversation();
  const deep = nested(511);

  const kept = await write(block(`"raw":${deep}`));
  const trace = await post('traces', `{"id":"tr_d","metadata":{"a":${nested(510)}}}`);

  expect([kept.status, trace.status]).toEqual([201, 201]);
  expect(JSON.stringify((await read('tb_1')).json.raw)).toBe(deep);
  expect(JSON.stringify((await get(`traces/${TRACE}/blocks.stitched`)).json.messages[1].raw)).toBe(deep);
  expect(JSON.stringify((await allBlocks(get, TRACE))[2]?.raw)).toBe(deep);
  expect(errorSummary(await write(block(`"raw":${nested(512)}`)))).toBe('400 BAD_JSON');
  expect(errorSummary(await write(nested(1_000_000)))).toBe('400 BAD_JSON');
  expect(errorSummary(await write('['.repeat(100_000)))).toBe('400 BAD_JSON');
});

test('accepts arguments as text with 500 levels', async () => {
  const { write } = await startConversation();
  const withArguments = (levels: number) => call({ payload: { name: 'f', arguments: `{"a":${nested(levels - 1)}}` } });

  const { status, json } = await write(withArguments(500));

  expect([status, JSON.stringify(json.payload.arguments.a)]).toEqual([201, nested(499)]);
  expect(errorSummary(await write(withArguments(501)))).toBe('422 arguments_not_json');
  expect(errorSummary(await write(withArguments(200_000)))).toBe('422 arguments_not_json');
});

/** Any text, including lone surrogates. */
const anyText = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 20 });
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false, ...STRANGE),
    anyText,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.maxSafeInteger(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyText, tie('value'), { maxKeys: 4 }),
  ),
})).value;
const anyObject = fc.dictionary(anyText, anyJson, { maxKeys: 4 });
const anyArguments = fc.oneof(anyObject, anyJson);

test('returns any JSON as it was written', async () => {
  const { write, read, get } = await startConversation();
  let number = 0;

  await fc.assert(
    fc.asyncProperty(anyJson, anyObject, anyJson, anyArguments, async (raw, fields, extra, parsed) => {
      const id = `tb_p${number++}`;
      const given = {
        blocks: [
          message({
            id,
            raw,
            extra,
            metadata: extra,
            payload: { ...fields, role: 'user', content: [{ ...fields, type: 'x' }] },
          }),
          call({ id: `${id}c`, payload: { name: 'f', arguments: JSON.stringify(parsed) } }),
          result({ id: `${id}r`, parent_block_id: `${id}c`, payload: { output: raw } }),
        ],
      };
      const sent = JSON.parse(JSON.stringify(given)).blocks;

      const { status } = await write(given);

      expect(status).toBe(201);
      const { payload, ...kept } = (await read(id)).json;
      expect(payload).toEqual(sent[0].payload);
      expect([kept.raw, kept.extra, kept.metadata]).toEqual([sent[0].raw, sent[0].extra, sent[0].metadata]);
      expect((await read(`${id}c`)).json.payload.arguments).toEqual(JSON.parse(JSON.stringify(parsed)));
      expect((await read(`${id}r`)).json.payload).toEqual(sent[2].payload);
    }),
    { numRuns: runs(20) },
  );

  expect((await get(`traces/${TRACE}/blocks.stitched?fields=skeleton`)).json.messages).toHaveLength(number + 1);
});
