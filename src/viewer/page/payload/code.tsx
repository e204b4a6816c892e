import { useMemo } from 'preact/hooks';
import { CopyButton } from '../parts/buttons.tsx';
import { findHits, splitAtHits } from '../parts/text-segments.ts';
import { VisibleText } from '../parts/visible-text.tsx';
import { codeSegments } from './code-scopes.ts';

interface Props {
  readonly text: string;
  /** Language tag of a code fence, such as `py`; unknown ones are not highlighted. */
  readonly language: string;
  readonly highlight?: string | undefined;
}

/** Highlighted code with a copy button. Renders all of it, so it is not for long texts. */
export function CodeBlock({ text, language, highlight }: Props) {
  return (
    <div class="corner payload-code">
      <pre class="payload-text">
        <code>
          <Coloured text={text} language={language} highlight={highlight} />
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
