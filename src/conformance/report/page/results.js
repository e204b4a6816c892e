/** The results.json that is embedded in the page. */
export const results = JSON.parse(document.getElementById('results').textContent);
export const SIGNS = { pass: '✓', fail: '✗', warn: '!', 'n/a': '–', 'not-testable': '?', 'harness-error': '‼' };
const NAMES = { 'not-testable': 'not testable', 'harness-error': 'error of the suite' };
export const LEVELS = { must: 'MUST', should: 'SHOULD', may: 'MAY' };
export const byId = (id) => document.getElementById(id);
export const groupOf = ({ check }) => check.slice(0, check.indexOf('/'));
export const unique = (values) => [...new Set(values)];

export const nameOf = (state) => NAMES[state] ?? state;

/** The filter, which is kept in the fragment of the page's address. */
const KEYS = ['state', 'level', 'group', 'text', 'check'];
export let filter = readFilter();

export function reread() {
  filter = readFilter();
}

function readFilter() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(KEYS.map((key) => [key, parameters.get(key) ?? '']));
}

export function remember(next) {
  filter = next;
  const parts = KEYS.filter((key) => filter[key] !== '').map(
    (key) => `${key}=${encodeURIComponent(filter[key]).replaceAll('%2F', '/').replaceAll('%2C', ',')}`,
  );
  history.replaceState(null, '', parts.length > 0 ? `#${parts.join('&')}` : location.href.replace(/#.*/, ''));
}

export const chosenStates = () => filter.state.split(',').filter(Boolean);

export function matches(result) {
  const states = chosenStates();
  if (states.length > 0 && !states.includes(result.state)) return false;
  if (filter.level !== '' && filter.level !== result.level) return false;
  if (filter.group !== '' && filter.group !== groupOf(result)) return false;
  const { check, requirement, sentence, title, message, notes } = result;
  const all = [check, requirement, sentence, title, message ?? '', ...notes].join('\n').toLowerCase();
  return filter.text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
