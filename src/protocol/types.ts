import type { components } from '../../generated/ors.ts';
import { isRecord, type JSONObject, toBase64 } from '../core/index.ts';

type Schemas = components['schemas'];

/** Text content; `detail` is for programs, not for the model. Source: data types, "TextBlock". */
export type TextBlock = Schemas['TextBlock'];
/** An image in base64; `mimeType` is a media type such as `image/png`. Source: data types, "ImageBlock". */
export type ImageBlock = Schemas['ImageBlock'];
/** A piece of content. Source: data types, "Block Types". */
export type Block = Schemas['Block'];

/** Content in order: a prompt, or the output of a tool. Source: data types, "Blocks". */
export type Blocks = Schemas['Blocks'];

/** A tool as agents see it; `input_schema` is null for a tool without parameters. Source: data types, "ToolSpec". */
export type ToolSpec = Schemas['ToolSpec'];
/** The response of `GET /{env_name}/tools`. Source: data types, "ListToolsOutput". */
export type ListToolsOutput = Schemas['ListToolsOutput'];
/**
 * The tool that grades the agent's final message: `arg` names the parameter that receives the text, and is null if the
 * tool has no parameters. Source: openreward 0.1.167, `terminal_tool`.
 */
export type TerminalTool = Schemas['TerminalTool'];
/** A request to run a tool. Source: data types, "ToolCall". */
export type ToolCall = Schemas['ToolCall'];
/** Output of a tool in the form that clients and servers may send. Source: data types, "ToolOutput". */
export type ToolOutput = Schemas['ToolOutput'];
/** The output of a tool as the result of a call. Source: data types, "RunToolSuccess". */
export type RunToolSuccess = Schemas['RunToolSuccess'];
/** A failure of a call that the agent can handle. Source: data types, "RunToolError". */
export type RunToolError = Schemas['RunToolError'];
/** Result of a call; `ok` distinguishes an output from a tool error. Source: data types, "RunToolOutput". */
export type RunToolOutput = Schemas['RunToolOutput'];
/** Why a server refused a call: the field `reason` of RunToolError. Source: openreward 0.1.167. */
export type RefusalReason = 'not_found' | 'name_collision' | 'input_validation' | 'episode_finished';
/** Output of a tool as this server sends it, with all nullable fields. Source: tools, "Wire Format". */
export type SerializedToolOutput = Schemas['SerializedToolOutput'];
/** Content as this server sends it, with all nullable fields. */
export type SerializedBlock = Schemas['SerializedBlock'];

/** A message of a conversation: of the system, the user or the assistant. Source: openreward 0.1.167, `/messages`. */
export type Message = Schemas['Message'];
/** A piece of a message: text, image, reasoning, tool call or tool result. */
export type MessageBlock = Message['blocks'][number];
/** Text of a model's reasoning, in a message of the assistant. */
export type ReasoningBlock = Schemas['ReasoningBlock'];
/** A tool call of the assistant. */
export type ToolCallBlock = Schemas['ToolCallBlock'];
/** The result of a tool call, in a message of the user. */
export type ToolResultBlock = Schemas['ToolResultBlock'];
/** A message as this server sends it, with all nullable fields. */
export type SerializedMessage = Schemas['SerializedMessage'];

/** A rollout that `/score_group` compares with others of its task. Source: openreward 0.1.167. */
export interface ScoreGroupCandidate {
  readonly messages: readonly Message[];
  /** Information about the rollout for the environment. */
  readonly metadata?: JSONObject | null;
}
/** The comparative reward of one rollout. Source: openreward 0.1.167, `/score_group`. */
export type GroupScore = Schemas['GroupScore'];
/** Comparative rewards in the order of the candidates. Source: openreward 0.1.167, `/score_group`. */
export type ScoreGroupOutput = Schemas['ScoreGroupOutput'];

/** A JSON object that describes what to do in an episode. Source: data types, "Task". */
export type Task = Schemas['Task'];
/** The request body of `POST /{env_name}/tasks`. Source: data types, "ListTasks". */
export type ListTasks = Schemas['ListTasks'];
/** The request body of `POST /{env_name}/num_tasks`. Source: data types, "NumTasks". */
export type NumTasks = Schemas['NumTasks'];
/** The request body of `POST /{env_name}/task`. Source: data types, "GetTask". */
export type GetTask = Schemas['GetTask'];
/** The request body of `POST /{env_name}/task_range`. Source: data types, "GetTaskRange". */
export type GetTaskRange = Schemas['GetTaskRange'];
/** A named list of tasks. Source: data types, "Split". */
export type Split = Schemas['Split'];
/** The request that creates an episode. Source: data types, "CreateSession". */
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
