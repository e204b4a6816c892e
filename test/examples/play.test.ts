import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));

test.each(['countdown', 'gsm8k', 'maze', 'javascript', 'conformance'])(
  'the player of %s loses, wins and says so',
  async (name) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', `examples/${name}/play.ts`], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '' },
    });

    expect(stdout).toMatch(
      new RegExp(`^${name}, a losing run: .+\\n${name}, a winning run: .+ Reward 1(\\.00)?\\.\\n$`),
    );
  },
  60_000,
);
