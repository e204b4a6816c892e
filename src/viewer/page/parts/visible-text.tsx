import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { findHits, splitAtHits, splitInvisible } from './text-segments.ts';

interface Props {
  readonly text: string;
}

/** Text to mark, such as what the user searches for. */
export const HighlightContext = createContext<string | undefined>(undefined);

/** Renders a text with its hits marked and invisible characters replaced by marks. */
export function HighlightedText({ text }: Props) {
  const highlight = useContext(HighlightContext);
  const hits = findHits(text, highlight);
  return splitAtHits([{ text }], hits).map((piece, index) => <TextPiece key={index} {...piece} />);
}

/** Renders a part of a text; a hit is marked. */
export function TextPiece({ text, isHit }: Props & { readonly isHit: boolean }) {
  const shown = <VisibleText text={text} />;
  return isHit ? <mark>{shown}</mark> : shown;
}

/** Renders a text with invisible characters replaced by marks. */
export function VisibleText({ text }: Props) {
  const parts = splitInvisible(text);
  if (parts.every(({ mark }) => mark === undefined)) return <>{text}</>;
  return (
    <>
      {parts.map(({ text: visible, mark, title }, index) =>
        mark === undefined ? (
          visible
        ) : (
          <span key={index} class="payload-control" title={title}>
            {mark}
          </span>
        ),
      )}
    </>
  );
}
