const LABEL =
  '(?:answers?|solutions?|expected|correct|gold|ground[ _-]?truth|secrets?|target|reference|want(?:ed)?|looking for|passwords?|flag|right one|key|should (?:be|have been))';
const NOUNS = String.raw`(?:[ \t]+(?:answer|value|word|one|output|result|of))*`;
const VERB = String.raw`[ \t]+(?:is|was|would be|to be)`;
const LINK = String.raw`${NOUNS}(?:${VERB})?[ \t]*(?:[:=]|->|=>)?[ \t]*`;
/** A colon, an equals sign or a verb, without which the next word may be of another sentence. */
const STRICT_LINK = String.raw`${NOUNS}(?:${VERB}:?[ \t]+|[ \t]*(?:[:=]|->|=>)[ \t]*)`;
/** One word that begins with a letter, a digit or a sign. */
const WORD = String.raw`([\p{L}\p{N}+$-][^\s"'\u0060,;:()<>=]*?)[.,;:!?)\]]*(?=[\s<]|$)`;

/** Regular expressions whose first group is a value that a text calls an answer. Flags: `iu`. */
export const LABELLED_VALUES: readonly string[] = [
  String.raw`["']${LABEL}\w*["'][ \t]*:[ \t]*["']?([^"',}\]\n]+)`,
  String.raw`\b${LABEL}\b${LINK}["'\u0060\u201c\u2018\u00ab]([^"'\u0060\u201d\u2019\u00bb\n]+)["'\u0060\u201d\u2019\u00bb]`,
  String.raw`\b${LABEL}\b${STRICT_LINK}${WORD}`,
  String.raw`\b${LABEL}\b${LINK}${WORD}`,
  String.raw`\b${LABEL}\b${STRICT_LINK}([^\n]+?)[.]?[ \t]*(?:-->|\n|$)`,
  String.raw`####[ \t]*([^\n]+)`,
  String.raw`\\boxed\{([^}]+)\}`,
];

/** Returns the value that a text calls an answer, by one of the patterns. */
export const labelledValue = (text: string, pattern: string): string | undefined =>
  new RegExp(pattern, 'iu').exec(text)?.[1]?.trim();

const COPYING =
  /\b(?:repeat|copy|echo|re-?type|transcribe|type (?:the|this|out|exactly)|enter the following|say the|write (?:exactly|out|down|back)|(?:reply|respond|answer) with (?:exactly|only|the (?:following|word|text|code))|send back|spell)\b/i;

/** Returns whether a prompt asks for a copy of something that it contains. */
export const asksForCopy = (prompt: string): boolean => COPYING.test(prompt);

/** Returns whether a text contains a value as whole words. */
export function containsValue(text: string, value: string): boolean {
  const at = text.indexOf(value);
  if (value === '' || at < 0) return false;
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  return !(isWord(text[at - 1]) && isWord(value[0])) && !(isWord(text[at + value.length]) && isWord(value.at(-1)));
}
