import { spawn } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { runToEnd } from '../../src/sandbox/run-program.ts';

const DAY_MS = 24 * 3_600_000;

/** Starts a shell command without a sandbox. */
function start(command: string, timeoutMs: number) {
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
  const program = { child, kill: () => void child.kill('SIGKILL'), exitCode: () => child.exitCode ?? -1 };
  return runToEnd(program, { timeoutMs, stdoutBytes: 1_000, stderrBytes: 1_000 }).end;
}

test.each([[30 * DAY_MS], [Number.MAX_SAFE_INTEGER]])(
  'does not stop a program at once with a limit of %d ms',
  async (timeoutMs) => {
    const { exitCode, stopped } = await start('sleep 0.05; exit 3', timeoutMs);

    expect({ exitCode, stopped }).toEqual({ exitCode: 3, stopped: null });
  },
);

test('stops a program at its time limit', async () => {
  const { exitCode, stopped } = await start('exec sleep 60', 20);

  expect({ exitCode, stopped }).toEqual({ exitCode: null, stopped: 'time' });
});
