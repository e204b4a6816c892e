import { useState } from 'preact/hooks';
import type { Score, ScoreInput } from '../../../../generated/trace.ts';
import { parseNumber } from '../../../core/index.ts';
import { newScoreId } from '../../../trace/model/index.ts';
import { useCanWrite, useOrganization } from '../api/access.ts';
import { buildHref } from '../api/location.ts';
import { asRequestError } from '../api/request-error.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-load.ts';
import { RelativeTime } from '../parts/badges.tsx';
import { IconButton } from '../parts/buttons.tsx';
import { Loaded } from '../parts/states.tsx';
import { shortId } from '../parts/trace-links.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import './scores.css';

export interface PanelProps {
  /** Trace or run whose scores are shown. */
  readonly of: { readonly trace_id: string } | { readonly run: string };
  /** Selected block of the trace, which a new score may be about. */
  readonly block?: string | undefined;
}

/** Lists the scores, labels and comments of a trace and its blocks, or of a run, and adds new ones. */
export function ScorePanel({ of, block }: PanelProps) {
  const org = useOrganization();
  const canWrite = useCanWrite();
  const subject = JSON.stringify(['scores', of]);
  const state = useLoad(subject, async (signal) => {
    const params = { path: { org }, query: { ...of, limit: 1_000 } };
    return (await unwrapResponse(traceApi.listScores({ params, signal }))).scores;
  });
  return (
    <section class="stack scores" aria-label="Scores">
      <Loaded state={state} lines={3}>
        {(scores) => (
          <>
            {scores.length === 0 && <p class="muted">No scores, labels or comments yet.</p>}
            <ul class="stack">
              {scores.map((score) => (
                <ScoreItem key={score.id} score={score} isOfRun={'run' in of} onDeleted={state.reload} />
              ))}
            </ul>
            {canWrite && (
              <ScoreForm of={of} block={block} names={scores.map(({ name }) => name)} onAdded={state.reload} />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

interface ScoreItemProps {
  readonly score: Score;
  /** Set if the list has the scores of many traces. */
  readonly isOfRun: boolean;
  readonly onDeleted: () => void;
}

function ScoreItem({ score, isOfRun, onDeleted }: ScoreItemProps) {
  const org = useOrganization();
  const canWrite = useCanWrite();
  const [message, setMessage] = useState<string>();
  const { id, name, value, label, comment, author, source, block_id, trace_id, created_at } = score;
  const remove = () =>
    deleteScore(org, id).then(onDeleted, (error: unknown) => setMessage(asRequestError(error).message));
  return (
    <li class="raised score">
      <div class="row">
        <strong>
          <VisibleText text={name} />
        </strong>
        {value !== null && <span class="score-value">{String(value)}</span>}
        {label !== null && (
          <span class="pill">
            <VisibleText text={label} />
          </span>
        )}
        <span class="spring" />
        {canWrite && <IconButton icon="✕" label={`Delete the score ${name}`} onClick={remove} />}
      </div>
      {comment !== null && (
        <p class="wrapped">
          <VisibleText text={comment} />
        </p>
      )}
      <small>
        {trace_id !== null && (isOfRun || block_id !== null) && (
          <>
            <a href={buildHref({ view: 'trace', trace: trace_id }) + (block_id === null ? '' : `#${block_id}`)}>
              {block_id === null ? 'trace' : 'block'} {shortId(block_id ?? trace_id)}
            </a>{' '}
            ·{' '}
          </>
        )}
        <VisibleText text={author ?? source} /> · <RelativeTime at={created_at} />
        {message && ` · ${message}`}
      </small>
    </li>
  );
}

interface ScoreFormProps extends PanelProps {
  readonly names: readonly string[];
  readonly onAdded: () => void;
}

function ScoreForm({ of, block, names, onAdded }: ScoreFormProps) {
  const org = useOrganization();
  const [draft, setDraft] = useState({ name: names[0] ?? '', value: '', label: '', comment: '' });
  const [isOfBlock, setOfBlock] = useState(false);
  const [author, setAuthor] = useAuthor();
  const [message, setMessage] = useState<string>();
  const set = (field: keyof typeof draft, text: string) => setDraft((before) => ({ ...before, [field]: text }));
  const value = draft.value.trim() === '' ? null : parseNumber(draft.value.trim());
  const isEmpty = value === null && draft.label.trim() === '' && draft.comment.trim() === '';
  const add = async () => {
    const { name, label, comment } = draft;
    const content = { value: value ?? null, label: label.trim() || null, comment: comment.trim() || null };
    try {
      const target = { ...of, ...(isOfBlock && block !== undefined && { block_id: block }) };
      await addScore(org, { ...target, name: name.trim(), ...content, author: author.trim() || null });
      setDraft({ name, value: '', label: '', comment: '' });
      setMessage(undefined);
      onAdded();
    } catch (error) {
      setMessage(`Not saved: ${asRequestError(error).message}`);
    }
  };
  const field = (name: 'name' | 'value' | 'label', label: string) => (
    <label>
      {label}
      <input
        type="text"
        list={name === 'name' ? 'score-names' : undefined}
        value={draft[name]}
        onInput={(event) => set(name, event.currentTarget.value)}
      />
    </label>
  );
  return (
    <form
      class="stack score-form"
      aria-label="New score"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <div class="row">
        {field('name', 'Criterion')}
        {field('value', 'Number')}
        {field('label', 'Label')}
        <label>
          Author
          <input type="text" value={author} onInput={(event) => setAuthor(event.currentTarget.value)} />
        </label>
      </div>
      <datalist id="score-names">
        {[...new Set(names)].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <label class="stack">
        Comment
        <textarea rows={2} value={draft.comment} onInput={(event) => set('comment', event.currentTarget.value)} />
      </label>
      <div class="row">
        {block !== undefined && 'trace_id' in of && (
          <label class="row">
            <input type="checkbox" checked={isOfBlock} onChange={() => setOfBlock(!isOfBlock)} /> only the selected
            block
          </label>
        )}
        <button type="submit" class="primary" disabled={draft.name.trim() === '' || isEmpty || value === undefined}>
          Add score
        </button>
        {value === undefined && <small role="status">The number is not valid.</small>}
        {message && <small role="status">{message}</small>}
      </div>
    </form>
  );
}

/** Adds a score by a person. @returns the stored score. */
export const addScore = (org: string, score: Omit<ScoreInput, 'id' | 'source'>): Promise<Score> =>
  unwrapResponse(
    traceApi.createScore({ params: { path: { org } }, body: { id: newScoreId(), source: 'human', ...score } }),
  );

export async function deleteScore(org: string, scoreId: string): Promise<void> {
  const { response, error } = await traceApi.deleteScore({ params: { path: { org, scoreId } } });
  // Another person may have deleted it.
  if (!response.ok && response.status !== 404) throw error;
}

const AUTHOR = 'ors-author';

/** Name of the person who scores, which this browser remembers. */
export function useAuthor(): readonly [string, (name: string) => void] {
  const [author, setAuthor] = useState(localStorage.getItem(AUTHOR) ?? '');
  const change = (name: string) => {
    localStorage.setItem(AUTHOR, name);
    setAuthor(name);
  };
  return [author, change];
}
