import { defineEnvironment } from 'ors-kit';
import { createSandbox, type RunResult, removeSandbox, type Sandbox, SandboxError } from 'ors-kit/sandbox';
import { z } from 'zod';
import { provider } from './provider.ts';
import { type Check, shellTask, testTasks, trainTasks } from './tasks.ts';

/** Maximum output of a command, in bytes. */
const outputBytes = 20_000;

/** A shell in a sandbox with some files; their final content decides the reward. */
export default defineEnvironment({
  name: 'bash',
  description: 'Work on files in a shell; the final content of the files decides the reward.',

  splits: { train: [...trainTasks], test: [...testTasks] },
  task: shellTask,
  publicTask: ({ instruction, files }) => ({ instruction, files }),

  setup: async ({ task, signal, onCleanup, registerHandle }) => {
    const sandbox = await createSandbox({ provider, outputBytes });
    onCleanup(() => sandbox.remove());
    registerHandle(sandbox.handle);
    for (const [path, content] of Object.entries(task.files)) await sandbox.write(path, content, { signal });
    return { sandbox };
  },

  reap: removeSandbox,

  prompt: ({ task }) =>
    `${task.instruction}\n\nCall \`bash\` as often as you like. It starts in the folder with the files. Files persist ` +
    'between calls, processes and variables do not. The network is disabled. Then call `submit` once: it is final.',

  tools: {
    bash: {
      description: 'Run a command with bash. Returns its output, and its exit code if it is not 0.',
      input: z.object({ command: z.string().min(1).max(100_000).describe('A command line of bash.') }),
      run: async ({ input, state, signal }) => {
        const result = await state.sandbox.run(['bash', '-c', input.command], { signal });
        return { text: report(result), reward: 0 };
      },
    },
    submit: {
      description: 'Submit the files. Ends the episode: the reward is the share of passed checks.',
      run: async ({ task, state, signal }) => {
        const verdicts: boolean[] = [];
        for (const check of task.checks) verdicts.push(await passes(state.sandbox, check, signal));
        const passed = verdicts.filter(Boolean).length;
        const text = `${passed} of ${verdicts.length} checks passed.`;
        return { text, reward: passed / verdicts.length, finished: true };
      },
    },
  },

  maxReward: 1,
  solve: async ({ task, call }) => {
    await call('bash', { command: task.solution });
    await call('submit', {});
  },
});

/** Checks the files. The expected values stay outside the sandbox, where no command can read them. */
async function passes(sandbox: Sandbox, check: Check, signal: AbortSignal): Promise<boolean> {
  if ('command' in check) {
    const { stdout, exitCode } = await sandbox.run(check.command, { signal, timeoutMs: 5_000 });
    return exitCode === 0 && stdout.trimEnd() === check.output;
  }
  return (await readText(sandbox, check.file, signal)) === check.content;
}

/** @returns null if there is no such file, undefined if it is a directory, too large or too slow to read. */
async function readText(sandbox: Sandbox, path: string, signal: AbortSignal): Promise<string | null | undefined> {
  try {
    return (await sandbox.read(path, { maxBytes: 100_000, signal })).toString('utf8').trimEnd();
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    if (error.code === 'not-found') return null;
    if (['no-file', 'too-large', 'timeout'].includes(error.code)) return undefined;
    throw error;
  }
}

function report({ stdout, stderr, exitCode, stopped }: RunResult): string {
  const limits = { time: 'time', memory: 'memory', disk: 'disk', output: 'output' };
  const end = stopped
    ? `[stopped: exceeded the limit of ${limits[stopped]}]`
    : exitCode === 0
      ? ''
      : `[exit code ${exitCode}]`;
  return [stdout, stderr, end].filter(Boolean).join(stdout.endsWith('\n') || !stdout ? '' : '\n') || '[no output]';
}
