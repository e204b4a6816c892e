import type { TraceId } from '../../../generated/trace.ts';

/** Identifies a trace among those of all organizations. No id has a space. */
export const traceKey = (org: string, id: TraceId): string => `${id} ${org}`;

/** Those who want to know when a trace changes. */
export function createWatchers() {
  const listeners = new Map<string, Set<() => void>>();
  return {
    watch(org: string, id: TraceId, listener: () => void): () => void {
      const key = traceKey(org, id);
      const own = listeners.get(key) ?? new Set();
      listeners.set(key, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0) listeners.delete(key);
      };
    },
    /** @param key a `traceKey`. */
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
