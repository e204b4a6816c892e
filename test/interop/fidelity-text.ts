/** One code point each. Most of them are white space of many kinds, so that most chunks begin with one. */
const pieces = [
  ...[' ', ' ', ' ', '\t', '\n', '\r', '\u0085', '\u00a0', '\u1680', '\u2003', '\u2028', '\u2029', '\u202f', '\u205f'],
  ...[
    '\u3000',
    '\u001c',
    '\u001f',
    '\ufeff',
    '\u200b',
    '\u0000',
    'a',
    'Z',
    '0',
    '"',
    '\\',
    ':',
    '\u00e9',
    'e',
    '\u0301',
  ],
  ...['\u6f22', '\u{1f600}', '\u{1d4b3}'],
];

/**
 * A text of `length` code points that a careless stream damages: the high bits of a linear congruential generator
 * choose the pieces. `make_text` in fidelity_text.py returns the same text.
 */
export function makeText(seed: number, length: number): string {
  let state = seed;
  let text = '';
  for (let left = length; left > 0; left--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += pieces[state >>> 27];
  }
  return text;
}
