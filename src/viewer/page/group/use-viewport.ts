import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export interface Viewport {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** Where an element is scrolled to, and how large it is; at most once per frame. */
export function useViewport(box: RefObject<HTMLElement | null>): Viewport {
  const [view, setView] = useState<Viewport>({ top: 0, left: 0, width: innerWidth, height: innerHeight });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let frame = 0;
    const read = () => {
      frame = 0;
      const { scrollTop, scrollLeft, clientWidth, clientHeight } = element;
      setView({ top: scrollTop, left: scrollLeft, width: clientWidth, height: clientHeight });
    };
    const later = () => {
      frame ||= requestAnimationFrame(read);
    };
    const size = new ResizeObserver(later);
    size.observe(element);
    element.addEventListener('scroll', later, { passive: true });
    return () => {
      size.disconnect();
      cancelAnimationFrame(frame);
      element.removeEventListener('scroll', later);
    };
  }, []);
  return view;
}
