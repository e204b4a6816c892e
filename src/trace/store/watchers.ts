import type { TraceId } from '../../../generated/trace.ts';

/** Those who want to know when a trace changes. */
export function createWatchers() {
  const listeners = new Map<TraceId, Set<() => void>>();
  return {
    watch(id: TraceId, listener: () => void): () => void {
      const own = listeners.get(id) ?? new Set();
      listeners.set(id, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0) listeners.delete(id);
      };
    },
    call(id: TraceId): void {
      for (const listener of [...(listeners.get(id) ?? [])]) listener();
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
