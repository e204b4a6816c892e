import { format } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import type { Environment } from 'ors-kit';
import { start } from '../support/client.ts';
import { codeBlocks, writeFiles } from '../support/document.ts';

const ADDRESS = 'http://127.0.0.1:8081';
const blocks = codeBlocks('docs/bridges.md').filter(({ info }) => info === 'ts');
const named = blocks.map(({ file = 'unnamed.ts', code, output }) => [file, code, output] as const);

test.each(named)('runs %s of docs/bridges.md on the environment of the README', async (file, code, output) => {
  const [capitals] = codeBlocks('README.md').filter((block) => block.file === 'capitals.ts');
  await using readme = await writeFiles({ 'capitals.ts': capitals?.code ?? '' });
  const module = (await import(readme.path('capitals.ts'))) as { default: Environment };
  await using server = await start(module.default);
  await using written = await writeFiles({ [file]: code.replaceAll(ADDRESS, server.url) });
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);

  await import(written.path(file));

  const printed = log.mock.calls.map((line) => `${format(...line)}\n`).join('');
  log.mockRestore();
  expect(printed).not.toBe('');
  // Programs may print more as they exit.
  if (output !== undefined) expect(printed.startsWith(output)).toBe(true);
});
