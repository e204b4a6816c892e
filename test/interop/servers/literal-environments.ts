import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { JSONObject } from 'ors-kit';
import { ExpressionError, evaluate, numbersIn, parse } from '../../../examples/countdown/arithmetic.ts';
import { makeText } from '../fidelity-text.ts';
import { type LiteralEnvironment, ToolFailure } from './documents-literal.ts';
import { countdownTasks } from './python-servers.ts';

const say = (text: string, more: JSONObject = {}): JSONObject => ({ blocks: [{ type: 'text', text }], ...more });

/** Returns true if an expression equals the target of its task. @throws ToolFailure for invalid arithmetic or other numbers */
function isRight(expression: string, { numbers, target }: JSONObject): boolean {
  const left = [...(numbers as number[])];
  try {
    const parsed = parse(expression);
    for (const number of numbersIn(parsed)) {
      const place = left.indexOf(number);
      if (place < 0) throw new ToolFailure(`${number} is not left to use`);
      left.splice(place, 1);
    }
    const { top, bottom } = evaluate(parsed);
    return bottom === 1 && top === target;
  } catch (error) {
    throw error instanceof ExpressionError ? new ToolFailure(error.message) : error;
  }
}

export const literalCountdown: LiteralEnvironment = {
  name: 'countdown',
  tasks: countdownTasks,
  prompt: ({ numbers, target }) => `Reach ${target} with the numbers ${(numbers as number[]).join(', ')}.`,
  tools: {
    evaluate: {
      description: 'Try an expression. Does not end the episode.',
      parameters: ['expression'],
      run: ({ expression }, { task }) => say(isRight(String(expression), task) ? 'The target.' : 'Not the target.'),
    },
    submit: {
      description: 'Submit the final expression.',
      parameters: ['expression'],
      run: ({ expression }, { task }) => {
        const reward = isRight(String(expression), task) ? 1 : 0;
        return say(reward ? 'Correct!' : 'Wrong.', { reward, finished: true });
      },
    },
  },
};

/** One tool for each thing that can go wrong; what happened is counted in `counts`. */
export function literalWire(counts: Map<string, number>): LiteralEnvironment {
  const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  return {
    name: 'wire',
    tasks: { test: [{ label: 'plain' }, { label: 'slow', setup_ms: 1_500 }] },
    prompt: ({ label }) => String(label),
    setup: ({ setup_ms }) => delay(Number(setup_ms ?? 0)),
    tools: {
      text: {
        description: 'Returns a text full of white space.',
        parameters: ['seed', 'length'],
        run: ({ seed, length }) =>
          say(makeText(Number(seed), Number(length)), { reward: 0.5, metadata: { seed: seed ?? null } }),
      },
      sleep: {
        description: 'Answers late.',
        parameters: ['ms', 'key'],
        run: async ({ ms, key }) => {
          count(String(key));
          await delay(Number(ms));
          return say(`Slept ${ms} ms.`);
        },
      },
      secret: {
        description: "Tells the SHA-256 of an episode's secret, or 'none'.",
        parameters: ['name'],
        run: ({ name }, { secrets }) => {
          const secret = secrets[String(name)];
          return say(secret === undefined ? 'none' : createHash('sha256').update(String(secret)).digest('hex'));
        },
      },
      hello: { description: 'Has no parameters.', run: () => say('Hello.') },
      crash: {
        description: 'Fails as a tool should not.',
        parameters: ['message'],
        run: ({ message }) => {
          throw new Error(String(message));
        },
      },
    },
  };
}
