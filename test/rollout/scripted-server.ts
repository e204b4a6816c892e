import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { OrsClient } from 'ors-kit/client';
import {
  type Agent,
  type CandidateRecord,
  createRunFolder,
  type EpisodeRecord,
  type GroupRecord,
  openRunFolder,
  type RolloutOptions,
  type RolloutOutcome,
  type RunPlan,
  rollout,
} from '../../src/rollout/index.ts';
import { newFolder } from '../trace/store/stores.ts';

/** Result of a call: an output, a refusal, or a crash. */
export type ScriptedResult =
  | { readonly text?: string; readonly reward?: number | null; readonly finished?: boolean }
  | { readonly error: string; readonly reason?: string }
  | { readonly crash: string };

/** Environment of a scripted server, which speaks the wire of openreward 0.1.167. */
export interface ScriptedEnvironment {
  readonly tasks?: number;
  readonly tools?: readonly string[];
  readonly terminal?: { readonly name: string; readonly arg: string | null } | null;
  /** Undefined: the server has no `/messages`. */
  readonly messages?: readonly object[];
  readonly prompt?: string;
  /** `calls` is the number of earlier calls of the session. */
  readonly call?: (
    call: { readonly name: string; readonly input: Record<string, unknown> },
    session: { readonly index: number; readonly calls: number },
  ) => ScriptedResult | Promise<ScriptedResult>;
  /** Undefined: the environment cannot compare rollouts. */
  readonly scoreGroup?: (candidates: readonly { readonly messages: readonly object[] }[], index: number) => unknown;
}

/** Starts a server and plays runs on it. */
export async function openScriptedStage(environment: ScriptedEnvironment) {
  const server = await startScriptedServer(environment);
  const folder = await newFolder();
  const path = join(folder.path, 'run');
  const lines = async <Row>(name: string): Promise<Row[]> => {
    const { readFile } = await import('node:fs/promises');
    const text = await readFile(join(path, name), 'utf8').catch(() => '');
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  };
  return {
    server,
    path,
    async play(
      agent: Agent,
      plan: Partial<RunPlan> = {},
      options: Partial<RolloutOptions> = {},
    ): Promise<RolloutOutcome> {
      const whole: RunPlan = {
        run: 'trial',
        url: server.url,
        environment: 'scripted',
        split: 'test',
        tasks: [{ start: 0, stop: null }],
        samples: 1,
        agent: 'tester',
        limits: { turns: 20, tokens: null, seconds: null },
        reducer: 'sum',
        pass: 1,
        started_at: '2026-01-02T03:04:05.000Z',
        settings: {},
        ...plan,
      };
      await using run = await createRunFolder(path, whole).catch(() => openRunFolder(path));
      await using client = new OrsClient(server.url, { retry: { budgetMs: 2_000 } });
      return await rollout({ client, folder: run, agent, attempts: 1, ...options });
    },
    rewards: () => lines<EpisodeRecord>('rewards.jsonl'),
    failures: () => lines<{ kind: string; message: string }>('failures.jsonl'),
    groups: () => lines<GroupRecord>('groups.jsonl'),
    candidates: () => lines<CandidateRecord>('candidates.jsonl'),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function startScriptedServer(environment: ScriptedEnvironment) {
  const requests: { readonly path: string; readonly sid: string; readonly body: Record<string, unknown> }[] = [];
  const sessions = new Map<string, { index: number; calls: number }>();
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const path = request.url ?? '';
    const sid = String(request.headers['x-session-id'] ?? '');
    requests.push({ path, sid, body });
    await respond(environment, sessions, { path, sid, body }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Returns the requests of one path. */
    to: (path: string) => requests.filter((one) => one.path === path),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const text = Buffer.concat(parts).toString();
  return text ? JSON.parse(text) : {};
}

interface ScriptedRequest {
  readonly path: string;
  readonly sid: string;
  readonly body: Record<string, unknown>;
}

async function respond(
  environment: ScriptedEnvironment,
  sessions: Map<string, { index: number; calls: number }>,
  { path, sid, body }: ScriptedRequest,
  response: ServerResponse,
): Promise<void> {
  const { tasks = 1, prompt = 'Go.', messages, scoreGroup } = environment;
  const session = sessions.get(sid);
  const json = (value: unknown, status = 200) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  };
  const taskList = Array.from({ length: tasks }, (_, n) => ({ n }));
  if (path === '/create_session') return json({ sid: randomUUID() });
  if (path === '/create') {
    sessions.set(sid, { index: Number(body.index), calls: 0 });
    return json({ sid });
  }
  if (path === '/ping' || path === '/delete') return json({ sid });
  if (path === '/scripted/num_tasks') return json({ num_tasks: tasks });
  if (path === '/scripted/task_range') {
    return json({ tasks: taskList.slice(Number(body.start ?? 0), Number(body.stop ?? tasks)) });
  }
  if (!session) return json({ detail: 'Not Found' }, 404);
  if (path === '/scripted/prompt') return json([{ type: 'text', text: prompt, detail: null }]);
  if (path === '/scripted/messages' && messages) return json(messages);
  if (path === '/scripted/task_tools') return json(toolList(environment));
  if (path === '/scripted/call') return stream(response, await callResult(environment, session, body));
  if (path === '/scripted/score_group' && scoreGroup) {
    const candidates = body.candidates as { messages: object[] }[];
    return stream(response, await scores(() => scoreGroup(candidates, session.index)));
  }
  return json({ detail: 'Not Found' }, 404);
}

const toolList = ({ tools = [], terminal = null, scoreGroup }: ScriptedEnvironment) => ({
  tools: tools.map((name) => ({ name, description: name, input_schema: { type: 'object', properties: {} } })),
  terminal_tool: terminal && { ...terminal, description: 'Grades.' },
  supports_score_group: scoreGroup !== undefined,
  message_block_types: ['text', 'image', 'reasoning', 'tool_call', 'tool_result'],
});

type StreamEnd = readonly [event: 'end' | 'error', data: string];

async function callResult(
  { call }: ScriptedEnvironment,
  session: { readonly index: number; calls: number },
  { name, input }: Record<string, unknown>,
): Promise<StreamEnd> {
  const state = { ...session };
  session.calls += 1;
  const result = await call?.({ name: String(name), input: input as Record<string, unknown> }, state);
  if (!result) return ['end', JSON.stringify({ ok: false, error: 'no script', reason: 'not_found' })];
  if ('crash' in result) return ['error', result.crash];
  if ('error' in result) return ['end', JSON.stringify({ ok: false, reason: null, ...result })];
  const { text = 'ok', reward = null, finished = false } = result;
  const output = { blocks: [{ type: 'text', text, detail: null }], metadata: null, reward, finished };
  return ['end', JSON.stringify({ ok: true, output })];
}

async function scores(work: () => unknown): Promise<StreamEnd> {
  try {
    return ['end', JSON.stringify({ scores: await work() })];
  } catch (error) {
    return ['error', (error as Error).message];
  }
}

function stream(response: ServerResponse, [event, data]: StreamEnd): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.end(`event: task_id\ndata: ${randomUUID()}\n\nevent: ${event}\ndata: ${data}\n\n`);
}
