import type { components } from '../../generated/ors.ts';

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
/** What running a tool gives, in the form that every peer may write. Source: data types, "ToolOutput". */
export type ToolOutput = Schemas['ToolOutput'];
/** The result of a call: `ok` tells an output from an error. Source: data types, "RunToolOutput". */
export type RunToolOutput = Schemas['RunToolOutput'];
/** A tool's output as this server sends it, with every nullable field present. Source: tools, "Wire Format". */
export type SerializedToolOutput = Schemas['SerializedToolOutput'];
/** Content as this server sends it, with every nullable field present. */
export type SerializedBlock = Schemas['SerializedBlock'];

/** A named list of tasks. Source: data types, "Split". */
export type Split = Schemas['Split'];
/** The request that creates an episode. Source: data types, "CreateSession". */
export type CreateSession = Schemas['CreateSession'];
