import { useEffect, useState } from 'preact/hooks';

const SLOT_MS = 8;

/**
 * Runs a generator in slices of a few milliseconds, so that the page stays responsive.
 *
 * @returns a function that cancels it.
 */
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
 * Returns the result of a generator that is run in time slices; undefined until then. Restarts when a dependency
 * changes, and keeps the previous result meanwhile.
 */
export function useTimeSliced<T>(begin: () => Generator<unknown, T>, dependsOn: readonly unknown[]): T | undefined {
  const [result, setResult] = useState<{ readonly value: T }>();
  useEffect(() => runTimeSliced(begin(), (value) => setResult({ value })), dependsOn);
  return result?.value;
}

type OnNearChange = (isNear: boolean) => void;
/**
 * Notifies when an element comes near the viewport or leaves it.
 *
 * @returns a function that stops observing.
 */
export type ObserveElement = (element: Element, notify: OnNearChange) => () => void;

const MARGIN = '800px 0px';

/**
 * Observes elements of a scroll container, or of the page, with one observer. `box` is called for the first element.
 */
export function createNearObserver(box: () => Element | null): ObserveElement {
  const listeners = new Map<Element, OnNearChange>();
  let observer: IntersectionObserver | undefined;
  return (element, notify) => {
    observer ??= new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting);
      },
      { root: box(), rootMargin: MARGIN },
    );
    listeners.set(element, notify);
    observer.observe(element);
    return () => {
      listeners.delete(element);
      observer?.unobserve(element);
    };
  };
}

/** Observes elements of the page itself. */
export const observePage = createNearObserver(() => null);

/** Returns whether a component's element is near the viewport. */
export function useNearViewport(
  watch: ObserveElement,
  element: { readonly current: Element | null },
  isNearAtFirst = false,
): boolean {
  const [isNear, setNear] = useState(isNearAtFirst);
  useEffect(() => (element.current ? watch(element.current, setNear) : undefined), [watch]);
  return isNear;
}
