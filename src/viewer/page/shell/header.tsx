import { useState } from 'preact/hooks';
import { setApiKey, useApiKey } from '../api/key.ts';
import { buildHref } from './location.ts';
import { SERVER_FEATURES } from './offers.ts';
import { applyTheme, chosenTheme, nextTheme } from './theme.ts';

const MARKS = { system: '◐', light: '○', dark: '●' };
const RUN_VIEWS = ['runs', 'run', 'group', 'trace', 'compare'];
const ENVIRONMENT_VIEWS = ['environments', 'environment', 'play'];

/** What stands above every page. */
export function AppHeader({ view, onHelp }: { readonly view: string; readonly onHelp: () => void }) {
  const [theme, setTheme] = useState(chosenTheme());
  const key = useApiKey();
  const changeTheme = () => {
    applyTheme(nextTheme(theme));
    setTheme(nextTheme(theme));
  };
  const here = (views: readonly string[]) => (views.includes(view) ? { 'aria-current': 'page' as const } : {});
  return (
    <header class="top">
      <a class="brand" href="?">
        ors
      </a>
      <nav aria-label="Pages">
        {SERVER_FEATURES.traces && (
          <a href={buildHref({ view: 'runs' })} {...here(RUN_VIEWS)}>
            Runs
          </a>
        )}
        {SERVER_FEATURES.traces && (
          <a href={buildHref({ view: 'search' })} {...here(['search'])}>
            Search
          </a>
        )}
        <a href={buildHref({ view: 'environments' })} {...here(ENVIRONMENT_VIEWS)}>
          Environments
        </a>
      </nav>
      <span class="spring" />
      {key !== undefined && (
        <button type="button" class="quiet" onClick={() => setApiKey(undefined)}>
          Forget the key
        </button>
      )}
      <button
        type="button"
        class="quiet"
        aria-label={`Theme: ${theme}`}
        title={`Theme: ${theme}`}
        onClick={changeTheme}
      >
        {MARKS[theme]}
      </button>
      <button
        type="button"
        class="quiet"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts: ?"
        onClick={onHelp}
      >
        ?
      </button>
    </header>
  );
}
