import { useEffect, useState } from 'preact/hooks';

const SLOT_MS = 8;

/** Works through a generator in pieces of a few milliseconds, so that keys and clicks are answered in between. */
export function runTimeSliced<T>(steps: Generator<unknown, T>, done: (value: T) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slot = () => {
    const end = performance.now() + SLOT_MS;
    do {
      const step = steps.next();
      if (step.done) return done(step.value);
    } while (performance.now() < end);
    timer = setTimeout(slot);
  };
  slot();
  return () => clearTimeout(timer);
}

/**
 * What a generator returns, once it has; undefined before. It begins anew when what it depends on changes; what it
 * returned before stays until then.
 */
export function useTimeSliced<T>(begin: () => Generator<unknown, T>, dependsOn: readonly unknown[]): T | undefined {
  const [result, setResult] = useState<{ readonly value: T }>();
  useEffect(() => runTimeSliced(begin(), (value) => setResult({ value })), dependsOn);
  return result?.value;
}
