import type { components } from '../../generated/ors.ts';
import { isRecord, type JSONObject, toBase64 } from '../core/index.ts';

type Schemas = components['schemas'];

/**
 * Text content; `detail` is for programs, not for the model. Source: data types, "TextBlock".
 *
 * @example
 * const block: TextBlock = { type: 'text', text: '2 + 2 = 4', detail: { source: 'calculator' } };
 */
export type TextBlock = Schemas['TextBlock'];
/**
 * An image in base64; `mimeType` is a media type such as `image/png`. Source: data types, "ImageBlock".
 *
 * @example
 * const block: ImageBlock = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
 */
export type ImageBlock = Schemas['ImageBlock'];
/**
 * A piece of content. Source: data types, "Block Types".
 *
 * @example
 * const isImage = (block: Block) => block.type === 'image';
 */
export type Block = Schemas['Block'];

/**
 * Content in order: a prompt, or the output of a tool. Source: data types, "Blocks".
 *
 * @example
 * const prompt: Blocks = [text('What does this show?'), image(await readFile('plot.png'))];
 */
export type Blocks = Schemas['Blocks'];

/**
 * A tool as agents see it; `input_schema` is null for a tool without parameters. Source: data types, "ToolSpec".
 *
 * @example
 * const tool: ToolSpec = { name: 'look', description: 'Looks around.', input_schema: null };
 */
export type ToolSpec = Schemas['ToolSpec'];
/**
 * The response of `GET /{env_name}/tools`. Source: data types, "ListToolsOutput".
 *
 * @example
 * const list: ListToolsOutput = { tools: [{ name: 'look', description: 'Looks around.', input_schema: null }] };
 */
export type ListToolsOutput = Schemas['ListToolsOutput'];
/**
 * The tool that grades the agent's final message: `arg` names the parameter that receives the text, and is null if the
 * tool has no parameters. Source: openreward 0.1.167, `terminal_tool`.
 *
 * @example
 * const tool: TerminalTool = { name: 'submit', arg: 'answer' };
 */
export type TerminalTool = Schemas['TerminalTool'];
/**
 * A request to run a tool. Source: data types, "ToolCall".
 *
 * @example
 * const call: ToolCall = { name: 'go', input: { direction: 'north' }, task_id: 'call-1' };
 */
export type ToolCall = Schemas['ToolCall'];
/**
 * Output of a tool in the form that clients and servers may send. Source: data types, "ToolOutput".
 *
 * @example
 * const output: ToolOutput = { blocks: [text('Correct.')], reward: 1, finished: true };
 */
export type ToolOutput = Schemas['ToolOutput'];
/**
 * The output of a tool as the result of a call. Source: data types, "RunToolSuccess".
 *
 * @example
 * const success: RunToolSuccess = { ok: true, output: { blocks: [text('Correct.')], reward: 1, finished: true } };
 */
export type RunToolSuccess = Schemas['RunToolSuccess'];
/**
 * A failure of a call that the agent can handle. Source: data types, "RunToolError".
 *
 * @example
 * const failure: RunToolError = { ok: false, error: "unknown tool 'fly'", reason: 'not_found' };
 */
export type RunToolError = Schemas['RunToolError'];
/**
 * Result of a call; `ok` distinguishes an output from a tool error. Source: data types, "RunToolOutput".
 *
 * @example
 * const rewardOf = (result: RunToolOutput) => (result.ok ? result.output.reward : null);
 */
export type RunToolOutput = Schemas['RunToolOutput'];
/** Why a server refused a call: the field `reason` of RunToolError. Source: openreward 0.1.167, except for `interrupted`. */
export type RefusalReason = 'not_found' | 'name_collision' | 'input_validation' | 'episode_finished' | 'interrupted';
/** Output of a tool as this server sends it, with all nullable fields. Source: tools, "Wire Format". */
export type SerializedToolOutput = Schemas['SerializedToolOutput'];
/** Content as this server sends it, with all nullable fields. */
export type SerializedBlock = Schemas['SerializedBlock'];

/**
 * A message of a conversation: of the system, the user or the assistant. Source: openreward 0.1.167, `/messages`.
 *
 * @example
 * const message: Message = { role: 'system', blocks: [text('Answer in one word.')] };
 */
export type Message = Schemas['Message'];
/**
 * A piece of a message: text, image, reasoning, tool call or tool result.
 *
 * @example
 * const textOf = (block: MessageBlock) => (block.type === 'text' ? block.text : '');
 */
export type MessageBlock = Message['blocks'][number];
/**
 * Text of a model's reasoning, in a message of the assistant.
 *
 * @example
 * const block: ReasoningBlock = { type: 'reasoning', text: 'Add both numbers.' };
 */
export type ReasoningBlock = Schemas['ReasoningBlock'];
/**
 * A tool call of the assistant.
 *
 * @example
 * const block: ToolCallBlock = { type: 'tool_call', id: 'call_1', name: 'look', input: {} };
 */
export type ToolCallBlock = Schemas['ToolCallBlock'];
/**
 * The result of a tool call, in a message of the user.
 *
 * @example
 * const block: ToolResultBlock = { type: 'tool_result', tool_call_id: 'call_1', blocks: [text('A wall.')] };
 */
