import { useEffect, useState } from 'preact/hooks';

/** How payloads are shown. */
export type Mode = 'rendered' | 'plain' | 'JSON';
export const MODES: readonly Mode[] = ['rendered', 'plain', 'JSON'];

const chosen = new Map<string, Mode>();
const readers = new Set<() => void>();

/** The way in which payloads of one kind are shown, for all of them, until the page is loaded anew. */
export function useMode(kind: string): readonly [Mode, (mode: Mode) => void] {
  const [mode, setMode] = useState<Mode>(chosen.get(kind) ?? 'rendered');
  useEffect(() => {
    const read = () => setMode(chosen.get(kind) ?? 'rendered');
    read();
    readers.add(read);
    return () => void readers.delete(read);
  }, [kind]);
  const choose = (next: Mode) => {
    chosen.set(kind, next);
    for (const read of readers) read();
  };
  return [mode, choose];
}
