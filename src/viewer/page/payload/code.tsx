import { useMemo } from 'preact/hooks';
import { CopyButton } from '../parts/copy.tsx';
import { codeSegments } from './code-scopes.ts';
import { findHits, splitAtHits } from './highlight.ts';
import { VisibleText } from './shown.tsx';

interface Props {
  readonly text: string;
  /** As it stands behind a fence, such as `py`; others are shown without colours. */
  readonly language: string;
  readonly highlight?: string | undefined;
}

/** Code in colours, with a button that copies it. Not for long texts: all of it is drawn. */
export function CodeBlock({ text, language, highlight }: Props) {
  return (
    <div class="payload-code">
      <pre class="payload-text">
        <code>
          <Coloured {...{ text, language, highlight }} />
        </code>
      </pre>
      <CopyButton text={() => text} />
    </div>
  );
}

function Coloured({ text, language, highlight }: Props) {
  const segments = useMemo(() => codeSegments(text, language), [text, language]);
  return (
    <>
      {splitAtHits(segments, findHits(text, highlight)).map((piece, index) => {
        const shown = <VisibleText text={piece.text} />;
        const marked = piece.isHit ? <mark>{shown}</mark> : shown;
        return piece.style === undefined ? (
          marked
        ) : (
          <span key={index} class={`code-${piece.style}`}>
            {marked}
          </span>
        );
      })}
    </>
  );
}
