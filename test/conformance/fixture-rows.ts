import { createHash } from 'node:crypto';
import { expect } from '@jest/globals';
import { call, create, request } from '../support/client.ts';

/** A call of a tool in a new episode of the fixture, with its result by docs/development/conformance-fixture.md. */
export interface Row {
  readonly tool: string;
  readonly input: object;
  /** Output, or `{ refused }` for ok false, or `{ error }` for an error event, or 'no end'. */
  readonly gives: unknown;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const textBlock = (text: string) => ({ text, detail: null, type: 'text' });
const imageBlock = (detail: object | null) => ({
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII=',
  mimeType: 'image/png',
  detail,
  type: 'image',
});
const output = (text: string, rest: object = {}) => ({
  blocks: [textBlock(text)],
  metadata: null,
  reward: null,
  finished: false,
  ...rest,
});
const refused = { refused: expect.stringMatching(/./) };
const error = (text: string) => ({ error: expect.stringContaining(text) });

const task = { id: 'row', more: [1, 2.5, null, true, 'snow \u2603', { deep: {} }] };
const secrets = { TOKEN: 'schl\u00fcssel \u2603', EMPTY: '' };
const point = { x: 0, y: 10 };
const longest = { mode: 'slow', point, tags: ['a', 'b', 'c'], level: 5 };
const imageMetadata = {
  unicode: 'snow \u2603 and \u{1F600}',
  deep: { list: [1, 2.5, null, true, { empty: [] }] },
};

const row = (tool: string, input: object, gives: unknown): Row => ({ tool, input, gives });
const says = (tool: string, input: object, text: string, rest: object = {}) => row(tool, input, output(text, rest));
const refuses = (tool: string, ...inputs: readonly object[]) => inputs.map((input) => row(tool, input, refused));

export const rows: readonly Row[] = [
  says('echo', { text: 'a\n\u2603' }, 'a\n\u2603'),
  says('echo', { text: '', metadata: {} }, '', { metadata: {} }),
  says('echo', { text: 'a', metadata: { b: [null] } }, 'a', { metadata: { b: [null] } }),
  ...refuses('echo', {}, { text: 5 }, { text: 'a', metadata: 'b' }, { text: 'a', metadata: [] }),
  says('count', {}, '1'),
  says('count', { by: -7 }, '-7'),
  says('count', { by: 2.0 }, '2'),
  ...refuses('count', { by: 1.5 }, { by: '1' }, { by: null }, { by: true }),
  says('runs', { tool: 'runs' }, '1'),
  says('runs', { tool: 'no_such_tool' }, '0'),
  ...refuses('runs', {}),
  says('sleep', { ms: 1 }, 'slept'),
  ...refuses('sleep', {}, { ms: -1 }, { ms: 3_600_001 }),
  says('block', { ms: 1 }, 'blocked'),
  ...refuses('block', {}, { ms: -1 }, { ms: 60_001 }),
  says('big', { characters: 38, pattern: 'ascii' }, 'abcdefghijklmnopqrstuvwxyz0123456789ab'),
  says('big', { characters: 3, pattern: 'spaces' }, '   '),
  says('big', { characters: 46, pattern: 'prose' }, 'The quick brown fox jumps over the lazy dog. T'),
  says('big', { characters: 2, pattern: 'emoji' }, '\u{1F600}\u{1F600}'),
  says('big', { characters: 10, pattern: 'mixed' }, 'a\u00e9\u2603\u{1F600}\u00a0\u3000 \na\u00e9'),
  ...refuses('big', { characters: 0, pattern: 'ascii' }, { characters: 20_000_001, pattern: 'ascii' }),
  ...refuses('big', { characters: 1, pattern: 'stripes' }, { characters: 1 }),
  says('odd_text', { kind: 'nul' }, 'a\u0000b'),
  says('odd_text', { kind: 'separators' }, 'a\u2028b\u2029c'),
  says('odd_text', { kind: 'crlf' }, 'a\r\nb\rc\n'),
  says('odd_text', { kind: 'surrogate' }, 'a\ud800b'),
  ...refuses('odd_text', { kind: 'other' }),
  says('image', {}, '', {
    blocks: [textBlock('before'), imageBlock(null), textBlock('after')],
    metadata: imageMetadata,
  }),
  row('fail', {}, { refused: expect.stringContaining('It failed.') }),
  row('fail', { message: 'No such file.' }, { refused: expect.stringContaining('No such file.') }),
  row('crash', {}, error('It crashed.')),
  row('crash', { message: 'No memory.' }, error('No memory.')),
  row('crash', { message: 'No disk.', ms: 1 }, error('No disk.')),
  ...refuses('crash', { ms: -1 }, { ms: 60_001 }, { ms: 'long' }),
  row('cancel', {}, { error: expect.stringMatching(/./) }),
  says('reward', { value: 0.5 }, 'rewarded', { reward: 0.5 }),
  says('reward', { value: -3 }, 'rewarded', { reward: -3 }),
  says('reward', { value: null }, 'rewarded'),
  ...refuses('reward', {}, { value: '1' }, { value: true }),
  says('finish', {}, 'done', { reward: 1, finished: true }),
  says('noargs', {}, 'ran'),
  says('nested', { mode: 'fast', point: { x: 0.5, y: 1 } }, 'nested', {
    metadata: { input: { mode: 'fast', point: { x: 0.5, y: 1 } } },
  }),
  says('nested', longest, 'nested', { metadata: { input: longest } }),
  ...refuses(
    'nested',
    {},
    { point },
    { mode: 'fast' },
    { ...longest, mode: 'medium' },
    { ...longest, point: { x: 1 } },
  ),
  ...refuses('nested', { ...longest, point: { x: -0.1, y: 0 } }, { ...longest, point: { x: 0, y: 10.1 } }),
  ...refuses('nested', { ...longest, point: { x: '1', y: 0 } }, { ...longest, point: { ...point, z: 0 } }),
  ...refuses('nested', { ...longest, tags: ['a', 'b', 'c', 'd'] }, { ...longest, tags: [1] }),
  ...refuses('nested', { ...longest, level: 0 }, { ...longest, level: 6 }, { ...longest, level: 1.5 }),
  says('show_task', {}, 'row', { metadata: { task } }),
  says('secret_digest', { name: 'TOKEN' }, sha256('schl\u00fcssel \u2603')),
  says('secret_digest', { name: 'EMPTY' }, sha256('')),
  says('secret_digest', { name: 'toString' }, 'none'),
  says('bad_output', { kind: 'no_blocks' }, ''),
  row('bad_output', { kind: 'nan_reward' }, error('reward is NaN')),
  row('bad_output', { kind: 'infinite_reward' }, error('reward is Infinity')),
  row('bad_output', { kind: 'text_reward' }, error('reward is a string')),
  row('bad_output', { kind: 'unknown_block' }, error('type must be text or image')),
  row('bad_output', { kind: 'no_text' }, error('blocks[0].text')),
  says('lifecycle', { key: 'unused' }, 'counted', { metadata: { setups: 0, teardowns: 0 } }),
  ...refuses('lifecycle', {}),
  says('only_here', {}, 'here'),
];

/** Different results of ors-sdk, with the reason. */
export const rowsOfOrsSdk: Readonly<Record<string, { readonly gives: unknown; readonly reason: string }>> = {
  'odd_text {"kind":"surrogate"}': {
    gives: error('surrogates not allowed'),
    reason: 'it sends UTF-8 and does not escape',
  },
  'fail {}': { gives: error('It failed.'), reason: 'it has no way to report a failure of a tool with ok false' },
  'fail {"message":"No such file."}': { gives: error('No such file.'), reason: 'as before' },
  'cancel {}': { gives: 'no end', reason: 'it does not see that a task was cancelled' },
  'bad_output {"kind":"no_blocks"}': { gives: output('', { blocks: [] }), reason: 'it passes on empty lists' },
  'bad_output {"kind":"nan_reward"}': { gives: output('bad'), reason: 'it writes null for NaN and Infinity' },
  'bad_output {"kind":"infinite_reward"}': { gives: output('bad'), reason: 'it writes null for NaN and Infinity' },
  'bad_output {"kind":"text_reward"}': { gives: output('bad', { reward: 1 }), reason: 'it reads "1" as 1' },
  'bad_output {"kind":"unknown_block"}': { gives: error('ToolOutput'), reason: 'it rejects the output' },
  'bad_output {"kind":"no_text"}': { gives: error('ToolOutput'), reason: 'it rejects the output' },
};

export const rowName = ({ tool, input }: Row): string => `${tool} ${JSON.stringify(input)}`;

/** Tasks with their prompts. */
export const prompts: readonly (readonly [task: object, prompt: unknown])[] = [
  [{ split: 'train', index: 2 }, [textBlock('Conformance task train-2.')]],
  [{ split: 'hard', index: 0 }, [textBlock('Conformance task hard-0.')]],
  [{ task_spec: {} }, [textBlock('Conformance task inline.')]],
  [{ task_spec: { id: 'mine', setup_ms: 5, prompt_image: false, more: 1 } }, [textBlock('Conformance task mine.')]],
  [
    { task_spec: { prompt_image: true } },
    [textBlock('Conformance task inline.'), imageBlock({ alt: 'a point' }), textBlock('Look.')],
  ],
  [{ task_spec: { prompt_fail: 'no picture' } }, { detail: expect.stringContaining('no picture') }],
  [{ task_spec: { setup_fail: 'no sandbox', setup_ms: 5 } }, { detail: expect.stringContaining('no sandbox') }],
];

interface At {
  readonly url: string;
}

/** Calls the tool of a row in a new episode. */
export async function ask(server: At, { tool, input }: Row): Promise<unknown> {
  const sid = await create(server, { task_spec: task, secrets });
  try {
    const signal = AbortSignal.timeout(tool === 'cancel' ? 1_000 : 20_000);
    const { result, error } = await call(server, sid, tool, input, { environment: 'conformance', signal });
    if (error !== undefined) return { error };
    return result.ok ? result.output : { refused: result.error };
  } catch (failure) {
    if (String(failure).startsWith('TimeoutError')) return 'no end';
    throw failure;
  } finally {
    await request(server, 'POST', '/delete', { sid });
  }
}

/** Returns the prompt of a new episode, or the error. */
export async function promptOf(server: At, choice: object): Promise<unknown> {
  const sid = await create(server, choice);
  const { body } = await request(server, 'GET', '/conformance/prompt', { sid });
  await request(server, 'POST', '/delete', { sid });
  return body;
}

/** Returns the counts of a key before and after the deletion of an episode with that key. */
export async function countsOf(server: At, key: string, rest: object = {}): Promise<unknown[]> {
  const watcher = await create(server);
  const counts = async () =>
    (await call(server, watcher, 'lifecycle', { key }, { environment: 'conformance' })).result.output.metadata;
  const sid = await create(server, { task_spec: { ...rest, key } });
  await request(server, 'GET', '/conformance/prompt', { sid });
  const before = await counts();
  await request(server, 'POST', '/delete', { sid });
  const after = await counts();
  await request(server, 'POST', '/delete', { sid: watcher });
  return [before, after];
}
