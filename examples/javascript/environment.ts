import { isDeepStrictEqual } from 'node:util';
import { defineEnvironment } from 'ors-kit';
import { z } from 'zod';
import { type CallOutcome, runInSandbox } from './sandbox.ts';
import { type Check, type CodingTask, codingTask, testTasks, trainTasks } from './tasks.ts';

type Verdict = { check: Check; outcome: CallOutcome; passed: boolean };

const submission = z.object({
  code: z.string().max(20_000).describe('A script that defines the function: plain JavaScript, no import or export'),
});

/** Write a JavaScript function. Some examples are public, and hidden tests decide the reward. */
export default defineEnvironment({
  name: 'javascript',
  description: 'Write a JavaScript function that passes hidden tests.',

  splits: { train: [...trainTasks], test: [...testTasks] },
  task: codingTask,
  publicTask: ({ tests: _tests, solution: _solution, ...shown }) => shown,

  prompt: ({ task }) =>
    `Write a JavaScript function.\n\n${task.description}\n\nExamples:\n` +
    `${task.examples.map((check) => `${formatCall(task, check)} returns ${JSON.stringify(check.expected)}`).join('\n')}\n\n` +
    'Try your code with `run_examples` as often as you like, then `submit` it: it is final. The code runs in isolation, ' +
    'with limits on time and memory. Results are compared as JSON.',

  tools: {
    run_examples: {
      description: 'Run code on the examples. Returns the result of each call, and does not end the episode.',
      input: submission,
      run: async ({ input, task, signal }) => {
        const verdicts = await judge(task, task.examples, input.code, signal);
        return { text: verdicts.map((verdict) => report(task, verdict)).join('\n'), reward: 0 };
      },
    },
    submit: {
      description: 'Submit the final code. Ends the episode: the reward is the share of passed hidden tests.',
      input: submission,
      run: async ({ input, task, signal }) => {
        const verdicts = await judge(task, task.tests, input.code, signal);
        const passed = verdicts.filter((verdict) => verdict.passed).length;
        // Only the count: an error message comes from the code, and could reveal the hidden arguments.
        const text = `${passed} of ${verdicts.length} hidden tests passed.`;
        return { text, reward: passed / verdicts.length, finished: true };
      },
    },
  },

  maxReward: 1,
  solve: async ({ task, call }) => {
    await call('run_examples', { code: task.solution });
    await call('submit', { code: task.solution });
  },
});

/** Runs the code on every check, and compares the results as JSON outside the sandbox. */
async function judge(
  task: CodingTask,
  checks: readonly Check[],
  code: string,
  signal: AbortSignal,
): Promise<Verdict[]> {
  const calls = checks.map(({ args }) => args);
  const outcomes = await runInSandbox({ code, functionName: task.function_name, calls }, signal);
  return checks.map((check, index) => {
    const outcome = outcomes[index] ?? { error: 'not run' };
    const passed = 'json' in outcome && isDeepStrictEqual(JSON.parse(outcome.json), check.expected);
    return { check, outcome, passed };
  });
}

function report(task: CodingTask, { check, outcome, passed }: Verdict): string {
  const call = formatCall(task, check);
  if (passed && 'json' in outcome) return `passed: ${call} returned ${shorten(outcome.json)}`;
  const reason = 'json' in outcome ? `returned ${shorten(outcome.json)}` : outcome.error;
  return `failed: ${call} ${reason}; expected ${JSON.stringify(check.expected)}`;
}

const formatCall = ({ function_name }: CodingTask, { args }: Check) =>
  `${function_name}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`;

const shorten = (json: string) => (json.length > 200 ? `${json.slice(0, 200)}...` : json);
