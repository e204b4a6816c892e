import { expect, test } from '@jest/globals';
import environment from '../../examples/conformance/environment.ts';
import { start } from '../support/client.ts';
import { codeBlocks } from '../support/document.ts';
import { matches, replay, type Transcript, transcripts } from './transcripts.ts';

const example = codeBlocks('docs/development/conformance-fixture.md').find(({ code }) => code.includes('"steps"'));
const create: Transcript['steps'][number] = {
  name: 'opens an episode',
  request: {
    method: 'POST',
    path: '/create',
    headers: { 'X-Session-ID': '$sid' },
    body: { env_name: 'conformance', split: 'train', index: 0 },
  },
  answer: { status: 200, body: { sid: '$sid' } },
};

test.each(transcripts)('plays the transcript %s on our server as expected', async (_subject, transcript) => {
  await using server = await start(environment);

  expect(await replay(server.url, transcript)).toEqual([]);
});

test.each(transcripts)('has unique step names in the transcript %s', (_subject, { steps }) => {
  expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length);
});

test('reports unexpected responses, and continues with the next steps', async () => {
  await using server = await start(environment);
  const { steps, ...rest }: Transcript = JSON.parse(example?.code ?? '');
  const wrong = steps.map((step) => ({ ...step, name: 'wrong', answer: { error: '$text' } }));
  const lost = { name: 'lost', request: { method: 'GET', path: '$nowhere' }, answer: { status: 200 } };

  const deviations = await replay(server.url, { ...rest, steps: [create, ...wrong, lost, ...steps] });

  expect(deviations).toEqual([
    { step: 'wrong', seen: expect.stringContaining('"text":"1"') },
    { step: 'lost', seen: expect.stringContaining('no answer gave $nowhere') },
    // The repeated step counts again.
    { step: 'runs', seen: expect.stringContaining('"text":"2"') },
  ]);
});

test.each([
  [{ a: 1, b: 2 }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1 }, { a: 1, b: null }, true],
  [{ a: 1, b: 0 }, { a: 1, b: null }, false],
  [[1, 2], [1, 2], true],
  [[1, 2, 3], [1, 2], false],
  [[2, 1], [1, 2], false],
  [[2, 1], { $unordered: [1, 2] }, true],
  [[2, 1, 1], { $unordered: [1, 2] }, false],
  [[1, 1], { $unordered: [1, 2] }, false],
  [{}, [], false],
  [[], {}, false],
  ['1', 1, false],
  [true, 1, false],
  [0, '$any', true],
  [null, '$any', false],
  ['', '$text', false],
  [5, '$text', false],
  ['x', '$text', true],
  [404, '4xx', true],
  [500, '4xx', false],
  [['x', 'x'], ['$new', '$new'], true],
  [['x', 'y'], ['$new', '$new'], false],
  ['one', '$known', true],
  ['two', '$known', false],
  [undefined, '$new', false],
  ['\u{1F600}', { $sha256: 'f0443a342c5ef54783a111b51ba56c938e474c32324d90c3a60c9c8e3a37e2d9', $characters: 1 }, true],
  ['\u{1F600}', { $sha256: 'f0443a342c5ef54783a111b51ba56c938e474c32324d90c3a60c9c8e3a37e2d9', $characters: 2 }, false],
])('matches %j against %j in a transcript: %p', (seen, expected, fits) => {
  expect(matches(seen, expected, new Map([['$known', 'one']]))).toBe(fits);
});
