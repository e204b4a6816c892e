import { visible } from './controls.ts';
import { cutAtHits, hitsIn } from './highlight.ts';

/** A text as it is, with marks where a text is found in it, and signs in place of what would be unseen. */
export function Shown({ text, highlight }: { readonly text: string; readonly highlight?: string | undefined }) {
  const hits = hitsIn(text, highlight);
  if (hits.length === 0) return <Visible text={text} />;
  return (
    <>
      {cutAtHits([{ text }], hits).map((piece, index) =>
        piece.isHit ? (
          <mark key={index}>
            <Visible text={piece.text} />
          </mark>
        ) : (
          <Visible key={index} text={piece.text} />
        ),
      )}
    </>
  );
}

/** A text with signs in place of characters that would be unseen, or would change how others are seen. */
export function Visible({ text }: { readonly text: string }) {
  const parts = visible(text);
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
