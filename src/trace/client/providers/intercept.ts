import { isRecord, tryParseJson } from '../../../core/index.ts';

/** Observes what is read from a stream. */
interface StreamObserver {
  item(value: unknown): void;
  /** Called when the stream was read to its end, abandoned, or broken. */
  end(error?: unknown): void;
}

/** Observes one call; created with its parameters. */
export interface CallObserver extends StreamObserver {
  /** Receives a response that is not a stream. */
  response(value: unknown): void;
}

interface InterceptOptions {
  /** Creates the observer of a call, by the path of the method, such as `chat.completions.create`. */
  readonly methods: Readonly<Record<string, (params: unknown) => CallObserver>>;
  /** Awaited before the caller receives a response. */
  readonly ready: () => Promise<void>;
}

type Method = (...args: unknown[]) => unknown;

/**
 * Wraps a client to observe calls of some methods, including calls by its own helpers. Return values behave as before:
 * promises keep their additional methods, and streams are the same objects.
 */
export function intercept<Client extends object>(client: Client, { methods, ready }: InterceptOptions): Client {
  const proxies = new WeakMap<object, object>();
  const replaced = new WeakMap<object, Method>();
  const root = proxied(client, '');

  function proxied<T extends object>(target: T, path: string): T {
    const known = proxies.get(target);
    if (known) return known as T;
    const proxy = new Proxy(target, {
      get: (_, key) => read(target, path, key),
      // The receiver is the target, because setters can write private fields, which a proxy does not have.
      set: (_, key, value) => Reflect.set(target, key, value, target),
    });
    proxies.set(target, proxy);
    return proxy;
  }

  function read(target: object, path: string, key: string | symbol): unknown {
    const value: unknown = Reflect.get(target, key, target);
    if (path !== '' && key === '_client') return root;
    const fullPath = path === '' ? String(key) : `${path}.${String(key)}`;
    if (typeof value === 'function') return method(target, key, fullPath, value as Method);
    // Proxies only objects that contain an observed method; others keep access to their private fields.
    const isParent = Object.keys(methods).some((each) => each.startsWith(`${fullPath}.`));
    return isRecord(value) && isParent ? proxied(value, fullPath) : value;
  }

  function method(target: object, key: string | symbol, path: string, original: Method): unknown {
    const observe = Object.hasOwn(methods, path) ? methods[path] : undefined;
    // Helpers of a resource find observed methods through `this`; methods of the client use private fields.
    const isHelper = path.includes('.') || key === 'constructor' || Object.hasOwn(target, key);
    if (!observe && isHelper) return original;
    const known = replaced.get(original);
    if (known) return known;
    const replacement: Method = observe
      ? (...args) => {
          const observer = observe(args[0]);
          return observeResponse(Reflect.apply(original, target, args), observer, ready);
        }
      : (...args) => {
          const result: unknown = Reflect.apply(original, target, args);
          return key === 'withOptions' ? intercept(result as object, { methods, ready }) : result;
        };
    replaced.set(original, replacement);
    return replacement;
  }

  return root;
}

type Transform = (data: unknown, ...more: unknown[]) => unknown;

/** Methods of a response promise that parse the response. */
const PARSING_METHODS: readonly (string | symbol)[] = ['then', 'catch', 'finally', 'withResponse'];
/** Methods that return the raw response; helpers of Anthropic's package parse it themselves. */
const RAW_METHODS: readonly (string | symbol)[] = ['asResponse', '_responseProps'];

/** Observes a response promise: the parsed value if a caller waits for it, else the raw response when it is read. */
function observeResponse(response: unknown, observer: CallObserver, ready: () => Promise<void>): unknown {
  if (!isRecord(response) || typeof response.then !== 'function') return response;
  let isClaimed = false;
  /** Returns true once, so that each response is observed only once. */
  function claim(): boolean {
    if (isClaimed) return false;
    isClaimed = true;
    return true;
  }
  return observed(response);

  function observed(promise: object): unknown {
    return new Proxy(promise, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function' || key === 'constructor') return value;
        const call: Method = (...args) => Reflect.apply(value, target, args);
        if (key === '_thenUnwrap') return (transform: Transform) => observed(deriveWith(call, transform) as object);
        if (PARSING_METHODS.includes(key)) return observeParsed(target, call);
        return RAW_METHODS.includes(key) ? observeRaw(call) : call;
      },
    });
  }

  /** Observes the parsed value of a promise derived by a helper, whose transform can reject the model's output. */
  function deriveWith(thenUnwrap: Method, transform: Transform): unknown {
    return thenUnwrap((data: unknown, ...more: unknown[]) => {
      if (claim()) observeValue(data, observer);
      return transform(data, ...more);
    });
  }

  function observeParsed(target: object, call: Method): Method {
    return (...args) => {
      // Registered before the handlers of the caller, who also receives a rejection. Derived promises claim when parsing.
      if (target === response && claim()) {
        (target as Promise<unknown>).then((value) => observeValue(value, observer)).catch(() => undefined);
      }
      return ready().then(() => call(...args));
    };
  }

  function observeRaw(call: Method): Method {
    return async (...args) => {
      const result = await call(...args);
      const raw = result instanceof Response ? result : isRecord(result) ? result.response : undefined;
      if (raw instanceof Response) observeResponseBody(raw, observer, claim);
      return result;
    };
  }
}

