import { isRecord } from '../../../core/index.ts';
import { observeResponse } from './watch-answer.ts';
import type { CallObserver } from './watcher.ts';

export interface InterceptOptions {
  /** Which methods are watched, such as `chat.completions.create`, and by whom. */
  readonly methods: Readonly<Record<string, (params: unknown) => CallObserver>>;
  /** Awaited before the caller gets an answer. */
  readonly ready: () => Promise<void>;
}

type Method = (...args: unknown[]) => unknown;

/**
 * The same client, of which some methods are watched, also where its own helpers call them. What they return behaves as
 * before: promises with methods of their own, and streams, which are the same objects.
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
      // A setter may write private fields, which a proxy has not.
      set: (_, key, value) => Reflect.set(target, key, value, target),
    });
    proxies.set(target, proxy);
    return proxy;
  }

  function read(target: object, path: string, key: string | symbol): unknown {
    // So may a getter read them.
    const value: unknown = Reflect.get(target, key, target);
    if (path !== '' && key === '_client') return root;
    const place = path === '' ? String(key) : `${path}.${String(key)}`;
    if (typeof value === 'function') return method(target, key, place, value as Method);
    // Only what leads to a watched method: others keep their private fields.
    const isOnTheWay = Object.keys(methods).some((each) => each.startsWith(`${place}.`));
    return isRecord(value) && isOnTheWay ? proxied(value, place) : value;
  }

  function method(target: object, key: string | symbol, place: string, original: Method): unknown {
    const watch = Object.hasOwn(methods, place) ? methods[place] : undefined;
    // Helpers of a resource find its watched methods by `this`; methods of the client have private fields.
    const isHelper = place.includes('.') || key === 'constructor' || Object.hasOwn(target, key);
    if (!watch && isHelper) return original;
    const known = replaced.get(original);
    if (known) return known;
    const replacement: Method = watch
      ? (...args) => {
          const watcher = watch(args[0]);
          return observeResponse(Reflect.apply(original, target, args), watcher, ready);
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
