import { type TaskSelector, ToolCallError } from '../client/index.ts';
import { type Environment, Episode, type PlayerOutput } from '../environment/index.ts';
import { type Block, type JSONObject, joinText } from '../protocol/index.ts';
import type { EpisodePlayer } from './player.ts';
import { resolveFullTask } from './whole-task.ts';

/** Plays without a server: calls run as they come, and errors are those that the environment threw. */
export async function playInProcess(
  environment: Environment,
  choice: TaskSelector,
  secrets: Readonly<Record<string, string>>,
): Promise<EpisodePlayer> {
  const sessionId = crypto.randomUUID();
  const abort = new AbortController();
  const failures: unknown[] = [];
  const episode = new Episode(environment, await resolveFullTask(environment, choice), {
    sessionId,
    secrets,
    signal: abort.signal,
    warn: (message) => process.emitWarning(message),
    onError: (_what, error) => void failures.push(error),
  });
  const close = async () => {
    abort.abort(new Error('the episode is over'));
    await episode.teardown();
    if (failures.length > 0) throw failures[0];
  };
  try {
    await episode.setup();
    return {
      sessionId,
      prompt: (await episode.prompt()) as readonly Block[],
      tools: [...episode.tools.values()].map(({ spec }) => spec),
      call: caller(episode, sessionId),
      close,
    };
  } catch (error) {
    // What setup threw says more than what teardown makes of it.
    await close().catch(() => undefined);
    throw error;
  }
}

function caller(episode: Episode, sid: string): EpisodePlayer['call'] {
  let isFinished = false;
  return async (name, input = {}): Promise<PlayerOutput> => {
    const refuse = (reason: string) => new ToolCallError(`Tool '${name}' failed: ${reason}`, { sid });
    if (!episode.tools.has(name))
      throw refuse(`unknown tool; this episode has: ${[...episode.tools.keys()].join(', ')}`);
    if (isFinished) throw refuse('the episode is finished; no tool runs after that');
    // The tool gets a value of its own, of what JSON can say, as it does over the wire.
    const run = await episode.run(name, JSON.parse(JSON.stringify(input)) as JSONObject);
    if (!run.ok) throw refuse(run.reason);
    isFinished ||= run.output.finished;
    return { ...run.output, text: joinText(run.output.blocks) };
  };
}
