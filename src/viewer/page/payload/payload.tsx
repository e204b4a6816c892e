import { useErrorBoundary } from 'preact/hooks';
import type {
  Block,
  JSONObject,
  JSONValue,
  MessageBlock,
  ThinkBlock,
  ToolCallBlock,
  ToolResultBlock,
} from '../../../../generated/trace.ts';
import { errorMessage, truncate } from '../../../core/index.ts';
import { HighlightedText } from '../parts/visible-text.tsx';
import { OrsBlocks, StoredJson } from './blocks.tsx';
import { CallArguments } from './call-arguments.tsx';
import { PayloadFrame } from './frame.tsx';
import { OtherFields } from './json-tree.tsx';
import { parseBlobReference, parsePart } from './read-output.ts';
import { ToolResults } from './results.tsx';
import { FullTextContext, TextPayload } from './text.tsx';

interface Props {
  /** One block, or all results of one call. */
  readonly blocks: readonly Block[];
  /** Shows long texts completely from the start, except those of results. */
  readonly isWhole: boolean;
}

/** Renders the payload of a block, or the results of a call; if that fails, only this payload is missing from the page. */
export function Payload(props: Props) {
  const [error] = useErrorBoundary();
  if (error) return <FailedPayload blocks={props.blocks} error={error} />;
  return <RenderedPayload {...props} />;
}

function FailedPayload({ blocks, error }: Pick<Props, 'blocks'> & { readonly error: unknown }) {
  const json = blocks.map(({ payload }) => toJson(payload)).join('\n');
  return (
    <>
      <p class="payload-note failed">This payload cannot be shown: {errorMessage(error)}</p>
      <pre>{truncate(json, MAX_RAW_LENGTH)}</pre>
    </>
  );
}

/** Maximum length of a payload as JSON, in UTF-16 code units. */
const MAX_RAW_LENGTH = 10_000;

function toJson(payload: unknown): string {
  try {
    return JSON.stringify(payload);
  } catch (error) {
    return errorMessage(error);
  }
}

function RenderedPayload({ blocks, isWhole }: Props) {
  const [block] = blocks;
  if (!block || block.sub_type === 'TOOL_RESULT') return <ToolResults results={blocks as readonly ToolResultBlock[]} />;
  return (
    <FullTextContext.Provider value={isWhole}>
      {block.sub_type === 'MESSAGE' && <Message payload={block.payload} />}
      {block.sub_type === 'THINK' && <Thought payload={block.payload} />}
      {block.sub_type === 'TOOL_CALL' && <Call payload={block.payload} />}
    </FullTextContext.Provider>
  );
}

function Message({ payload }: Pick<MessageBlock, 'payload'>) {
  const { role: _, content, ...rest } = payload;
  const texts = (typeof content === 'string' ? [content] : content).map(parsePart);
  const plain = texts.every((part) => part.kind === 'text') ? texts.map(({ text }) => text).join('\n\n') : undefined;
  return (
    <PayloadFrame kind="message" value={payload as JSONValue} plain={plain}>
      {typeof content === 'string' ? (
        <TextPayload text={content} as="markdown" />
      ) : (
        <OrsBlocks blocks={content} as="markdown" />
      )}
      <OtherFields fields={rest as JSONObject} />
    </PayloadFrame>
  );
}

function Thought({ payload }: Pick<ThinkBlock, 'payload'>) {
  const { text, part, parts, ...rest } = payload;
  const isPart = typeof part === 'number' && typeof parts === 'number';
  return (
    <PayloadFrame kind="thought" value={payload as JSONValue} plain={text}>
      {isPart && (
        <p class="payload-note">
          part {part + 1} of {parts}
        </p>
      )}
      <TextPayload text={text} as="markdown" />
      <OtherFields fields={rest as JSONObject} />
    </PayloadFrame>
  );
}

function Call({ payload }: Pick<ToolCallBlock, 'payload'>) {
  const { name, arguments: given, call_id: _, ...rest } = payload;
  const reference = parseBlobReference(given);
  return (
    <PayloadFrame kind="call" value={given}>
      <p class="payload-name">
        <HighlightedText text={name} />
      </p>
      {reference ? (
        <StoredJson reference={reference}>{(stored) => <CallArguments tool={name} given={stored} />}</StoredJson>
      ) : (
        <CallArguments tool={name} given={given} />
      )}
      <OtherFields fields={rest as JSONObject} />
    </PayloadFrame>
  );
}
