import type { JSONObject } from '../../protocol/index.ts';

/** JSON Schema of the input of a tool, which is always an object. */
export interface ObjectSchema {
  type: 'object';
  properties?: { [name: string]: object };
  required?: string[];
  [keyword: string]: unknown;
}

/** Tool in OpenAI's Chat Completions API and in OpenRouter. */
export interface OpenAITool {
  type: 'function';
  function: { name: string; description?: string; parameters: ObjectSchema };
}

/** Tool in OpenAI's Responses API. `strict` defaults to true there, which would make optional inputs required. */
export interface OpenAIResponsesTool {
  type: 'function';
  name: string;
  description?: string;
  parameters: ObjectSchema;
  strict: false;
}

/** Tool in Anthropic's Messages API. */
export interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: ObjectSchema;
}

/** Entry of `functionDeclarations` of a Gemini tool. */
export interface GoogleFunctionDeclaration {
  name: string;
  description?: string;
  /** Absent for a tool without parameters. */
  parameters?: GoogleSchema;
}

/** Type name in a Gemini schema. */
export type GoogleType = 'STRING' | 'NUMBER' | 'INTEGER' | 'BOOLEAN' | 'ARRAY' | 'OBJECT';

/** Subset of OpenAPI's schema object that both the Gemini API and Vertex AI accept. A schema has `type` or `anyOf`. */
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

/** Tool of the Model Context Protocol. */
export interface McpTool {
  name: string;
  description?: string;
  inputSchema: ObjectSchema;
}

/** Type of one tool by format. */
export interface ToolFormats {
  openai: OpenAITool;
  'openai-responses': OpenAIResponsesTool;
  anthropic: AnthropicTool;
  google: GoogleFunctionDeclaration;
  openrouter: OpenAITool;
  mcp: McpTool;
}

/** Name of a format: a model provider's API, or MCP. */
export type ToolFormat = keyof ToolFormats;

interface UserMessage<Content> {
  role: 'user';
  content: Content;
}

/** Content part of an OpenAI chat message. */
export type OpenAIPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };
/** User message of the Chat Completions API. */
export type OpenAIUserMessage = UserMessage<string | OpenAIPart[]>;
/** Tool message of the Chat Completions API. */
export interface OpenAIToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

/** Content part of the Responses API. */
export type OpenAIResponsesPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' };
/** User message of the Responses API. */
export type OpenAIResponsesUserMessage = UserMessage<OpenAIResponsesPart[]>;
/** Output of a function call in the Responses API. */
export interface OpenAIResponsesOutput {
  type: 'function_call_output';
  call_id: string;
  output: string | OpenAIResponsesPart[];
}

/** Image type that Anthropic accepts. */
export type AnthropicImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
/** Content block of the Messages API. */
export type AnthropicPart =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: AnthropicImageType; data: string } };
/** Result of a tool call in the Messages API. */
export interface AnthropicToolResult {
  type: 'tool_result';
  tool_use_id: string;
  content: AnthropicPart[];
  is_error?: true;
}
/** User message of the Messages API. */
export type AnthropicUserMessage<Part = AnthropicPart> = UserMessage<Part[]>;

/** Part of Gemini content. */
export type GooglePart = { text: string } | { inlineData: { mimeType: string; data: string } };
/** Result of a function call in Gemini content. */
export interface GoogleFunctionResponse {
  functionResponse: { id?: string; name: string; response: { output: string } | { error: string } };
}
/** User content of the Gemini API. */
export interface GoogleUserContent<Part = GooglePart> {
  role: 'user';
  parts: Part[];
}

/** Content block of the Model Context Protocol. */
export type McpContent = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };
/** Message of an MCP prompt. */
export type McpPromptMessage = UserMessage<McpContent>;
/** Result of an MCP tool call. */
export interface McpCallResult {
  content: McpContent[];
  isError?: true;
}

