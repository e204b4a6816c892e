import { randomUUID } from 'node:crypto';
import { LINGER_MS } from '../../protocol/index.ts';
import {
  ClientRequests,
  createEpisodeServer,
  type EpisodeServer,
  type McpEpisodeOptions,
  type McpSession,
} from './episode-server.ts';
import { HttpRejection } from './http-messages.ts';
import { MessageStream } from './message-stream.ts';

/** Episode that is served over HTTP: to one client by a session, or to all clients that use its name. */
export interface HttpEpisode {
  readonly key: string;
  readonly server: EpisodeServer;
  /** Requests of the session. */
  readonly requests: ClientRequests;
  /** Streams of the session that its client can continue, by id. */
  readonly streams: Map<string, MessageStream>;
  streamCount: number;
  /** Number of responses that are open. */
  busy: number;
  lastActivityAt: number;
  isClosed: boolean;
}

export interface HttpEpisodesOptions extends McpEpisodeOptions {
  readonly idleMs: number;
  readonly maxEpisodes: number;
  readonly onError: (error: unknown) => void;
}

/** Open episodes by key. Episodes of sessions and of names have different keys, so that a name never opens a session. */
export class HttpEpisodes {
  readonly #open: () => Promise<McpSession>;
  readonly #options: HttpEpisodesOptions;
  readonly #episodes = new Map<string, HttpEpisode>();
  readonly #opening = new Map<string, Promise<HttpEpisode>>();
  #isClosed = false;

  constructor(open: () => Promise<McpSession>, options: HttpEpisodesOptions) {
    this.#open = open;
    this.#options = options;
  }

  static newSession = (): string => randomUUID();
  static sessionKey = (id: string): string => `session ${id}`;
  static nameKey = (name: string): string => `name ${name}`;

  get(key: string): HttpEpisode | undefined {
    return this.#episodes.get(key);
  }

  /** True if an episode has this key, or is being opened with it. */
  has(key: string): boolean {
    return this.#episodes.has(key) || this.#opening.has(key);
  }

  /** Returns the episode with this key, and opens it if there is none. @throws HttpRejection if all are in use. */
  async ensure(key: string): Promise<HttpEpisode> {
    const known = this.#episodes.get(key) ?? this.#opening.get(key);
    if (known) return known;
    const { maxEpisodes } = this.#options;
    const inUse = [...this.#episodes.values()].filter(({ isClosed }) => !isClosed).length + this.#opening.size;
    if (this.#isClosed || inUse >= maxEpisodes) {
      throw new HttpRejection(503, `all ${maxEpisodes} episodes are in use; try again later`);
    }
    const opening = this.#openEpisode(key);
    this.#opening.set(key, opening);
    try {
      const episode = await opening;
      this.#episodes.set(key, episode);
      // `close` did not wait for an episode that was being opened.
      if (this.#isClosed) await this.delete(episode);
      return episode;
    } finally {
      this.#opening.delete(key);
    }
  }

  async #openEpisode(key: string): Promise<HttpEpisode> {
    const session = await this.#open();
    try {
      const server = await createEpisodeServer(session, this.#options);
      const state = { streamCount: 0, busy: 0, lastActivityAt: Date.now(), isClosed: false };
      return { key, server, requests: new ClientRequests(), streams: new Map(), ...state };
    } catch (error) {
      await session.close().catch(this.#options.onError);
      throw error;
    }
  }

  /** Ends an episode, but keeps its server, which explains that it is over. @throws errors of the session. */
  async end(episode: HttpEpisode): Promise<void> {
    episode.isClosed = true;
    episode.requests.cancelAll();
    await episode.server.close();
  }

  /** Ends an episode and forgets it. @throws errors of the session. */
  async delete(episode: HttpEpisode): Promise<void> {
    if (this.#episodes.get(episode.key) === episode) this.#episodes.delete(episode.key);
    try {
      await this.end(episode);
    } finally {
      for (const stream of episode.streams.values()) stream.end();
    }
  }

  async #deleteAll(episodes: readonly HttpEpisode[]): Promise<void> {
    await Promise.all(episodes.map((episode) => this.delete(episode).catch(this.#options.onError)));
  }

  /** Deletes idle episodes. */
  sweep(): Promise<void> {
    const isIdle = ({ busy, server, lastActivityAt }: HttpEpisode) =>
      busy === 0 && server.runningCalls === 0 && Date.now() - lastActivityAt >= this.#options.idleMs;
    return this.#deleteAll([...this.#episodes.values()].filter(isIdle));
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#deleteAll([...this.#episodes.values()]);
  }
}

/** Creates a stream that the client of a session can continue until a minute after its end. */
export function createStream(episode: HttpEpisode): MessageStream {
  const { streams } = episode;
  const id = String(++episode.streamCount);
  const stream = new MessageStream({ id, onEnd: () => void setTimeout(() => streams.delete(id), LINGER_MS).unref() });
  streams.set(id, stream);
  return stream;
}
