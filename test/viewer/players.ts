import { ToolCallError } from 'ors-kit/client';
import type { Agent, AgentContext, AgentSession } from 'ors-kit/rollout';
import { AgentError, oracleAgent } from 'ors-kit/rollout';
import conformance from '../../examples/conformance/environment.ts';
import countdown from '../../examples/countdown/environment.ts';
import gsm8k from '../../examples/gsm8k/environment.ts';
import maze from '../../examples/maze/environment.ts';
import { type Random, seededRandom, takeOne } from '../../examples/random.ts';

/** Examples that are played here. */
export const environments = [countdown, maze, gsm8k, conformance];

export const oracle: Agent = oracleAgent(environments);

/**
 * Plays countdown like a model in training: tries expressions, and finds the solution with probability `skill`. The
 * first of four tasks is always solved, the last never.
 */
export function trainee(step: number, skill: number): Agent {
  return async (session, context) => {
    const { task, sample, seed } = context;
    if (step % 3 === 1 && task.index === 2 && sample === 7) {
      throw new AgentError('the server of the model does not answer', { retryable: true });
    }
    const random = seededRandom(step, seed);
    const chance = { 0: 1, 3: 0 }[task.index] ?? skill;
    await session.prompt();
    await session.tools();
    const last = await tryOut(session, context, random);
    if (random(1_000) < 1_000 * chance) {
      say(context, 'This one must be **right**.', 'I have found it.');
      return await oracle(session, context);
    }
    say(context, `I submit my last try, \`${last}\`.`, 'Nothing better comes to mind.');
    await session.call('submit', { expression: last });
    return undefined;
  };
}

/**
 * Tries expressions.
 *
 * @returns the last one.
 */
async function tryOut(session: AgentSession, context: AgentContext, random: Random): Promise<string> {
  // Public task of countdown.
  const { numbers, target } = context.task.task as unknown as {
    readonly numbers: readonly number[];
    readonly target: number;
  };
  let expression = '';
  for (let left = 1 + random(4); left > 0; left--) {
    expression = expressionOf(numbers, random);
    say(
      context,
      `Let me try \`${expression}\`.`,
      `It should be near ${target}; ${left - 1} more tries after this one.`,
    );
    await attempt(session, 'evaluate', { expression });
  }
  return expression;
}

/** Returns an expression of two or three numbers, sometimes with a number that the environment rejects. */
function expressionOf(numbers: readonly number[], random: Random): string {
  const left = [...numbers];
  const pick = () => (random(10) === 0 ? 101 + random(9) : takeOne(random, left));
  const operator = () => ['+', '-', '*', '/'][random(4)];
  const two = `${pick()} ${operator()} ${pick()}`;
  return random(2) === 0 ? two : `(${two}) ${operator()} ${pick()}`;
}

/** Logs what a model would say before its calls. */
function say({ trace }: AgentContext, content: string, thought: string): void {
  const message = trace?.logMessage({ role: 'assistant', content });
  if (message) trace?.logThink({ parent_block_id: message.id, payload: { text: thought } });
}

/** Makes a call; a tool error is not a failure. */
async function attempt(session: AgentSession, name: string, input: Record<string, string>): Promise<void> {
  try {
    await session.call(name, input);
  } catch (error) {
    if (!(error instanceof ToolCallError)) throw error;
  }
}

/**
 * Answers a word problem: of eight episodes five are right, one is wrong, one is not a number, and one has no answer.
 */
export const guesser: Agent = async (session, context) => {
  const { prompt, call } = session;
  const guesses: Readonly<Record<number, string>> = { 3: '17', 5: 'about seventeen' };
  if (context.sample !== 6 && guesses[context.sample] === undefined) return oracle(session, context);
  await prompt();
  if (context.sample === 6) {
    say(context, 'I cannot work this out.', 'The numbers do not add up.');
    return { stop: 'stopped' };
  }
  say(context, 'A guess is better than nothing.', 'The numbers do not add up.');
  await call('submit', { answer: guesses[context.sample] ?? '' });
  return undefined;
};

/** Fails every second episode with a tool that crashes. */
export const breaker: Agent = async (session, { sample }) => {
  await session.prompt();
  await session.call('reward', { value: sample / 10 - 0.1 });
  await attempt(session, 'fail', { message: 'not like this' });
  await session.call(sample % 2 === 0 ? 'finish' : 'crash');
  return undefined;
};
