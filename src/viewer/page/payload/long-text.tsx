import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatCount, plural } from '../../../core/index.ts';
import { Button } from '../parts/buttons.tsx';
import { useResize } from '../parts/hooks.ts';
import { MAX_HEIGHT_PX } from '../parts/scroll-scale.ts';
import { MAX_COUNTED_HITS } from '../parts/text-segments.ts';
import { HighlightedText } from '../parts/visible-text.tsx';
import { parseAnsi, type TextStyle } from './ansi.ts';
import { createNearObserver, type ObserveElement, useNearViewport, useTimeSliced } from './deferred.ts';
import { sliceAt, splitIntoSlices, type TextSection, type TextSlice, toSections } from './slices.ts';
import { TerminalText } from './terminal.tsx';

interface LongTextProps {
  readonly text: string;
  readonly isTerminal: boolean;
  /** Positions of hits; undefined while they are searched. */
  readonly hits: readonly number[] | undefined;
  /** Shown above the text. */
  readonly head: ComponentChildren;
}

/**
 * Scrollable box for a text of any length, which renders only the slices near its viewport. A text that would be too high
 * for a browser is shown in sections.
 */
export function LongText({ text, isTerminal, hits, head }: LongTextProps) {
  const box = useRef<HTMLElement>(null);
  const cell = useCell(box);
  const slices = useTimeSliced(() => prepare(text, cell.columns, isTerminal), [text, cell.columns, isTerminal]);
  const watch = useMemo(() => createNearObserver(() => box.current), []);
  const sections = useMemo(
    () => toSections(slices ?? [], Math.max(1, Math.floor(MAX_HEIGHT_PX / (cell.height || 1)))),
    [slices, cell.height],
  );
  const [chosen, setChosen] = useState(0);
  const shown = Math.max(0, Math.min(chosen, sections.length - 1));
  const section = sections[shown];
  const total = sections.reduce((sum, { rows }) => sum + rows, 0);
  const target = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (box.current && slices && section) scrollTo(box.current, slices, section, target.current);
    target.current = undefined;
  }, [shown]);
  const go = (position: number) => {
    const index = sliceAt(slices ?? [], position);
    const found = sections.findIndex(({ to }) => index < to);
    if (found === shown && box.current && slices && section) return scrollTo(box.current, slices, section, position);
    target.current = position;
    setChosen(found);
  };
  return (
    <div class="stack payload-long">
      <p class="row muted payload-size">
        {head}
        {slices && hits && hits.length > 0 && <Steps hits={hits} onGo={go} />}
      </p>
      {section && sections.length > 1 && <Sections sections={sections} shown={shown} total={total} onGo={setChosen} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard */}
      <section ref={box} class="sunken payload-box" tabIndex={0} aria-label={`Text of ${plural(total, 'line')}`}>
        <pre class="payload-text payload-probe" aria-hidden="true">
          0000000000
        </pre>
        {slices?.slice(section?.from, section?.to).map((slice, index) => (
          <Part
            key={slice.start}
            text={text}
            slice={slice}
            watch={watch}
            isTerminal={isTerminal}
            index={index}
            height={cell.height}
          />
        ))}
      </section>
    </div>
  );
}

interface DrawnSlice extends TextSlice {
  /** Style at the end of the text before. */
  readonly style?: TextStyle;
}

function* prepare(text: string, columns: number, isTerminal: boolean): Generator<undefined, readonly DrawnSlice[]> {
  if (columns === 0) return [];
  const slices = yield* splitIntoSlices(text, columns);
  if (!isTerminal || !text.includes('\u001b')) return slices;
  let style: TextStyle = {};
  const drawn: DrawnSlice[] = [];
  for (const slice of slices) {
    drawn.push({ ...slice, style });
    style = parseAnsi(text.slice(slice.start, slice.end), style).end;
    yield;
  }
  return drawn;
}

interface PartProps extends Pick<LongTextProps, 'text' | 'isTerminal'> {
  readonly slice: DrawnSlice;
  readonly index: number;
  readonly watch: ObserveElement;
  /** Height of a line in px. */
  readonly height: number;
}

function Part({ text, slice, index, watch, isTerminal, height }: PartProps) {
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
      {isTerminal ? <TerminalText text={own} begin={slice.style} /> : <HighlightedText text={own} />}
    </pre>
  );
}

interface Cell {
  /** Characters per line; 0 until it is measured. */
  readonly columns: number;
  readonly height: number;
}

/** Measures how many characters fit into a line of the box, also when its width changes. */
function useCell(box: { readonly current: HTMLElement | null }): Cell {
  const [cell, setCell] = useState<Cell>({ columns: 0, height: 0 });
  useResize(box, (element) => {
    const probe = element.firstElementChild;
    if (!probe) return;
    const { width, height } = probe.getBoundingClientRect();
    const columns = Math.max(1, Math.floor((10 * innerWidthOf(element)) / width));
    setCell((before) => (before.columns === columns && before.height === height ? before : { columns, height }));
  });
  return cell;
}

function innerWidthOf(element: HTMLElement): number {
  const { paddingLeft, paddingRight } = getComputedStyle(element);
  return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
}

interface SectionsProps {
  readonly sections: readonly TextSection[];
  readonly shown: number;
  /** Number of lines of the text. */
  readonly total: number;
  readonly onGo: (section: number) => void;
}

/** Lines that are shown, and buttons for the lines before and after them. */
function Sections({ sections, shown, total, onGo }: SectionsProps) {
  const { rowsBefore = 0, rows = 0 } = sections[shown] ?? {};
  return (
    <p class="row muted payload-size payload-sections">
      <span>
        lines {formatCount(rowsBefore + 1)} to {formatCount(rowsBefore + rows)} of {formatCount(total)}
      </span>
      <Button disabled={shown === 0} onClick={() => onGo(shown - 1)}>
        Previous lines
      </Button>
      <Button disabled={shown === sections.length - 1} onClick={() => onGo(shown + 1)}>
        Next lines
      </Button>
    </p>
  );
}

interface StepsProps {
  readonly hits: readonly number[];
  readonly onGo: (position: number) => void;
}

/** Buttons that step through the hits. */
function Steps({ hits, onGo }: StepsProps) {
  const [at, setAt] = useState(-1);
  const go = (step: number) => {
    const next = (at + step + hits.length) % hits.length;
    setAt(next);
    onGo(hits[next] ?? 0);
  };
  return (
    <>
      <span>
        {at < 0
          ? `${hits.length === MAX_COUNTED_HITS ? 'first ' : ''}${plural(hits.length, 'hit')}`
          : `hit ${formatCount(at + 1)} of ${formatCount(hits.length)}`}
      </span>
      <Button aria-label="Previous hit" onClick={() => go(at < 0 ? 0 : -1)}>
        ↑
      </Button>
      <Button aria-label="Next hit" onClick={() => go(1)}>
        ↓
      </Button>
    </>
  );
}

/**
 * Scrolls to a position in a section, or to its beginning. Slices outside of the viewport are not rendered, so the first
 * step is an estimate.
 */
function scrollTo(box: HTMLElement, slices: readonly TextSlice[], { from }: TextSection, position?: number): void {
  if (position === undefined) {
    box.scrollTop = 0;
    return;
  }
  const index = sliceAt(slices, position);
  const slice = slices[index];
  const part = box.children[index - from + 1] as HTMLElement | undefined;
  if (!slice || !part) return;
  const share = (position - slice.start) / (slice.end - slice.start);
  box.scrollTop = part.offsetTop + share * part.offsetHeight - box.clientHeight / 3;
}
