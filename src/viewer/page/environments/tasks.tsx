import { formatCount } from '../../../core/index.ts';
import { useLoad } from '../api/use-loaded.ts';
import { CopyButton } from '../parts/copy.tsx';
import { ErrorCard } from '../parts/failure-card.tsx';
import { IgnoredParams } from '../parts/ignored.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { buildHref, navigate, useQuery, withQuery } from '../shell/location.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { summarizeTask } from './brief.ts';
import { fetchTasks, type ViewerSplit } from './server.ts';

const PAGE = 25;

interface Props {
  readonly environment: string;
  readonly split: ViewerSplit;
}

/** The tasks of a split, a page at a time; the address has the page, and which task is open. */
export function SplitTaskList({ environment, split }: Props) {
  const query = useQuery();
  const start = placeIn(query.get('at'), split.tasks);
  const stop = Math.min(start + PAGE, split.tasks);
  const subject = JSON.stringify([environment, split.name, start]);
  const { data, failure, reload } = useLoad(split.tasks > 0 ? subject : undefined, (signal) =>
    fetchTasks(environment, { split: split.name, start, stop }, signal),
  );
  const to = (at: number) => withQuery({ at: placeIn(String(at), split.tasks) || undefined, task: undefined });
  useShortcuts({
    '[': { does: 'show the tasks before', run: () => navigate(to(start - PAGE)) },
    ']': { does: 'show the tasks after', run: () => start + PAGE < split.tasks && navigate(to(start + PAGE)) },
  });
  if (split.tasks === 0) return <p class="none">The split “{split.name}” has no tasks.</p>;
  if (failure && !data) return <ErrorCard failure={failure} retry={reload} />;
  const open = query.get('task');
  const isOpenHere = open === null || (Number(open) >= start && Number(open) < stop);
  return (
    <>
      <IgnoredParams
        names={[...((query.get('at') || '0') === String(start) ? [] : ['at']), ...(isOpenHere ? [] : ['task'])]}
      />
      <Pager {...{ start, stop, total: split.tasks, to }} />
      {data ? (
        <ol class="env-tasks">
          {data.map((task, at) => (
            <TaskRow
              key={start + at}
              {...{ environment, split: split.name, index: start + at, task, isOpen: open === String(start + at) }}
            />
          ))}
        </ol>
      ) : (
        <Skeleton lines={stop - start} />
      )}
    </>
  );
}

/** Where a page of tasks begins; past the end, the last one does. */
const placeIn = (at: string | null, total: number): number => {
  const place = Math.max(0, Math.trunc(Number(at ?? 0)) || 0);
  return place < total ? place : Math.max(0, total - PAGE);
};

interface PagerProps {
  readonly start: number;
  readonly stop: number;
  readonly total: number;
  readonly to: (at: number) => string;
}

function Pager({ start, stop, total, to }: PagerProps) {
  if (total <= PAGE) return null;
  return (
    <nav class="row env-pager" aria-label="Pages of tasks">
      <span>
        {formatCount(start)} – {formatCount(stop - 1)} of {formatCount(total)}
      </span>
      {start > 0 ? (
        <a class="button" href={to(start - PAGE)}>
          ← Before
        </a>
      ) : (
        <button type="button" disabled>
          ← Before
        </button>
      )}
      {stop < total ? (
        <a class="button" href={to(stop)}>
          After →
        </a>
      ) : (
        <button type="button" disabled>
          After →
        </button>
      )}
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const index = String(new FormData(event.currentTarget).get('index'));
          navigate(withQuery({ at: index || undefined, task: undefined }));
        }}
      >
        <input name="index" inputMode="numeric" pattern="[0-9]*" placeholder="index" aria-label="Go to the index" />
        <button type="submit">Go</button>
      </form>
    </nav>
  );
}

interface RowProps {
  readonly environment: string;
  readonly split: string;
  readonly index: number;
  readonly task: Parameters<typeof summarizeTask>[0];
  readonly isOpen: boolean;
}

function TaskRow({ environment, split, index, task, isOpen }: RowProps) {
  const json = JSON.stringify(task, null, 2);
  return (
    <li>
      <div class="env-task">
        <span class="number">{index}</span>
        <button
          type="button"
          class="quiet env-brief"
          aria-expanded={isOpen}
          onClick={() => navigate(withQuery({ task: isOpen ? undefined : index }), { replace: true })}
        >
          {summarizeTask(task)}
        </button>
        <a
          class="button"
          href={buildHref({ view: 'play', environment, split, index })}
          aria-label={`Play task ${index}`}
        >
          Play
        </a>
      </div>
      {isOpen && (
        <div class="env-open">
          <pre class="env-json">{json}</pre>
          <CopyButton text={json} />
        </div>
      )}
    </li>
  );
}
