import type { JSONValue } from '../../../../generated/trace.ts';
import { isRecord, tryParseJson } from '../../../core/index.ts';
import { JsonTree } from './json-tree.tsx';
import { Picture } from './picture.tsx';
import { type Part, readPart } from './read-output.ts';
import { StoredPicture, StoredText } from './references.tsx';
import { Shown } from './shown.tsx';
import { Text, type TextKind } from './text.tsx';
import { Unseen } from './unseen.tsx';

interface Props {
  readonly blocks: readonly unknown[];
  readonly highlight?: string | undefined;
  /** What their texts are. Default: what a terminal shows. */
  readonly as?: TextKind;
}

/** ORS blocks (text, image) of an output, a prompt or a message. */
export function Blocks({ blocks, highlight, as = 'ansi' }: Props) {
  return (
    <div class="payload-blocks">
      {blocks.map((block, index) => (
        <One key={index} {...{ part: readPart(block), highlight, as }} />
      ))}
      {blocks.length === 0 && <p class="payload-note">no blocks</p>}
    </div>
  );
}

interface OneProps extends Required<Pick<Props, 'as'>> {
  readonly part: Part;
  readonly highlight: string | undefined;
}

function One({ part, highlight, as }: OneProps) {
  switch (part.kind) {
    case 'text':
      return (
        <>
          <Text {...{ text: part.text, as, highlight }} />
          <Detail value={part.detail} highlight={highlight} />
        </>
      );
    case 'picture':
      return (
        <>
          <Picture data={part.data} mimeType={part.mimeType} />
          <Detail value={part.detail} highlight={highlight} />
        </>
      );
    case 'picture-reference':
      return <StoredPicture reference={part.reference} mimeType={part.mimeType} />;
    case 'text-reference':
      return (
        <StoredText
          reference={part.reference}
          preview={<Text text={part.preview === '' ? '' : `${part.preview} …`} as={as} highlight={highlight} />}
        >
          {(text) => <Stored {...{ text, isJson: part.isJson, as, highlight }} />}
        </StoredText>
      );
    case 'call':
      return (
        <p class="payload-note">
          calls{' '}
          <code>
            <Shown text={part.name} highlight={highlight} />
          </code>
        </p>
      );
    default:
      return <JsonTree value={part.value} highlight={highlight} openDepth={2} />;
  }
}

/** A text that was stored beside its message: the content, one part of it, or all parts. */
function Stored({
  text,
  isJson,
  as,
  highlight,
}: Omit<OneProps, 'part'> & { readonly text: string; readonly isJson: boolean }) {
  const value = isJson ? tryParseJson(text) : text;
  if (typeof value === 'string') return <Text {...{ text: value, as, highlight }} />;
  if (Array.isArray(value)) return <Blocks {...{ blocks: value, as, highlight }} />;
  if (isRecord(value)) return <Blocks {...{ blocks: [value], as, highlight }} />;
  return <Text {...{ text, as, highlight }} />;
}

function Detail({ value, highlight }: { readonly value: JSONValue; readonly highlight: string | undefined }) {
  return value === null ? null : <Unseen label="detail" {...{ value, highlight }} />;
}
