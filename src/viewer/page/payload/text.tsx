import { createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { plural, utf8Length } from '../../../core/index.ts';
import { hasAnsi } from './ansi.ts';
import { hasManyInvisible } from './controls.ts';
import { findAll, MAX_PLACES } from './highlight.ts';
import { LongText } from './long-text.tsx';
import { Markdown } from './markdown.tsx';
import { HighlightedText } from './shown.tsx';
import { TerminalText } from './terminal.tsx';
import { exactBytes } from './text-bytes.ts';
import { useTimeSliced } from './use-slowly.ts';

export type TextKind = 'plain' | 'markdown' | 'ansi';

interface Props {
  readonly text: string;
  /** `ansi` shows what a terminal would: colours, and of a line that was overwritten its last state. */
  readonly as: TextKind;
  readonly highlight?: string | undefined;
}

/** Longer texts show their beginning, until all of it is asked for. */
export const LARGE_BYTES = 64 * 1024;
const BEGINNING_LENGTH = 4 * 1024;

/** Whether long texts are shown as a whole from the beginning. */
export const FullTextContext = createContext(false);

/** A text, whatever is in it. Over 64 KB its beginning, its size and a button for all of it. */
export function TextPayload({ text, as, highlight }: Props) {
  const bytes = text.length * 3 <= LARGE_BYTES ? 0 : utf8Length(text);
  if (bytes <= LARGE_BYTES) return <Body {...{ text, as, highlight }} />;
  return <Collapsed {...{ text, as, highlight, bytes }} />;
}

function Body({ text, as, highlight }: Props) {
  const isTooDense = useMemo(() => hasManyInvisible(text), [text]);
  if (isTooDense) return <LongText {...{ text, highlight }} isTerminal={as === 'ansi'} hits={undefined} head={null} />;
  if (as === 'markdown') return <Markdown {...{ text, highlight }} />;
  return (
    <pre class="payload-text">
      {as === 'ansi' && hasAnsi(text) ? (
        <TerminalText {...{ text, highlight }} />
      ) : (
        <HighlightedText {...{ text, highlight }} />
      )}
    </pre>
  );
}

function Collapsed({ text, as, highlight, bytes }: Props & { readonly bytes: number }) {
  const isWhole = useContext(FullTextContext);
  const [chosen, setChosen] = useState<boolean>();
  const isAll = chosen ?? isWhole;
  const hits = useTimeSliced(() => findAll(text, highlight), [text, highlight]);
  const toggle = (
    <button type="button" onClick={() => setChosen(!isAll)}>
      {isAll ? 'Show less' : 'Show all'}
    </button>
  );
  const size = <span>{exactBytes(bytes)}</span>;
  if (isAll) return <LongText {...{ text, highlight, hits }} isTerminal={as === 'ansi'} head={[size, toggle]} />;
  const beginning = beginningOf(text);
  const hidden = hits?.filter((place) => place >= beginning.length).length ?? 0;
  return (
    <div class="payload-long">
      <div class="payload-beginning">
        <Body text={beginning} as={as} highlight={highlight} />
      </div>
      <p class="payload-size">
        {size}
        {hidden > 0 && (
          <span>
            {hits?.length === MAX_PLACES ? 'more than ' : ''}
            {plural(hidden, 'hit')} in what is not shown
          </span>
        )}
        {toggle}
      </p>
    </div>
  );
}

/** Some lines of a text, or as much of the first one. */
function beginningOf(text: string): string {
  const beginning = text.slice(0, BEGINNING_LENGTH);
  const end = beginning.lastIndexOf('\n');
  return end > BEGINNING_LENGTH / 2 ? beginning.slice(0, end) : beginning;
}
