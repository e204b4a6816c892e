import { useState } from 'preact/hooks';
import type { Block, BlockId, BlockSkeleton, JSONValue, Trace } from '../../../../generated/trace.ts';
import { formatBytes, formatCount } from '../../../core/index.ts';
import { Fact, formatDurationBetween, RelativeTime, Reward } from '../parts/badges.tsx';
import { CopyButton, IconButton } from '../parts/buttons.tsx';
import { Skeleton } from '../parts/states.tsx';
import { JsonTree } from '../payload/index.ts';
import type { Outline, TranscriptRow } from './outline.ts';
import type { PayloadCache } from './payloads.ts';
import { rowLabel, sinceStart } from './visible-rows.ts';

interface Props {
  readonly row: TranscriptRow | undefined;
  /** Selected block of the row. @default the last one */
  readonly chosen: BlockId | undefined;
  readonly trace: Trace;
  readonly outline: Outline;
  readonly payloads: PayloadCache;
  readonly highlight: string;
  readonly onClose: () => void;
  readonly onGo: (id: BlockId) => void;
}

/** Shows all stored fields of one block. */
export function Inspector({ row, chosen, onClose, ...others }: Props) {
  const [picked, setPicked] = useState<BlockId>();
  const block = row && [picked, chosen].map((id) => row.blocks.find((each) => each.id === id)).find(Boolean);
  const shown = block ?? row?.blocks.at(-1);
  return (
    <aside class="stack tr-inspector" aria-label="Inspector">
      <header class="row">
        <h2>{row ? rowLabel(row) : 'Inspector'}</h2>
        <span class="spring" />
        <IconButton label="Close the inspector" shortcut="i" onClick={onClose}>
          ✕
        </IconButton>
      </header>
      {row && row.blocks.length > 1 && shown && <DeltaSelect row={row} shown={shown} onPick={setPicked} />}
      {shown ? (
        <BlockFields key={shown.id} block={shown} {...others} />
      ) : (
        <p class="none">Select a block to see all of its fields.</p>
      )}
    </aside>
  );
}

/** Selects one of the deltas of a result. */
function DeltaSelect({
  row,
  shown,
  onPick,
}: {
  row: TranscriptRow;
  shown: BlockSkeleton;
  onPick: (id: BlockId) => void;
}) {
  return (
    <select aria-label="Piece of the result" value={shown.id} onChange={(event) => onPick(event.currentTarget.value)}>
      {row.blocks.slice(0, 1_000).map((block, index) => (
        <option key={block.id} value={block.id}>
          {index + 1} of {row.blocks.length}
          {block.seq === null ? '' : `, seq ${block.seq}`}, {formatBytes(block.bytes)}
        </option>
      ))}
    </select>
  );
}

type BlockFieldsProps = Omit<Props, 'row' | 'chosen' | 'onClose'> & { readonly block: BlockSkeleton };

function BlockFields({ block, trace, outline, payloads, highlight, onGo }: BlockFieldsProps) {
  const stored = payloads.get(block.id);
  const parent = block.parent_block_id === null ? undefined : outline.rowOf(block.parent_block_id);
  const call = block.sub_type === 'TOOL_RESULT' ? parent?.blocks[0] : undefined;
  return (
    <>
      <dl class="facts tr-facts">
        <Fact name="Block">
          <code>{block.id}</code> <CopyButton text={block.id} />
        </Fact>
        <Fact name="Type">
          {block.block_type} · {block.sub_type}
        </Fact>
        {block.parent_block_id !== null && (
          <Fact name="Parent">
            <button
              type="button"
              class="quiet tr-id"
              disabled={!parent}
              onClick={() => onGo(block.parent_block_id ?? '')}
            >
              {block.parent_block_id}
            </button>
          </Fact>
        )}
        {block.call_id !== null && (
          <Fact name="call_id">
            <code>{block.call_id}</code> <CopyButton text={block.call_id} />
          </Fact>
        )}
        {block.seq !== null && <Fact name="seq">{formatCount(block.seq)}</Fact>}
        {block.reward !== null && (
          <Fact name="Reward">
            <Reward value={block.reward} />
          </Fact>
        )}
        <Fact name="Size">
          {formatBytes(block.bytes)} <small>({formatCount(block.bytes)} bytes)</small>
        </Fact>
        <Fact name="Written">
          <RelativeTime at={block.created_at} />{' '}
          <small>{sinceStart(block.created_at, trace.created_at)} into the trace</small>
        </Fact>
        {call && (
          <Fact name="Took">
            {formatDurationBetween(call.created_at, block.created_at)} <small>since the call</small>
          </Fact>
        )}
      </dl>
      {stored ? <JsonSections block={stored} highlight={highlight} /> : <Skeleton lines={4} />}
    </>
  );
}

function JsonSections({ block, highlight }: { readonly block: Block; readonly highlight: string }) {
  const parts: readonly (readonly [string, unknown])[] = [
    ['payload', block.payload],
    ['extra', block.extra],
    ['metadata', block.metadata],
    ['raw', block.raw],
  ];
  return (
    <>
      {parts.map(([name, value]) => (
        <JsonSection key={name} name={name} value={value as JSONValue} highlight={highlight} />
      ))}
    </>
  );
}

/** Section that renders its content only while it is open, because raw responses may be large. */
function JsonSection({
  name,
  value,
  highlight,
}: {
  readonly name: string;
  readonly value: JSONValue;
  readonly highlight: string;
}) {
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
          <JsonTree value={value} highlight={highlight} openDepth={2} />
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
    <button type="button" class="quiet copy" onClick={() => setText(JSON.stringify(value, null, 2))}>
      Copy JSON
    </button>
  );
}
