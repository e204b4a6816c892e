import { useState } from 'preact/hooks';
import { SERVER_FEATURES, setApiKey, useApiKey } from '../api/access.ts';
import { buildHref } from '../api/location.ts';
import { activeShortcuts } from '../api/shortcuts.ts';
import { IconButton, QuietButton } from '../parts/buttons.tsx';
import { Dialog } from '../parts/dialog.tsx';

const MARKS = { system: '◐', light: '○', dark: '●' };
type Theme = keyof typeof MARKS;
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** Header of every page. */
export function AppHeader({ view, onHelp }: { readonly view: string; readonly onHelp: () => void }) {
  const [theme, setTheme] = useState(chosenTheme());
  const key = useApiKey();
  const changeTheme = () => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
    applyTheme(next);
    setTheme(next);
  };
  const tab = (label: string, target: string, others: readonly string[] = []) => (
    <a
      class="tab"
      href={buildHref({ view: target })}
      aria-current={target === view || others.includes(view) ? 'page' : undefined}
    >
      {label}
    </a>
  );
  return (
    <header class="top">
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to the content, as its address says */}
      <a class="button skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <a class="brand" href="?">
        ors
      </a>
      <nav aria-label="Pages">
        {SERVER_FEATURES.traces && tab('Runs', 'runs', ['run', 'group', 'trace', 'compare', 'compare-runs'])}
        {SERVER_FEATURES.traces && tab('Search', 'search', ['rate'])}
        {tab('Environments', 'environments', ['environment', 'play'])}
      </nav>
      <span class="spring" />
      {key !== undefined && <QuietButton onClick={() => setApiKey(undefined)}>Forget key</QuietButton>}
      <IconButton icon={MARKS[theme]} label={`Theme: ${theme}`} onClick={changeTheme} />
      <IconButton icon="?" label="Keyboard shortcuts" shortcut="?" onClick={onHelp} />
    </header>
  );
}

/** Moves the focus to the content. The fragment of the address stays, because it names a block. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.querySelector('main')?.focus();
}

/** Lists the shortcuts of the current page. */
export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="shortcuts">
        {activeShortcuts().map(([keys, { description }]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

const NAME = 'ors-theme';

function chosenTheme(): Theme {
  const stored = localStorage.getItem(NAME);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

/** Applies a theme; `system` follows the system. */
export function applyTheme(theme = chosenTheme()): void {
  localStorage.setItem(NAME, theme);
  document.documentElement.dataset.theme = theme;
  dispatchEvent(new Event('ors:theme'));
}
