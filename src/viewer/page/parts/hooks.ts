import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Returns the last defined value, so that a table stays visible while its filter changes. */
export function usePrevious<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}

/** Returns the current time in ms, and renders again at an interval. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

type ElementRef = { readonly current: HTMLElement | null };

/** Calls `onResize` before the first paint, and whenever the size of an element changes. */
export function useResize(element: ElementRef, onResize: (element: HTMLElement) => void): void {
  const latest = useRef(onResize);
  latest.current = onResize;
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const notify = () => latest.current(current);
    const observer = new ResizeObserver(notify);
    observer.observe(current);
    notify();
    return () => observer.disconnect();
  }, [element]);
}
