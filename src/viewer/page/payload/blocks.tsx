import type { JSONValue } from '../../../../generated/trace.ts';
import { isRecord, tryParseJson } from '../../../core/index.ts';
import { lazy } from '../parts/states.tsx';
import { HighlightedText } from '../parts/visible-text.tsx';
import { HiddenFields, JsonTree } from './json-tree.tsx';
import { type OutputPart, parsePart } from './read-output.ts';
import { type TextKind, TextPayload } from './text.tsx';

const ImageView = lazy(
  () => import('./picture.tsx').then((it) => it.ImageView),
  () => <div class="payload-picture" />,
);
const StoredImageView = lazy(
  () => import('./picture.tsx').then((it) => it.StoredImageView),
  () => <div class="payload-stored-picture" />,
);
/** Loaded for content that is stored separately from its block. */
const StoredText = lazy(
  () => import('./stored.tsx').then((it) => it.StoredText),
  ({ preview }) => <>{preview}</>,
);
export const StoredJson = lazy(
  () => import('./stored.tsx').then((it) => it.StoredJson),
  () => <p class="payload-note">Stored separately from this block.</p>,
);

interface Props {
  readonly blocks: readonly unknown[];
  /** Format of the texts. @default 'ansi' */
  readonly as?: TextKind;
}

/** Renders the ORS blocks (text, image) of an output, a prompt or a message. */
export function OrsBlocks({ blocks, as = 'ansi' }: Props) {
  return (
    <div class="stack payload-blocks">
      {blocks.map((block, index) => (
        <BlockView key={index} part={parsePart(block)} as={as} />
      ))}
      {blocks.length === 0 && <p class="payload-note">no blocks</p>}
    </div>
  );
}

function BlockView({ part, as }: { readonly part: OutputPart; readonly as: TextKind }) {
  switch (part.kind) {
    case 'text':
      return (
        <>
          <TextPayload text={part.text} as={as} />
          <Detail value={part.detail} />
        </>
      );
    case 'picture':
      return (
        <>
          <ImageView data={part.data} mimeType={part.mimeType} />
          <Detail value={part.detail} />
        </>
      );
    case 'picture-reference':
      return <StoredImageView reference={part.reference} mimeType={part.mimeType} />;
    case 'text-reference':
      return (
        <StoredText
          reference={part.reference}
          preview={<TextPayload text={part.preview === '' ? '' : `${part.preview} …`} as={as} />}
        >
          {(text) => <OffloadedText text={text} isJson={part.isJson} as={as} />}
        </StoredText>
      );
    case 'call':
      return (
        <p class="payload-note">
          calls{' '}
          <code>
            <HighlightedText text={part.name} />
          </code>
        </p>
      );
    default:
      return <JsonTree value={part.value} openDepth={2} />;
  }
}

interface OffloadedTextProps {
  readonly text: string;
  readonly isJson: boolean;
  readonly as: TextKind;
}

/** Renders an offloaded text: the content, one part of it, or all parts. */
function OffloadedText({ text, isJson, as }: OffloadedTextProps) {
  const value = isJson ? tryParseJson(text) : text;
  const blocks = isRecord(value) ? [value] : value;
  if (Array.isArray(blocks)) return <OrsBlocks blocks={blocks} as={as} />;
  return <TextPayload text={typeof value === 'string' ? value : text} as={as} />;
}

function Detail({ value }: { readonly value: JSONValue }) {
  return value === null ? null : <HiddenFields label="detail" value={value} />;
}
