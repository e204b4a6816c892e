import type {
  Block,
  JSONObject,
  JSONValue,
  MessageBlock,
  ThinkBlock,
  ToolCallBlock,
} from '../../../../generated/trace.ts';
import { HighlightedText } from '../parts/visible-text.tsx';
import { OrsBlocks } from './blocks.tsx';
import { CallArguments } from './call-arguments.tsx';
import { PayloadFrame } from './frame.tsx';
import { OtherFields } from './json-tree.tsx';
import { parseBlobReference, parsePart } from './read-output.ts';
import { SingleToolResult } from './results.tsx';
import { StoredJson } from './stored.tsx';
import { FullTextContext, TextPayload } from './text.tsx';

interface Props {
  readonly block: Block;
  readonly highlight?: string | undefined;
  /** Shows long texts completely from the start. */
  readonly isWhole?: boolean;
}

/** Renders the payload of one block. */
export function Payload({ block, highlight, isWhole = false }: Props) {
  return (
    <FullTextContext.Provider value={isWhole}>
      <One block={block} highlight={highlight} />
    </FullTextContext.Provider>
  );
}

function One({ block, highlight }: Omit<Props, 'isWhole'>) {
  if (block.sub_type === 'MESSAGE') return <Message block={block} highlight={highlight} />;
  if (block.sub_type === 'THINK') return <Thought block={block} highlight={highlight} />;
  if (block.sub_type === 'TOOL_CALL') return <Call block={block} highlight={highlight} />;
  return <SingleToolResult result={block} highlight={highlight} />;
}

interface Of<B extends Block> {
  readonly block: B;
  readonly highlight: string | undefined;
}

function Message({ block: { payload }, highlight }: Of<MessageBlock>) {
  const { role: _, content, ...rest } = payload;
  const texts = (typeof content === 'string' ? [content] : content).map(parsePart);
  const plain = texts.every((part) => part.kind === 'text') ? texts.map(({ text }) => text).join('\n\n') : undefined;
  return (
    <PayloadFrame kind="message" value={payload as JSONValue} plain={plain} highlight={highlight}>
      {typeof content === 'string' ? (
        <TextPayload text={content} as="markdown" highlight={highlight} />
      ) : (
        <OrsBlocks blocks={content} as="markdown" highlight={highlight} />
      )}
      <OtherFields fields={rest as JSONObject} highlight={highlight} />
    </PayloadFrame>
  );
}

function Thought({ block: { payload }, highlight }: Of<ThinkBlock>) {
  const { text, part, parts, ...rest } = payload;
  const isPart = typeof part === 'number' && typeof parts === 'number';
  return (
    <PayloadFrame kind="thought" value={payload as JSONValue} plain={text} highlight={highlight}>
      {isPart && (
        <p class="payload-note">
          part {part + 1} of {parts}
        </p>
      )}
      <TextPayload text={text} as="markdown" highlight={highlight} />
      <OtherFields fields={rest as JSONObject} highlight={highlight} />
    </PayloadFrame>
  );
}

function Call({ block: { payload }, highlight }: Of<ToolCallBlock>) {
  const { name, arguments: given, call_id: _, ...rest } = payload;
  const reference = parseBlobReference(given);
  return (
    <PayloadFrame kind="call" value={given} highlight={highlight}>
      <p class="payload-name">
        <HighlightedText text={name} highlight={highlight} />
      </p>
      {reference ? (
        <StoredJson reference={reference}>
          {(stored) => <CallArguments tool={name} given={stored as JSONObject} highlight={highlight} />}
        </StoredJson>
      ) : (
        <CallArguments tool={name} given={given} highlight={highlight} />
      )}
      <OtherFields fields={rest as JSONObject} highlight={highlight} />
    </PayloadFrame>
  );
}
