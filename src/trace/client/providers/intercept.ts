import { isRecord } from '../../../protocol/index.ts';
import { type StreamWatcher, tapStream } from './tap-stream.ts';

/** Sees one call of a client: what it was given is known when this is made. */
export interface Watcher extends StreamWatcher {
  /** Its answer, where that is no stream. */
  answer(value: unknown): void;
}

export interface Interception {
  /** Which methods are watched, such as `chat.completions.create`, and by whom. */
  readonly methods: Readonly<Record<string, (params: unknown) => Watcher>>;
  /** Awaited before the caller gets an answer. */
  readonly ready: () => Promise<void>;
}

/**
 * The same client, of which some methods are watched, also where its own helpers call them. What they return behaves as
 * before: promises with methods of their own, and streams, which are the same objects.
 */
export function intercept<Client extends object>(client: Client, interception: Interception): Client {
  const paths = Object.keys(interception.methods);
  const proxies = new WeakMap<object, object>();
  const root = proxied(client, '');

  function proxied<T extends object>(target: T, path: string): T {
    const known = proxies.get(target);
    if (known) return known as T;
    const proxy = new Proxy(target, { get: (_, key) => read(target, path, key) });
    proxies.set(target, proxy);
    return proxy;
  }

  function read(target: object, path: string, key: string | symbol): unknown {
    // A getter may read private fields, which a proxy has not.
    const value: unknown = Reflect.get(target, key, target);
    if (typeof key === 'symbol') return value;
    // Helpers of a resource find the client by this name.
    if (path !== '' && key === '_client') return root;
    const place = path === '' ? key : `${path}.${key}`;
    const watch = interception.methods[place];
    if (watch && typeof value === 'function') {
      return (...args: unknown[]) => {
        const watcher = watch(args[0]);
        return watchAnswer(Reflect.apply(value, target, args), watcher, interception.ready);
      };
    }
    const leads = paths.some((each) => each.startsWith(`${place}.`));
    if (isRecord(value) && (leads || '_client' in value)) return proxied(value, place);
    if (typeof value !== 'function' || path !== '') return value;
    if (key !== 'withOptions') return value.bind(target);
    return (...args: unknown[]) => intercept(Reflect.apply(value, target, args) as object, interception);
  }

  return root;
}

const WAITING: readonly (string | symbol)[] = ['then', 'catch', 'finally', 'withResponse'];

/** A promise is watched when somebody waits for what it parses; whoever wants the bare response reads it alone. */
function watchAnswer(answer: unknown, watcher: Watcher, ready: () => Promise<void>): unknown {
  if (!isRecord(answer) || typeof answer.then !== 'function') return answer;
  let isWatched = false;
  return new Proxy(answer, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      // Helpers derive promises with it, which parse the answer instead.
      if (key === '_thenUnwrap') {
        return (...args: unknown[]) => watchAnswer(Reflect.apply(value, target, args), watcher, ready);
      }
      if (!WAITING.includes(key)) return value.bind(target);
      if (!isWatched) {
        isWatched = true;
        // Before whoever waits, who learns of the failure too.
        (target as unknown as Promise<unknown>).then((found) => receive(found, watcher)).catch(() => undefined);
      }
      return (...args: unknown[]) => ready().then(() => Reflect.apply(value, target, args));
    },
  });
}

function receive(value: unknown, watcher: Watcher): void {
  if (isRecord(value) && typeof value[Symbol.asyncIterator as never] === 'function') tapStream(value, watcher);
  else watcher.answer(value);
}
