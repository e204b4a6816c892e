import type { ComponentChildren } from 'preact';
import { useContext, useMemo, useRef, useState } from 'preact/hooks';
import type { JSONValue } from '../../../../generated/trace.ts';
import { BoundedMap } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { type LoadState, useLoad } from '../api/use-load.ts';
import { Button } from '../parts/buttons.tsx';
import { ErrorCard } from '../parts/states.tsx';
import { observePage, useNearViewport } from './deferred.ts';
import type { BlobReference } from './read-output.ts';
import { exactBytes, FullTextContext, LARGE_BYTES } from './text.tsx';

interface TextProps {
  readonly reference: BlobReference;
  /** Shown until it is loaded. */
  readonly preview: ComponentChildren;
  readonly children: (text: string) => ComponentChildren;
}

/** Offloaded text: loaded when it is visible or, if it is large, on request. */
export function StoredText({ reference: { sha256, bytes }, preview, children }: TextProps) {
  const element = useRef<HTMLDivElement>(null);
  const isNear = useNearViewport(observePage, element);
  const isWhole = useContext(FullTextContext);
  const [isRequested, setRequested] = useState(false);
  const isWanted = isRequested || (isNear && bytes <= LARGE_BYTES);
  const { data: text, failure, isLoading, reload } = useBlob(sha256, isWanted, decodeText);
  if (text !== undefined) {
    // A large text that was requested is shown completely.
    return <FullTextContext.Provider value={isWhole || isRequested}>{children(text)}</FullTextContext.Provider>;
  }
  if (failure) return <ErrorCard failure={failure} retry={reload} />;
  return (
    <div class="stack payload-long" ref={element}>
      {preview}
      <p class="row muted payload-size">
        <span>{exactBytes(bytes)}</span>
        <Button disabled={isRequested && isLoading} onClick={() => setRequested(true)}>
          {isWanted ? 'Loading …' : 'Show all'}
        </Button>
      </p>
    </div>
  );
}

export interface JsonProps {
  readonly reference: BlobReference;
  readonly children: (value: JSONValue) => ComponentChildren;
}

/** Offloaded JSON. */
export function StoredJson({ reference, children }: JsonProps) {
  return (
    <StoredText reference={reference} preview={<p class="payload-note">Stored separately from this block.</p>}>
      {(text) => <Parsed text={text}>{children}</Parsed>}
    </StoredText>
  );
}

function Parsed({ text, children }: Pick<JsonProps, 'children'> & { readonly text: string }) {
  return <>{children(useMemo(() => JSON.parse(text), [text]))}</>;
}

const MAX_BLOBS = 40;
/** Recently read blobs; the bytes of a hash never change. */
const blobs = new BoundedMap<string, Uint8Array>(MAX_BLOBS);

/** Loads an offloaded blob once it is needed. */
export function useBlob(sha256: string, isWanted: boolean, decode: (bytes: Uint8Array) => string): LoadState<string> {
  const org = useOrganization();
  const name = `${org} ${sha256}`;
  return useLoad(isWanted ? `blob ${name}` : undefined, async (signal) => {
    let bytes = blobs.get(name);
    if (!bytes) {
      const blob = await unwrapResponse(traceApi.getBlob({ params: { path: { org, sha256 } }, signal }));
      bytes = new Uint8Array(await blob.arrayBuffer());
      blobs.set(name, bytes);
    }
    return decode(bytes);
  });
}

/** Decodes UTF-8; a byte order mark is kept. */
const decodeText = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
