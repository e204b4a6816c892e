import { once } from 'node:events';
import { request } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { readTraceLimits } from '../../../src/trace/model/index.ts';
import { withDeadline } from '../../support/until.ts';
import { traceValidator } from '../../support/validators.ts';
import { call, message, result, TRACE, think } from '../model/store.ts';
import { closeServers, errorSummary, startConversation, startServer } from './server.ts';

afterEach(closeServers);

/** Characters of one to four bytes in UTF-8; characters with escapes of two and six characters; a lone surrogate. */
const CHARACTERS = { a: 1, é: 2, '€': 3, '😀': 4, '"': 1, '\u0001': 1, '\ud83d': 3 };
type Character = keyof typeof CHARACTERS;
const jsonBytes = (character: Character) => Buffer.byteLength(JSON.stringify(character)) - 2;

interface Field {
  readonly name: string;
  readonly limit: number;
  /** Bytes around the text that count as well. */
  readonly frame: number;
  /** Bytes that one character counts. */
  readonly weigh: (character: Character) => number;
  readonly block: (text: string) => object;
}

const asText = { frame: 0, weigh: (character: Character) => CHARACTERS[character] };
const asJson = { frame: 8, weigh: jsonBytes };

const FIELDS: readonly Field[] = [
  {
    name: 'message content',
    limit: 65_536,
    ...asText,
    block: (content) => message({ payload: { role: 'user', content } }),
  },
  { name: 'think text', limit: 32_768, ...asText, block: (text) => think({ payload: { text } }) },
  { name: 'tool_result output', limit: 2_097_152, ...asText, block: (output) => result({ payload: { output } }) },
  { name: 'tool_result delta', limit: 2_097_152, ...asText, block: (delta) => result({ payload: { delta } }) },
  {
    name: 'message content',
    limit: 65_536,
    weigh: jsonBytes,
    frame: '[{"type":""}]'.length,
    block: (type) => message({ payload: { role: 'user', content: [{ type }] } }),
  },
  {
    name: 'tool_call arguments',
    limit: 262_144,
    ...asJson,
    block: (a) => call({ payload: { name: 'f', arguments: { a } } }),
  },
  {
    name: 'tool_call arguments',
    limit: 262_144,
    ...asJson,
    block: (a) => call({ payload: { name: 'f', arguments: `  ${JSON.stringify({ a })}  ` } }),
  },
  { name: 'tool_result output', limit: 2_097_152, ...asJson, block: (a) => result({ payload: { output: { a } } }) },
  {
    name: 'tool_result delta',
    limit: 2_097_152,
    weigh: jsonBytes,
    frame: '[""]'.length,
    block: (piece) => result({ payload: { delta: [piece] } }),
  },
];

/** Returns a text of the character, padded with `a`, that makes the field count as the given number of bytes. */
function fill({ weigh, frame }: Field, character: Character, bytes: number): string {
  const whole = Math.floor((bytes - frame) / weigh(character));
  return character.repeat(whole) + 'a'.repeat(bytes - frame - whole * weigh(character));
}

test.each(FIELDS)('$name is accepted at exactly its limit and rejected one byte above it (%#)', async (field) => {
  await expectLimit(await startConversation(), field, '€');
});

/** Low enough for quick tests of many characters, but above the size of a block without its text. */
const LOW_LIMIT = 4096;
const lowLimits = readTraceLimits(
  Object.fromEntries(
    ['MSG', 'THINK', 'TOOL_ARGS', 'TOOL_RESULT'].map((name) => [`LIMIT_${name}_BYTES`, `${LOW_LIMIT}`]),
  ),
);

test.each(FIELDS)('$name counts the bytes of each kind of character (%#)', async (field) => {
  for (const character of Object.keys(CHARACTERS) as Character[]) {
    await expectLimit(await startConversation({ limits: lowLimits }), { ...field, limit: LOW_LIMIT }, character);
  }
});

/** Expects that the field of a block is stored at its limit and rejected one byte above it. */
async function expectLimit(
  { write, count }: Awaited<ReturnType<typeof startConversation>>,
  field: Field,
  character: Character,
): Promise<void> {
  const { name, limit, block } = field;
  const [subType, fieldName] = name.split(' ') as [string, string];

  const statuses = [];
  for (const bytes of [limit - 1, limit]) statuses.push((await write(block(fill(field, character, bytes)))).status);
  const over = await write(block(fill(field, character, limit + 1)));

  expect([character, ...statuses]).toEqual([character, 201, 201]);
  const parents: Record<string, string | null> = { message: null, tool_result: 'tb_call123' };
  expect(over.json.error).toEqual({
    code: 'PAYLOAD_TOO_LARGE',
    http_status: 413,
    message: `${name} exceeds ${limit >= 2 ** 20 ? `${limit / 2 ** 20}MB` : `${limit / 2 ** 10}KB`} limit`,
    details: {
      sub_type: subType.toUpperCase(),
      field: fieldName,
      limit_bytes: limit,
      actual_bytes: limit + 1,
      trace_id: TRACE,
      parent_block_id: subType in parents ? parents[subType] : 'tb_msg123',
    },
  });
  expect(await count()).toBe(4);
}

