import { pino } from 'pino';
import { type Environment, type PlayerOutput, resolveTask, taskAt } from '../environment/index.ts';
import { createOrsClient, type OrsClient } from '../openapi/index.ts';
import type { Block, JSONObject, SerializedToolOutput, ToolSpec } from '../protocol/index.ts';
import { serve } from '../server/index.ts';
import { readResult } from './read-result.ts';

/** The task of an episode: given whole, or by its place. */
export type TaskChoice = { readonly task: JSONObject } | { readonly split: string; readonly index: number };

export interface PlayOptions {
  /** A running server that has the environment. Default: a server of its own, which ends with the episode. */
  readonly url?: string;
  readonly secrets?: Readonly<Record<string, string>>;
}

/** A tool answered `{"ok": false}`; the message is the server's. */
export class ToolCallError extends Error {
  override readonly name = 'ToolCallError';
}

/** An episode that a test plays. */
export interface PlayedEpisode extends AsyncDisposable {
  readonly sessionId: string;
  readonly prompt: readonly Block[];
  readonly tools: readonly ToolSpec[];
  /** @throws ToolCallError if the tool answers `ok: false`; Error with the server's message if the call fails otherwise. */
  call(name: string, input?: JSONObject): Promise<PlayerOutput>;
  /** Plays the episode by the environment's own `solve`, which must exist, and gives the output of each call. */
  solve(): Promise<readonly PlayerOutput[]>;
  /** Deletes the episode. May be called twice. */
  close(): Promise<void>;
}

/**
 * Plays one episode of an environment over the wire: what authors test environments with.
 *
 * @throws Error with the server's message if the episode cannot be created or set up.
 */
export async function play(
  environment: Environment,
  choice: TaskChoice,
  options: PlayOptions = {},
): Promise<PlayedEpisode> {
  const { url, close } = options.url
    ? { url: options.url, close: async () => undefined }
    : await serve([environment], { port: 0, log: pino({ level: 'silent' }), validateResponses: true });
  try {
    return await open(environment, createOrsClient({ baseUrl: url }), choice, options, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  environment: Environment,
  client: OrsClient,
  choice: TaskChoice,
  { secrets = {} }: PlayOptions,
  closeServer: () => Promise<void>,
): Promise<PlayedEpisode> {
  const { sid } = answered(await client.createSession());
  const header = { 'X-Session-ID': sid };
  const params = { path: { env_name: environment.name }, header };
  const source = 'task' in choice ? { task_spec: choice.task } : choice;
  const body = { env_name: environment.name, ...source, secrets: { ...secrets } };
  answered(await client.createEpisode({ params: { header }, body }));
  const prompt = answered(await client.getPrompt({ params })) as Block[];
  const { tools } = answered(await client.listTaskTools({ params }));

  const call = async (name: string, input: JSONObject = {}): Promise<PlayerOutput> => {
    const answer = await client.callTool({ params, body: { name, input } });
    if (!answer.events) throw new Error(answer.error.detail);
    const result = await readResult(answer.events);
    if (!result.ok) throw new ToolCallError(result.error);
    // The server completes every output, which the response of the standard's type cannot say.
    const output = result.output as SerializedToolOutput;
    return { ...output, text: output.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n') };
  };

  const close = async () => {
    await client.deleteEpisode({ params: { header } });
    await closeServer();
  };
  let closed: Promise<void> | undefined;
  const closeOnce = () => (closed ??= close());

  return {
    sessionId: sid,
    prompt,
    tools,
    call,
    async solve() {
      const { solve } = environment.author;
      if (!solve) throw new Error(`environment '${environment.name}' has no solve; add one to have it played`);
      const outputs: PlayerOutput[] = [];
      const task = await wholeTask(environment, choice);
      const recordingCall = async (name: string, input?: JSONObject) => {
        const output = await call(name, input);
        outputs.push(output);
        return output;
      };
      await solve({ task: task as never, prompt, tools, call: recordingCall });
      return outputs;
    },
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

const wholeTask = (environment: Environment, choice: TaskChoice): Promise<unknown> =>
  'task' in choice ? resolveTask(environment, choice.task) : taskAt(environment, choice.split, choice.index);

function answered<T>({
  data,
  error,
}: {
  data?: T | undefined;
  error?: { detail: string } | undefined;
}): NonNullable<T> {
  if (data === undefined || data === null) throw new Error(error?.detail ?? 'the server gave no answer');
  return data;
}
