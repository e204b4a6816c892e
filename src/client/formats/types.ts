import type { JSONObject } from '../../protocol/index.ts';

/**
 * JSON Schema of the input of a tool, which is always an object.
 *
 * @example
 * const parameters: ObjectSchema = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] };
 */
export interface ObjectSchema {
  type: 'object';
  properties?: { [name: string]: object };
  required?: string[];
  [keyword: string]: unknown;
}

/**
 * Tool in OpenAI's Chat Completions API and in OpenRouter.
 *
 * @example
 * const tools: OpenAITool[] = await session.tools({ format: 'openai' });
 */
export interface OpenAITool {
  type: 'function';
  function: { name: string; description?: string; parameters: ObjectSchema };
}

/**
 * Tool in OpenAI's Responses API. `strict` defaults to true there, which would make optional inputs required.
 *
 * @example
 * const tools: OpenAIResponsesTool[] = await session.tools({ format: 'openai-responses' });
 */
export interface OpenAIResponsesTool {
  type: 'function';
  name: string;
  description?: string;
  parameters: ObjectSchema;
  strict: false;
}

/**
 * Tool in Anthropic's Messages API.
 *
 * @example
 * const tools: AnthropicTool[] = await session.tools({ format: 'anthropic' });
 */
export interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: ObjectSchema;
}

/**
 * Entry of `functionDeclarations` of a Gemini tool.
 *
 * @example
 * const functionDeclarations: GoogleFunctionDeclaration[] = await session.tools({ format: 'google' });
 * const config = { tools: [{ functionDeclarations }] };
 */
export interface GoogleFunctionDeclaration {
  name: string;
  description?: string;
  /** Absent for a tool without parameters. */
  parameters?: GoogleSchema;
}

/**
 * Type name in a Gemini schema.
 *
 * @example
 * const type: GoogleType = 'STRING';
 */
export type GoogleType = 'STRING' | 'NUMBER' | 'INTEGER' | 'BOOLEAN' | 'ARRAY' | 'OBJECT';

/**
 * Subset of OpenAPI's schema object that both the Gemini API and Vertex AI accept. A schema has `type` or `anyOf`.
 *
 * @example
 * const schema: GoogleSchema = { type: 'OBJECT', properties: { x: { type: 'NUMBER' } }, required: ['x'] };
 */
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

/**
 * Tool of the Model Context Protocol.
 *
 * @example
 * const tools: McpTool[] = await session.tools({ format: 'mcp' });
 */
export interface McpTool {
  name: string;
  description?: string;
  inputSchema: ObjectSchema;
}

/**
 * Type of one tool by format.
 *
 * @example
 * const format = (tools: ToolSpec[]): ToolFormats['mcp'][] => formatTools(tools, 'mcp');
 */
export interface ToolFormats {
  openai: OpenAITool;
  'openai-responses': OpenAIResponsesTool;
  anthropic: AnthropicTool;
  google: GoogleFunctionDeclaration;
  openrouter: OpenAITool;
  mcp: McpTool;
}

/**
 * Name of a format: a model provider's API, or MCP.
 *
 * @example
 * const format: ToolFormat = 'openai';
 * const tools = await session.tools({ format });
 */
export type ToolFormat = keyof ToolFormats;

interface UserMessage<Content> {
  role: 'user';
  content: Content;
}

/**
 * Content part of an OpenAI chat message.
 *
 * @example
 * const part: OpenAIPart = { type: 'image_url', image_url: { url: 'https://example.com/plot.png' } };
 */
export type OpenAIPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };
/**
 * User message of the Chat Completions API.
 *
 * @example
 * const message: OpenAIUserMessage = await session.prompt({ format: 'openai' });
 */
export type OpenAIUserMessage = UserMessage<string | OpenAIPart[]>;
/**
 * Tool message of the Chat Completions API.
 *
 * @example
 * const message: OpenAIToolMessage = { role: 'tool', tool_call_id: 'call_1', content: 'A wall.' };
 */
export interface OpenAIToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

/**
 * Content part of the Responses API.
 *
 * @example
 * const part: OpenAIResponsesPart = { type: 'input_text', text: 'What is 2 + 2?' };
 */
export type OpenAIResponsesPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' };
/**
 * User message of the Responses API.
 *
 * @example
 * const message: OpenAIResponsesUserMessage = await session.prompt({ format: 'openai-responses' });
 */
export type OpenAIResponsesUserMessage = UserMessage<OpenAIResponsesPart[]>;
/**
 * Output of a function call in the Responses API.
 *
 * @example
 * const item: OpenAIResponsesOutput = { type: 'function_call_output', call_id: 'call_1', output: 'A wall.' };
 */
