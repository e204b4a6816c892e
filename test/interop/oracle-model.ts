import type { Environment, JSONObject, PlayerOutput } from 'ors-kit';
import { deferred } from '../../src/core/index.ts';
import { getTaskAt } from '../../src/environment/index.ts';
import { type ChatMessage, type ChatReply, type ChatServer, chatText, startChatServer } from './chat-server.ts';

/**
 * Starts a model for each environment, under its name, which makes the calls of `solve`, one per response. Conversations
 * with it must come one after another: the first one is about task 0 of the split, the next one about task 1.
 */
export function startOracleModel(environments: readonly Environment[], split: string): Promise<ChatServer> {
  const players = new Map(environments.map((one) => [one.name, new OraclePlayer(one, split)]));
  return startChatServer(async ({ model, messages }) => players.get(model)?.respond(messages));
}

/** Turns the calls of `solve` into responses of a model. */
class OraclePlayer {
  readonly #environment: Environment;
  readonly #split: string;
  #conversations = 0;
  #reply = deferred<ChatReply>();
  #result = deferred<string>();

  constructor(environment: Environment, split: string) {
    this.#environment = environment;
    this.#split = split;
  }

  async respond(messages: readonly ChatMessage[]): Promise<ChatReply> {
    const last = messages.at(-1);
    if (last?.role === 'tool') this.#result.resolve(chatText(last));
    else void this.#solve(this.#conversations++);
    const reply = await this.#reply.promise;
    this.#reply = deferred();
    return reply;
  }

  async #solve(index: number): Promise<void> {
    const task = await getTaskAt(this.#environment, this.#split, index);
    const call = async (name: string, input: JSONObject = {}): Promise<PlayerOutput> => {
      this.#result = deferred();
      this.#reply.resolve({ calls: [{ name, input }] });
      return { blocks: [], text: await this.#result.promise, reward: null, finished: false, metadata: null };
    };
    // The conversation ends with a final message, whose grade no model sees.
    const answer = (text = ''): Promise<PlayerOutput> => {
      this.#reply.resolve({ text });
      return new Promise(() => undefined);
    };
    // The definition checked that `solve` fits the tasks.
    await this.#environment.hooks.solve?.({ task: task as never, prompt: [], tools: [], call, answer });
    this.#reply.resolve({ text: 'I am done.' });
  }
}
