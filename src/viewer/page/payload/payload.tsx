import type {
  Block,
  JSONObject,
  JSONValue,
  MessageBlock,
  ThinkBlock,
  ToolCallBlock,
} from '../../../../generated/trace.ts';
import { Blocks } from './blocks.tsx';
import { CallArguments } from './call-arguments.tsx';
import { Frame } from './frame.tsx';
import { readPart, referenceOf } from './read-output.ts';
import { StoredJson } from './references.tsx';
import { OneResult } from './results.tsx';
import { Shown } from './shown.tsx';
import { Text, WholeContext } from './text.tsx';
import { Others } from './unseen.tsx';

interface Props {
  readonly block: Block;
  readonly highlight?: string | undefined;
  /** Shows long texts as a whole from the beginning. */
  readonly isWhole?: boolean;
}

/** One block's payload as people read it. */
export function Payload({ block, highlight, isWhole = false }: Props) {
  return (
    <WholeContext.Provider value={isWhole}>
      <One block={block} highlight={highlight} />
    </WholeContext.Provider>
  );
}

function One({ block, highlight }: Omit<Props, 'isWhole'>) {
  if (block.sub_type === 'MESSAGE') return <Message {...{ block, highlight }} />;
  if (block.sub_type === 'THINK') return <Thought {...{ block, highlight }} />;
  if (block.sub_type === 'TOOL_CALL') return <Call {...{ block, highlight }} />;
  return <OneResult result={block} highlight={highlight} />;
}

interface Of<B extends Block> {
  readonly block: B;
  readonly highlight: string | undefined;
}

function Message({ block: { payload }, highlight }: Of<MessageBlock>) {
  const { role: _, content, ...rest } = payload;
  const texts = (typeof content === 'string' ? [content] : content).map(readPart);
  const plain = texts.every((part) => part.kind === 'text') ? texts.map(({ text }) => text).join('\n\n') : undefined;
  return (
    <Frame kind="message" value={payload as JSONValue} plain={plain} highlight={highlight}>
      {typeof content === 'string' ? (
        <Text text={content} as="markdown" highlight={highlight} />
      ) : (
        <Blocks blocks={content} as="markdown" highlight={highlight} />
      )}
      <Others fields={rest as JSONObject} highlight={highlight} />
    </Frame>
  );
}

function Thought({ block: { payload }, highlight }: Of<ThinkBlock>) {
  const { text, part, parts, ...rest } = payload;
  const isPart = typeof part === 'number' && typeof parts === 'number';
  return (
    <Frame kind="thought" value={payload as JSONValue} plain={text} highlight={highlight}>
      {isPart && (
        <p class="payload-note">
          part {part + 1} of {parts}
        </p>
      )}
      <Text text={text} as="markdown" highlight={highlight} />
      <Others fields={rest as JSONObject} highlight={highlight} />
    </Frame>
  );
}

function Call({ block: { payload }, highlight }: Of<ToolCallBlock>) {
  const { name, arguments: given, call_id: _, ...rest } = payload;
  const reference = referenceOf(given);
  return (
    <Frame kind="call" value={given} highlight={highlight}>
      <p class="payload-name">
        <Shown text={name} highlight={highlight} />
      </p>
      {reference ? (
        <StoredJson reference={reference}>
          {(stored) => <CallArguments tool={name} given={stored as JSONObject} highlight={highlight} />}
        </StoredJson>
      ) : (
        <CallArguments tool={name} given={given} highlight={highlight} />
      )}
      <Others fields={rest as JSONObject} highlight={highlight} />
    </Frame>
  );
}
