/**
 * The text with small letters in place of capitals, unit by unit, so that a place in one is the same place in the other. A
 * letter becomes one letter: ẞ is ß and Σ is ς is σ, but ß is not ss, and İ is not i.
 */
export const foldCase = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : text.replaceAll(/\p{Changes_When_Casefolded}/gu, foldLetter);

const ASCII = /^[\0-\x7f]*$/;

const folded = new Map<string, string>();

function foldLetter(letter: string): string {
  const known = folded.get(letter);
  if (known !== undefined) return known;
  const isAlike = new RegExp(`^${letter}$`, 'iu');
  const others = [letter.toUpperCase().toLowerCase(), letter.toLowerCase(), letter.toUpperCase()];
  const alike = others.filter((each) => isAlike.test(each));
  // Small letters alone are left as they are, except for Cherokee, whose capitals are.
  const found = alike.find((each) => !/\p{Changes_When_Casefolded}/u.test(each)) ?? alike[0] ?? letter;
  folded.set(letter, found);
  return found;
}
