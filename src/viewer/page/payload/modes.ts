import { useEffect, useState } from 'preact/hooks';

/** How payloads are shown. */
export type DisplayMode = 'rendered' | 'plain' | 'JSON';
export const MODES: readonly DisplayMode[] = ['rendered', 'plain', 'JSON'];

const chosen = new Map<string, DisplayMode>();
const readers = new Set<() => void>();

/** The way in which payloads of one kind are shown, for all of them, until the page is loaded anew. */
export function useDisplayMode(kind: string): readonly [DisplayMode, (mode: DisplayMode) => void] {
  const [mode, setMode] = useState<DisplayMode>(chosen.get(kind) ?? 'rendered');
  useEffect(() => {
    const read = () => setMode(chosen.get(kind) ?? 'rendered');
    read();
    readers.add(read);
    return () => void readers.delete(read);
  }, [kind]);
  const choose = (next: DisplayMode) => {
    chosen.set(kind, next);
    for (const read of readers) read();
  };
  return [mode, choose];
}
