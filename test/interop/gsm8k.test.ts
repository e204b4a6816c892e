import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { serve } from 'ors-kit/server';
import gsm8k from '../../examples/gsm8k/environment.ts';
import { describeWithPython, runPlayer } from './python.ts';

const file = process.env.GSM8K_FILE ?? '';
const reasonToSkip = existsSync(file)
  ? undefined
  : `the problems of GSM8K are not there; GSM8K_FILE is '${file}' and must name their test.jsonl`;

describeWithPython(reasonToSkip)('ors-sdk, async, 32 episodes at once', () => {
  test('scores exactly 1 with the gold answers of GSM8K and exactly 0 with wrong ones', async () => {
    await using server = await serve([gsm8k], { port: 0 });

    const options = ['--problems', file, '--episodes', '32'];
    const played = await runPlayer('gsm8k_player.py', [server.url, 'ors-sdk', 'async', ...options]);

    expect(played).toEqual({ exitCode: 0, lines: ['ok gsm8k'] });
    expect(server.sessionCount).toBe(0);
  });
});
