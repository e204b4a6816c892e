/** What the page shows: the results, which stand in it as JSON. */
export const results = JSON.parse(document.getElementById('results').textContent);
export const SIGNS = { pass: '✓', fail: '✗', warn: '!', 'n/a': '–', 'not-testable': '?', 'harness-error': '‼' };
const NAMES = { 'not-testable': 'not testable', 'harness-error': 'error of the suite' };
export const LEVELS = { must: 'MUST', should: 'SHOULD', may: 'MAY' };
export const byId = (id) => document.getElementById(id);
export const groupOf = ({ check }) => check.slice(0, check.indexOf('/'));
export const unique = (values) => [...new Set(values)];

export const nameOf = (state) => NAMES[state] ?? state;
