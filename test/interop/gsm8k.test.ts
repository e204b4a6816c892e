import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { serve } from 'ors-kit/server';
import gsm8k from '../../examples/gsm8k/environment.ts';
import { describeWithPython, runPlayer } from './python.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const file = process.env.GSM8K_FILE || join(root, '../shared/data/gsm8k/test.jsonl');
const reasonToSkip = existsSync(file)
  ? undefined
  : 'the problems of GSM8K are not there; looked for GSM8K_FILE or ../shared/data/gsm8k/test.jsonl';

describeWithPython(reasonToSkip)('ors-sdk, async, 32 episodes at once', () => {
  test('scores exactly 1 with the gold answers of GSM8K and exactly 0 with wrong ones', async () => {
    process.env.GSM8K_FILE = file;
    await using server = await serve([gsm8k], { port: 0 });

    const options = ['--problems', file, '--episodes', '32'];
    const played = await runPlayer('gsm8k_player.py', [server.url, 'ors-sdk', 'async', ...options]);

    expect(played).toEqual({ exitCode: 0, lines: ['ok gsm8k'] });
    expect(server.sessionCount).toBe(0);
  });
});
