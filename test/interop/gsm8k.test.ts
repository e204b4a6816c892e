import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { sameNumber } from '../../examples/gsm8k/number.ts';
import { readProblems } from '../../examples/gsm8k/problems.ts';
import { ORS, startCommand } from '../support/command.ts';
import { runs } from '../support/fast-check.ts';
import { testUnless } from '../support/optional.ts';
import { describeWithPython, runPlayer } from './python.ts';

/** The interval between the problems that are played: all with ORS_TEST_RUNS=2. */
const EVERY = Math.ceil(8 / runs(4));

const file = process.env.GSM8K_FILE ?? '';
const reasonToSkip = existsSync(file)
  ? undefined
  : `the problems of GSM8K are not there; GSM8K_FILE is '${file}' and must name their test.jsonl`;

testUnless(reasonToSkip)(
  'grades the gold answer of each problem of GSM8K as right, and another one as wrong',
  async () => {
    const problems = await readProblems(file);

    const wrong = problems.filter(({ answer }) => !sameNumber(answer, answer) || sameNumber(`${answer}1`, answer));

    expect(wrong).toEqual([]);
    expect(problems.length).toBeGreaterThan(1_000);
  },
);

describeWithPython(reasonToSkip)('ors-sdk, async, 32 episodes at once', () => {
  test('scores exactly 1 with the gold answers of GSM8K and exactly 0 with wrong ones', async () => {
    // An environment reads its tasks once: in this process, another suite may have served the built-in problems.
    const serve = [...ORS, 'serve', 'examples/gsm8k/environment.ts', '--port', '0'];
    await using server = startCommand(serve, { GSM8K_FILE: file });
    const [url] = await server.says(/http:\/\/[\d.:]+/);

    const options = ['--problems', file, '--episodes', '32', '--every', `${EVERY}`];
    const played = await runPlayer('gsm8k_player.py', [url, 'ors-sdk', 'async', ...options]);

    expect(played).toEqual({ exitCode: 0, lines: ['ok gsm8k'] });
  });
});
