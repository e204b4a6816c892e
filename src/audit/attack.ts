import { pointerSegment } from '../core/index.ts';
import type { JSONObject, JSONValue, TerminalTool, ToolSpec } from '../protocol/index.ts';
import type { CallStep, TranscriptStep } from './transcript.ts';

/**
 * Kind of an attack, the middle part of its id in lower case.
 *
 * @example
 * const inOutputs: AttackCategory[] = ['leak', 'judge'];
 */
export type AttackCategory = 'floor' | 'leak' | 'repeat' | 'farm' | 'type' | 'text' | 'judge' | 'file' | 'state';

/** Everything that players see of one task without solving it. */
export interface TaskView {
  readonly split: string;
  readonly index: number;
  /** Task by its index. */
  readonly task: JSONObject;
  /** The same task in the list of all tasks. */
  readonly listed: JSONObject | undefined;
  /** Text of the conversation that the agent continues. */
  readonly prompt: string;
  /** Texts of the prompt that models do not see: details of blocks, and texts in files of images. */
  readonly hiddenTexts: readonly string[];
  readonly tools: readonly ToolSpec[];
  /** Returns the public task at a distance in the split, such as -1 for the one before. */
  readonly neighbour: (distance: number) => JSONObject | undefined;
  /** Calls that earn a reward, if some are known. */
  readonly paying: PayingCalls | undefined;
}

/** Calls of one task that earn a reward. */
export interface PayingCalls {
  /** Calls before the paying one, in order. */
  readonly before: readonly CallStep[];
  readonly call: CallStep;
  /** Reward of all these calls. */
  readonly reward: number;
  /** True if the call finishes the episode. */
  readonly finishes: boolean;
}

/** Parameter of a tool that takes one value. */
export interface InputSlot {
  readonly tool: string;
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'array' | 'other';
  /** Values that the schema lists. */
  readonly choices: readonly JSONValue[];
  /** Minimal valid input of the tool. */
  readonly base: JSONObject;
}

/** Knowledge about an environment before the attacks. */
export interface AuditContext {
  /** Tools that are called, including the terminal tool. */
  readonly tools: readonly ToolSpec[];
  readonly terminal: TerminalTool | null;
  readonly slots: readonly InputSlot[];
  /** Valid inputs of a tool, the minimal one first. */
  readonly inputsOf: (tool: string) => readonly JSONObject[];
  readonly views: readonly TaskView[];
  readonly seed: number;
}

/** One way to attack. */
export interface AttackAttempt {
  /** Describes the calls, such as `submit.answer is empty`. */
  readonly what: string;
  /** Returns the steps for a task; undefined if the attempt is not possible there. */
  readonly steps: (view: TaskView) => readonly TranscriptStep[] | undefined;
  /** Reason why success is only a suspicion on a task, because the task may ask for it. */
  readonly doubt?: (view: TaskView) => string | undefined;
}

/**
 * Claim of a proof.
 *
 * - `constant`: calls that do not depend on the task win all tasks.
 * - `source`: calls with values that players can read somewhere win the tasks.
 * - `excess`: calls earn more than the maximum reward.
 * - `after-end`: calls after the end of the episode earn a reward.
 *
 * @example
 * const isLeak = (kind: ProofKind) => kind === 'source';
 */
export type ProofKind = 'constant' | 'source' | 'excess' | 'after-end';

/**
 * Class of exploits.
 *
 * @example
 * const list = attacks.map(({ id, title }: Attack) => `${id}: ${title}`);
 */
export interface Attack {
  readonly id: string;
  readonly category: AttackCategory;
  readonly title: string;
  /** One sentence: how to change the environment. */
  readonly advice: string;
  readonly proof: ProofKind;
  /** Use of calls that earn a reward: required, or tried if some are known. @default none */
  readonly paying?: 'needed' | 'used';
  /** True if steps change what later sessions see, so that none can be left out. @default false */
  readonly keepsSteps?: true;
  /** Reason why every success is only a suspicion. */
  readonly onlySuspicion?: string;
  /** Share of the maximum reward that counts as winning. @default 0.5 */
  readonly winShare?: number;
  /** True if the attack is itself a player of the floor, so that it counts from zero. @default false */
  readonly isFloor?: true;
  /** Yields the ways to attack an environment, simplest first. */
  readonly attempts: (context: AuditContext) => Iterable<AttackAttempt>;
}

/** Returns steps that call a tool once. */
export const callOnce = (tool: string, input: JSONObject): readonly TranscriptStep[] => [{ do: 'call', tool, input }];

/** Returns an attempt that makes the same call on every task. */
export const constantCall = (what: string, tool: string, input: JSONObject): AttackAttempt => {
  const steps = callOnce(tool, input);
  return { what, steps: () => steps };
};

/** Returns an attempt that passes the same value for a parameter on every task. */
export const constantValue = (slot: InputSlot, what: string, value: JSONValue): AttackAttempt =>
  constantCall(`${slotName(slot)} is ${what}`, slot.tool, { ...slot.base, [slot.name]: value });

/** Formats a parameter, such as `submit.answer`. */
export const slotName = ({ tool, name }: Pick<InputSlot, 'tool' | 'name'>): string => `${tool}.${name}`;

/** Returns one call per tool and per listed choice. */
export function simpleCalls({ tools, slots, inputsOf }: AuditContext): readonly CallStep[] {
  const minimal = tools.map(({ name: tool }): CallStep => ({ do: 'call', tool, input: inputsOf(tool)[0] ?? {} }));
  const chosen = slots.flatMap(({ tool, name, base, choices, type }) =>
    (type === 'boolean' ? [true, false] : choices.slice(0, 6)).map(
      (value): CallStep => ({ do: 'call', tool, input: { ...base, [name]: value } }),
    ),
  );
  const all = [...minimal, ...chosen];
  return [...new Map(all.map((call) => [JSON.stringify([call.tool, call.input]), call])).values()];
}

/** Returns the first pairs of different items that are accepted. */
export function pairsOf<Item>(
  items: readonly Item[],
  max: number,
  isAccepted: (one: Item, other: Item) => boolean = () => true,
): readonly (readonly [Item, Item])[] {
  const pairs: (readonly [Item, Item])[] = [];
  for (const [at, one] of items.entries()) {
    for (let next = at + 1; next < items.length; next++) {
      if (pairs.length >= max) return pairs;
      const other = items[next] as Item;
      if (isAccepted(one, other)) pairs.push([one, other]);
    }
  }
  return pairs;
}

/** Formats a call, such as `submit({"answer":"7"})`. */
export const showCall = ({ tool, input }: CallStep): string => `${tool}(${JSON.stringify(input)})`;

/** Field of a task, by its JSON pointer. */
export interface TaskField {
  readonly pointer: string;
  readonly value: string | number | boolean;
}

/** Returns the scalars in a task. @param maxItems maximum number of items of each list that are read. */
export function fieldsIn(value: JSONValue | undefined, maxItems = Number.POSITIVE_INFINITY, pointer = ''): TaskField[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [{ pointer, value }];
  const entries = Array.isArray(value) ? [...value.slice(0, maxItems).entries()] : Object.entries(value);
  return entries.flatMap(([key, item]) => fieldsIn(item, maxItems, pointer + pointerSegment(key)));
}
