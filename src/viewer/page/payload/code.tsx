import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { CopyButton } from '../parts/buttons.tsx';
import { lazy } from '../parts/states.tsx';
import { findHits, splitAtHits } from '../parts/text-segments.ts';
import { HighlightContext, TextPiece } from '../parts/visible-text.tsx';

interface Props {
  readonly text: string;
  /** Language tag of a code fence, such as `py`; unknown ones are not highlighted. */
  readonly language: string;
}

/** Highlighted code with a copy button. Renders all of it, so it is not for long texts. */
export function CodeBlock({ text, language }: Props) {
  const highlight = useHighlighter();
  const segments = useMemo(() => highlight?.(text, language) ?? [{ text }], [text, language, highlight]);
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

type Highlighter = typeof import('./code-scopes.ts').codeSegments;
let loaded: Highlighter | undefined;

/** Returns the function that highlights code; undefined until its code is loaded. */
function useHighlighter(): Highlighter | undefined {
  const [, setReady] = useState(loaded !== undefined);
  useEffect(() => {
    if (loaded) return;
    import('./code-scopes.ts').then(
      ({ codeSegments }) => {
        loaded = codeSegments;
        setReady(true);
      },
      // Code without colours is readable.
      () => {},
    );
  }, []);
  return loaded;
}

/** Shows the removed and added lines of a text. */
export const TextDiff = lazy(
  () => import('./diff.tsx').then((it) => it.TextDiff),
  () => <p class="payload-note">…</p>,
);
