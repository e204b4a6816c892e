import type { JSONValue } from '../../../../generated/trace.ts';
import { blocksOf, type Message, type MessageBlock, plainPrompt } from '../../../protocol/index.ts';
import { JsonTree, OrsBlocks, PayloadFrame } from '../payload/index.ts';

/** Shows the prompt of an episode: plain, or as a conversation with the role of each message. */
export function Conversation({ messages }: { readonly messages: readonly Message[] }) {
  const isPlain = plainPrompt(messages) !== undefined;
  return (
    <>
      {messages.map((message, at) => (
        <article key={at} class={`card stack play-prompt play-prompt-${message.role}`}>
          <small>{isPlain ? 'Prompt' : `Prompt: ${message.role}`}</small>
          {blocksOf(message).map((block, position) => (
            <BlockView key={position} block={block} />
          ))}
        </article>
      ))}
    </>
  );
}

function BlockView({ block }: { readonly block: MessageBlock }) {
  if (block.type === 'reasoning')
    return (
      <details class="muted">
        <summary>Reasoning</summary>
        <OrsBlocks blocks={[{ type: 'text', text: block.text }]} />
      </details>
    );
  if (block.type === 'tool_call')
    return (
      <div class="sunken play-input">
        <code>{block.name}</code>
        <JsonTree value={block.input} openDepth={2} />
      </div>
    );
  if (block.type === 'tool_result')
    return (
      <div class={block.is_error ? 'play-error' : 'sunken play-input'}>
        <small>{block.is_error ? 'Result: an error' : 'Result'}</small>
        <OrsBlocks blocks={block.blocks} />
      </div>
    );
  return (
    <PayloadFrame kind="prompt" value={block as JSONValue} plain={block.type === 'text' ? block.text : undefined}>
      <OrsBlocks blocks={[block]} as="markdown" />
    </PayloadFrame>
  );
}