test('accepts the largest output even if each of its characters is escaped as six', async () => {
  const { write, read } = await startConversation();
  const body = JSON.stringify(result({ id: 'tb_r', payload: { output: '@' } }));

  const { status } = await write(body.replace('"@"', `"${'\\u0061'.repeat(2_097_152)}"`));

  expect(status).toBe(201);
  expect((await read('tb_r')).json.payload.output).toBe('a'.repeat(2_097_152));
});

test('reports the index of a block that is too large in a batch', async () => {
  const { write } = await startConversation();

  const { json } = await write({ blocks: [message(), think({ payload: { text: 'é'.repeat(16_385) } })] });

  expect(json.error.details).toMatchObject({ index: 1, sub_type: 'THINK', actual_bytes: 32_770 });
});

test('enforces configured limits and reports them in bytes if they are not whole KB', async () => {
  const limits = readTraceLimits({ LIMIT_MSG_BYTES: '100', LIMIT_THINK_BYTES: '1' });
  const { write } = await startConversation({ limits });

  const { json } = await write(message({ payload: { role: 'user', content: 'x'.repeat(101) } }));

  expect(json.error.message).toBe('message content exceeds 100 bytes limit');
  expect((await write(think({ payload: { text: 'é' } }))).json.error.details).toMatchObject({ actual_bytes: 2 });
});

const small = { ...readTraceLimits({}), request: 10_000 };
/** Returns a message whose JSON has the given number of bytes. */
const sized = (bytes: number): string => {
  const [before, after] = JSON.stringify(message({ raw: '' })).split('"raw":""') as [string, string];
  return `${before}"raw":"${'x'.repeat(bytes - before.length - after.length - 8)}"${after}`;
};

test('accepts a request of exactly the limit and rejects one that is one byte larger', async () => {
  const { write, count } = await startConversation({ limits: small });

  expect((await write(sized(10_000))).status).toBe(201);
  const over = await write(sized(10_001));

  expect(over.json.error).toMatchObject({
    message: 'request body exceeds 10000 bytes limit',
    details: {
      sub_type: null,
      field: 'request_body',
      limit_bytes: 10_000,
      actual_bytes: 10_001,
      trace_id: TRACE,
      parent_block_id: null,
    },
  });
  expect(await count()).toBe(3);
});

/** Sends a body in chunks with these headers and returns the status and JSON of the response. */
async function upload(url: string, headers: Record<string, string>, body: Uint8Array) {
  const sent = request(`${url}/v1/organizations/default/traces/${TRACE}/blocks`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked', ...headers },
  });
  // An upload that is rejected halfway is cut off.
  sent.on('error', () => undefined);
  sent.end(body);
  const [response] = await withDeadline(once(sent, 'response'), 'the response to an upload');
  const chunks = await response.toArray();
  const json = JSON.parse(Buffer.concat(chunks).toString());
  if (response.statusCode >= 400)
    expect(traceValidator('TraceError')(json) || traceValidator('TraceError').errors).toBe(true);
  return { status: response.statusCode as number, headers: new Headers(), json };
}

test('rejects a request without a Content-Length once it exceeds the limit', async () => {
  const { url, count } = await startConversation({ limits: small });

  expect((await upload(url, {}, Buffer.from(sized(10_000)))).status).toBe(201);
  const over = await upload(url, {}, Buffer.from(sized(10_001)));

  expect(errorSummary(over)).toBe('413 PAYLOAD_TOO_LARGE');
  expect(over.json.error.details).toMatchObject({ field: 'request_body', actual_bytes: null });
  expect(await count()).toBe(3);
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('counts the decompressed bytes of a request in %s, and rejects a bomb', async (encoding, pack) => {
  const { url, count } = await startConversation({ limits: small });
  const bomb = pack(Buffer.from(sized(2_000_000)));
  expect(bomb.length).toBeLessThan(9_000);

  const fits = await upload(url, { 'Content-Encoding': encoding }, pack(Buffer.from(sized(10_000))));
  const bursts = await upload(url, { 'Content-Encoding': encoding }, bomb);

  expect([fits.status, errorSummary(bursts)]).toEqual([201, '413 PAYLOAD_TOO_LARGE']);
  expect(bursts.json.error.details).toMatchObject({ limit_bytes: 10_000, actual_bytes: null });
  expect(await count()).toBe(3);
});

test('rejects invalid gzip and unknown content encodings', async () => {
  const { url } = await startConversation();
  const body = Buffer.from(sized(1_000));

  expect(errorSummary(await upload(url, { 'Content-Encoding': 'gzip' }, body))).toBe('400 BAD_REQUEST');
  expect(errorSummary(await upload(url, { 'Content-Encoding': 'gzip' }, gzipSync(body).subarray(0, 50)))).toBe(
    '400 BAD_REQUEST',
  );
  expect(errorSummary(await upload(url, { 'Content-Encoding': 'lzma' }, body))).toBe('415 UNSUPPORTED_MEDIA_TYPE');
});

test('rejects a request that is too large even if it names no trace', async () => {
  const { post } = await startServer({ limits: small });

  const { json } = await post('traces', { metadata: { x: 'x'.repeat(10_000) } });

  expect(json.error.details).toMatchObject({ field: 'request_body', trace_id: null });
});
