export type Theme = 'system' | 'light' | 'dark';

const NAME = 'ors-theme';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(NAME);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

/** Shows the page in the chosen theme; the system's follows the system. */
export function applyTheme(theme = chosenTheme()): void {
  localStorage.setItem(NAME, theme);
  document.documentElement.dataset.theme = theme;
  dispatchEvent(new Event('ors:theme'));
}

export const nextTheme = (theme: Theme): Theme => THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
