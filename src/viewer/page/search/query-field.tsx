import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isSearchProblem, parseSearch, type SearchProblem } from '../../../trace/model/index.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { type Completion, completeQuery, findFilterProblem } from './query.ts';
import { useFieldValues } from './use-search.ts';
import './search.css';

export interface QueryFieldProps {
  readonly query: string;
  readonly onChange: (query: string) => void;
  /** Label of a field that filters a list; such a query cannot find texts of blocks. @default the field of the Search page */
  readonly filter?: string;
  /** @default true */
  readonly isFocused?: boolean;
}

/** Field for a query, with completions of fields and values, and the position of a mistake. */
export function QueryField({ query, onChange, filter, isFocused = true }: QueryFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [caret, setCaret] = useState(query.length);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState<number>();
  const values = useFieldValues(isOpen);
  const { start, end, items } = completeQuery(query, Math.min(caret, query.length), values);
  const isShown = isOpen && items.length > 0;
  const focus = () => input.current?.focus();
  // Before the next key: the field may replace a plain one while the user is typing.
  useLayoutEffect(() => void (isFocused && focus()), []);
  useShortcuts({
    '/': { description: filter === undefined ? 'focus the search field' : 'focus the filter', run: focus },
  });

  const show = (field: HTMLInputElement) => {
    setCaret(field.selectionStart ?? field.value.length);
    setActive(undefined);
  };
  const choose = (index: number) => {
    const { text } = items[index] ?? { text: '' };
    const changed = query.slice(0, start) + text + query.slice(end).replace(/^ /, text.endsWith(' ') ? '' : ' ');
    onChange(changed);
    const at = start + text.length;
    setCaret(at);
    setActive(undefined);
    setOpen(!text.endsWith(' '));
    // The field has the changed text after this render.
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(at, at);
    });
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      setOpen(false);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const from = active ?? (step === 1 ? -1 : items.length);
      setOpen(true);
      if (items.length > 0) setActive((from + step + items.length) % items.length);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && isShown && active !== undefined) {
      event.preventDefault();
      choose(active);
    }
  };
  return (
    <div class={`corner search-field ${filter === undefined ? '' : 'search-filter'}`}>
      <input
        ref={input}
        type="search"
        // biome-ignore lint/a11y/noRedundantRoles: without a list attribute, the role would be searchbox
        role="combobox"
        aria-label={filter ?? 'Search'}
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls="search-completions"
        aria-activedescendant={isShown && active !== undefined ? `search-completion-${active}` : undefined}
        aria-describedby="search-problem"
        list={undefined}
        maxLength={2_048}
        autocomplete="off"
        spellcheck={false}
        placeholder={filter ?? 'text, tool:bash, error:timeout, reward:>0.5, …'}
        value={query}
        onInput={(event) => {
          onChange(event.currentTarget.value);
          setOpen(true);
          show(event.currentTarget);
        }}
        onClick={(event) => show(event.currentTarget)}
        onKeyUp={(event) => event.key.startsWith('Arrow') || setCaret(event.currentTarget.selectionStart ?? 0)}
        onKeyDown={press}
        onBlur={() => setOpen(false)}
      />
      <CompletionList items={items} active={active} isShown={isShown} onChoose={choose} />
      <p id="search-problem" class="search-problem" aria-live="polite">
        <Problem problem={filter === undefined ? problemOf(query) : findFilterProblem(query)} />
      </p>
    </div>
  );
}

interface CompletionListProps {
  readonly items: readonly Completion[];
  readonly active: number | undefined;
  readonly isShown: boolean;
  readonly onChoose: (index: number) => void;
}

/** List of completions; the field keeps the focus and handles the keys. */
const CompletionList = ({ items, active, isShown, onChoose }: CompletionListProps) => (
  <div
    id="search-completions"
    role="listbox"
    tabIndex={-1}
    aria-label="Completions"
    class="raised search-completions"
    hidden={!isShown}
  >
    {items.map(({ label, help }, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
      <div
        key={label}
        id={`search-completion-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === active}
        class={index === active ? 'chosen' : ''}
        // Keeps the focus in the field.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onChoose(index)}
      >
        <code>{label}</code> <small>{help}</small>
      </div>
    ))}
  </div>
);

function problemOf(query: string): SearchProblem | undefined {
  const parsed = parseSearch(query);
  return isSearchProblem(parsed) ? parsed : undefined;
}

/** Shows the problem of a query, and its position. */
function Problem({ problem }: { readonly problem: SearchProblem | undefined }) {
  if (!problem) return null;
  const { position, expected, advice } = problem;
  return (
    <>
      <span class="search-caret" aria-hidden="true">
        {' '.repeat(position)}^
      </span>
      Character {position + 1}: expected {expected}; {advice}.
    </>
  );
}
