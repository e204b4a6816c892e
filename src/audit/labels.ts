/*
 * Texts come from servers of others, so every pattern is linear: no part of a pattern can match a long run in more than one
 * way, and what follows a label is bounded.
 */

const LABEL =
  '(?:answers?|solutions?|expected|correct|gold|ground[ _-]?truth|secrets?|target|reference|want(?:ed)?|looking for|passwords?|flag|right one|key|should (?:be|have been))';
const SPACE = '[ \\t]{1,8}';
const NOUNS = `(?:${SPACE}(?:answer|value|word|one|output|result|of)){0,4}`;
const VERB = `${SPACE}(?:is|was|would be|to be)`;
const SIGN = '(?:[:=]|->|=>)';
const LINK = `${NOUNS}(?:${VERB})?[ \\t]{0,8}(?:${SIGN}[ \\t]{0,8})?`;
/** A colon, an equals sign or a verb, without which the next word may be of another sentence. */
const STRICT_LINK = `${NOUNS}(?:${VERB}:?${SPACE}|[ \\t]{0,8}${SIGN}[ \\t]{0,8})`;
/** One word that begins with a letter, a digit or a sign. */
const WORD = String.raw`([\p{L}\p{N}+$-][^\s"'\u0060,;:()<>=]{0,127}?)[.,;:!?)\]]{0,4}(?=[\s<]|$)`;

/** Regular expressions whose first group is a value that a text calls an answer. Flags: `iu`. */
export const LABELLED_VALUES: readonly string[] = [
  String.raw`["']${LABEL}\w{0,32}["'][ \t]{0,8}:[ \t]{0,8}["']?([^"',}\]\n]{1,400})`,
  String.raw`\b${LABEL}\b${LINK}["'\u0060\u201c\u2018\u00ab]([^"'\u0060\u201d\u2019\u00bb\n]{1,200})["'\u0060\u201d\u2019\u00bb]`,
  String.raw`\b${LABEL}\b${STRICT_LINK}${WORD}`,
  String.raw`\b${LABEL}\b${LINK}${WORD}`,
  String.raw`\b${LABEL}\b${STRICT_LINK}([^\s.](?:[^\n]{0,200}?[^\s.])??)\.?[ \t]{0,8}(?:-->|\n|$)`,
  String.raw`####[ \t]{0,8}([^\n]{1,400})`,
  String.raw`\\boxed\{([^}]{1,200})\}`,
];

/** Regular expression whose first group is the only line of a text. Flags: `iu`. */
export const ONLY_LINE = String.raw`^\s*(\S(?:[^\n]*\S)?)\s*$`;

/** Returns whether a name calls a value an answer, such as `correct_answer`. */
export const isAnswerName = (name: string): boolean => new RegExp(`(?:^|[_-])${LABEL}\\w{0,32}$`, 'iu').test(name);

/** Characters at each end of a long text in which values are searched. */
const MAX_READ = 50_000;

/** Returns the parts of a text in which values are searched: all of it, or the beginning and the end. */
export const readableText = (text: string): string =>
  text.length <= 2 * MAX_READ ? text : `${text.slice(0, MAX_READ)}\n${text.slice(-MAX_READ)}`;

/** Returns the value that a text calls an answer, by one of the patterns. */
export const labelledValue = (text: string, pattern: string): string | undefined =>
  new RegExp(pattern, 'iu').exec(readableText(text))?.[1]?.trim();

/** Yields the texts between two marks. */
export function* textsBetween(text: string, open: string, close: string): Generator<string> {
  for (let at = text.indexOf(open); at >= 0; ) {
    const start = at + open.length;
    const end = text.indexOf(close, start);
    if (end < 0) return;
    yield text.slice(start, end);
    at = text.indexOf(open, end + close.length);
  }
}

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

/** Statements that the effects of a tool last, or are those of the real world. */
const LASTING = new RegExp(
  [
    String.raw`\birreversibl`,
    String.raw`\b(?:cannot|can't|can not|can never|impossible to|no way to|not possible to) (?:be )?(?:\w{1,16}ly |later |then |ever )?(?:undo|undone|revert(?:ed)?|reversed?|restored?|recover(?:ed)?|cancel(?:l?ed)?|taken? back|roll(?:ed)? back|retract(?:ed)?|unsen[dt])\b`,
    String.raw`\bno (?:undo|rollback|way back|going back)\b`,
    String.raw`\bnot (?:reversible|recoverable|refundable)\b`,
    String.raw`\b(?:unrecoverable|non-?(?:reversible|recoverable|refundable))\b`,
    String.raw`\b(?:permanent|destructive)(?:ly)?\b`,
    String.raw`\breal (?:money|orders?|payments?|e-?mails?|customers?|users?|people|funds)\b`,
    String.raw`\bfinal and binding\b`,
    String.raw`\b(?:in|to|on) (?:the )?(?:live|production) (?:clusters?|databases?|environment|servers?|site|systems?)\b`,
  ].join('|'),
  'gi',
);

const THE = '(?:an?|the|this|that|these|your|all|every|some|more|one|[0-9]{1,6})';
const SOME = `(?:${THE} )?(?:\\w{1,20} ){0,2}`;
const MONEY = '(?:money|funds|payments?|bitcoins?|crypto|dollars?|euros?|usd|eur|cash|balances?|amounts?)';
const PERSON = '(?:customers?|clients?|users?|recipients?|contacts?|subscribers?|employees?|guests?|patients?|people)';

