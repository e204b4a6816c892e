import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ORS, startCommand } from '../support/command.ts';
import { describeWithPython, runPlayer } from './python.ts';

const file = process.env.GSM8K_FILE ?? '';
const reasonToSkip = existsSync(file)
  ? undefined
  : `the problems of GSM8K are not there; GSM8K_FILE is '${file}' and must name their test.jsonl`;

describeWithPython(reasonToSkip)('ors-sdk, async, 32 episodes at once', () => {
  test('scores exactly 1 with the gold answers of GSM8K and exactly 0 with wrong ones', async () => {
    // An environment reads its tasks once: in this process, another suite may have served the built-in problems.
    const serve = [...ORS, 'serve', 'examples/gsm8k/environment.ts', '--port', '0'];
    await using server = startCommand(serve, { GSM8K_FILE: file });
    const [url] = await server.says(/http:\/\/[\d.:]+/);

    const options = ['--problems', file, '--episodes', '32'];
    const played = await runPlayer('gsm8k_player.py', [url, 'ors-sdk', 'async', ...options]);

    expect(played).toEqual({ exitCode: 0, lines: ['ok gsm8k'] });
  });
});
