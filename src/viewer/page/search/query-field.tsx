import { useEffect, useRef, useState } from 'preact/hooks';
import { isSearchProblem, parseSearch } from '../../../trace/model/index.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { type Completion, completeQuery } from './query.ts';
import { useFieldValues } from './use-search.ts';

interface Props {
  readonly query: string;
  readonly onChange: (query: string) => void;
}

/** Field for a query, with completions of fields and values, and the position of a mistake. */
export function QueryField({ query, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [caret, setCaret] = useState(query.length);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState<number>();
  const values = useFieldValues(isOpen);
  const { start, end, items } = completeQuery(query, Math.min(caret, query.length), values);
  const isShown = isOpen && items.length > 0;
  useEffect(() => input.current?.focus(), []);
  useShortcuts({ '/': { description: 'focus the search field', run: () => input.current?.focus() } });

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
    <div class="corner search-field">
      <input
        ref={input}
        type="search"
        // biome-ignore lint/a11y/noRedundantRoles: without a list attribute, the role would be searchbox
        role="combobox"
        aria-label="Search"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls="search-completions"
        aria-activedescendant={isShown && active !== undefined ? `search-completion-${active}` : undefined}
        aria-describedby="search-problem"
        list={undefined}
        maxLength={2_048}
        autocomplete="off"
        spellcheck={false}
        placeholder="text, tool:bash, error:timeout, reward:>0.5, …"
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
        <Problem query={query} />
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

/** Shows the problem of a query, and its position. */
function Problem({ query }: { readonly query: string }) {
  const problem = parseSearch(query);
  if (!isSearchProblem(problem)) return null;
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
