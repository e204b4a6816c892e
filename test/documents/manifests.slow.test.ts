import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ors } from '../support/command.ts';
import { codeBlocks, writeFiles } from '../support/document.ts';

const texts = codeBlocks('docs/tasks.md').filter(({ info }) => info === 'text');
/** Long enough for a busy machine. */
const PATIENTLY = ['--timeout', '120'];
const placesOf = (cities: readonly string[]) => `
  import { defineEnvironment } from 'ors-kit';
  export default defineEnvironment({
    name: 'places',
    splits: { train: ${JSON.stringify(cities.map((city) => ({ city })))} },
    prompt: () => 'Where?',
    tools: { go: { description: 'Go.', run: () => ({ text: 'There.' }) } },
  });
`;

test('the manifest in docs/tasks.md is that of the environment that `ors init` creates', async () => {
  const { stdout, stderr, code } = await ors([
    'tasks',
    'snapshot',
    join('examples', 'start', 'environment.ts'),
    ...PATIENTLY,
  ]);

  const lines = withoutTime(stdout).split('\n');
  expect([code, stderr]).toEqual([0, '']);
  for (const line of withoutTime(texts[0]?.code ?? '')
    .trim()
    .split('\n'))
    expect(lines).toContain(line);
});

test('the difference in docs/tasks.md is what `ors tasks diff` prints', async () => {
  await using files = await writeFiles({
    'before.ts': placesOf(['Oslo', 'Lima', 'Rome', 'Bern', 'Kyiv']),
    'after.ts': placesOf(['Oslo', 'Rome', 'Lima', 'Baku', 'Kyiv', 'Cairo']),
  });

  const { stdout, stderr, code } = await ors([
    'tasks',
    'diff',
    files.path('before.ts'),
    files.path('after.ts'),
    ...PATIENTLY,
  ]);

  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toBe(texts[1]?.code);
});

const withoutTime = (text: string) => text.replace(/"taken_at":"[^"]*"/, '').replace(/"version":"[^"]*"/, '');
