import { useState } from 'preact/hooks';
import { formatCount, truncate } from '../../../core/index.ts';
import { findHits } from './highlight.ts';
import { HighlightedText } from './shown.tsx';
import { TextPayload } from './text.tsx';

const SHORT_LENGTH = 400;

/** A text in a tree: the beginning of a long one, until all of it is asked for or something is found behind it. */
export function JsonString({ text, highlight }: { readonly text: string; readonly highlight: string | undefined }) {
  const [isAsked, setAsked] = useState(false);
  if (text.length <= SHORT_LENGTH) return <Quoted {...{ text, highlight }} />;
  const isAll = isAsked || findHits(text.slice(SHORT_LENGTH - (highlight?.length ?? 0)), highlight, 1).length > 0;
  if (isAll) {
    return (
      <div class="json-string json-long">
        <TextPayload {...{ text, highlight }} as="plain" />
      </div>
    );
  }
  return (
    <>
      <Quoted text={truncate(text, SHORT_LENGTH + 1)} highlight={highlight} />{' '}
      <button type="button" class="json-toggle json-gap" onClick={() => setAsked(true)}>
        {formatCount(text.length - SHORT_LENGTH)} more characters
      </button>
    </>
  );
}

function Quoted({ text, highlight }: { readonly text: string; readonly highlight: string | undefined }) {
  return (
    <span class="json-string">
      "<HighlightedText text={text} highlight={highlight} />"
    </span>
  );
}
