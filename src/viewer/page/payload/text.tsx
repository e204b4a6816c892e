import { createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { formatBytes, plural, stripControls, utf8Length } from '../../../core/index.ts';
import { Button } from '../parts/buttons.tsx';
import { lazy } from '../parts/states.tsx';
import { findAll, hasManyInvisible, MAX_COUNTED_HITS } from '../parts/text-segments.ts';
import { HighlightContext, HighlightedText } from '../parts/visible-text.tsx';
import { CodeBlock } from './code.tsx';
import { useTimeSliced } from './deferred.ts';
import { Markdown } from './markdown.tsx';

export type TextKind = 'plain' | 'markdown' | 'ansi';

interface Props {
  readonly text: string;
  /** `ansi` renders terminal output: its colours, and the last state of overwritten lines. */
  readonly as: TextKind;
}

/** Size above which only the beginning of a text is shown. */
export const LARGE_BYTES = 64 * 1024;
const BEGINNING_LENGTH = 4 * 1024;

/** Set if long texts are shown completely from the start. */
export const FullTextContext = createContext(false);

/** Loaded when they are needed, because most texts are short and have no colours. */
const LongText = lazy(
  () => import('./long-text.tsx').then((it) => it.LongText),
  () => <p class="payload-note">…</p>,
);
const TerminalText = lazy(
  () => import('./terminal.tsx').then((it) => it.TerminalText),
  ({ text }) => <>{stripControls(text)}</>,
);

/** Returns whether a text has escape sequences or carriage returns. */
const hasAnsi = (text: string): boolean => text.includes('\u001b') || text.includes('\r');

/** Returns whether a text is the output of a program such as `git diff`. */
const isDiff = (text: string): boolean => /^(?:diff --git |--- \S[^\n]*\n\+\+\+ \S)/m.test(text) && /^@@ /m.test(text);

/** Renders a text. Above 64 KB: its beginning, its size and a button for all of it. */
export function TextPayload({ text, as }: Props) {
  const bytes = text.length * 3 <= LARGE_BYTES ? 0 : utf8Length(text);
  return bytes <= LARGE_BYTES ? <Body text={text} as={as} /> : <Collapsed text={text} as={as} bytes={bytes} />;
}

function Body({ text, as }: Props) {
  const isTooDense = useMemo(() => hasManyInvisible(text), [text]);
  if (isTooDense) return <LongText text={text} isTerminal={as === 'ansi'} hits={undefined} head={null} />;
  if (as === 'markdown') return <Markdown text={text} />;
  if (as === 'ansi' && isDiff(text) && !hasAnsi(text)) return <CodeBlock text={text} language="diff" />;
  return (
    <pre class="payload-text">
      {as === 'ansi' && hasAnsi(text) ? <TerminalText text={text} /> : <HighlightedText text={text} />}
    </pre>
  );
}

function Collapsed({ text, as, bytes }: Props & { readonly bytes: number }) {
  const isWhole = useContext(FullTextContext);
  const highlight = useContext(HighlightContext);
  const [chosen, setChosen] = useState<boolean>();
  const isAll = chosen ?? isWhole;
  const hits = useTimeSliced(() => findAll(text, highlight), [text, highlight]);
  const toggle = <Button onClick={() => setChosen(!isAll)}>{isAll ? 'Show less' : 'Show all'}</Button>;
  const size = <span>{exactBytes(bytes)}</span>;
  if (isAll) return <LongText text={text} hits={hits} isTerminal={as === 'ansi'} head={[size, toggle]} />;
  const beginning = beginningOf(text);
  const hidden = hits?.filter((position) => position >= beginning.length).length ?? 0;
  return (
    <div class="stack payload-long">
      <div class="payload-beginning">
        <Body text={beginning} as={as} />
      </div>
      <p class="row muted payload-size">
        {size}
        {hidden > 0 && (
          <span>
            {hits?.length === MAX_COUNTED_HITS ? 'more than ' : ''}
            {plural(hidden, 'hit')} in the hidden part
          </span>
        )}
        {toggle}
      </p>
    </div>
  );
}

/** Returns the first lines of a text, or part of the first line. */
function beginningOf(text: string): string {
  const beginning = text.slice(0, BEGINNING_LENGTH);
  const end = beginning.lastIndexOf('\n');
  return end > BEGINNING_LENGTH / 2 ? beginning.slice(0, end) : beginning;
}

/** Formats a size exactly: `1,980,000 bytes (1.9 MB)`. */
export const exactBytes = (value: number): string =>
  value < 1_024 ? plural(value, 'byte') : `${plural(value, 'byte')} (${formatBytes(value)})`;
