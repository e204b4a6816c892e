import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { changeQuery, useQuery } from '../api/location.ts';
import type { QueryFilter } from './query.ts';
import type { QueryFieldProps } from './query-field.tsx';

/** Text that may be more than a part of a name: a field, a quoted phrase, a comparison or a negation. */
const MAY_BE_QUERY = /[:"<>=]|(?:^|\s)(?:-|NOT\b|AND\b|OR\b)/;

/** Code of the query language, which pages load when it is needed first. */
interface QueryLanguage {
  readonly parseFilter: (text: string) => QueryFilter | undefined;
  readonly QueryField: ComponentType<QueryFieldProps>;
}

let loaded: QueryLanguage | undefined;

async function loadLanguage(): Promise<QueryLanguage> {
  const [{ parseFilter }, { QueryField }] = await Promise.all([import('./query.ts'), import('./query-field.tsx')]);
  loaded = { parseFilter, QueryField };
  return loaded;
}

/**
 * Returns the filters of the API for the text of a `FilterField`: a query, and a part of the name. For a text that is not
 * valid, as while it is typed, the last ones; undefined until the query language is loaded, if there are no last ones.
 */
export function useQueryFilter(text: string): QueryFilter | undefined {
  const [, setReady] = useState(loaded !== undefined);
  const [error, setError] = useState<unknown>();
  const last = useRef<QueryFilter>(undefined);
  const isQuery = MAY_BE_QUERY.test(text);
  useEffect(() => {
    if (isQuery && !loaded) loadLanguage().then(() => setReady(true), setError);
  }, [isQuery]);
  if (error) throw error;
  if (!isQuery) last.current = text === '' ? {} : { q: text };
  else if (loaded) last.current = loaded.parseFilter(text) ?? last.current ?? {};
  return last.current;
}

/** Field that filters a list by the query parameter `q`, with completions and the position of a mistake. */
export function FilterField({ label }: { readonly label: string }) {
  const query = useQuery().get('q') ?? '';
  const input = useRef<HTMLInputElement>(null);
  const [{ Field, isFocused }, setField] = useState({ Field: loaded?.QueryField, isFocused: false });
  const load = () => {
    if (Field) return;
    // Without the code, the field stays a plain one.
    loadLanguage().then(
      ({ QueryField }) => setField({ Field: QueryField, isFocused: document.activeElement === input.current }),
      () => {},
    );
  };
  useEffect(() => {
    if (MAY_BE_QUERY.test(query)) load();
  }, [query]);
  const onChange = (text: string) => changeQuery({ q: text || undefined });
  if (Field) return <Field query={query} onChange={onChange} filter={label} isFocused={isFocused} />;
  return (
    <input
      ref={input}
      type="search"
      aria-label={label}
      placeholder={label}
      value={query}
      onFocus={load}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}
