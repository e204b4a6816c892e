import type { ComponentChildren, JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { JSONValue } from '../../../../generated/trace.ts';
import { ErrorCard } from '../parts/failure-card.tsx';
import { ImageView } from './picture.tsx';
import type { BlobReference } from './read-output.ts';
import { FullTextContext, LARGE_BYTES } from './text.tsx';
import { exactBytes } from './text-bytes.ts';
import { blobToBase64, blobToText, useBlob } from './use-blob.ts';
import { observePage, useNearViewport } from './use-near.ts';

interface TextProps {
  readonly reference: BlobReference;
  /** What stands there until it is loaded. */
  readonly preview: ComponentChildren;
  readonly children: (text: string) => ComponentChildren;
}

/** A text that is stored beside its block: read when it is seen, or if it is large, when it is asked for. */
export function StoredText({ reference: { sha256, bytes }, preview, children }: TextProps) {
  const element = useRef<HTMLDivElement>(null);
  const isNear = useNearViewport(observePage, element);
  const isWhole = useContext(FullTextContext);
  const [isAsked, setAsked] = useState(false);
  const isWanted = isAsked || (isNear && bytes <= LARGE_BYTES);
  const { data, failure, isLoading, reload } = useBlob(sha256, isWanted);
  const text = useResult(data, blobToText);
  if (failure && !data) return <ErrorCard failure={failure} retry={reload} />;
  if (text !== undefined) {
    // What was asked for once is not asked for again.
    return <FullTextContext.Provider value={isWhole || isAsked}>{children(text)}</FullTextContext.Provider>;
  }
  return (
    <div class="payload-long" ref={element}>
      {preview}
      <p class="payload-size">
        <span>{exactBytes(bytes)}</span>
        <button type="button" disabled={isAsked && isLoading} onClick={() => setAsked(true)}>
          {isWanted ? 'Loading …' : 'Show all'}
        </button>
      </p>
    </div>
  );
}

/** JSON that is stored beside its block. */
export function StoredJson({
  reference,
  children,
}: {
  readonly reference: BlobReference;
  readonly children: (value: JSONValue) => ComponentChildren;
}): JSX.Element {
  return (
    <StoredText reference={reference} preview={<p class="payload-note">It is stored beside this block.</p>}>
      {(text) => <Parsed text={text}>{children}</Parsed>}
    </StoredText>
  );
}

function Parsed({
  text,
  children,
}: {
  readonly text: string;
  readonly children: (value: JSONValue) => ComponentChildren;
}) {
  const [value] = useState(() => JSON.parse(text) as JSONValue);
  return <>{children(value)}</>;
}

/** A picture that is stored beside its block, read when it is seen. */
export function StoredImageView({
  reference: { sha256 },
  mimeType,
}: {
  readonly reference: BlobReference;
  readonly mimeType: string;
}) {
  const element = useRef<HTMLDivElement>(null);
  const isNear = useNearViewport(observePage, element);
  const { data, failure, reload } = useBlob(sha256, isNear);
  const base64 = useResult(data, blobToBase64);
  return (
    <div ref={element} class="payload-stored-picture">
      {failure && !data ? (
        <ErrorCard failure={failure} retry={reload} />
      ) : (
        base64 !== undefined && <ImageView data={base64} mimeType={mimeType} />
      )}
    </div>
  );
}

/** What a promise about something comes to; undefined before. */
function useResult<T extends object, R>(of: T | undefined, read: (of: T) => Promise<R>): R | undefined {
  const [result, setResult] = useState<{ readonly of: T; readonly value: R }>();
  useEffect(() => {
    let isCurrent = true;
    if (of) read(of).then((value) => isCurrent && setResult({ of, value }));
    return () => {
      isCurrent = false;
    };
  }, [of]);
  return result && result.of === of ? result.value : undefined;
}
