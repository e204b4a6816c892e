import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JSONObject } from 'ors-kit';

/** Request for chat completions, as far as models of these tests read it. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** API key of the client. */
  readonly key: string | undefined;
}

export interface ChatMessage {
  readonly role: string;
  readonly content: string | readonly ChatPart[] | null;
}

interface ChatPart {
  readonly type: string;
  readonly text?: string;
}

export interface ChatReply {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: JSONObject }[];
}

export interface ChatServer extends AsyncDisposable {
  /** Base URL for OpenAI-compatible clients. */
  readonly url: string;
}

/** Starts an OpenAI-compatible model on loopback. It answers 404 if the function returns nothing. */
export async function startChatServer(
  respond: (request: ChatRequest) => Promise<ChatReply | undefined>,
): Promise<ChatServer> {
  const server = createServer(async (request, response) => {
    const reply = request.url === '/v1/chat/completions' ? await respond(await readRequest(request)) : undefined;
    response.writeHead(reply ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply ? toCompletion(reply) : { error: { message: 'Not Found' } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<ChatRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { model, messages } = JSON.parse(Buffer.concat(chunks).toString());
  return { model, messages, key: request.headers.authorization?.replace(/^Bearer /, '') };
}

let completions = 0;

function toCompletion({
  text = null,
  calls = [],
}: {
  readonly text?: string | null;
  readonly calls?: ChatReply['calls'];
}) {
  const id = `completion-${completions++}`;
  const tool_calls = calls.map(({ name, input }, index) => ({
    id: `${id}-call-${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const message = { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls }) };
  const choices = [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }];
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return { id, object: 'chat.completion', created: 0, model: 'scripted', choices, usage };
}

/** Returns the text of a message. */
export function chatText({ content }: ChatMessage): string {
  if (content === null || typeof content === 'string') return content ?? '';
  return content.map(({ text = '' }) => text).join('\n');
}
