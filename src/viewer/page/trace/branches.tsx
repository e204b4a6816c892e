import { useState } from 'preact/hooks';
import type { BlockSkeleton, Trace } from '../../../../generated/trace.ts';
import { groupBy, plural } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { buildHref } from '../api/location.ts';
import { collectPages, traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-load.ts';
import { Reward, StatusBadge } from '../parts/badges.tsx';
import { QuietButton } from '../parts/buttons.tsx';
import { summarizeShownRewards } from '../parts/rewards.ts';
import { shortId, TraceLink } from '../parts/trace-links.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import './branches.css';

/** Maximum number of traces or calls of a page, and of pages. */
const PAGE = 200;
const PAGES = 10;
/** Number of continuations up to which all of them are shown at once. */
const MAX_OPEN = 24;

/** Links to the trace that a trace continues, and shows the tree of the traces that continue it. */
export const Branches = ({ trace: { id, parent_trace_id, parent_calls } }: { readonly trace: Trace }) => (
  <nav class="branches" aria-label="Continuations">
    {parent_trace_id !== undefined && <Parent id={parent_trace_id} calls={parent_calls} />}
    <Continuations of={id} />
  </nav>
);

interface ParentProps {
  readonly id: string;
  /** Number of its calls before the fork. */
  readonly calls: number | undefined;
}

function Parent({ id, calls }: ParentProps) {
  // Without a number, only whether the store has the trace matters.
  const { data, failure } = useCalls(id, calls || 1);
  const text = `${shortId(id)} ${describeFork(calls)}`;
  return (
    <p>
      Continues{' '}
      {failure?.status === 404 || failure?.status === 410 ? (
        <span title={id}>{text}, which is not in this store</span>
      ) : (
        <a href={callHref(id, calls, data)} title={id}>
          {text}
        </a>
      )}
    </p>
  );
}

function describeFork(calls: number | undefined): string {
  if (calls === undefined) return 'after an unknown call';
  return calls === 0 ? 'from its start' : `after call ${calls}`;
}

/** Builds the link to the last call before a fork. */
function callHref(id: string, calls: number | undefined, blocks: readonly BlockSkeleton[] | undefined): string {
  const call = blocks?.[(calls ?? 0) - 1];
  return buildHref({ view: 'trace', trace: id }) + (call ? `#${encodeURIComponent(call.id)}` : '');
}

/** Loads the first calls of a trace; none if `count` is 0. */
function useCalls(traceId: string, count: number) {
  const org = useOrganization();
  return useLoad(count > 0 ? `calls ${traceId} ${count}` : undefined, async (signal) => {
    const limit = Math.min(count, PAGE);
    const { pages } = await collectPages(
      ({ cursor = '0' }) => {
        const query = { sub_type: 'TOOL_CALL', fields: 'skeleton', after: Number(cursor), limit } as const;
        return unwrapResponse(traceApi.listBlocks({ params: { path: { org, traceId }, query }, signal }));
      },
      Math.ceil(count / limit),
    );
    // Skeletons were requested.
    return pages.flatMap(({ blocks }) => blocks as BlockSkeleton[]);
  });
}

/** Lists the continuations of a trace by the call after which they begin. */
function Continuations({ of }: { readonly of: string }) {
  const org = useOrganization();
  const { data, failure } = useLoad(`continuations ${of}`, async (signal) => {
    const order = { sort: 'created', order: 'asc', limit: PAGE } as const;
    const { pages, isAll } = await collectPages((next) => {
      const params = { path: { org }, query: { parent: of, ...order, ...next } };
      return unwrapResponse(traceApi.listTraces({ params, signal }));
    }, PAGES);
    return { traces: pages.flatMap(({ traces }) => traces), isAll };
  });
  const { traces = [], isAll = true } = data ?? {};
  const forks = [...groupBy(traces, ({ parent_calls }) => parent_calls)].sort(
    ([one = -1], [other = -1]) => one - other,
  );
  const calls = useCalls(of, forks.at(-1)?.[0] ?? 0);
  if (failure && !data) return <p>Continuations: {failure.message}</p>;
  if (forks.length === 0) return null;
  return (
    <ul>
      {forks.map(([count, own]) => (
        <Fork
          key={count}
          of={of}
          count={count}
          calls={calls.data}
          traces={own}
          isFirstOpen={traces.length <= MAX_OPEN}
        />
      ))}
      {!isAll && <li>only the first {plural(traces.length, 'continuation')}</li>}
    </ul>
  );
}

interface ForkProps {
  readonly of: string;
  /** Number of calls before the fork. */
  readonly count: number | undefined;
  readonly calls: readonly BlockSkeleton[] | undefined;
  readonly traces: readonly Trace[];
  readonly isFirstOpen: boolean;
}

/** Continuations that begin after the same call, and the mean of their rewards. */
function Fork({ of, count, calls, traces, isFirstOpen }: ForkProps) {
  const [isOpen, setOpen] = useState(isFirstOpen);
  const { mean } = summarizeShownRewards(traces.map(({ reward_sum }) => reward_sum));
  const call = calls?.[(count ?? 0) - 1];
  return (
    <li>
      <div class="branches-fork">
        <QuietButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? '▾' : '▸'} {plural(traces.length, 'continuation')}
        </QuietButton>
        <a href={callHref(of, count, calls)}>{describeFork(count)}</a>
        <span>
          mean <Reward value={mean} />
        </span>
        {call && (
          <span class="clipped muted">
            <VisibleText text={`${call.name} ${call.preview}`} />
          </span>
        )}
      </div>
      {isOpen && (
        <ul>
          {traces.map((trace) => (
            <li key={trace.id}>
              <div class="branches-fork">
                <TraceLink id={trace.id} name={trace.name} />
                <StatusBadge status={trace.status} />
                <Reward value={trace.reward_sum} />
              </div>
              <Continuations of={trace.id} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
