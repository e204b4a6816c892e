import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatCount, plural } from '../../../core/index.ts';
import { parseAnsi, type TextStyle } from './ansi.ts';
import { MAX_PLACES } from './highlight.ts';
import { HighlightedText } from './shown.tsx';
import { sliceAt, splitIntoSlices, type TextSlice } from './slices.ts';
import { TerminalText } from './terminal.tsx';
import { createNearObserver, type ObserveElement, useNearViewport } from './use-near.ts';
import { useTimeSliced } from './use-slowly.ts';

interface Props {
  readonly text: string;
  readonly isTerminal: boolean;
  readonly highlight?: string | undefined;
  /** Where the text is found; undefined while it is looked for. */
  readonly hits: readonly number[] | undefined;
  /** What stands above the text. */
  readonly head: ComponentChildren;
}

/** A text of any length in a box of its own, of which no more is drawn than is near to what is seen. */
export function LongText({ text, isTerminal, highlight, hits, head }: Props) {
  const box = useRef<HTMLElement>(null);
  const cell = useCell(box);
  const slices = useTimeSliced(() => prepare(text, cell.columns, isTerminal), [text, cell.columns, isTerminal]);
  const watch = useMemo(() => createNearObserver(() => box.current), []);
  const total = slices?.reduce((sum, { rows }) => sum + rows, 0) ?? 0;
  return (
    <div class="payload-long">
      <p class="payload-size">
        {head}
        {slices && hits && hits.length > 0 && <Steps {...{ box, slices, hits }} />}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <section ref={box} class="payload-box" tabIndex={0} aria-label={`Text of ${plural(total, 'line')}`}>
        <pre class="payload-text payload-probe" aria-hidden="true">
          0000000000
        </pre>
        {slices?.map((slice, index) => (
          <Part
            key={slice.start}
            {...{ text, slice, watch, highlight, isTerminal }}
            index={index}
            height={cell.height}
          />
        ))}
      </section>
    </div>
  );
}

interface DrawnSlice extends TextSlice {
  /** How the text before it ended. */
  readonly style?: TextStyle;
}

function* prepare(text: string, columns: number, isTerminal: boolean): Generator<undefined, readonly DrawnSlice[]> {
  if (columns === 0) return [];
  const slices = yield* splitIntoSlices(text, columns);
  if (!isTerminal || !text.includes('\u001b')) return slices;
  let look: TextStyle = {};
  const drawn: DrawnSlice[] = [];
  for (const slice of slices) {
    drawn.push({ ...slice, style: look });
    look = parseAnsi(text.slice(slice.start, slice.end), look).end;
    yield;
  }
  return drawn;
}

interface PartProps extends Pick<Props, 'text' | 'highlight' | 'isTerminal'> {
  readonly slice: DrawnSlice;
  readonly index: number;
  readonly watch: ObserveElement;
  /** Of a line, in pixels. */
  readonly height: number;
}

function Part({ text, slice, index, watch, highlight, isTerminal, height }: PartProps) {
  const element = useRef<HTMLPreElement>(null);
  const isNear = useNearViewport(watch, element, index < 2);
  const estimate = slice.rows * height;
  const measured = useRef({ estimate, height: estimate });
  if (measured.current.estimate !== estimate) measured.current = { estimate, height: estimate };
  useLayoutEffect(() => {
    if (isNear && element.current) measured.current = { estimate, height: element.current.offsetHeight };
  });
  const own = isNear ? text.slice(slice.start, slice.end) : '';
  return (
    <pre ref={element} class="payload-text" style={isNear ? {} : { height: `${measured.current.height}px` }}>
      {isTerminal ? (
        <TerminalText text={own} begin={slice.style} highlight={highlight} />
      ) : (
        <HighlightedText text={own} highlight={highlight} />
      )}
    </pre>
  );
}

interface Cell {
  /** Characters of a line; 0 before it is known. */
  readonly columns: number;
  readonly height: number;
}

/** How much text the box holds beside and below each other, also when its width changes. */
function useCell(box: { readonly current: HTMLElement | null }): Cell {
  const [cell, setCell] = useState<Cell>({ columns: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    const probe = element?.firstElementChild;
    if (!element || !probe) return;
    const measure = () => {
      const { width, height } = probe.getBoundingClientRect();
      const columns = Math.max(1, Math.floor((10 * innerWidthOf(element)) / width));
      setCell((before) => (before.columns === columns && before.height === height ? before : { columns, height }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return cell;
}

function innerWidthOf(element: HTMLElement): number {
  const { paddingLeft, paddingRight } = getComputedStyle(element);
  return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
}

interface StepsProps {
  readonly box: { readonly current: HTMLElement | null };
  readonly slices: readonly TextSlice[];
  readonly hits: readonly number[];
}

/** Goes from hit to hit. */
function Steps({ box, slices, hits }: StepsProps) {
  const [at, setAt] = useState(-1);
  const go = (step: number) => {
    const next = (at + step + hits.length) % hits.length;
    setAt(next);
    scrollTo(box.current, slices, hits[next] ?? 0);
  };
  return (
    <>
      <span>
        {at < 0
          ? `${hits.length === MAX_PLACES ? 'first ' : ''}${plural(hits.length, 'hit')}`
          : `hit ${formatCount(at + 1)} of ${formatCount(hits.length)}`}
      </span>
      <button type="button" aria-label="Previous hit" onClick={() => go(at < 0 ? 0 : -1)}>
        ↑
      </button>
      <button type="button" aria-label="Next hit" onClick={() => go(1)}>
        ↓
      </button>
    </>
  );
}

/** Shows a place of the text: its slice is drawn when it comes into sight, so that the first step is a guess. */
function scrollTo(box: HTMLElement | null, slices: readonly TextSlice[], place: number): void {
  const index = sliceAt(slices, place);
  const slice = slices[index];
  const part = box?.children[index + 1] as HTMLElement | undefined;
  if (!box || !slice || !part) return;
  const share = (place - slice.start) / (slice.end - slice.start);
  box.scrollTop = part.offsetTop + share * part.offsetHeight - box.clientHeight / 3;
}
