import { useState } from 'preact/hooks';
import type { BulkInput, Trace } from '../../../../generated/trace.ts';
import { plural } from '../../../core/index.ts';
import { useCanWrite, useOrganization } from '../api/access.ts';
import { buildHref } from '../api/location.ts';
import { asRequestError } from '../api/request-error.ts';
import { readPages, traceApi, unwrapResponse } from '../api/store.ts';
import { Button, ButtonLink, QuietButton, Select, useDownload } from '../parts/buttons.tsx';
import { Dialog } from '../parts/dialog.tsx';

interface Props {
  /** Query of all traces, for exports and the rating queue. */
  readonly query: string;
  readonly traces: readonly Trace[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
  readonly onDeleted: (ids: ReadonlySet<string>) => void;
}

/** File extensions and descriptions of export formats. */
const FORMATS = {
  jsonl: ['jsonl', 'JSON Lines'],
  csv: ['csv', 'CSV'],
  html: ['html', 'HTML, to send'],
  openai: ['openai.jsonl', 'OpenAI'],
  sharegpt: ['sharegpt.jsonl', 'ShareGPT'],
} as const;

type Format = keyof typeof FORMATS;

const OPTIONS: readonly (readonly [string, string])[] = [
  ['', 'Export all matching …'],
  ...Object.entries(FORMATS).map(([name, [, label]]) => [name, label] as const),
];

/** Actions for found traces: select, tag, delete, export and rate. */
export function BulkActions({ query, traces, chosen, onChoose, onDeleted }: Props) {
  const org = useOrganization();
  const canWrite = useCanWrite();
  const { message, isRunning, download } = useDownload();
  const isAll = chosen.length === traces.length;
  const save = (chosenFormat: string) => {
    if (isRunning || !Object.hasOwn(FORMATS, chosenFormat)) return;
    // One of the keys.
    const format = chosenFormat as Format;
    const file = unwrapResponse(traceApi.exportTraces({ params: { path: { org }, query: { query, format } } }));
    void download(format, file, `traces.${FORMATS[format][0]}`);
  };
  return (
    <div class="row search-actions">
      <Button onClick={() => onChoose(isAll ? [] : traces.map(({ id }) => id))}>
        {isAll ? 'Select none' : `Select all ${traces.length}`}
      </Button>
      {chosen.length > 0 && <span>{plural(chosen.length, 'trace')} selected</span>}
      <ChangeTraces
        ids={chosen}
        onDeleted={(ids) => {
          onDeleted(ids);
          onChoose(chosen.filter((id) => !ids.has(id)));
        }}
      />
      <span class="spring" />
      {canWrite && <ButtonLink href={buildHref({ view: 'rate', q: query })}>Rate these</ButtonLink>}
      <Select label="Export" value="" options={OPTIONS} onChoose={save} />
      {message && <small role="status">{message}</small>}
    </div>
  );
}

interface ChangeProps {
  readonly ids: readonly string[];
  /** Called with the traces that were deleted; the dialog stays open as long as others remain selected. */
  readonly onDeleted: (ids: ReadonlySet<string>) => void;
}

/** Buttons that tag and delete traces, if the API key may do so. */
export function ChangeTraces({ ids, onDeleted }: ChangeProps) {
  const canWrite = useCanWrite();
  const [opened, setOpened] = useState<'tag' | 'delete'>();
  const close = () => setOpened(undefined);
  if (!canWrite || ids.length === 0) return null;
  return (
    <>
      <Button onClick={() => setOpened('tag')}>Tag …</Button>
      <Button onClick={() => setOpened('delete')}>Delete …</Button>
      {opened === 'tag' && <TagDialog ids={ids} subject={plural(ids.length, 'trace')} onClose={close} />}
      {opened === 'delete' && (
        <DeleteDialog ids={ids} subject={plural(ids.length, 'trace')} onClose={close} onDone={onDeleted} />
      )}
    </>
  );
}

interface ChangeRunsProps {
  readonly runs: readonly string[];
  /** Called after traces have changed. */
  readonly onChanged: () => void;
  /** Called after all traces were deleted. */
  readonly onDeleted: () => void;
}

/** Buttons that tag and delete all traces of runs, if the API key may do so. */
export function ChangeRuns({ runs, onChanged, onDeleted }: ChangeRunsProps) {
  const org = useOrganization();
  const canWrite = useCanWrite();
  const [opened, setOpened] = useState<{ readonly action: 'tag' | 'delete'; readonly ids: readonly string[] }>();
  const [message, setMessage] = useState<string>();
  if (!canWrite) return null;
  const open = async (action: 'tag' | 'delete') => {
    setMessage('Listing traces …');
    try {
      setOpened({ action, ids: await listTraceIds(org, runs) });
      setMessage(undefined);
    } catch (error) {
      setMessage(`Not listed: ${asRequestError(error).message}`);
    }
  };
  const dialog = opened && {
    ids: opened.ids,
    subject: `all ${plural(opened.ids.length, 'trace')} of ${runs.length === 1 ? runs[0] : plural(runs.length, 'run')}`,
    onClose: () => setOpened(undefined),
  };
  return (
    <>
      {message && <small>{message}</small>}
      <Button onClick={() => void open('tag')}>Tag …</Button>
      <Button onClick={() => void open('delete')}>Delete …</Button>
      {dialog && opened.action === 'tag' && <TagDialog {...dialog} onDone={onChanged} />}
      {dialog && opened.action === 'delete' && (
        <DeleteDialog
          {...dialog}
          onDone={({ size }) => {
            onChanged();
            if (size === dialog.ids.length) onDeleted();
          }}
        />
      )}
    </>
  );
}

async function listTraceIds(org: string, runs: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const run of runs) {
    const pages = readPages((cursor) => {
      const params = { path: { org }, query: { run, limit: BATCH, ...cursor } };
      return unwrapResponse(traceApi.listTraceSummaries({ params }));
    });
    for await (const { summaries } of pages) ids.push(...summaries.map(({ id }) => id));
  }
  return ids;
}

