import type { JSONValue } from '../../../../generated/trace.ts';
import { isRecord, tryParseJson } from '../../../core/index.ts';
import { HighlightedText } from '../parts/visible-text.tsx';
import { HiddenFields, JsonTree } from './json-tree.tsx';
import { ImageView } from './picture.tsx';
import { type OutputPart, parsePart } from './read-output.ts';
import { StoredImageView, StoredText } from './stored.tsx';
import { type TextKind, TextPayload } from './text.tsx';

interface Props {
  readonly blocks: readonly unknown[];
  readonly highlight?: string | undefined;
  /** Format of the texts. @default 'ansi' */
  readonly as?: TextKind;
}

/** Renders the ORS blocks (text, image) of an output, a prompt or a message. */
export function OrsBlocks({ blocks, highlight, as = 'ansi' }: Props) {
  return (
    <div class="stack payload-blocks">
      {blocks.map((block, index) => (
        <One key={index} part={parsePart(block)} highlight={highlight} as={as} />
      ))}
      {blocks.length === 0 && <p class="payload-note">no blocks</p>}
    </div>
  );
}

interface OneProps extends Required<Pick<Props, 'as'>> {
  readonly part: OutputPart;
  readonly highlight: string | undefined;
}

function One({ part, highlight, as }: OneProps) {
  switch (part.kind) {
    case 'text':
      return (
        <>
          <TextPayload text={part.text} as={as} highlight={highlight} />
          <Detail value={part.detail} highlight={highlight} />
        </>
      );
    case 'picture':
      return (
        <>
          <ImageView data={part.data} mimeType={part.mimeType} />
          <Detail value={part.detail} highlight={highlight} />
        </>
      );
    case 'picture-reference':
      return <StoredImageView reference={part.reference} mimeType={part.mimeType} />;
    case 'text-reference':
      return (
        <StoredText
          reference={part.reference}
          preview={<TextPayload text={part.preview === '' ? '' : `${part.preview} …`} as={as} highlight={highlight} />}
        >
          {(text) => <Stored text={text} isJson={part.isJson} as={as} highlight={highlight} />}
        </StoredText>
      );
    case 'call':
      return (
        <p class="payload-note">
          calls{' '}
          <code>
            <HighlightedText text={part.name} highlight={highlight} />
          </code>
        </p>
      );
    default:
      return <JsonTree value={part.value} highlight={highlight} openDepth={2} />;
  }
}

/** Renders an offloaded text: the content, one part of it, or all parts. */
function Stored({
  text,
  isJson,
  as,
  highlight,
}: Omit<OneProps, 'part'> & { readonly text: string; readonly isJson: boolean }) {
  const value = isJson ? tryParseJson(text) : text;
  if (typeof value === 'string') return <TextPayload text={value} as={as} highlight={highlight} />;
  if (Array.isArray(value)) return <OrsBlocks blocks={value} as={as} highlight={highlight} />;
  if (isRecord(value)) return <OrsBlocks blocks={[value]} as={as} highlight={highlight} />;
  return <TextPayload text={text} as={as} highlight={highlight} />;
}

function Detail({ value, highlight }: { readonly value: JSONValue; readonly highlight: string | undefined }) {
  return value === null ? null : <HiddenFields label="detail" value={value} highlight={highlight} />;
}