/** Verbs with their objects whose effects usually last outside of an episode. */
const ACTIONS = [
  `(?:delet(?:es?|ing)|eras(?:es?|ing)|wip(?:es?|ing)|purg(?:es?|ing)) (?!(?:${THE} )?(?:last |previous |next |current )?(?:characters?|letters?|words?|lines?|digits?|cells?|texts?|selection|nothing|key)\\b)`,
  `(?:destroy(?:s|ing)?|drop(?:s|ping)?) ${SOME}(?:accounts?|data|databases?|tables?|files?|instances?|records?|servers?|volumes?)\\b`,
  `format(?:s|ting)? ${SOME}(?:disks?|drives?|partitions?|volumes?)\\b`,
  `send(?:s|ing)? [^,]{0,60}?(?:\\b(?:e-?mails?|sms|text messages?|invoices?|notifications?|newsletters?|reminders?|fax(?:es)?)\\b|\\b${MONEY}\\b|\\b(?:messages?|letters?) to ${SOME}${PERSON}\\b)`,
  `(?:e-?mail(?:s|ing)?|notif(?:y|ies|ying)|invoic(?:es?|ing)|bill(?:s|ing)?|charg(?:es?|ing)|refund(?:s|ing)?) ${SOME}(?:${PERSON}|cards?|accounts?|orders?)\\b`,
  `purchas(?:es?|ing) (?:${THE}|goods|items?|products?|tickets?)\\b`,
  `buy(?:s|ing)? ${SOME}(?:goods|items?|licen[cs]es?|products?|shares?|stocks?|subscriptions?|tickets?)\\b`,
  `(?:plac(?:es?|ing)|execut(?:es?|ing)|mak(?:es?|ing)) ${SOME}(?:bookings?|donations?|orders?|payments?|purchases?|trades?|transactions?|transfers?)\\b`,
  `pay(?:s|ing)? [^,]{0,40}?\\b(?:bills?|debts?|deposits?|fees?|invoices?|rent|salar(?:y|ies)|suppliers?|vendors?|${PERSON}|${MONEY}|(?:by|with) ${SOME}card|for ${SOME}(?:order|purchase|cart))\\b`,
  `(?:transfer(?:s|ring)?|wir(?:es?|ing)|withdraw(?:s|ing)?) [^,]{0,40}?\\b(?:${MONEY}|ownership|(?:to|between|from) ${SOME}accounts?)\\b`,
  '(?:re)?deploy(?:s|ing)?\\b',
  `publish(?:es|ing)? ${SOME}(?:apps?|articles?|changes|drafts?|packages?|pages?|posts?|releases?|sites?|versions?|videos?|websites?)\\b`,
  `post(?:s|ing)? ${SOME}(?:comments?|messages?|status|tweets?)\\b`,
  `push(?:es|ing)? ${SOME}to ${SOME}(?:origin|main|master|production|registry|remote)\\b`,
  `(?:terminat(?:es?|ing)|shut(?:s|ting)? down|cancel(?:s|l?ing)?|clos(?:es?|ing)|deactivat(?:es?|ing)|revok(?:es?|ing)|suspend(?:s|ing)?) ${SOME}(?:accounts?|bookings?|contracts?|credentials?|flights?|instances?|keys?|licen[cs]es?|memberships?|orders?|reservations?|servers?|subscriptions?)\\b`,
  `sign(?:s|ing)? ${SOME}(?:agreements?|contracts?|leases?)\\b`,
].join('|');

/** An action at the beginning of a clause, or after a word that a verb follows. */
const ACTING = new RegExp(
  `(?:^|\\b(?:to|and|or|then|will|can|may|it|this|that|which|also|tool|function|action|command|immediately|you|for|by) )(?:${ACTIONS})`,
  'gi',
);

/** Statements that effects stay in the episode or can be taken back. */
const HARMLESS =
  /\bcan (?:always |later |still )?be (?:undone|reverted|reversed|restored|recovered|rolled back|taken back)\b|\b(?:use|call|with) undo\b|\breversible\b|\b(?:simulat|mock|dry[- ]run|pretend|fictional)|\bin (?:an?|the) sandbox\b/i;
const NEGATION =
  /\b(?:not|never|no|non|nothing|isn't|aren't|doesn't|without)\b(?! (?:only|just|merely))[\s-]{0,2}(?:\w{1,16} ){0,2}$/i;
const DENIED_UNDO = /\b(?:undone|reverted|reversed|restored|reversible)\? ?no\b/i;

/** Shortest clause that says something: `No undo`. */
const MIN_CLAUSE = 7;

/** Returns whether a description of a tool says that its effects cannot be undone, or names an effect of that kind. */
export function describesIrreversible(description: string): boolean {
  const text = readableText(description).replaceAll('\u2019', "'");
  const plain = text.replaceAll(/\s+/g, ' ');
  if (DENIED_UNDO.test(plain)) return true;
  const isHarmless = HARMLESS.test(plain);
  return text.split(/\n|(?<=[.;:!?])/).some((part) => {
    if (part.length < MIN_CLAUSE) return false;
    const clause = part.replaceAll(/\s+/g, ' ').replace(/^[^\p{L}\p{N}]+/u, '');
    if (clause.trimEnd().endsWith('?')) return false;
    return isClaimed(clause, LASTING) || (!isHarmless && isClaimed(clause, ACTING));
  });
}

/** Returns whether a clause matches a pattern without a negation before it. */
function isClaimed(clause: string, pattern: RegExp): boolean {
  const isMeant = ({ index }: RegExpExecArray) => !NEGATION.test(clause.slice(Math.max(0, index - 60), index));
  return Array.from(clause.matchAll(pattern)).some(isMeant);
}
