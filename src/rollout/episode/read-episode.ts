import type { Session, ToolFormat } from '../../client/index.ts';
import { overrideMethods } from '../../core/index.ts';
import { plainPrompt } from '../../protocol/index.ts';

interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly format?: ToolFormat;
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
    let prompt = plainPrompt(messages);
    const cached = {
      async messages({ format }: ReadOptions = {}) {
        return format ? (await loadFormats()).formatMessages(messages, format) : [...messages];
      },
      async prompt({ format, signal }: ReadOptions = {}) {
        // An environment may have a prompt that differs from its conversation.
        prompt ??= await session.prompt(signal && { signal });
        return format ? (await loadFormats()).formatPrompt(prompt, format) : [...prompt];
      },
      async tools({ format }: ReadOptions = {}) {
        return format ? (await loadFormats()).formatTools(tools, format) : [...tools];
      },
    };
    return overrideMethods(session, cached);
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
}

const loadFormats = () => import('../../client/formats/index.ts');
