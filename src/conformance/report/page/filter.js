import { groupOf } from './results.js';

// The filter is the page's address behind the #.
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
