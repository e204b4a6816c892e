import type { RemoteEnvironment } from '../client/index.ts';
import { abortable, settlesWithin, sum } from '../core/index.ts';
import type { Environment } from '../environment/index.ts';
import { getTaskAt } from '../environment/index.ts';
import type { JSONObject, JSONValue } from '../protocol/index.ts';
import { joinText, terminalToolInput } from '../protocol/index.ts';
import type { AuditContext, InputSlot, PayingCalls, TaskView } from './attack.ts';
import {
  BudgetError,
  closeSession,
  countCall,
  countSession,
  type PlayerSettings,
  request,
  type TranscriptPlayer,
} from './play-transcript.ts';
import { inputWith } from './slots.ts';
import type { CallStep } from './transcript.ts';

/** Tasks for which calls that earn a reward are searched. */
export const PAYING_TASKS = 6;
/** Calls that are tried per task, each in its own session. */
export const MAX_TRIES = 60;
/** Calls of `solve` that are kept. */
export const MAX_SOLVE_CALLS = 200;
const MAX_WORDS = 24;
const INTEGERS = Array.from({ length: 21 }, (_, value) => value);

/**
 * Searches a call that earns a reward: with listed values, small numbers, words of the prompt and valid inputs, each in
 * its own session. Returns the calls of `solve` instead if they earn more, or all of a known maximum, which no search can
 * improve; these are marked as honest.
 */
export async function findPayingCalls(
  context: AuditContext,
  view: TaskView,
  play: TranscriptPlayer,
  solver: ((view: TaskView) => Promise<PayingCalls | undefined>) | undefined,
  maxReward?: number,
): Promise<PayingCalls | undefined> {
  const solved = await solver?.(view);
  if (solved && maxReward !== undefined && solved.reward >= maxReward) return solved;
  const found = await searchPayingCall(context, view, play);
  return solved && solved.reward > (found?.reward ?? 0) ? solved : found;
}

async function searchPayingCall(
  context: AuditContext,
  view: TaskView,
  play: TranscriptPlayer,
): Promise<PayingCalls | undefined> {
  let tries = 0;
  for (const call of candidateCalls(context, view)) {
    if (tries++ >= MAX_TRIES) break;
    const { reward, calls } = await play(view, [call]);
    if (reward > 0) return { before: [], call, reward, finishes: calls.some(({ finished }) => finished) };
  }
  return undefined;
}

function* candidateCalls({ tools, slots, inputsOf }: AuditContext, view: TaskView): Generator<CallStep> {
  for (const { name: tool } of tools) {
    for (const input of inputsOf(tool).slice(0, 4)) yield { do: 'call', tool, input };
  }
  const lists = slots.map((slot) => valuesFor(slot, view).map((value) => inputWith(slot, value)));
  // Breadth first, so that a tool with many values does not use up the tries.
  for (let at = 0; lists.some((list) => at < list.length); at++) {
    for (const [slot, list] of lists.entries()) {
      const input = list[at];
      const tool = slots[slot]?.tool;
      if (input && tool !== undefined) yield { do: 'call', tool, input };
    }
  }
}

function valuesFor({ type, choices }: InputSlot, { prompt }: TaskView): readonly JSONValue[] {
  if (choices.length > 0) return choices;
  if (type === 'boolean') return [true, false];
  if (type === 'number') return [...new Set([...numbersIn(prompt), ...INTEGERS])];
  return type === 'string' ? [...new Set(prompt.match(/[\p{L}\p{N}_-]+/gu) ?? [])].slice(-MAX_WORDS) : [];
}

const numbersIn = (text: string): number[] => (text.match(/-?\d+(?:\.\d+)?/g) ?? []).slice(0, MAX_WORDS).map(Number);

/**
 * Returns a function that lets `solve` of an environment play a task, and returns its calls up to the last one that earns
 * a reward.
 *
 * @param skippedTools tools that must not be called; `solve` fails if it calls one.
 */
export function createSolver(
  source: Environment,
  remote: RemoteEnvironment,
  settings: PlayerSettings,
  skippedTools: readonly string[],
) {
  const { solve } = source.hooks;
  if (!solve) return undefined;
  return async ({ split, index }: TaskView): Promise<PayingCalls | undefined> => {
    const { secrets, signal, timeoutMs, budget } = settings;
    const task = await abortable(signal, () => getTaskAt(source, split, index));
    countSession(budget);
    const session = await request(settings, (deadline) =>
      remote.session({ split, index }, { secrets, signal: deadline }),
    );
    const steps: CallStep[] = [];
    const rewards: number[] = [];
    let made = 0;
    const call = async (tool: string, input: JSONObject = {}) => {
      if (skippedTools.includes(tool)) throw new Error(`the effects of '${tool}' cannot be undone`);
      if (made++ >= MAX_SOLVE_CALLS) throw new Error(`solve makes more than ${MAX_SOLVE_CALLS} calls`);
      countCall(budget);
      const output = await session.call(tool, structuredClone(input), { signal });
      steps.push({ do: 'call', tool, input, isHonest: true });
      rewards.push(output.reward ?? 0);
      return { ...output, text: joinText(output.blocks) };
    };
    try {
      const prompt = await session.prompt({ signal });
      const tools = await session.tools({ signal });
      const terminal = await session.terminalTool({ signal });
      const answer = async (text = '') => {
        if (!terminal) throw new Error('the environment has no terminal tool');
        return call(terminal.name, terminalToolInput(terminal, text));
      };
      const solving = Promise.resolve(solve({ task: task as never, prompt, tools, call, answer }));
      await settlesWithin(timeoutMs, solving, { signal });
    } catch (error) {
      if (error instanceof BudgetError) throw error;
      // Rewards before the failure count; `ors validate` reports the failure.
    } finally {
      await closeSession(session, signal);
    }
    signal.throwIfAborted();
    const last = rewards.findLastIndex((reward) => reward > 0);
    const paying = steps[last];
    if (!paying) return undefined;
    const reward = sum(rewards.slice(0, last + 1));
    return {
      before: steps.slice(0, last),
      call: paying,
      reward,
      finishes: session.finished && last === steps.length - 1,
    };
  };
}
