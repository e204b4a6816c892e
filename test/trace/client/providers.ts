import { expect } from '@jest/globals';
import type { StitchedMessage } from '../../../generated/trace.ts';
import type { TraceHandle } from '../../../src/trace/client/index.ts';
import { connect, startStore } from './stage.ts';

/** Stand-ins for the packages of the providers, which promise, parse and stream as those do. */

interface Answer {
  /** What the provider's server sends; a list is a stream. */
  readonly body: unknown;
  /** Whether the stream breaks after what it sends. */
  readonly breaks?: boolean;
}

/** Parses the body when somebody waits, once, as the packages' own promises do. */
class ApiPromise<T> extends Promise<T> {
  readonly #response: Promise<Response & { taken?: boolean }>;
  readonly #parse: (response: Response) => Promise<T>;
  #parsed: Promise<T> | undefined;

  constructor(response: Promise<Response>, parse: (response: Response) => Promise<T>) {
    super((resolve) => resolve(null as T));
    this.#response = response;
    this.#parse = parse;
  }

  static override get [Symbol.species]() {
    return Promise;
  }

  asResponse(): Promise<Response> {
    return this.#response;
  }

  async withResponse(): Promise<{ data: T; response: Response }> {
    return { data: await this.#parsedOnce(), response: await this.#response };
  }

  _thenUnwrap<U>(change: (data: T) => U): ApiPromise<U> {
    return new ApiPromise(this.#response, async (response) => change(await this.#parse(response)));
  }

  // biome-ignore lint/suspicious/noThenProperty: it parses when somebody waits, as the packages' own promises do
  override then<A = T, B = never>(
    onData?: ((data: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#parsedOnce().then(onData, onError);
  }

  #parsedOnce(): Promise<T> {
    this.#parsed ??= this.#response.then(this.#parse);
    return this.#parsed;
  }
}

class Stream implements AsyncIterable<unknown> {
  readonly controller = new AbortController();
  private readonly iterator: () => AsyncIterator<unknown>;

  constructor(iterator: () => AsyncIterator<unknown>) {
    this.iterator = iterator;
  }

  [Symbol.asyncIterator](): AsyncIterator<unknown> {
    return this.iterator();
  }
}

function streamOf(items: readonly unknown[], breaks: boolean): Stream {
  const stream: Stream = new Stream(async function* () {
    for (const item of items) {
      if (stream.controller.signal.aborted) return;
      yield structuredClone(item);
    }
    if (breaks) throw new Error('the connection broke');
  });
  return stream;
}

/** A client with methods at some paths that answer what is given, one after the other, and remember what they got. */
function fakeClient(answers: readonly (Answer | Error)[]) {
  const requests: unknown[] = [];
  const left = [...answers];
  // biome-ignore lint/suspicious/noExplicitAny: it has the methods of every provider
  type Any = any;

  class Resource {
    _client: Client;
    constructor(client: Client) {
      this._client = client;
    }
    create(params: unknown): ApiPromise<Any> {
      return this._client.post(params);
    }
    /** Derives a promise, as `parse` of the packages does. */
    parse(params: unknown): ApiPromise<Any> {
      return (this._client as Any).chat.completions
        .create(params)
        ._thenUnwrap((data: object) => ({ ...data, parsed: true }));
    }
    /** Creates and reads a stream by itself, as `stream` of the packages does. */
    async stream(params: object): Promise<unknown[]> {
      const { data } = await this.create({ ...params, stream: true }).withResponse();
      const items: unknown[] = [];
      for await (const item of data) items.push(item);
      return items;
    }
  }

  class Client {
    readonly #key = 'private';
    readonly chat = { completions: new Resource(this) };
    readonly responses = new Resource(this);
    readonly messages = new Resource(this);
    readonly beta = { messages: new Resource(this) };

    post(params: unknown): ApiPromise<unknown> {
      // What is not this object has no such field.
      if (this.#key !== 'private') throw new Error('not a client');
      requests.push(structuredClone(params));
      const answer = left.shift() ?? new Error('there is no answer left');
      const response = answer instanceof Error ? Promise.reject(answer) : Promise.resolve(Response.json(answer.body));
      response.catch(() => undefined);
      return new ApiPromise(response, async (got) => {
        const body = (await got.json()) as unknown;
        return Array.isArray(body) ? streamOf(body, (answer as Answer).breaks ?? false) : body;
      });
    }

    get key(): string {
      return this.#key;
    }

    withOptions(): Client {
      return this;
    }
  }

  return { client: new Client() as Any, requests };
}

/** A client of a provider whose conversation is logged, and what the store has of it. */
export async function converse(
  // biome-ignore lint/suspicious/noExplicitAny: it has the methods of every provider
  wrap: (client: any, trace: TraceHandle) => any,
  ...answers: (Answer | Error)[]
) {
  const store = await startStore();
  const traces = connect(store.url);
  const trace = traces.createTrace();
  const { client, requests } = fakeClient(answers);
  return {
    client: wrap(client, trace),
    requests,
    trace,
    async messages(): Promise<StitchedMessage[]> {
      expect((await traces.flush()).failed).toEqual([]);
      expect(traces.told).toEqual([]);
      return (await store.stitched(trace.id)).messages;
    },
    async [Symbol.asyncDispose]() {
      await traces.close();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** Who said what, and what hangs under it. */
export const outline = (messages: readonly StitchedMessage[]) =>
  messages.map(({ payload, thinks, tool_calls }) => [
    payload.role,
    payload.content,
    ...thinks.map((think) => ({ think: think.payload.text })),
    ...tool_calls.map(({ payload: call, tool_results }) => ({
      [call.name]: call.arguments,
      gave: tool_results.map((result) => result.payload.output),
    })),
  ]);
