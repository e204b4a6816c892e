import { useState } from 'preact/hooks';
import type { BlockId, BlockSkeleton, JSONValue, Trace } from '../../../../generated/trace.ts';
import { formatBytes, formatCount } from '../../../core/index.ts';
import { Facts, formatDurationBetween, RelativeTime, Reward } from '../parts/badges.tsx';
import { CopyButton, IconButton, QuietButton, Select } from '../parts/buttons.tsx';
import { Skeleton } from '../parts/states.tsx';
import { JsonTree } from '../payload/index.ts';
import type { Outline } from './outline.ts';
import type { PayloadCache } from './payloads.ts';
import type { Reading } from './use-reading.ts';
import { rowLabel, sinceStart } from './visible-rows.ts';

interface Props {
  readonly reading: Reading;
  readonly outline: Outline;
  readonly trace: Trace;
  readonly payloads: PayloadCache;
}

/** Shows all stored fields of the selected block, or of the first one. */
export function Inspector(props: Props) {
  const { rows, row = rows[0], view, panes } = props.reading;
  const [picked, setPicked] = useState<BlockId>();
  const { blocks = [] } = row ?? {};
  const block = [picked, view.chosen].map((id) => blocks.find((each) => each.id === id)).find(Boolean) ?? blocks.at(-1);
  const deltas = blocks.slice(0, 1_000).map(({ id, seq, bytes }, index) => {
    const sequence = seq === null ? '' : `, seq ${seq}`;
    return [id, `${index + 1} of ${blocks.length}${sequence}, ${formatBytes(bytes)}`] as const;
  });
  return (
    <aside class="stack tr-inspector" aria-label="Inspector">
      <header class="row">
        <h2 class="clipped">{row ? rowLabel(row) : 'Inspector'}</h2>
        <span class="spring" />
        <IconButton icon="✕" label="Close the inspector" shortcut="i" onClick={() => panes.toggle('inspector')} />
      </header>
      {block && deltas.length > 1 && (
        <Select label="Piece of the result" value={block.id} options={deltas} onChoose={setPicked} />
      )}
      {block ? (
        <BlockFields key={block.id} {...props} block={block} />
      ) : (
        <p class="none">Select a block to see all of its fields.</p>
      )}
    </aside>
  );
}

function BlockFields({ block, trace, outline, payloads, reading }: Props & { readonly block: BlockSkeleton }) {
  const stored = payloads.get(block.id);
  const parent = block.parent_block_id === null ? undefined : outline.rowOf(block.parent_block_id);
  const call = block.sub_type === 'TOOL_RESULT' ? parent?.blocks[0] : undefined;
  return (
    <>
      <Facts
        class="tr-facts"
        facts={{
          Block: <CopyableId id={block.id} />,
          Type: `${block.block_type} · ${block.sub_type}`,
          Parent: block.parent_block_id !== null && (
            <QuietButton class="tr-id" disabled={!parent} onClick={() => reading.go(block.parent_block_id ?? '')}>
              {block.parent_block_id}
            </QuietButton>
          ),
          call_id: block.call_id !== null && <CopyableId id={block.call_id} />,
          seq: block.seq !== null && formatCount(block.seq),
          Reward: block.reward !== null && <Reward value={block.reward} />,
          Size: (
            <>
              {formatBytes(block.bytes)} <small>({formatCount(block.bytes)} bytes)</small>
            </>
          ),
          Written: (
            <>
              <RelativeTime at={block.created_at} />{' '}
              <small>{sinceStart(block.created_at, trace.created_at)} into the trace</small>
            </>
          ),
          Took: call && (
            <>
              {formatDurationBetween(call.created_at, block.created_at)} <small>since the call</small>
            </>
          ),
        }}
      />
      {!stored && <Skeleton lines={4} />}
      {stored &&
        (['payload', 'extra', 'metadata', 'raw'] as const).map((name) => (
          <JsonSection key={name} name={name} value={stored[name] as JSONValue} />
        ))}
    </>
  );
}

const CopyableId = ({ id }: { readonly id: string }) => (
  <>
    <code>{id}</code> <CopyButton text={id} />
  </>
);

/** Section that renders its content only while it is open, because raw responses may be large. */
function JsonSection({ name, value }: { readonly name: string; readonly value: JSONValue }) {
  const isEmpty = value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  const [isOpen, setOpen] = useState(name === 'payload' || name === 'extra');
  if (isEmpty) {
    return (
      <p class="muted">
        {name} <small>{value === null ? 'null' : 'empty'}</small>
      </p>
    );
  }
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{name}</summary>
      {isOpen && (
        <div class="corner tr-json">
          <CopyJson value={value} />
          <JsonTree value={value} openDepth={2} />
        </div>
      )}
    </details>
  );
}

/** Serializes on demand. */
function CopyJson({ value }: { readonly value: JSONValue }) {
  const [text, setText] = useState<string>();
  if (text !== undefined) return <CopyButton text={text} label="Copy now" />;
  return (
    <QuietButton class="copy" onClick={() => setText(JSON.stringify(value, null, 2))}>
      Copy JSON
    </QuietButton>
  );
}
