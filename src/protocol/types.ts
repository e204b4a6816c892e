import type { components } from '../../generated/ors.ts';
import { isRecord, toBase64 } from '../core/index.ts';

type Schemas = components['schemas'];

/** Any JSON value. */
export type JSONValue = Schemas['JSONValue'];
/** Any JSON object. */
export type JSONObject = Schemas['JSONObject'];

/** Text content; `detail` is for programs, not for the model. Source: data types, "TextBlock". */
export type TextBlock = Schemas['TextBlock'];
/** An image in base64; `mimeType` is a media type such as `image/png`. Source: data types, "ImageBlock". */
export type ImageBlock = Schemas['ImageBlock'];
/** A piece of content. Source: data types, "Block Types". */
export type Block = Schemas['Block'];

/** A tool as agents see it; `input_schema` is null for a tool without parameters. Source: data types, "ToolSpec". */
export type ToolSpec = Schemas['ToolSpec'];
/** Output of a tool in the form that clients and servers may send. Source: data types, "ToolOutput". */
export type ToolOutput = Schemas['ToolOutput'];
/** Result of a call; `ok` distinguishes an output from a tool error. Source: data types, "RunToolOutput". */
export type RunToolOutput = Schemas['RunToolOutput'];
/** Output of a tool as this server sends it, with all nullable fields. Source: tools, "Wire Format". */
export type SerializedToolOutput = Schemas['SerializedToolOutput'];
/** Content as this server sends it, with all nullable fields. */
export type SerializedBlock = Schemas['SerializedBlock'];

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
