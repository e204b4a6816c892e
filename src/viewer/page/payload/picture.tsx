import { useMemo, useRef, useState } from 'preact/hooks';
import { formatBytes, toBase64 } from '../../../core/index.ts';
import { Button } from '../parts/buttons.tsx';
import { Dialog, type DialogProps } from '../parts/dialog.tsx';
import { ErrorCard } from '../parts/states.tsx';
import { observePage, useNearViewport } from './deferred.ts';
import { type BlobReference, base64ByteLength, toImageSource } from './read-output.ts';
import { useBlob } from './stored.tsx';

interface Props {
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** Image in a box of the same size before and after loading; a click enlarges it. */
export function ImageView({ data, mimeType }: Props) {
  const source = useMemo(() => toImageSource(data, mimeType), [data, mimeType]);
  const [size, setSize] = useState<string>();
  const [isBroken, setBroken] = useState(false);
  const [isLarge, setLarge] = useState(false);
  const element = useRef<HTMLElement>(null);
  const isNear = useNearViewport(observePage, element);
  const facts = `${mimeType}, ${formatBytes(base64ByteLength(data))}`;
  if ('problem' in source) return <ImageError problem={source.problem} facts={facts} />;
  if (isBroken) return <ImageError problem="This browser cannot decode the image." facts={facts} />;
  const label = size ? `Image, ${size}` : 'Image';
  return (
    <figure class="stack payload-picture" ref={element}>
      <Button title="Enlarge" onClick={() => setLarge(true)}>
        {isNear && (
          <img
            src={source.url}
            alt={label}
            decoding="async"
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSize(`${naturalWidth} × ${naturalHeight}`)
            }
            onError={() => setBroken(true)}
          />
        )}
      </Button>
      <figcaption class="clipped muted">
        {size ?? '…'} <small>{facts}</small>
      </figcaption>
      {isLarge && <Lightbox url={source.url} title={`${label}, ${facts}`} onClose={() => setLarge(false)} />}
    </figure>
  );
}

/** Shown instead of an invalid image. */
function ImageError({ problem, facts }: { readonly problem: string; readonly facts: string }) {
  return (
    <figure class="stack payload-picture payload-no-picture">
      <p class="stack" role="alert">
        <strong>Invalid image</strong>
        {problem} The JSON view shows the stored data.
      </p>
      <figcaption class="clipped muted">
        <small>{facts}</small>
      </figcaption>
    </figure>
  );
}

function Lightbox({ url, title, onClose }: Omit<DialogProps, 'children'> & { readonly url: string }) {
  const [isNatural, setNatural] = useState(false);
  const hint = isNatural ? 'Fit to window' : 'Show full size';
  return (
    <Dialog title={title} onClose={onClose}>
      <div class={`payload-lightbox ${isNatural ? 'payload-natural' : ''}`}>
        <Button aria-pressed={isNatural} title={hint} onClick={() => setNatural(!isNatural)}>
          <img src={url} alt={title} />
        </Button>
      </div>
    </Dialog>
  );
}

interface StoredProps extends Pick<Props, 'mimeType'> {
  readonly reference: BlobReference;
}

/** Offloaded image, loaded when it is visible. */
export function StoredImageView({ reference: { sha256 }, mimeType }: StoredProps) {
  const element = useRef<HTMLDivElement>(null);
  const isNear = useNearViewport(observePage, element);
  const { data, failure, reload } = useBlob(sha256, isNear, toBase64);
  return (
    <div ref={element} class="payload-stored-picture">
      {data !== undefined && <ImageView data={data} mimeType={mimeType} />}
      {failure && data === undefined && <ErrorCard failure={failure} retry={reload} />}
    </div>
  );
}
