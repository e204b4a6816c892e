import { useRef } from 'preact/hooks';

/** The last value that there was: a table stays in sight while its filter is changed. */
export function usePrevious<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}