/** Maximum number of traces of a request. */
const BATCH = 1_000;

interface BulkUpdate {
  /** Number of traces that changed. */
  readonly changed: number;
  /** Traces that could not be changed, each with the reason. */
  readonly failed: ReadonlyMap<string, string>;
}

/** Returns a function that changes traces, and the outcome of its last call. @param done such as `changed`. */
function useBulkUpdate(ids: readonly string[], done: string) {
  const org = useOrganization();
  const [message, setMessage] = useState<string>();
  const update = async (change: Omit<BulkInput, 'trace_ids'>): Promise<BulkUpdate> => {
    setMessage('Working …');
    let changed = 0;
    const failed = new Map<string, string>();
    for (let start = 0; start < ids.length; start += BATCH) {
      const trace_ids = ids.slice(start, start + BATCH);
      try {
        const body = { trace_ids, ...change };
        const part = await unwrapResponse(traceApi.updateTraces({ params: { path: { org } }, body }));
        changed += part.changed;
        for (const { trace_id, message: reason } of part.failed) failed.set(trace_id, reason);
      } catch (error) {
        // The following requests would fail, too.
        for (const id of ids.slice(start)) failed.set(id, asRequestError(error).message);
        break;
      }
    }
    const [reason] = failed.values();
    const rest = `${plural(failed.size, 'trace')} not ${done}: ${reason}. Try again, or close this dialog.`;
    setMessage(`${plural(changed, 'trace')} ${done}. ${reason === undefined ? '' : rest}`.trim());
    return { changed, failed };
  };
  return { message, update };
}

interface DialogProps {
  readonly ids: readonly string[];
  /** Description of the traces, such as `3 traces`. */
  readonly subject: string;
  readonly onClose: () => void;
}

function TagDialog({ ids, subject, onClose, onDone }: DialogProps & { readonly onDone?: () => void }) {
  const { message, update } = useBulkUpdate(ids, 'changed');
  const [added, setAdded] = useState('');
  const [removed, setRemoved] = useState('');
  const tagsIn = (text: string) => text.split(',').flatMap((tag) => tag.trim() || []);
  const [add_tags, remove_tags] = [tagsIn(added), tagsIn(removed)];
  const field = (label: string, value: string, onInput: (text: string) => void) => (
    <label class="stack">
      {label}
      <input type="text" value={value} onInput={(event) => onInput(event.currentTarget.value)} />
    </label>
  );
  return (
    <Dialog title={`Tag ${subject}`} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void update({ add_tags, remove_tags }).then(({ changed }) => changed > 0 && onDone?.());
        }}
      >
        {field('Add tags, separated by commas', added, setAdded)}
        {field('Remove tags', removed, setRemoved)}
        <div class="row">
          <button type="submit" class="primary" disabled={add_tags.length + remove_tags.length === 0}>
            Change tags
          </button>
          <QuietButton onClick={onClose}>Close</QuietButton>
        </div>
        <p role="status">{message}</p>
      </form>
    </Dialog>
  );
}

function DeleteDialog({
  ids,
  subject,
  onClose,
  onDone,
}: DialogProps & { readonly onDone: (ids: ReadonlySet<string>) => void }) {
  const { message, update } = useBulkUpdate(ids, 'deleted');
  const remove = async () => {
    const { failed } = await update({ delete: true });
    onDone(new Set(ids.filter((id) => !failed.has(id))));
    if (failed.size === 0) onClose();
  };
  return (
    <Dialog title={`Delete ${subject}?`} onClose={onClose}>
      <div class="stack">
        <p>The traces are deleted with their blocks and scores. This cannot be undone.</p>
        <div class="row">
          <Button class="primary" onClick={remove}>
            Delete {plural(ids.length, 'trace')}
          </Button>
          <QuietButton onClick={onClose}>Cancel</QuietButton>
        </div>
        <p role="status">{message}</p>
      </div>
    </Dialog>
  );
}
