import { formatCount } from '../../../core/index.ts';
import { buildHref, changeQuery, navigate, useQuery, withQuery } from '../api/location.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { useLoad } from '../api/use-load.ts';
import { ButtonLink, QuietButton } from '../parts/buttons.tsx';
import { IgnoredParams, Loaded, lazy } from '../parts/states.tsx';
import { fetchTasks, type ViewerSplit } from './server.ts';
import { summarizeTask } from './task-text.ts';

const PAGE = 25;

/** Loaded with the first task that is opened. */
const TaskFields = lazy(() => import('../payload/task-fields.tsx').then((it) => it.TaskFields));

interface Props {
  readonly environment: string;
  readonly split: ViewerSplit;
}

/** Lists the tasks of a split in pages; the address has the page and the open task. */
export function SplitTaskList({ environment, split }: Props) {
  const query = useQuery();
  const start = pageStart(query.get('at'), split.tasks);
  const stop = Math.min(start + PAGE, split.tasks);
  const subject = JSON.stringify([environment, split.name, start]);
  const list = useLoad(split.tasks > 0 ? subject : undefined, (signal) =>
    fetchTasks(environment, { split: split.name, start, stop }, signal),
  );
  const to = (at: number) => withQuery({ at: pageStart(String(at), split.tasks) || undefined, task: undefined });
  useShortcuts({
    '[': { description: 'previous page of tasks', run: () => navigate(to(start - PAGE)) },
    ']': { description: 'next page of tasks', run: () => start + PAGE < split.tasks && navigate(to(start + PAGE)) },
  });
  if (split.tasks === 0) return <p class="none">The split “{split.name}” has no tasks.</p>;
  const open = query.get('task');
  const isOpenHere = open === null || (Number(open) >= start && Number(open) < stop);
  const ignored = [...((query.get('at') || '0') === String(start) ? [] : ['at']), ...(isOpenHere ? [] : ['task'])];
  return (
    <>
      <IgnoredParams names={ignored} />
      {split.tasks > PAGE && <Pager start={start} stop={stop} total={split.tasks} to={to} />}
      <Loaded state={list} lines={stop - start}>
        {(tasks) => (
          <ol class="env-tasks">
            {tasks.map((task, at) => (
              <TaskRow
                key={start + at}
                environment={environment}
                split={split.name}
                index={start + at}
                task={task}
                isOpen={open === String(start + at)}
              />
            ))}
          </ol>
        )}
      </Loaded>
    </>
  );
}

/** Returns the index of the first task of a page; of the last page if it is past the end. */
function pageStart(at: string | null, total: number): number {
  const index = Math.max(0, Math.trunc(Number(at ?? 0)) || 0);
  return index < total ? index : Math.max(0, total - PAGE);
}

interface PagerProps {
  readonly start: number;
  readonly stop: number;
  readonly total: number;
  readonly to: (at: number) => string;
}

function Pager({ start, stop, total, to }: PagerProps) {
  return (
    <nav class="row muted env-pager" aria-label="Pages of tasks">
      <span>
        {formatCount(start)} – {formatCount(stop - 1)} of {formatCount(total)}
      </span>
      <ButtonLink href={start > 0 ? to(start - PAGE) : undefined}>← Previous</ButtonLink>
      <ButtonLink href={stop < total ? to(stop) : undefined}>Next →</ButtonLink>
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
  return (
    <li>
      <div class="env-task">
        <span class="number muted">{index}</span>
        <QuietButton
          class="clipped env-brief"
          aria-expanded={isOpen}
          onClick={() => changeQuery({ task: isOpen ? undefined : index })}
        >
          {summarizeTask(task)}
        </QuietButton>
        <ButtonLink href={buildHref({ view: 'play', environment, split, index })} label={`Play task ${index}`}>
          Play
        </ButtonLink>
      </div>
      {isOpen && (
        <div class="sunken env-open env-json">
          <TaskFields task={task} />
        </div>
      )}
    </li>
  );
}