export type ToolResultBlock = Schemas['ToolResultBlock'];
/** A message as this server sends it, with all nullable fields. */
export type SerializedMessage = Schemas['SerializedMessage'];

/**
 * A rollout that `/score_group` compares with others of its task. Source: openreward 0.1.167.
 *
 * @example
 * const lengthOf = ({ messages }: ScoreGroupCandidate) => messages.length;
 */
export interface ScoreGroupCandidate {
  readonly messages: readonly Message[];
  /** Information about the rollout for the environment. */
  readonly metadata?: JSONObject | null;
}
/**
 * The comparative reward of one rollout. Source: openreward 0.1.167, `/score_group`.
 *
 * @example
 * const score: GroupScore = { reward: 0.5, metadata: { rank: 2 } };
 */
export type GroupScore = Schemas['GroupScore'];
/**
 * Comparative rewards in the order of the candidates. Source: openreward 0.1.167, `/score_group`.
 *
 * @example
 * const output: ScoreGroupOutput = { scores: [{ reward: 1 }, { reward: 0 }] };
 */
export type ScoreGroupOutput = Schemas['ScoreGroupOutput'];

/**
 * A JSON object that describes what to do in an episode. Source: data types, "Task".
 *
 * @example
 * const task: Task = { question: 'What is 2 + 2?', difficulty: 1 };
 */
export type Task = Schemas['Task'];
/**
 * The request body of `POST /{env_name}/tasks`. Source: data types, "ListTasks".
 *
 * @example
 * const body: ListTasks = { split: 'train' };
 */
export type ListTasks = Schemas['ListTasks'];
/**
 * The request body of `POST /{env_name}/num_tasks`. Source: data types, "NumTasks".
 *
 * @example
 * const body: NumTasks = { split: 'train' };
 */
export type NumTasks = Schemas['NumTasks'];
/**
 * The request body of `POST /{env_name}/task`. Source: data types, "GetTask".
 *
 * @example
 * const body: GetTask = { split: 'train', index: 0 };
 */
export type GetTask = Schemas['GetTask'];
/**
 * The request body of `POST /{env_name}/task_range`. Source: data types, "GetTaskRange".
 *
 * @example
 * const body: GetTaskRange = { split: 'train', start: 10, stop: 20 };
 */
export type GetTaskRange = Schemas['GetTaskRange'];
/**
 * A named list of tasks. Source: data types, "Split".
 *
 * @example
 * const split: Split = { name: 'hard', type: 'test' };
 */
export type Split = Schemas['Split'];
/**
 * The request that creates an episode. Source: data types, "CreateSession".
 *
 * @example
 * const body: CreateSession = { env_name: 'maze', split: 'train', index: 0, secrets: { API_KEY: key } };
 */
export type CreateSession = Schemas['CreateSession'];

/**
 * Creates a text block.
 *
 * @param detail data about the text for programs, not shown to the model.
 * @example
 * return { blocks: [text('2 + 2 = 4')], reward: 1, finished: true };
 */
export function text(text: string, detail?: JSONObject): TextBlock {
  return detail === undefined ? { type: 'text', text } : { type: 'text', text, detail };
}

/**
 * Creates an image block.
 *
 * @param data the bytes of the image, or a base64 string.
 * @param mimeType media type of the image.
 * @param detail data about the image for programs, not shown to the model.
 * @example
 * return { blocks: [image(await readFile('plot.png'))] };
 */
export function image(data: Uint8Array | string, mimeType = 'image/png', detail?: JSONObject): ImageBlock {
  const base64 = typeof data === 'string' ? data : toBase64(data);
  return { type: 'image', data: base64, mimeType, ...(detail === undefined ? {} : { detail }) };
}

/** Returns the text blocks, joined with line feeds. */
export const joinText = (blocks: readonly Block[]): string =>
  blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

/** Returns a prompt as a conversation: one message of the user. */
export function promptMessages(blocks: readonly SerializedBlock[]): SerializedMessage[];
export function promptMessages(blocks: readonly Block[]): Message[];
export function promptMessages(blocks: readonly Block[]): (Message | SerializedMessage)[] {
  return [{ role: 'user', blocks: [...blocks], detail: null }];
}

/** Reads a tool spec that was not validated: without description and parameters unless they are valid. */
export function readToolSpec(fields: Readonly<Record<string, unknown>>): ToolSpec | undefined {
  const { name, description, input_schema } = fields;
  if (typeof name !== 'string') return undefined;
  return {
    name,
    description: typeof description === 'string' ? description : '',
    // The fields were parsed from JSON.
    input_schema: isRecord(input_schema) ? (input_schema as JSONObject) : null,
  };
}

/** Returns the prompt that a conversation of one message of the user expresses; undefined for any other. */
export function plainPrompt(messages: readonly (Message | SerializedMessage)[]): readonly Block[] | undefined {
  const [first] = messages;
  if (first?.role !== 'user' || messages.length > 1) return undefined;
  const blocks = blocksOf(first);
  return blocks.every(isContent) ? blocks : undefined;
}

/** Returns the blocks of a message of any role. */
export const blocksOf = ({ blocks }: Message | SerializedMessage): readonly Message['blocks'][number][] => blocks;

/** Returns true for the blocks that prompts and results have: text and images. */
export const isContent = (block: Message['blocks'][number]): block is Block =>
  block.type === 'text' || block.type === 'image';
