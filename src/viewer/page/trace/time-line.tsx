import { useMemo, useRef, useState } from 'preact/hooks';
import type { Trace } from '../../../../generated/trace.ts';
import { formatDuration } from '../../../core/index.ts';
import { toTraceTimes } from '../parts/trace-info.ts';
import { type Outline, rowBlock, type TranscriptRow } from './outline.ts';
import { HEIGHT } from './reward-steps.ts';
import { useWidth } from './reward-strip.tsx';
import { coveredTime, outlineToSpans, spanAt, toSpanPath } from './time-spans.ts';
import { rowLabel } from './visible-rows.ts';

interface Props {
  readonly outline: Outline;
  readonly trace: Trace;
  readonly chosen: TranscriptRow | undefined;
  readonly onGo: (row: TranscriptRow) => void;
}

/** Shows the turns of the model and the tool calls of a trace over its time; a click selects one. */
export function TimeLine({ outline, trace, chosen, onGo }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const [pointed, setPointed] = useState<number>();
  const spans = useMemo(
    () => outlineToSpans(outline, firstTime(outline, trace)),
    [outline, outline.version, trace.created_at],
  );
  const total = spans.reduce((latest, { end }) => Math.max(latest, end), 0);
  const of = (row: TranscriptRow | undefined) => spans.findIndex((span) => span.row === row);
  const at = Math.max(of(chosen), of(chosen?.parent));
  const shown = spans[pointed ?? at];
  const indexAt = (x: number) => spanAt(spans, (x / Math.max(1, width)) * total);
  return (
    <>
      <p class="stack tr-strip-text">
        <strong>{formatDuration(total)}</strong>
        <small class="clipped">
          {shown
            ? `${rowLabel(shown.row)}: ${formatDuration(shown.end - shown.start)}, after ${formatDuration(shown.start)}${shown.isError ? ', failed' : ''}`
            : `model ${formatDuration(coveredTime(spans, 'model'))}, tools ${formatDuration(coveredTime(spans, 'tool'))}`}
        </small>
      </p>
      <div
        ref={element}
        class="tr-bars"
        role="slider"
        tabIndex={0}
        aria-label="Time"
        aria-valuemin={1}
        aria-valuemax={Math.max(1, spans.length)}
        aria-valuenow={Math.max(1, at + 1)}
        aria-valuetext={
          shown ? `${rowLabel(shown.row)}, ${formatDuration(shown.end - shown.start)}` : 'nothing selected'
        }
        onPointerMove={(event) => setPointed(indexAt(event.offsetX))}
        onPointerLeave={() => setPointed(undefined)}
        onClick={(event) => {
          const span = spans[indexAt(event.offsetX)];
          if (span) onGo(span.row);
        }}
        onKeyDown={(event) => {
          const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          const span = by === undefined ? undefined : spans[Math.max(0, Math.min(spans.length - 1, at + by))];
          if (!span) return;
          event.preventDefault();
          onGo(span.row);
        }}
      >
        {width > 0 && <Lanes spans={spans} total={total} width={width} at={at} />}
      </div>
    </>
  );
}

/** Returns the time of the first block: an imported trace is older than its record in the store. */
function firstTime({ messages }: Outline, trace: Trace): number {
  const [message] = messages;
  const first = Date.parse(message ? rowBlock(message).created_at : trace.created_at);
  const created = Date.parse(toTraceTimes(trace).created_at);
  return Math.min(first, created) === created && first - created < MAX_SETUP_MS ? created : first;
}

/** Longest time before the first block that belongs to the trace. */
const MAX_SETUP_MS = 600_000;

interface LanesProps {
  readonly spans: ReturnType<typeof outlineToSpans>;
  readonly total: number;
  readonly width: number;
  readonly at: number;
}

function Lanes({ spans, total, width, at }: LanesProps) {
  const paths = useMemo(() => {
    const of = (isWanted: (span: LanesProps['spans'][number]) => boolean, from: number) =>
      toSpanPath(spans.filter(isWanted), { total, width, from, to: from + 16 });
    return {
      model: of(({ kind }) => kind === 'model', 8),
      tool: of(({ kind, isError }) => kind === 'tool' && !isError, 32),
      failed: of(({ isError }) => isError, 32),
    };
  }, [spans, total, width]);
  const here = spans[at];
  return (
    <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      <path fill="var(--accent)" class="tr-time-model" d={paths.model} />
      <path fill="var(--good)" class="tr-time-tool" d={paths.tool} />
      <path fill="var(--bad)" class="tr-time-failed" d={paths.failed} />
      {here && (
        <path
          fill="none"
          stroke="var(--text)"
          d={toSpanPath([here], { total, width, from: 2, to: HEIGHT - 2 })}
          class="tr-time-here"
        />
      )}
    </svg>
  );
}
