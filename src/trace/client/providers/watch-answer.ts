import { isRecord } from '../../../core/index.ts';
import { tapStream } from './tap-stream.ts';
import { observeResponseBody } from './watch-response.ts';
import type { CallObserver } from './watcher.ts';

type Transform = (data: unknown, ...more: unknown[]) => unknown;
type Method = (...args: unknown[]) => unknown;

/** Methods of a promise that wait for what it parses. */
const WAITING: readonly (string | symbol)[] = ['then', 'catch', 'finally', 'withResponse'];
/** Methods that give the bare response; helpers of Anthropic's package parse it by themselves. */
const BARE: readonly (string | symbol)[] = ['asResponse', '_responseProps'];

/**
 * The promise of an answer, watched: what it parses when somebody waits for that, otherwise the bare response when
 * somebody reads it.
 */
export function observeResponse(response: unknown, watcher: CallObserver, ready: () => Promise<void>): unknown {
  if (!isRecord(response) || typeof response.then !== 'function') return response;
  let isWatched = false;
  /** Whoever comes first watches; the others would see the same. */
  function claim(): boolean {
    if (isWatched) return false;
    isWatched = true;
    return true;
  }
  return watched(response);

  function watched(promise: object): unknown {
    return new Proxy(promise, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function' || key === 'constructor') return value;
        const call: Method = (...args) => Reflect.apply(value, target, args);
        if (key === '_thenUnwrap') return (transform: Transform) => watched(unwrapped(call, transform) as object);
        if (WAITING.includes(key)) return waiting(target, call);
        return BARE.includes(key) ? bare(call) : call;
      },
    });
  }

  /** Helpers derive promises with it, which parse the answer instead, and may refuse what the model said. */
  function unwrapped(thenUnwrap: Method, transform: Transform): unknown {
    return thenUnwrap((data: unknown, ...more: unknown[]) => {
      if (claim()) receive(data, watcher);
      return transform(data, ...more);
    });
  }

  function waiting(target: object, call: Method): Method {
    return (...args) => {
      // Before whoever waits, who learns of the failure too. A derived promise was claimed when it parsed.
      if (target === response && claim()) {
        (target as Promise<unknown>).then((found) => receive(found, watcher)).catch(() => undefined);
      }
      return ready().then(() => call(...args));
    };
  }

  function bare(call: Method): Method {
    return async (...args) => {
      const found = await call(...args);
      const response = found instanceof Response ? found : isRecord(found) ? found.response : undefined;
      if (response instanceof Response) observeResponseBody(response, watcher, claim);
      return found;
    };
  }
}

function receive(value: unknown, watcher: CallObserver): void {
  if (isRecord(value) && typeof value[Symbol.asyncIterator as never] === 'function') tapStream(value, watcher);
  else watcher.response(value);
}
