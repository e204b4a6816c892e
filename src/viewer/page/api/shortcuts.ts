import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Keyboard shortcuts by key; a sequence of two keys is separated by a space, such as `g r`. If `run` returns false, the
 * browser handles the key.
 */
type Shortcuts = Readonly<Record<string, { readonly description: string; readonly run: () => unknown }>>;

const PAIR_MS = 1_000;
/** By component; read on each key press, because shortcuts may change with every render. */
const active: { readonly current: Shortcuts }[] = [];

/**
 * Enables shortcuts while the component is shown, from its first frame: people press keys quickly. Later ones take
 * precedence. Keys typed into fields are ignored.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useLayoutEffect(() => {
    active.push(current);
    return () => void active.splice(active.indexOf(current), 1);
  }, []);
}

/** Returns the shortcuts that work now by key. */
export const activeShortcuts = () => [...new Map(active.flatMap(({ current }) => Object.entries(current)))];

let before: { readonly key: string; readonly at: number } | undefined;

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const pair = before && event.timeStamp - before.at < PAIR_MS ? `${before.key} ${event.key}` : undefined;
  before = { key: event.key, at: event.timeStamp };
  const found = (pair && find(pair)) ?? find(event.key);
  if (!found) return;
  if (found.run() !== false) event.preventDefault();
});

const find = (key: string) => active.findLast(({ current }) => current[key])?.current[key];

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);
