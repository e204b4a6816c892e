import { randomUUID } from 'node:crypto';
import type { ReceivedRequest, ScriptedHandler, ScriptedHandlers, ScriptedReply } from './exchange.ts';

/** Environments of the scripted server. Checks play the second, because requests without env_name get the first. */
export const ENVIRONMENTS = ['gallery', 'lab'];
export const ENVIRONMENT = 'lab';
export const PROMPT_TEXT = 'Repeat the given text.';

const TASKS = [
  { id: 'lab-0', level: 1 },
  { id: 'lab-1', level: 2 },
];

export const TOOLS = [
  {
    name: 'echo',
    description: 'Returns the text.',
    input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  { name: 'finish', description: 'Ends the episode.', input_schema: null },
];

/** A task tool. */
export const TASK_TOOL = { name: 'hint', description: 'Returns a hint.', input_schema: null };

/** State of a scripted server. */
export interface ScriptedServerState {
  /** Session ids in the order of issue. */
  readonly sids: string[];
  /** Ids of the calls, in the order of their first requests. */
  readonly taskIds: Set<string>;
}

/** Returns the task_id that a call names, or a new one. */
export function taskIdOf({ taskIds }: ScriptedServerState, { json }: ReceivedRequest): string {
  const taskId = typeof json.task_id === 'string' ? json.task_id : randomUUID().replaceAll('-', '');
  taskIds.add(taskId);
  return taskId;
}

/** Returns the JSON of a result with one text block; `more` adds or replaces fields of the output. */
export const resultJson = (text: string, more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    ok: true,
    output: { blocks: [{ text, detail: null, type: 'text' }], metadata: null, reward: null, finished: false, ...more },
  });

/** Returns the handlers of a server that follows the standard. */
export function defaultHandlers(world: ScriptedServerState): ScriptedHandlers {
  const replySid: ScriptedHandler = ({ sid }, reply) => reply.json(200, { sid: sid ?? world.sids.at(-1) ?? '' });
  const range = ({ start, stop }: ReceivedRequest['json']) =>
    TASKS.slice(start as number, (stop as number | null) ?? undefined);
  return {
    health: (_, reply) => reply.json(200, { status: 'ok' }),
    list_environments: (_, reply) => reply.json(200, ENVIRONMENTS),
    create_session: (request, reply) => issueSession(world, request, reply),
    create: replySid,
    ping: (_, reply) => reply.json(200, { status: 'ok' }),
    delete: replySid,
    delete_session: replySid,
    tools: (_, reply) => reply.json(200, { tools: TOOLS }),
    splits: (_, reply) => reply.json(200, [{ name: 'train', type: 'train' }]),
    tasks: ({ environment }, reply) => reply.json(200, { tasks: TASKS, env_name: environment ?? ENVIRONMENT }),
    num_tasks: (_, reply) => reply.json(200, { num_tasks: TASKS.length }),
    task: ({ environment, json }, reply) =>
      reply.json(200, { task: TASKS[Number(json.index)] ?? TASKS[0], env_name: environment ?? ENVIRONMENT }),
    task_range: ({ environment, json }, reply) =>
      reply.json(200, { tasks: range(json), env_name: environment ?? ENVIRONMENT }),
    task_tools: (_, reply) => reply.json(200, { tools: [...TOOLS, TASK_TOOL] }),
    prompt: (_, reply) => reply.json(200, [{ text: PROMPT_TEXT, detail: null, type: 'text' }]),
    call: (request, reply) => answerCall(world, request, reply),
    // The extensions are absent, as on older servers.
    messages: (_, reply) => reply.json(404, { detail: 'Not Found' }),
    score_group: (_, reply) => reply.json(404, { detail: 'Not Found' }),
    other: ({ path }, reply) =>
      path === '/version' ? reply.json(200, { version: '1.0' }) : reply.json(404, { detail: 'Not Found' }),
  };
}

/** Issues a session id: as JSON, unless the client accepts only event streams. */
async function issueSession(world: ScriptedServerState, request: ReceivedRequest, reply: ScriptedReply): Promise<void> {
  const sid = randomUUID();
  world.sids.push(sid);
  const accept = request.header('accept') ?? '';
  if (!accept.includes('text/event-stream') || accept.includes('application/json')) return reply.json(200, { sid });
  reply.stream();
  await reply.event('task_id', sid);
  await reply.endWith('end', JSON.stringify({ sid }));
}

async function answerCall(world: ScriptedServerState, request: ReceivedRequest, reply: ScriptedReply): Promise<void> {
  const { name, input } = request.json;
  reply.stream();
  await reply.event('task_id', taskIdOf(world, request));
  await reply.endWith('end', resultOf(name, input));
}

function resultOf(name: unknown, input: unknown): string {
  const { text } = { text: undefined, ...(input as { text?: unknown } | null) };
  if (name === 'echo') return resultJson(String(text));
  if (name === 'finish') return resultJson('done', { reward: 1, finished: true });
  return JSON.stringify({ ok: false, error: `Tool '${String(name)}' failed: unknown tool` });
}