export interface OpenAIResponsesOutput {
  type: 'function_call_output';
  call_id: string;
  output: string | OpenAIResponsesPart[];
}

/**
 * Image type that Anthropic accepts.
 *
 * @example
 * const media_type: AnthropicImageType = 'image/png';
 */
export type AnthropicImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
/**
 * Content block of the Messages API.
 *
 * @example
 * const part: AnthropicPart = { type: 'text', text: 'What is 2 + 2?' };
 */
export type AnthropicPart =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: AnthropicImageType; data: string } };
/**
 * Result of a tool call in the Messages API.
 *
 * @example
 * const content: AnthropicPart[] = [{ type: 'text', text: 'A wall.' }];
 * const result: AnthropicToolResult = { type: 'tool_result', tool_use_id: 'toolu_1', content };
 */
export interface AnthropicToolResult {
  type: 'tool_result';
  tool_use_id: string;
  content: AnthropicPart[];
  is_error?: true;
}
/**
 * User message of the Messages API.
 *
 * @example
 * const message: AnthropicUserMessage = await session.prompt({ format: 'anthropic' });
 */
export type AnthropicUserMessage<Part = AnthropicPart> = UserMessage<Part[]>;

/**
 * Part of Gemini content.
 *
 * @example
 * const part: GooglePart = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
 */
export type GooglePart = { text: string } | { inlineData: { mimeType: string; data: string } };
/**
 * Result of a function call in Gemini content.
 *
 * @example
 * const part: GoogleFunctionResponse = { functionResponse: { name: 'look', response: { output: 'A wall.' } } };
 */
export interface GoogleFunctionResponse {
  functionResponse: { id?: string; name: string; response: { output: string } | { error: string } };
}
/**
 * User content of the Gemini API.
 *
 * @example
 * const content: GoogleUserContent = await session.prompt({ format: 'google' });
 */
export interface GoogleUserContent<Part = GooglePart> {
  role: 'user';
  parts: Part[];
}

/**
 * Content block of the Model Context Protocol.
 *
 * @example
 * const content: McpContent = { type: 'text', text: 'A wall.' };
 */
export type McpContent = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };
/**
 * Message of an MCP prompt.
 *
 * @example
 * const messages: McpPromptMessage[] = await session.prompt({ format: 'mcp' });
 */
export type McpPromptMessage = UserMessage<McpContent>;
/**
 * Result of an MCP tool call.
 *
 * @example
 * const result: McpCallResult = { content: [{ type: 'text', text: 'A wall.' }] };
 */
export interface McpCallResult {
  content: McpContent[];
  isError?: true;
}

/**
 * Type of a prompt by format: one user message, except for MCP, whose messages contain one block each.
 *
 * @example
 * const message: PromptFormats['google'] = formatPrompt(await session.prompt(), 'google');
 */
export interface PromptFormats {
  openai: OpenAIUserMessage;
  'openai-responses': OpenAIResponsesUserMessage;
  anthropic: AnthropicUserMessage;
  google: GoogleUserContent;
  openrouter: OpenAIUserMessage;
  mcp: McpPromptMessage[];
}

/**
 * Type of the results of one turn's calls by format: the messages or items that continue the conversation.
 *
 * @example
 * const { blocks } = await session.call('look');
 * const [result]: ResultFormats['mcp'] = formatResults([{ call: { name: 'look' }, blocks }], 'mcp');
 */
export interface ResultFormats {
  openai: (OpenAIToolMessage | OpenAIUserMessage)[];
  'openai-responses': OpenAIResponsesOutput[];
  anthropic: AnthropicUserMessage<AnthropicToolResult>[];
  google: GoogleUserContent<GoogleFunctionResponse | GooglePart>[];
  openrouter: (OpenAIToolMessage | OpenAIUserMessage)[];
  /** One result per call, in order. */
  mcp: McpCallResult[];
}

/**
 * Instructions in the Chat Completions API.
 *
 * @example
 * const message: OpenAISystemMessage = { role: 'system', content: 'Answer in one word.' };
 */
export interface OpenAISystemMessage {
  role: 'system';
  content: string;
}
/**
 * Tool call of an assistant message of the Chat Completions API.
 *
 * @example
 * const call: OpenAIToolCall = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };
 */
export interface OpenAIToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}
/**
 * Assistant message of the Chat Completions API. `reasoning_content` is the field of DeepSeek, vLLM and SGLang.
 *
 * @example
 * const message: OpenAIAssistantMessage = { role: 'assistant', content: 'The answer is 4.' };
 */
