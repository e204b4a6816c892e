import { expect, test } from '@jest/globals';
import countdown from '../../examples/countdown/environment.ts';
import maze from '../../examples/maze/environment.ts';
import { start } from '../support/client.ts';
import { ORS, startCommand } from '../support/command.ts';
import { codeBlocks } from '../support/document.ts';

/** Where the document serves its environments. */
const ADDRESS = 'http://127.0.0.1:8080';

/** Blocks that ask the server or play, with what they print. */
const blocks = codeBlocks('docs/command-line.md').flatMap(({ info, code, output }) =>
  info === 'sh' && /ors (call|play) /.test(code) ? [[code.trim(), output] as const] : [],
);

test.each(blocks)('`%s` works, and prints what docs/command-line.md shows', async (code, output) => {
  await using server = await start([countdown, maze]);
  const shell = `ors() { ${ORS.map((word) => `'${word}'`).join(' ')} "$@"; }\n${code.replaceAll(ADDRESS, server.url)}`;

  using command = startCommand(['sh', '-c', shell]);
  const { stdout, stderr, code: exitCode } = await command.result;

  expect([exitCode, stderr]).toEqual([0, '']);
  if (output !== undefined) expect(withoutVersion(stdout.replaceAll(server.url, ADDRESS))).toBe(withoutVersion(output));
});

const withoutVersion = (text: string) => text.replace(/(runs ors-kit) \S+/, '$1');

test('the document has examples', () => {
  expect(blocks.length).toBeGreaterThan(4);
});
