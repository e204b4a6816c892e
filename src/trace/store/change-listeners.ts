import type { TraceId } from '../../../generated/trace.ts';

/** Identifies a trace among those of all organizations; ids contain no space. */
export const traceKey = (org: string, id: TraceId): string => `${id} ${org}`;

/** Key for changes of the API keys, in place of a `traceKey`. */
export const API_KEYS_CHANGED = 'api_keys';

/** Listeners for changes of traces and of the API keys. */
export function createChangeListeners() {
  const listeners = new Map<string, Set<() => void>>();
  return {
    /** @param key a `traceKey`, or `API_KEYS_CHANGED`. @returns a function that removes the listener. */
    watch(key: string, listener: () => void): () => void {
      const own = listeners.get(key) ?? new Set();
      listeners.set(key, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0) listeners.delete(key);
      };
    },
    call(key: string): void {
      for (const listener of [...(listeners.get(key) ?? [])]) listener();
    },
    callAll(): void {
      for (const own of [...listeners.values()]) for (const listener of [...own]) listener();
    },
    get isEmpty(): boolean {
      return listeners.size === 0;
    },
    clear: () => listeners.clear(),
  };
}
