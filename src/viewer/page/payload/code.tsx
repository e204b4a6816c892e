import { useContext, useMemo } from 'preact/hooks';
import { CopyButton } from '../parts/buttons.tsx';
import { findHits, splitAtHits } from '../parts/text-segments.ts';
import { HighlightContext, TextPiece } from '../parts/visible-text.tsx';
import { codeSegments } from './code-scopes.ts';

interface Props {
  readonly text: string;
  /** Language tag of a code fence, such as `py`; unknown ones are not highlighted. */
  readonly language: string;
}

/** Highlighted code with a copy button. Renders all of it, so it is not for long texts. */
export function CodeBlock({ text, language }: Props) {
  const segments = useMemo(() => codeSegments(text, language), [text, language]);
  const hits = findHits(text, useContext(HighlightContext));
  return (
    <div class="corner payload-code">
      <pre class="payload-text sunken">
        <code>
          {splitAtHits(segments, hits).map(({ style, ...piece }, index) => (
            <span key={index} class={style && `code-${style}`}>
              <TextPiece {...piece} />
            </span>
          ))}
        </code>
      </pre>
      <CopyButton text={() => text} />
    </div>
  );
}
