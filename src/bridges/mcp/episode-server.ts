import { formatTools, restoreCall } from '../../client/index.ts';
import { errorMessage, isRecord } from '../../core/index.ts';
import type { JSONObject, ToolSpec } from '../../protocol/index.ts';
import { playSession, type SessionPlayer, type VisibleResult } from '../session/index.ts';
import { MCP_PROMPT, toMcpPrompt } from './mcp-prompt.ts';
import type { McpEpisodeOptions, McpSession } from './options.ts';
import { createRewardRows } from './reward-row.ts';
import { loadServerSdk, type ServerSdk } from './sdk.ts';

/** Tells a client that a call still runs, so that those who wait for so long only go on waiting. */
const PROGRESS_MS = 10_000;

/** What a client sees of an episode, and its end. */
export async function createEpisodeServer(session: McpSession, options: McpEpisodeOptions) {
  const sdk = await loadServerSdk();
  const [tools, prompt] = [await session.tools(), toMcpPrompt(await session.prompt())];
  const rows = createRewardRows(session, options.onReward ?? (() => {}));
  const player = playSession(session, {
    onResult(result) {
      rows.add(result);
      options.onResult?.(result);
    },
  });
  const { name = session.environment, version = '1' } = options;
  const server = new sdk.Server(
    { name, version },
    { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions: prompt.instructions },
  );
  showPrompt(server, sdk, prompt);
  const calls = showTools(server, sdk, tools, player);
  let closed: Promise<void> | undefined;
  return {
    server,
    /** Settles when no call runs. */
    calls: () => Promise.allSettled(calls),
    /** Deletes the episode, and tells its total. */
    close: () =>
      (closed ??= (async () => {
        try {
          await session.close();
        } finally {
          await Promise.allSettled(calls);
          rows.close();
          await server.close();
        }
      })()),
  };
}

type McpSdkServer = InstanceType<ServerSdk['Server']>;

function showPrompt(
  server: McpSdkServer,
  sdk: ServerSdk,
  { messages, contents }: ReturnType<typeof toMcpPrompt>,
): void {
  const { name, uri, description } = MCP_PROMPT;
  server.setRequestHandler(sdk.ListPromptsRequestSchema, () => ({ prompts: [{ name, description }] }));
  server.setRequestHandler(sdk.GetPromptRequestSchema, ({ params }) => {
    if (params.name === name) return { description, messages };
    throw new sdk.McpError(sdk.ErrorCode.InvalidParams, `there is no prompt '${params.name}'; there is: ${name}`);
  });
  const resource = { uri, name, description, mimeType: contents[0]?.mimeType ?? 'text/plain' };
  server.setRequestHandler(sdk.ListResourcesRequestSchema, () => ({ resources: [resource] }));
  server.setRequestHandler(sdk.ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(sdk.ReadResourceRequestSchema, ({ params }) => {
    if (params.uri === uri) return { contents };
    throw new sdk.McpError(sdk.ErrorCode.InvalidParams, `there is no resource '${params.uri}'; there is: ${uri}`);
  });
}

/** Gives the calls that run. */
function showTools(
  server: McpSdkServer,
  sdk: ServerSdk,
  tools: readonly ToolSpec[],
  player: SessionPlayer,
): Set<Promise<unknown>> {
  const running = new Set<Promise<unknown>>();
  const listed = formatTools(tools, 'mcp');
  server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({ tools: listed }));
  server.setRequestHandler(sdk.CallToolRequestSchema, async ({ params }, extra) => {
    const { progressToken } = params._meta ?? {};
    let progress = 0;
    const tick = () =>
      void extra
        .sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress: ++progress },
        } as never)
        .catch(() => {});
    const timer = progressToken === undefined ? undefined : setInterval(tick, PROGRESS_MS);
    // What came over JSON is JSON.
    const input = isRecord(params.arguments) ? (params.arguments as JSONObject) : {};
    const call = restoreCall({ name: params.name, input }, tools, 'mcp');
    const response = player
      .call(call.name, call.input, extra.signal)
      .catch((error: unknown) => failed(call.name, error));
    running.add(response);
    try {
      const { blocks, isError } = await response;
      return { content: [...blocks], ...(isError && { isError }) };
    } finally {
      running.delete(response);
      clearInterval(timer);
    }
  });
  return running;
}

/** A tool that failed by itself: there is nobody but the model to tell. */
function failed(tool: string, error: unknown): VisibleResult {
  const message = errorMessage(error);
  return { blocks: [{ type: 'text', text: `Tool '${tool}' failed by itself: ${message}` }], isError: true };
}