/** Type of a prompt by format: one user message, except for MCP, whose messages contain one block each. */
export interface PromptFormats {
  openai: OpenAIUserMessage;
  'openai-responses': OpenAIResponsesUserMessage;
  anthropic: AnthropicUserMessage;
  google: GoogleUserContent;
  openrouter: OpenAIUserMessage;
  mcp: McpPromptMessage[];
}

/** Type of the results of one turn's calls by format: the messages or items that continue the conversation. */
export interface ResultFormats {
  openai: (OpenAIToolMessage | OpenAIUserMessage)[];
  'openai-responses': OpenAIResponsesOutput[];
  anthropic: AnthropicUserMessage<AnthropicToolResult>[];
  google: GoogleUserContent<GoogleFunctionResponse | GooglePart>[];
  openrouter: (OpenAIToolMessage | OpenAIUserMessage)[];
  /** One result per call, in order. */
  mcp: McpCallResult[];
}

/** Instructions in the Chat Completions API. */
export interface OpenAISystemMessage {
  role: 'system';
  content: string | OpenAIPart[];
}
/** Tool call of an assistant message of the Chat Completions API. */
export interface OpenAIToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}
/** Assistant message of the Chat Completions API. `reasoning_content` is the field of DeepSeek, vLLM and SGLang. */
export interface OpenAIAssistantMessage {
  role: 'assistant';
  content: string | OpenAIPart[] | null;
  reasoning_content?: string;
  tool_calls?: OpenAIToolCall[];
}
/** Message of the Chat Completions API. */
export type OpenAIMessage = OpenAISystemMessage | OpenAIUserMessage | OpenAIAssistantMessage | OpenAIToolMessage;

/** Item of the input of the Responses API. */
export type OpenAIResponsesItem =
  | { role: 'system'; content: OpenAIResponsesPart[] }
  | OpenAIResponsesUserMessage
  | { role: 'assistant'; content: { type: 'output_text'; text: string }[] }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | OpenAIResponsesOutput;

/** Reasoning in the Messages API, which accepts it only with the signature that it created. */
export interface AnthropicThinking {
  type: 'thinking';
  thinking: string;
  signature?: string;
}
/** Tool call in the Messages API. */
export interface AnthropicToolUse {
  type: 'tool_use';
  id: string;
  name: string;
  input: JSONObject;
}
/** Assistant message of the Messages API. */
export interface AnthropicAssistantMessage {
  role: 'assistant';
  content: (AnthropicPart | AnthropicThinking | AnthropicToolUse)[];
}
/** Conversation of the Messages API, as fields of a request. */
export interface AnthropicConversation {
  /** Absent without instructions. */
  system?: string;
  messages: (AnthropicUserMessage<AnthropicPart | AnthropicToolResult> | AnthropicAssistantMessage)[];
}

/** Reasoning in Gemini content. */
export interface GoogleThought {
  text: string;
  thought: true;
  thoughtSignature?: string;
}
/** Tool call in Gemini content. */
export interface GoogleFunctionCall {
  functionCall: { id?: string; name: string; args: JSONObject };
}
/** Content of a Gemini model. */
export interface GoogleModelContent {
  role: 'model';
  parts: (GooglePart | GoogleThought | GoogleFunctionCall)[];
}
/** Conversation of the Gemini API, as fields of a request. */
export interface GoogleConversation {
  /** Absent without instructions. */
  systemInstruction?: { parts: { text: string }[] };
  contents: (GoogleUserContent<GoogleFunctionResponse | GooglePart> | GoogleModelContent)[];
}

/** Message of a conversation in MCP, which has no further roles. */
export interface McpMessage {
  role: 'user' | 'assistant';
  content: McpContent;
}

/** Type of a conversation by format. */
export interface MessageFormats {
  openai: OpenAIMessage[];
  'openai-responses': OpenAIResponsesItem[];
  anthropic: AnthropicConversation;
  google: GoogleConversation;
  openrouter: OpenAIMessage[];
  /** One message per block. */
  mcp: McpMessage[];
}

/** Tool call with the names that either the model or the environment uses. */
export interface NamedToolCall {
  readonly name: string;
  readonly input: JSONObject;
}
