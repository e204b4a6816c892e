import { useEffect, useRef } from 'preact/hooks';

/** Keyboard shortcuts by key; a sequence of two keys is separated by a space, such as `g r`. */
export type Shortcuts = Readonly<Record<string, { readonly does: string; readonly run: () => void }>>;

const PAIR_MS = 1_000;
const active: Shortcuts[] = [];

/** Enables shortcuts while the component is shown; later ones take precedence. Keys typed into fields are ignored. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    // Read on each key press, because a shortcut may change with every render.
    const own = new Proxy({}, handlerFor(current)) as Shortcuts;
    active.push(own);
    return () => void active.splice(active.indexOf(own), 1);
  }, []);
}

const handlerFor = (current: { readonly current: Shortcuts }): ProxyHandler<Shortcuts> => ({
  get: (_, key) => current.current[String(key)],
  ownKeys: () => Object.keys(current.current),
  getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
});

/** Returns the shortcuts that work now with their descriptions. */
export const activeShortcuts = (): readonly (readonly [string, string])[] => [
  ...new Map(active.flatMap((each) => Object.keys(each).map((key) => [key, each[key]?.does ?? ''] as const))),
];

let before: { readonly key: string; readonly at: number } | undefined;

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const pair = before && event.timeStamp - before.at < PAIR_MS ? `${before.key} ${event.key}` : undefined;
  before = { key: event.key, at: event.timeStamp };
  const found = (pair && find(pair)) ?? find(event.key);
  if (!found) return;
  event.preventDefault();
  found.run();
});

const find = (key: string) => active.findLast((each) => each[key])?.[key];

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);
