import type { Group, Trace } from '../../../../generated/trace.ts';
import { buildHref } from '../api/location.ts';
import { Reward, StatusBadge } from './badges.tsx';
import { formatShortCount } from './rewards.ts';
import { formatTaskName, readTokenUsage } from './trace-info.ts';
import { VisibleText } from './visible-text.tsx';

interface TraceLinkProps {
  readonly id: string;
  /** @default the shortened id */
  readonly name?: string | null;
}

/** Link to the page of a trace. */
export const TraceLink = ({ id, name }: TraceLinkProps) => (
  <a href={buildHref({ view: 'trace', trace: id })} title={id}>
    <VisibleText text={name ?? shortId(id)} />
  </a>
);

interface RunLinkProps {
  readonly run: string;
  /** Query that the traces of the page match. */
  readonly query?: string | undefined;
}

/** Link to the page of a run. */
export const RunLink = ({ run, query }: RunLinkProps) => (
  <a href={buildHref({ view: 'run', run, q: query })} title={run}>
    <VisibleText text={run} />
  </a>
);

/** Run, task, model, status and reward of a trace, for a header that begins with its name. */
export const TraceSummary = ({ trace }: { readonly trace: Trace }) => (
  <>
    {trace.run !== null && <RunLink run={trace.run} />}
    <span>
      <VisibleText text={formatTaskName(trace)} />
    </span>
    {trace.model !== null && (
      <span class="muted">
        <VisibleText text={trace.model} />
      </span>
    )}
    <StatusBadge status={trace.status} />
    <Reward value={trace.reward_sum} />
  </>
);

/** Shows the tokens of a trace; `–` if it does not report them. */
export function TokenCount({ trace }: { readonly trace: Trace }) {
  const usage = readTokenUsage(trace);
  if (!usage) return <>–</>;
  return <span title={`${usage.input ?? '?'} in, ${usage.output ?? '?'} out`}>{formatShortCount(usage.total)}</span>;
}

/** Shortens an id; its beginning is a time and says less than its end. */
export const shortId = (id: string): string => (id.length <= 16 ? id : `${id.slice(0, 3)}…${id.slice(-8)}`);

/** Returns the fields that identify a group, without those that are null. */
export function groupParams(group: Pick<Group, 'run' | 'group_id' | 'environment' | 'split' | 'task_key' | 'step'>) {
  const { run, group_id, environment, split, task_key, step } = group;
  const fields = Object.entries({ run, group_id, environment, split, task_key, step });
  return Object.fromEntries(fields.filter(([, value]) => value !== null));
}

/** Builds the link to a group. */
export const groupHref = (group: Parameters<typeof groupParams>[0]): string =>
  buildHref({ view: 'group', ...groupParams(group) });
