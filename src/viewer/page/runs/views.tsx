import { useState } from 'preact/hooks';
import type { Run } from '../../../../generated/trace.ts';
import { isRecord, tryParseJson } from '../../../core/index.ts';
import { changeQuery, useQuery } from '../api/location.ts';
import { Button, QuietButton } from '../parts/buttons.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { RUN_COLUMNS, readColumns, runColumn, settingColumns } from './columns.tsx';

interface ColumnsDialogProps {
  readonly runs: readonly Run[];
  readonly onClose: () => void;
}

/** Selects the columns of the table of runs. */
export function ColumnsDialog({ runs, onClose }: ColumnsDialogProps) {
  const query = useQuery();
  const shown = readColumns(query, runs);
  const all = [...new Set([...Object.keys(RUN_COLUMNS), ...settingColumns(runs), ...shown])];
  const toggle = (name: string) => {
    const next = shown.includes(name) ? shown.filter((each) => each !== name) : [...shown, name];
    changeQuery({ columns: next.map(encodeURIComponent).join(',') });
  };
  return (
    <Dialog title="Columns" onClose={onClose}>
      <fieldset class="runs-columns">
        <legend class="muted">In the order in which you select them</legend>
        {all.slice(1).map((name) => (
          <label key={name}>
            <input type="checkbox" checked={shown.includes(name)} onChange={() => toggle(name)} />{' '}
            <VisibleText text={runColumn(name)?.label ?? name} />
          </label>
        ))}
      </fieldset>
      <p class="row">
        <label>
          Traces pass from a reward of{' '}
          <input
            class="runs-pass"
            type="number"
            step="any"
            placeholder="1"
            value={query.get('pass') ?? ''}
            onChange={(event) => changeQuery({ pass: event.currentTarget.value || undefined })}
          />
        </label>
        <span class="spring" />
        <Button onClick={() => changeQuery({ columns: undefined })}>Default columns</Button>
      </p>
    </Dialog>
  );
}

const NAME = 'ors-run-views';

/** Queries of the saved views of this browser by their names. */
export function savedViews(): Readonly<Record<string, string>> {
  const stored = tryParseJson(localStorage.getItem(NAME) ?? '');
  if (!isRecord(stored)) return {};
  const valid = Object.entries(stored).filter((entry): entry is [string, string] => String(entry[1]).startsWith('?'));
  return Object.fromEntries(valid);
}

const store = (views: Readonly<Record<string, string>>) => localStorage.setItem(NAME, JSON.stringify(views));

/** Saves and opens named views: filters, order and columns. */
export function ViewsDialog({ onClose }: { readonly onClose: () => void }) {
  const [views, setViews] = useState(savedViews());
  const [name, setName] = useState('');
  const change = (next: Readonly<Record<string, string>>) => {
    store(next);
    setViews(next);
  };
  return (
    <Dialog title="Views" onClose={onClose}>
      <ul class="stack runs-views">
        {Object.entries(views).map(([each, query]) => (
          <li class="row" key={each}>
            <a href={query} onClick={onClose}>
              <VisibleText text={each} />
            </a>
            <span class="spring" />
            <QuietButton
              aria-label={`Delete the view ${each}`}
              onClick={() => change(Object.fromEntries(Object.entries(views).filter(([other]) => other !== each)))}
            >
              Delete
            </QuietButton>
          </li>
        ))}
      </ul>
      {Object.keys(views).length === 0 && <p class="muted">This browser has no saved view.</p>}
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === '') return;
          change({ ...views, [name.trim()]: location.search || '?' });
          setName('');
        }}
      >
        <input
          aria-label="Name of the view"
          placeholder="Name of the view"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          Save the current view
        </button>
      </form>
    </Dialog>
  );
}
