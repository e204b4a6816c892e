import { useState } from 'preact/hooks';
import type { BlockId, BlockSkeleton, JSONObject, JSONValue, Trace } from '../../../../generated/trace.ts';
import { fieldsOf, formatBytes, formatCount, formatDuration } from '../../../core/index.ts';
import { Facts, formatDurationBetween, RelativeTime, Reward } from '../parts/badges.tsx';
import { Button, CopyButton, IconButton, QuietButton, Select } from '../parts/buttons.tsx';
import { lazy, Skeleton } from '../parts/states.tsx';
import { formatCost, readCost, readTokenUsage } from '../parts/trace-info.ts';
import { VisibleText } from '../parts/visible-text.tsx';
import { JsonTree } from '../payload/index.ts';
import type { Outline } from './outline.ts';
import type { PayloadCache } from './payloads.ts';
import type { Reading } from './use-reading.ts';
import { rowLabel, sinceStart } from './visible-rows.ts';

/** Loaded for traces with a task. */
const TaskFields = lazy(() => import('../payload/task-fields.tsx').then((it) => it.TaskFields));

interface Props {
  readonly reading: Reading;
  readonly outline: Outline;
  readonly trace: Trace;
  readonly payloads: PayloadCache;
}

/** Shows all stored fields of the selected block or, if none is selected, of the trace. */
export function Inspector(props: Props) {
  const { row, view, panes } = props.reading;
  const [shown, setShown] = useState<{ readonly of: BlockId | undefined; readonly isTrace: boolean }>();
  // The choice lasts until another block is selected.
  const isTrace = shown && shown.of === view.chosen ? shown.isTrace : !row;
  const tab = (label: string, isOfTrace: boolean) => (
    <Button aria-pressed={isTrace === isOfTrace} onClick={() => setShown({ of: view.chosen, isTrace: isOfTrace })}>
      {label}
    </Button>
  );
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
        <h2 class="clipped">{isTrace ? 'Trace' : row ? rowLabel(row) : 'Block'}</h2>
        <span class="spring" />
        <fieldset class="tr-tabs" aria-label="Fields of">
          {tab('Block', false)}
          {tab('Trace', true)}
        </fieldset>
        <IconButton icon="✕" label="Close the inspector" shortcut="i" onClick={() => panes.toggle('inspector')} />
      </header>
      {isTrace && <TraceFields trace={props.trace} />}
      {!isTrace && block && deltas.length > 1 && (
        <Select label="Piece of the result" value={block.id} options={deltas} onChoose={setPicked} />
      )}
      {!isTrace && block && <BlockFields key={block.id} {...props} block={block} />}
      {!isTrace && !block && <p class="none">Select a block to see all of its fields.</p>}
    </aside>
  );
}

/** Shows the stored fields of the trace that its header has not, or has shortened. */
function TraceFields({ trace }: Pick<Props, 'trace'>) {
  const { id, environment, variant, split, task_index, task_key, group_id, created_at, finished_at, updated_at } =
    trace;
  const usage = readTokenUsage(trace);
  const cost = readCost(trace);
  const parts =
    usage && Object.entries({ in: usage.input, out: usage.output }).filter(([, count]) => count !== undefined);
  return (
    <>
      <Facts
        class="tr-facts"
        facts={{
          Trace: <CopyableId id={id} />,
          Environment: environment !== null && <VisibleText text={environment} />,
          Variant: variant !== null && <VisibleText text={variant} />,
          Split: split !== null && <VisibleText text={split} />,
          'Task index': task_index !== null && formatCount(task_index),
          'Task key': task_key !== null && <CopyableId id={task_key} />,
          Group: group_id !== null && <CopyableId id={group_id} />,
          Step: trace.step !== null && formatCount(trace.step),
          Rollout: trace.rollout_index !== null && formatCount(trace.rollout_index),
          Tokens: usage && (
            <>
              {formatCount(usage.total)}{' '}
              <small>{parts?.map(([name, count]) => `${formatCount(count ?? 0)} ${name}`).join(', ')}</small>
            </>
          ),
          Cost: cost !== undefined && <span title={`${cost} US dollars`}>{formatCost(cost)}</span>,
          // The header has the sum, which is also the only reward.
          Rewards: trace.reward_count > 1 && (
            <>
              {formatCount(trace.reward_count)} <small>last</small> <Reward value={trace.reward_last} />{' '}
              <small>max</small> <Reward value={trace.reward_max} />
            </>
          ),
          Created: <RelativeTime at={created_at} />,
          Finished: finished_at !== null && <RelativeTime at={finished_at} />,
          Changed: <RelativeTime at={updated_at} />,
        }}
      />
      {trace.task_spec !== null && <TaskFields task={trace.task_spec} />}
      {(['metadata', 'run_info', 'rollout_info', 'task_spec'] as const).map((name) => (
        <JsonSection key={name} name={name} value={trace[name]} isOpenFirst={name !== 'task_spec'} />
      ))}
    </>
  );
}

function BlockFields({ block, trace, outline, payloads, reading }: Props & { readonly block: BlockSkeleton }) {
  const stored = payloads.get(block.id);
  const parent = block.parent_block_id === null ? undefined : outline.rowOf(block.parent_block_id);
  const call = block.sub_type === 'TOOL_RESULT' ? parent?.blocks[0] : undefined;
  // A stored block is JSON.
  const { usage = null, duration_ms } = fieldsOf(stored?.extra) as JSONObject;
  const tokens = readTokenUsage({ metadata: {}, rollout_info: { usage } });
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
          Duration: typeof duration_ms === 'number' && formatDuration(duration_ms),
          Tokens: tokens && (
            <span title={`${tokens.input ?? '?'} in, ${tokens.output ?? '?'} out`}>{formatCount(tokens.total)}</span>
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
          <JsonSection
            key={name}
            name={name}
            value={stored[name] as JSONValue}
            isOpenFirst={name === 'payload' || name === 'extra'}
          />
        ))}
    </>
  );
}

const CopyableId = ({ id }: { readonly id: string }) => (
  <>
    <code>{id}</code> <CopyButton text={id} />
  </>
);

interface SectionProps {
  readonly name: string;
  readonly value: JSONValue;
  readonly isOpenFirst: boolean;
}

/** Section of a field; an empty one is left out. Renders its content only while it is open, because raw responses may be large. */
function JsonSection({ name, value, isOpenFirst }: SectionProps) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  if (value === null || (typeof value === 'object' && Object.keys(value).length === 0)) return null;
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