export interface OpenAIAssistantMessage {
  role: 'assistant';
  content: string | null;
  reasoning_content?: string;
  tool_calls?: OpenAIToolCall[];
}
/**
 * Message of the Chat Completions API.
 *
 * @example
 * const messages: OpenAIMessage[] = await session.messages({ format: 'openai' });
 * messages.push({ role: 'user', content: 'Think first.' });
 */
export type OpenAIMessage = OpenAISystemMessage | OpenAIUserMessage | OpenAIAssistantMessage | OpenAIToolMessage;

/**
 * Item of the input of the Responses API.
 *
 * @example
 * const input: OpenAIResponsesItem[] = await session.messages({ format: 'openai-responses' });
 */
export type OpenAIResponsesItem =
  | { role: 'system'; content: OpenAIResponsesPart[] }
  | OpenAIResponsesUserMessage
  | { role: 'assistant'; content: string }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | OpenAIResponsesOutput;

/**
 * Reasoning in the Messages API, which accepts it only with the signature that it created.
 *
 * @example
 * const block: AnthropicThinking = { type: 'thinking', thinking: 'Add both numbers.', signature: 'EqQBCgIYAhIM' };
 */
export interface AnthropicThinking {
  type: 'thinking';
  thinking: string;
  signature: string;
}
/**
 * Tool call in the Messages API.
 *
 * @example
 * const toolUse: AnthropicToolUse = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} };
 * const { name, input } = restoreCall(toolUse, await session.tools(), 'anthropic');
 */
export interface AnthropicToolUse {
  type: 'tool_use';
  id: string;
  name: string;
  input: JSONObject;
}
/**
 * Assistant message of the Messages API.
 *
 * @example
 * const message: AnthropicAssistantMessage = { role: 'assistant', content: [{ type: 'text', text: 'Four.' }] };
 */
export interface AnthropicAssistantMessage {
  role: 'assistant';
  content: (AnthropicPart | AnthropicThinking | AnthropicToolUse)[];
}
/**
 * Conversation of the Messages API, as fields of a request.
 *
 * @example
 * const { system, messages }: AnthropicConversation = await session.messages({ format: 'anthropic' });
 */
export interface AnthropicConversation {
  /** Absent without instructions. */
  system?: string;
  messages: (AnthropicUserMessage<AnthropicPart | AnthropicToolResult> | AnthropicAssistantMessage)[];
}

/**
 * Reasoning in Gemini content.
 *
 * @example
 * const part: GoogleThought = { text: 'Add both numbers.', thought: true };
 */
export interface GoogleThought {
  text: string;
  thought: true;
  thoughtSignature?: string;
}
/**
 * Tool call in Gemini content.
 *
 * @example
 * const part: GoogleFunctionCall = { functionCall: { name: 'look', args: {} } };
 */
export interface GoogleFunctionCall {
  functionCall: { id?: string; name: string; args: JSONObject };
}
/**
 * Content of a Gemini model.
 *
 * @example
 * const content: GoogleModelContent = { role: 'model', parts: [{ text: 'Four.' }] };
 */
export interface GoogleModelContent {
  role: 'model';
  parts: (GooglePart | GoogleThought | GoogleFunctionCall)[];
}
/**
 * Conversation of the Gemini API, as fields of a request.
 *
 * @example
 * const { systemInstruction, contents }: GoogleConversation = await session.messages({ format: 'google' });
 */
export interface GoogleConversation {
  /** Absent without instructions. */
  systemInstruction?: { parts: { text: string }[] };
  contents: (GoogleUserContent<GoogleFunctionResponse | GooglePart> | GoogleModelContent)[];
}

/**
 * Message of a conversation in MCP, which has no further roles.
 *
 * @example
 * const messages: McpMessage[] = await session.messages({ format: 'mcp' });
 */
export interface McpMessage {
  role: 'user' | 'assistant';
  content: McpContent;
}

/**
 * Type of a conversation by format.
 *
 * @example
 * const messages: MessageFormats['openai'] = formatMessages(await session.messages(), 'openai');
 */
export interface MessageFormats {
  openai: OpenAIMessage[];
  'openai-responses': OpenAIResponsesItem[];
  anthropic: AnthropicConversation;
  google: GoogleConversation;
  openrouter: OpenAIMessage[];
  /** One message per block. */
  mcp: McpMessage[];
}

/**
 * Tool call with the names that either the model or the environment uses.
 *
 * @example
 * const call: NamedToolCall = { name: 'files_read', input: { path: 'a.txt' } };
 * const { name, input } = restoreCall(call, await session.tools(), 'openai');
 */
export interface NamedToolCall {
  readonly name: string;
  readonly input: JSONObject;
}
