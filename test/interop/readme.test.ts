import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { serve } from 'ors-kit/server';
import { codeBlocks, writeFiles } from '../support/document.ts';
import { testUnless } from '../support/optional.ts';
import { describeWithPython } from './python.ts';

const run = promisify(execFile);
const interpreter = fileURLToPath(new URL('../../.cache/python/bin/python', import.meta.url));
const ADDRESS = 'http://127.0.0.1:8081';
const environment = { ...process.env, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };

/** The environment that the README writes, served, and its code that begins with these words, for that address. */
async function serveReadme(info: string, words: string) {
  const blocks = codeBlocks('README.md');
  const block = blocks.find((each) => each.info === info && each.code.startsWith(words));
  const capitals = blocks.find(({ file }) => file === 'capitals.ts');
  if (!block || !capitals) throw new Error(`the README has no ${info} block that begins with '${words}'`);
  const written = await writeFiles({ 'capitals.ts': capitals.code });
  const server = await serve([(await import(written.path('capitals.ts'))).default], { port: 0 });
  return {
    code: block.code.replaceAll(ADDRESS, server.url),
    output: block.output,
    async [Symbol.asyncDispose]() {
      await server.close();
      await written[Symbol.asyncDispose]();
    },
  };
}

describeWithPython()('the README, with Python', () => {
  test('plays an episode and prints what is shown', async () => {
    await using readme = await serveReadme('python', 'from ors.client');

    const { stdout } = await run(interpreter, ['-c', readme.code], { env: environment, timeout: 60_000 });

    expect(stdout).toBe(readme.output);
  });
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;

testUnless(hasCurl ? undefined : 'the lines of the README with curl need curl; install it')(
  'the README, with curl, plays an episode',
  async () => {
    await using readme = await serveReadme('sh', 'url=');

    const { stdout } = await run('sh', ['-ec', readme.code], { env: environment, timeout: 60_000 });

    expect(stdout).toMatch(/What is the capital of Iceland\?/);
    expect(stdout).toMatch(
      /event: task_id\ndata: [0-9a-f]{32}\n\nevent: end\ndata: \{"ok":true,.*"reward":1\.0,"finished":true\}\}/,
    );
  },
);
