import { useEffect, useRef } from 'preact/hooks';
import { navigate, withQuery } from '../shell/location.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { type SearchQuery, SUB_TYPES } from './hits.ts';

const KINDS = { MESSAGE: 'messages', THINK: 'thoughts', TOOL_CALL: 'tool calls', TOOL_RESULT: 'results' } as const;

/** What to search for, and where; all of it stands in the address. */
export function SearchForm({ wanted: requested }: { readonly wanted: SearchQuery }) {
  const text = useRef<HTMLInputElement>(null);
  // What people come here for.
  useEffect(() => text.current?.focus(), []);
  useShortcuts({ '/': { does: 'write what to search for', run: () => text.current?.focus() } });
  const change = (name: string) => (event: Event) => {
    const { value } = event.currentTarget as HTMLInputElement | HTMLSelectElement;
    navigate(withQuery({ [name]: value || undefined }), { replace: true });
  };
  const field = (name: 'name' | 'run' | 'trace_id' | 'environment' | 'group_id', label: string) => (
    <label>
      {label}
      <input type="text" value={requested[name] ?? ''} onChange={change(name)} />
    </label>
  );
  return (
    <form class="search-form" aria-label="Search" onSubmit={(event) => event.preventDefault()}>
      <label class="search-text">
        Text
        <input ref={text} type="search" maxLength={1_024} value={requested.q ?? ''} onInput={change('q')} />
      </label>
      <label>
        In
        <select value={requested.sub_type ?? ''} onChange={change('sub_type')}>
          <option value="">all blocks</option>
          {SUB_TYPES.map((type) => (
            <option key={type} value={type}>
              {KINDS[type]}
            </option>
          ))}
        </select>
      </label>
      {field('name', 'Tool')}
      <label>
        Failed
        <select
          value={requested.has_error === undefined ? '' : String(requested.has_error)}
          onChange={change('has_error')}
        >
          <option value="">or not</option>
          <option value="true">results that failed</option>
          <option value="false">results that did not</option>
        </select>
      </label>
      {field('run', 'Run')}
      {requested.trace_id !== undefined && field('trace_id', 'Trace')}
      {requested.environment !== undefined && field('environment', 'Environment')}
      {requested.group_id !== undefined && field('group_id', 'Group')}
    </form>
  );
}
