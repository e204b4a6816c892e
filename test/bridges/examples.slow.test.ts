import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));

test.each([
  ['mcp', /^mcp: .*the target.*; reward 1\.\n$/],
  ['mcp-environment', /^mcp-environment: The counter is 16\. Reward 0\.5\.\n$/],
  ['ai-sdk', /^ai-sdk: finished after 2 steps\. Reward 1\.\n$/],
  ['openai-agents', /^openai-agents: .*the target\. Reward 1\.\n$/],
  ['replay', /^replay: the same 4 responses\. Reward 1\.\n$/],
])('plays the example %s', async (name, said) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', `examples/${name}/play.ts`], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '' },
  });

  expect(stdout).toMatch(said);
});
