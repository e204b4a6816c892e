import { findHits, splitAtHits, splitInvisible } from './text-segments.ts';

/** Renders a text with its hits marked and invisible characters replaced by marks. */
export function HighlightedText({
  text,
  highlight,
}: {
  readonly text: string;
  readonly highlight?: string | undefined;
}) {
  const hits = findHits(text, highlight);
  if (hits.length === 0) return <VisibleText text={text} />;
  return (
    <>
      {splitAtHits([{ text }], hits).map((piece, index) =>
        piece.isHit ? (
          <mark key={index}>
            <VisibleText text={piece.text} />
          </mark>
        ) : (
          <VisibleText key={index} text={piece.text} />
        ),
      )}
    </>
  );
}

/** Renders a text with invisible characters replaced by marks. */
export function VisibleText({ text }: { readonly text: string }) {
  const parts = splitInvisible(text);
  if (parts.every(({ mark }) => mark === undefined)) return <>{text}</>;
  return (
    <>
      {parts.map((part, index) =>
        part.mark === undefined ? (
          part.text
        ) : (
          <span key={index} class="payload-control" title={part.title}>
            {part.mark}
          </span>
        ),
      )}
    </>
  );
}
