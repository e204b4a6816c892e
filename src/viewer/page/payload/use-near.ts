import { useEffect, useState } from 'preact/hooks';

type OnNearChange = (isNear: boolean) => void;
/** Tells when an element comes near to what is seen, and when it goes. */
export type ObserveElement = (element: Element, notify: OnNearChange) => () => void;

const MARGIN = '800px 0px';

/** Watches elements in a box that scrolls, or in the page, by one observer. The box is asked for when the first is watched. */
export function createNearObserver(box: () => Element | null): ObserveElement {
  const tells = new Map<Element, OnNearChange>();
  let observer: IntersectionObserver | undefined;
  return (element, notify) => {
    observer ??= new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) tells.get(target)?.(isIntersecting);
      },
      { root: box(), rootMargin: MARGIN },
    );
    tells.set(element, notify);
    observer.observe(element);
    return () => {
      tells.delete(element);
      observer?.unobserve(element);
    };
  };
}

/** Elements of the page itself. */
export const observePage = createNearObserver(() => null);

/** Whether a component's element is near to what is seen. */
export function useNearViewport(
  watch: ObserveElement,
  element: { readonly current: Element | null },
  isNearAtFirst = false,
): boolean {
  const [isNear, setNear] = useState(isNearAtFirst);
  useEffect(() => (element.current ? watch(element.current, setNear) : undefined), [watch]);
  return isNear;
}
