import type { JSONObject } from '../../protocol/index.ts';

/** JSON Schema of an input, which is always an object. */
export interface ObjectSchema {
  type: 'object';
  properties?: { [name: string]: object };
  required?: string[];
  [keyword: string]: unknown;
}

/** A tool of OpenAI's chat completions, and of OpenRouter. */
export interface OpenAITool {
  type: 'function';
  function: { name: string; description?: string; parameters: ObjectSchema };
}

/** A tool of OpenAI's responses. Its `strict` is true where it is left out, and then optional inputs become required. */
export interface OpenAIResponsesTool {
  type: 'function';
  name: string;
  description?: string;
  parameters: ObjectSchema;
  strict: false;
}

/** A tool of Anthropic's messages. */
export interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: ObjectSchema;
}

/** One of the `functionDeclarations` of a tool of Gemini. */
export interface GoogleFunctionDeclaration {
  name: string;
  description?: string;
  /** Left out for a tool without parameters. */
  parameters?: GoogleSchema;
}

export type GoogleType = 'STRING' | 'NUMBER' | 'INTEGER' | 'BOOLEAN' | 'ARRAY' | 'OBJECT';

/** The part of OpenAPI's schema object that the Gemini API and Vertex AI both take. A schema has `type` or `anyOf`. */
export interface GoogleSchema {
  type?: GoogleType;
  format?: string;
  title?: string;
  description?: string;
  nullable?: boolean;
  enum?: string[];
  items?: GoogleSchema;
  minItems?: number;
  maxItems?: number;
  properties?: { [name: string]: GoogleSchema };
  required?: string[];
  minProperties?: number;
  maxProperties?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  anyOf?: GoogleSchema[];
}

/** A tool of the Model Context Protocol. */
export interface McpTool {
  name: string;
  description?: string;
  inputSchema: ObjectSchema;
}

/** One tool in each format. */
export interface ToolFormats {
  openai: OpenAITool;
  'openai-responses': OpenAIResponsesTool;
  anthropic: AnthropicTool;
  google: GoogleFunctionDeclaration;
  openrouter: OpenAITool;
  mcp: McpTool;
}

export type ToolFormat = keyof ToolFormats;

export type OpenAIPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };
export interface OpenAIUserMessage {
  role: 'user';
  content: string | OpenAIPart[];
}
export interface OpenAIToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

export type OpenAIResponsesPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' };
export interface OpenAIResponsesUserMessage {
  role: 'user';
  content: OpenAIResponsesPart[];
}
export interface OpenAIResponsesOutput {
  type: 'function_call_output';
  call_id: string;
  output: string | OpenAIResponsesPart[];
}

export type AnthropicImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
export type AnthropicPart =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: AnthropicImageType; data: string } };
export interface AnthropicToolResult {
  type: 'tool_result';
  tool_use_id: string;
  content: AnthropicPart[];
  is_error?: true;
}
export interface AnthropicUserMessage<Part = AnthropicPart> {
  role: 'user';
  content: Part[];
}

export type GooglePart = { text: string } | { inlineData: { mimeType: string; data: string } };
export interface GoogleFunctionResponse {
  functionResponse: { id?: string; name: string; response: { output: string } | { error: string } };
}
export interface GoogleUserContent<Part = GooglePart> {
  role: 'user';
  parts: Part[];
}

export type McpContent = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };
export interface McpPromptMessage {
  role: 'user';
  content: McpContent;
}
export interface McpCallResult {
  content: McpContent[];
  isError?: true;
}

/** A prompt in each format: one message of the user, but for MCP, whose messages hold one block each. */
export interface PromptFormats {
  openai: OpenAIUserMessage;
  'openai-responses': OpenAIResponsesUserMessage;
  anthropic: AnthropicUserMessage;
  google: GoogleUserContent;
  openrouter: OpenAIUserMessage;
  mcp: McpPromptMessage[];
}

/** The answer to the calls of one turn in each format: what follows in the conversation. */
export interface ResultFormats {
  openai: (OpenAIToolMessage | OpenAIUserMessage)[];
  'openai-responses': OpenAIResponsesOutput[];
  anthropic: AnthropicUserMessage<AnthropicToolResult>[];
  google: GoogleUserContent<GoogleFunctionResponse | GooglePart>[];
  openrouter: (OpenAIToolMessage | OpenAIUserMessage)[];
  /** One result for each call, in their order. */
  mcp: McpCallResult[];
}

/** A call in the names that a model uses or that the environment uses. */
export interface NamedToolCall {
  readonly name: string;
  readonly input: JSONObject;
}
