import { OrsClientError, OrsConnectionError, type RemoteEnvironment, type Session } from '../client/index.ts';
import type { createInputGenerator } from '../conformance/index.ts';
import { abortable, errorName, seededRandom, UnknownNameError } from '../core/index.ts';
import {
  type Block,
  flattenMessages,
  type JSONObject,
  joinText,
  type ToolSpec,
  terminalToolSpec,
} from '../protocol/index.ts';
import { sampleIndexes } from '../trial/index.ts';
import type { AuditContext, InputSlot, TaskView } from './attack.ts';
import { describesIrreversible } from './labels.ts';
import { closeSession, countSession, type PlayerSettings, request } from './play-transcript.ts';
import { slotsOf } from './slots.ts';

/** Knowledge about an environment before the first call. */
export interface ObservedEnvironment extends AuditContext {
  readonly split: string;
  /** Number of tasks of the split. */
  readonly count: number;
  readonly skippedTools: readonly string[];
}

export interface ObserveOptions {
  readonly tasks: number;
  /** Indexes of the tasks. @default a sample of `tasks` tasks */
  readonly indexes?: readonly number[] | undefined;
  readonly split?: string | undefined;
  readonly seed: number;
  readonly ownsEnvironment: boolean;
  readonly inputs: AuditInputGenerator;
}

/** Generates inputs from the schemas of tools. */
export type AuditInputGenerator = ReturnType<typeof createInputGenerator>;

const RANDOM_INPUTS = 8;
/** Maximum length of a list of tasks that is read for neighbours and hidden fields. */
const MAX_LISTED = 1_000;

/** Parameters that are tried. */
const MAX_SLOTS = 24;
const SUBMISSION = /submit|answer|final|guess|respond|solve|finish|check|grade|complete/i;

/**
 * Lists tasks and tools, and opens one session per task for its prompt and tools. Makes no call.
 *
 * @throws Error if the environment has no such split, no tasks or no session; errors of the client.
 */
export async function observeEnvironment(
  remote: RemoteEnvironment,
  options: ObserveOptions,
  settings: PlayerSettings,
): Promise<ObservedEnvironment> {
  const { name: split, count } = await selectSplit(remote, options.split, settings);
  const indexes = options.indexes ?? sampleIndexes(count, options.tasks, seededRandom(options.seed));
  const listed = await listTasks(remote, split, indexes, settings.signal);
  const tasksByIndex = new Map<number, JSONObject>(listed);
  const views: TaskView[] = [];
  let terminal: AuditContext['terminal'] = null;
  for (const index of indexes) {
    const { task } = await request(settings, (signal) => remote.task(split, index, { signal }));
    tasksByIndex.set(index, task);
    const opened = await openTask(remote, split, index, settings);
    terminal ??= opened.terminal;
    const neighbour = (distance: number) => tasksByIndex.get(index + distance);
    const { terminal: _terminal, ...seen } = opened;
    views.push({ split, index, task, listed: listed.get(index), neighbour, paying: undefined, ...seen });
  }
  const specs = uniqueTools([
    ...views.flatMap(({ tools }) => tools),
    ...(terminal ? [terminalToolSpec(terminal)] : []),
  ]);
  const skipped = options.ownsEnvironment ? [] : specs.filter(isIrreversible);
  const tools = specs.filter((tool) => !skipped.includes(tool));
  const inputs = await generateInputs(tools, options.inputs, settings.signal);
  return {
    split,
    count,
    views,
    terminal,
    tools: tools.filter(({ name }) => inputs.has(name)),
    slots: sortSlots(tools.flatMap((tool) => slotsOf(tool, inputs.get(tool.name)?.[0] ?? {}))).slice(0, MAX_SLOTS),
    inputsOf: (tool) => inputs.get(tool) ?? [],
    seed: options.seed,
    skippedTools: skipped.map(({ name }) => name),
  };
}

/** Sorts parameters: those of tools that are called like a submission first. */
const sortSlots = (slots: readonly InputSlot[]): InputSlot[] =>
  [...slots].sort((one, other) => Number(SUBMISSION.test(other.tool)) - Number(SUBMISSION.test(one.tool)));

const isIrreversible = ({ description }: ToolSpec): boolean => describesIrreversible(description);

const uniqueTools = (tools: readonly ToolSpec[]): ToolSpec[] => [
  ...new Map(tools.map((tool) => [tool.name, tool])).values(),
];

