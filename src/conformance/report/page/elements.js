// Texts of the server are inserted as text nodes only.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== undefined && child !== ''));
  return made;
}

/** Invisible characters and those that change the text direction; shown by name or number. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the page shows control characters
const UNSEEN = /([\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff])/u;

export function visible(text) {
  return text
    .split(UNSEEN)
    .map((part, index) => (index % 2 === 0 ? part : element('span', { class: 'escape' }, escaped(part))));
}

const SHORT = { '\r': 'CR', '\0': 'NUL', '\x1b': 'ESC', '\ufeff': 'BOM' };
const escaped = (character) =>
  SHORT[character] ?? `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
export const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;
export const milliseconds = (ms) => (ms < 1000 ? `${Math.round(ms * 10) / 10} ms` : `${(ms / 1000).toFixed(2)} s`);

/** Returns a details element whose content is created when it is first opened. */
export function folded(attributes, summary, make) {
  const details = element('details', attributes, summary);
  makes.set(details, make);
  details.addEventListener('toggle', () => details.open && unfold(details));
  return details;
}

const makes = new WeakMap();

export function unfold(details) {
  details.append(...(makes.get(details)?.() ?? []));
  makes.delete(details);
  details.open = true;
}
