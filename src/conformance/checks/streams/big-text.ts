/** The units that the fixture's tool `big` repeats. Source: docs/conformance-fixture.md, "Tools". */
const UNITS = {
  ascii: 'abcdefghijklmnopqrstuvwxyz0123456789',
  spaces: ' ',
  prose: 'The quick brown fox jumps over the lazy dog. ',
  emoji: '\u{1f600}',
  mixed: 'a\u00e9\u2603\u{1f600}\u00a0\u3000 \n',
} as const;

export type TextPattern = keyof typeof UNITS;

/** The text that `big` gives, of so many code points. */
export function bigText(characters: number, pattern: TextPattern): string {
  const unit = Array.from(UNITS[pattern]);
  const rest = unit.slice(0, characters % unit.length).join('');
  return UNITS[pattern].repeat(Math.floor(characters / unit.length)) + rest;
}

/** How many code points a text has. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _character of text) count++;
  return count;
}

/** Where a text departs from the one that it should be, for a message. */
export function describeTextDifference(text: string, requested: string): string {
  let at = 0;
  while (at < text.length && text[at] === requested[at]) at++;
  const seen = JSON.stringify(text.slice(at, at + 20));
  return `${codePoints(text)} characters instead of ${codePoints(requested)}, other from position ${at} on: ${seen} instead of ${JSON.stringify(requested.slice(at, at + 20))}`;
}