function observeValue(value: unknown, observer: CallObserver): void {
  if (isRecord(value) && typeof value[Symbol.asyncIterator as never] === 'function') tapStream(value, observer);
  else observer.response(value);
}

/**
 * Observes a raw response that is read by `body`, `json` or `text`. The response remains the same object. Other ways to
 * read it, such as `clone`, are not observed.
 *
 * @param claim called at the first read; returns false if the response is observed elsewhere.
 */
function observeResponseBody(response: Response, observer: CallObserver, claim: () => boolean): void {
  const native = { body: response.body, json: response.json.bind(response), text: response.text.bind(response) };
  let body: ReadableStream<Uint8Array> | null | undefined;
  define('body', {
    get() {
      body ??=
        native.body && !response.bodyUsed && claim()
          ? tapBytes(native.body, readerOf(response, observer))
          : native.body;
      return body;
    },
  });
  define('json', { value: () => (claim() ? reported(native.json()) : native.json()) });
  define('text', { value: () => (claim() ? read() : native.text()) });

  function define(name: keyof Response, property: PropertyDescriptor): void {
    Object.defineProperty(response, name, { ...property, configurable: true });
  }

  async function reported(parsing: Promise<unknown>): Promise<unknown> {
    const value = await parsing;
    observer.response(value);
    return value;
  }

  async function read(): Promise<string> {
    const text = await native.text();
    const reader = readerOf(response, observer);
    reader.write(new TextEncoder().encode(text));
    reader.end();
    return text;
  }
}

/** Receives the bytes of a body. */
interface BytesReader {
  write(bytes: Uint8Array): void;
  end(error?: unknown): void;
}

const readerOf = ({ headers }: Response, observer: CallObserver): BytesReader =>
  headers.get('content-type')?.includes('text/event-stream') ? readEvents(observer) : readJson(observer);

const LINE_END = /\r\n|\n|\r/;

/** Reads events of providers, whose JSON is in one line. */
function readEvents(observer: CallObserver): BytesReader {
  const decoder = new TextDecoder();
  let rest = '';
  function parse(text: string): void {
    const lines = (rest + text).split(LINE_END);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const data = line.startsWith('data:') ? line.slice('data:'.length).trim() : '';
      if (data.startsWith('{')) observer.item(tryParseJson(data));
    }
  }
  return {
    write: (bytes) => parse(decoder.decode(bytes, { stream: true })),
    end: (error) => observer.end(error),
  };
}

function readJson(observer: CallObserver): BytesReader {
  const decoder = new TextDecoder();
  let text = '';
  return {
    write(bytes) {
      text += decoder.decode(bytes, { stream: true });
    },
    end() {
      const value = tryParseJson(text);
      // An abandoned response is incomplete JSON.
      if (value !== undefined) observer.response(value);
    },
  };
}

/** Returns a stream of the same bytes, with the same back-pressure. */
function tapBytes(body: ReadableStream<Uint8Array>, observer: BytesReader): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let isEnded = false;
  function end(error?: unknown): void {
    if (!isEnded) observer.end(error);
    isEnded = true;
  }
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { value, done } = await reader.read();
          if (done) {
            end();
            controller.close();
          } else {
            observer.write(value);
            controller.enqueue(value);
          }
        } catch (error) {
          end(error);
          controller.error(error);
        }
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

type CreateIterator = () => AsyncIterator<unknown>;
type TappedStream = { iterator?: CreateIterator; [Symbol.asyncIterator]?: CreateIterator };

/** Observes what is read from a stream; the stream remains the same object. */
function tapStream(stream: object, observer: StreamObserver): void {
  // The streams of both providers create all iterators with this method, including those of tee().
  const tapped = stream as TappedStream;
  const name = typeof tapped.iterator === 'function' ? 'iterator' : Symbol.asyncIterator;
  const create = tapped[name];
  if (!create) return;
  Object.defineProperty(stream, name, {
    value: () => tapIterator(create.call(stream), observer),
    configurable: true,
    writable: true,
  });
}

function tapIterator(iterator: AsyncIterator<unknown>, observer: StreamObserver): AsyncIterableIterator<unknown> {
  return {
    async next() {
      try {
        const result = await iterator.next();
        if (result.done) observer.end();
        else observer.item(result.value);
        return result;
      } catch (error) {
        observer.end(error);
        throw error;
      }
    },
    async return(value) {
      observer.end();
      return (await iterator.return?.(value)) ?? { done: true, value };
    },
    async throw(error) {
      observer.end(error);
      if (iterator.throw) return iterator.throw(error);
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
