import type { Session, ToolFormat } from '../../client/index.ts';
import { overrideMethods } from '../../core/index.ts';
import { type Block, type Message, plainPrompt, type ToolSpec } from '../../protocol/index.ts';

interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly format?: ToolFormat;
}

/** What the agent of an episode reads at its start. */
interface EpisodeReads {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly prompt: (options: Pick<ReadOptions, 'signal'>) => Promise<readonly Block[]>;
}

/**
 * Reads the conversation and the tools of a new episode, which the server sends after setup, and returns a session that
 * does not request them again: many environments in Python prepare the episode when its prompt is read.
 *
 * If setup fails, the episode is deleted.
 */
export async function readEpisode(session: Session, signal: AbortSignal): Promise<Session> {
  try {
    const messages = await session.messages({ signal });
    const tools = await session.tools({ signal });
    // An environment may have a prompt that differs from its conversation.
    let plain = plainPrompt(messages);
    const prompt: EpisodeReads['prompt'] = async ({ signal }) => {
      plain ??= await session.prompt(signal && { signal });
      return plain;
    };
    return withReads(session, { messages, tools, prompt });
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Returns a session for a fork of an episode, whose messages are the conversation up to the fork. A model continues it as
 * if the environment had begun with it.
 *
 * @param parent the session of the episode, as `readEpisode` returned it.
 * @param calls the messages after those of the parent.
 */
export async function continueEpisode(forked: Session, parent: Session, calls: readonly Message[]): Promise<Session> {
  const messages = [...(await parent.messages()), ...calls];
  const prompt: EpisodeReads['prompt'] = ({ signal }) => parent.prompt(signal && { signal });
  return withReads(forked, { messages, tools: await parent.tools(), prompt });
}

function withReads(session: Session, { messages, tools, prompt }: EpisodeReads): Session {
  const reads = {
    async messages({ format }: ReadOptions = {}) {
      return format ? (await loadFormats()).formatMessages(messages, format) : [...messages];
    },
    async prompt({ format, ...options }: ReadOptions = {}) {
      const blocks = await prompt(options);
      return format ? (await loadFormats()).formatPrompt(blocks, format) : [...blocks];
    },
    async tools({ format }: ReadOptions = {}) {
      return format ? (await loadFormats()).formatTools(tools, format) : [...tools];
    },
  };
  return overrideMethods(session, reads);
}

const loadFormats = () => import('../../client/formats/index.ts');
