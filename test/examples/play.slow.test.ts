import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { testUnless } from '../support/optional.ts';
import { bubblewrapMissing } from '../support/sandbox.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

async function losesAndWins(name: string): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', `examples/${name}/play.ts`], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '' },
  });

  expect(stdout).toMatch(
    new RegExp(`^${name}, failed episode: .+\\n${name}, solved episode: .+ Reward 1(\\.00)?\\.\\n$`),
  );
}

test.each(['countdown', 'gsm8k', 'maze', 'javascript', 'orders', 'slogans', 'conformance'])(
  'the player of %s loses, wins and says so',
  losesAndWins,
);

testUnless(bubblewrapMissing)('the player of bash loses, wins and says so', () => losesAndWins('bash'), 60_000);
