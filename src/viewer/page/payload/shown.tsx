import { splitInvisible } from './controls.ts';
import { findHits, splitAtHits } from './highlight.ts';

/** A text as it is, with marks where a text is found in it, and signs in place of what would be unseen. */
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

/** A text with signs in place of characters that would be unseen, or would change how others are seen. */
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