async function selectSplit(remote: RemoteEnvironment, requested: string | undefined, settings: PlayerSettings) {
  const names = (await request(settings, (signal) => remote.splits({ signal }))).map(({ name }) => name);
  for (const name of requested === undefined ? names : names.filter((each) => each === requested)) {
    const count = await request(settings, (signal) => remote.countTasks(name, { signal }));
    if (count > 0) return { name, count };
  }
  if (requested !== undefined && !names.includes(requested)) {
    throw new UnknownNameError('split', requested, names, `in '${remote.name}'`);
  }
  const wanted = requested === undefined ? 'tasks' : `tasks in split '${requested}'`;
  throw new Error(`environment '${remote.name}' has no ${wanted}; choose one that has: ${names.join(', ') || 'none'}`);
}

/** Lists the tasks around the sampled ones. Servers may have tasks by index only. */
async function listTasks(
  remote: RemoteEnvironment,
  split: string,
  indexes: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, JSONObject>> {
  const listed = new Map<number, JSONObject>();
  const stop = Math.min(MAX_LISTED, Math.max(...indexes) + 2);
  try {
    for await (const { index, task } of remote.tasks(split, { stop, signal })) listed.set(index, task);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OrsClientError) || error instanceof OrsConnectionError) throw error;
  }
  return listed;
}

async function openTask(remote: RemoteEnvironment, split: string, index: number, settings: PlayerSettings) {
  const { secrets, budget } = settings;
  countSession(budget);
  const session = await request(settings, (signal) => remote.session({ split, index }, { secrets, signal }));
  try {
    return await request(settings, (signal) => readTask(session, signal));
  } finally {
    await closeSession(session, settings.signal);
  }
}

async function readTask(session: Session, signal: AbortSignal) {
  const blocks = flattenMessages(await session.messages({ signal }));
  const prompt = joinText(blocks);
  const plain = await session.prompt({ signal });
  // Agents that continue the conversation do not read a plain prompt that differs from it.
  const unread = [joinText(plain)].filter((text) => text !== prompt);
  return {
    prompt,
    hiddenTexts: [...unread, ...[...blocks, ...plain].flatMap(hiddenTextsOf)],
    tools: await session.tools({ signal }),
    terminal: await session.terminalTool({ signal }),
  };
}

/** Shortest text in the bytes of an image that is read. */
const MIN_TEXT = 6;
/** Bytes at each end of an image in which texts are searched: those of PNG are before or after the pixels. */
const MAX_IMAGE_BYTES = 65_536;

/** Returns what a block contains for programs: its details, and the texts in the bytes of an image. */
function hiddenTextsOf(block: Block): string[] {
  const { detail } = block as { readonly detail?: unknown };
  const details = detail ? [JSON.stringify(detail)] : [];
  if (block.type !== 'image') return details;
  // Ignores characters that base64 does not have.
  const all = Buffer.from(block.data, 'base64');
  const isLong = all.length > 2 * MAX_IMAGE_BYTES;
  const bytes = isLong ? Buffer.concat([all.subarray(0, MAX_IMAGE_BYTES), all.subarray(-MAX_IMAGE_BYTES)]) : all;
  const characters = Array.from(bytes, (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '\n')).join(
    '',
  );
  // Types of chunks of PNG are directly before the text.
  const texts = characters
    .replaceAll(/[ti]TXt|tEXt/g, '\n\n')
    .split(/\n{2,}/)
    .map((text) => text.replaceAll('\n', ': '));
  return [...details, ...texts.filter((text) => text.length >= MIN_TEXT && /^[\w :.,'"#=-]+$/.test(text))];
}

/** Generates valid inputs of each tool; tools for whose schema there are none are left out. */
async function generateInputs(
  tools: readonly ToolSpec[],
  generator: AuditInputGenerator,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly JSONObject[]>> {
  const inputs = new Map<string, readonly JSONObject[]>();
  for (const tool of tools) {
    try {
      const { valid } = await abortable(signal, () => generator.generate(tool.input_schema, { random: RANDOM_INPUTS }));
      // Inputs of tools are JSON objects.
      inputs.set(
        tool.name,
        valid.map(({ value }) => value as JSONObject),
      );
    } catch (error) {
      signal.throwIfAborted();
      if (!errorName(error).startsWith('Untestable')) throw error;
    }
  }
  return inputs;
}
