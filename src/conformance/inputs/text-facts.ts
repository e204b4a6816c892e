/** Facts that a text states about the values of a parameter. */
export interface TextFacts {
  /** Allowed words, as in `one of: up, down`. */
  readonly words: readonly string[];
  /** Values that the text gives as examples, as in `for example 'e2e4'`. */
  readonly examples: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Regular expression that the value must match. */
  readonly pattern?: string;
}

/** A part of a text, and the parameter that it is about if the text names it in a structured form. */
export interface StatementPart {
  readonly text: string;
  readonly parameter?: string;
}

const MAX_TEXT = 20_000;
const MAX_WORDS = 64;
const MAX_WORD_LENGTH = 40;
const MAX_LIST = 2_000;
/** Words of one sentence that may introduce a list. */
const MAX_TRIGGERS = 32;

/**
 * Splits a text into parts: the errors of pydantic, as Python prints them, or else its lines and sentences.
 *
 * @example
 * textParts("[{'loc': ('row',), 'msg': 'Input should be less than 3'}]"); // [{ parameter: 'row', text: 'Input should be less than 3' }]
 */
export function textParts(text: string): StatementPart[] {
  // The long runs of spaces in maps and tables would make patterns backtrack for seconds.
  const short = text.slice(0, MAX_TEXT).replaceAll(/[^\S\n]{2,}/g, ' ');
  const errors = [...short.matchAll(PYDANTIC)].map(([, loc = '', double, single]) => {
    const [parameter] = /[\w-]+/.exec(loc.replaceAll(/['"]/g, '')) ?? [];
    const message = (double ?? single ?? '').replaceAll(/\\(.)/g, (_, escaped: string) =>
      escaped === 'n' ? '\n' : escaped,
    );
    return { text: message, ...(parameter !== undefined && { parameter }) };
  });
  if (errors.length > 0) return errors;
  return joinedLists(short.split('\n')).flatMap(paragraphParts);
}

/** `'loc': ('row',), 'msg': '...'` of Python, and `"loc":["row"],"msg":"..."` of JSON. */
const PYDANTIC = /['"]loc['"]:\s*[([]([^)\]]*)[)\]],\s*['"]msg['"]:\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/g;

const BULLET = /^\s*(?:[-*\u2022]|\d+[.)])\s+/;

/** Joins the items of a bulleted list to the line before it: `Commands:` and `- look: looks` become `Commands: 'look'`. */
function joinedLists(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let isList = false;
  for (const line of lines) {
    const last = joined.length - 1;
    if (BULLET.test(line)) {
      if (!isList && !/:\s*$/.test(joined[last] ?? '')) joined.push(line.replace(BULLET, ''));
      else {
        isList = true;
        const [item = ''] = line.replace(BULLET, '').split(/:\s|\s+[-\u2013(=\u2192]|\s+->/);
        joined[last] = `${joined[last] ?? ''} '${item.replaceAll(/[`'"*]/g, '').trim()}',`;
      }
    } else if (line.trim() !== '' || !/:\s*$/.test(joined[last] ?? '')) {
      isList = false;
      joined.push(line);
    }
  }
  return joined;
}

const paragraphParts = (line: string): StatementPart[] =>
  line
    // The echo of the input at the end of a line of pydantic.
    .replace(/\s*\[type=.*$/, '')
    .split(/(?<=[.;!?])\s+(?=[A-Z\d'"`(])/)
    .filter((text) => text.trim() !== '')
    .map((text) => ({ text }));

/**
 * Returns what a sentence says about the values of a parameter; undefined if it says nothing.
 *
 * @param echoed values that the sentence may repeat, such as those of the refused input
 */
export function parseTextFacts(sentence: string, echoed: readonly string[] = []): TextFacts | undefined {
  const isNew = (word: string) => !echoed.includes(word);
  const [quotedPattern = '', , pattern] = PATTERN.exec(sentence) ?? [];
  // A pattern contains ranges, such as [1-8].
  const rest = sentence.replace(quotedPattern, '');
  const words = allowedWords(rest).filter(isNew).slice(0, MAX_WORDS);
  const examples = examplesIn(rest).filter(isNew).slice(0, MAX_WORDS);
  const facts = { words, examples, ...lengthIn(rest), ...rangeIn(rest), ...(pattern !== undefined && { pattern }) };
  return Object.keys(facts).length > 2 || words.length > 0 || examples.length > 0 ? facts : undefined;
}

const PATTERN =
  /match(?:es|ing)?(?: the)?(?: pattern| regex| regular expression| format)?:?\s+(['"`/])(.+?)\1(?=[\s,.;)\]]|$)/i;

/** Words before a list of allowed values. */
const BEFORE_LIST = new RegExp(
  [
    String.raw`\b(?:(?:must|should|can|may|to) be(?: either| one of| any of| in)?`,
    '(?:one|any|either) of(?: the following| these)?',
    'choose(?: from| between| one of)?|chosen from|select(?: from)?|pick(?: from)?',
    '(?:answer|respond|reply) with(?: either| exactly| one of| only)*',
    String.raw`(?:valid|allowed|available|possible|permitted|legal|supported|accepted|known|remaining)(?: \w+){0,3}?(?: are| is| include)?`,
    'expected|options?|choices|actions?|commands?|moves?|directions?|either)',
  ].join('|'),
  'gi',
);

function allowedWords(sentence: string): string[] {
  let triggers = 0;
  for (const { index, 0: trigger } of sentence.matchAll(BEFORE_LIST)) {
    const start = index + trigger.length;
    const words = listAt(sentence.slice(start, start + MAX_LIST));
    if (words.length > 0) return words;
    if (++triggers === MAX_TRIGGERS) break;
  }
  // `Players: Ann, Bob, Carl`
  const [, after] = /^[^:'"`,]{1,40}:\s+(.+)$/.exec(sentence) ?? [];
  return after === undefined ? [] : listAt(after.slice(0, MAX_LIST));
}

const QUOTED = /(?<!\w)(['"`])((?:(?!\1).){1,40})\1/g;
const SEPARATOR = /\s*(?:,\s*(?:or|and)\s+|[,/|;]\s*|\s+or\s+|\s+and\s+)/;

/** Items that are not values: comparisons, articles with a noun, parts of other texts. */
const NO_VALUE =
  /[:=[\]{}()]|^(?:greater|less|more|fewer|larger|smaller|longer|shorter|equal|at least|at most|between|exactly|not|of|must|should|can|may|be|is|are)\b|^(?:an?|the)\s/i;

/** Returns the items of a list at the beginning of a text. */
function listAt(text: string): string[] {
  const rest = text
    .replace(/^\s*(?:\([^)]*\)(?=\s*[:=]))?/, '')
    .replace(/^[\w\s]{0,40}[:=]\s*|^\s*(?:\w+\s+){0,3}?(?:are|is|includes?)\s+(?:either\s+|one of\s+)?|^\s+/i, '');
  const [, bracketed] = /^[[({]\s*([^\])}]+?)\s*[\])}]/.exec(rest) ?? [];
  const [clause = ''] = rest.split(/(?<=[\w'"`)])[.!?](?:\s|$)|\n|\s+(?:but|got|not|for|if|when|where|instead)\s/);
  const list = bracketed ?? clause;
  const quoted = [...list.matchAll(QUOTED)].map(([, , word = '']) => word.trim());
  if (quoted.length > 0 && /^['"`]/.test(list)) return unique(quoted);
  const items = list.split(SEPARATOR).map((item) => item.trim().replaceAll(/^['"`]|['"`]$/g, ''));
  const isValue = (item: string) =>
    item !== '' && item.length <= MAX_WORD_LENGTH && item.split(/\s+/).length <= 3 && !NO_VALUE.test(item);
  return items.length > 1 && items.every(isValue) ? unique(items) : [];
}

const unique = (words: readonly string[]): string[] => [...new Set(words.filter((word) => word !== ''))];

function examplesIn(sentence: string): string[] {
  const found = [
    ...sentence.matchAll(
      /(?:e\.\s?g\.|for example|for instance|such as|\blike|example|format|\bform|formatted as)(?: of| is)?[,:]?\s*(?:is\s+|the form\s+)?(['"`])(.+?)\1((?:\s*(?:,|or|and)+\s*(['"`]).+?\4)*)/gi,
    ),
  ].flatMap(([, , first = '', others = '']) => [first, ...[...others.matchAll(QUOTED)].map(([, , word = '']) => word)]);
  const bare = /(?:e\.\s?g\.,?|for example,?|example:)\s+([^\s'"`(),;{[]+)/i
    .exec(sentence)?.[1]
    ?.replace(/[.:!?]+$/, '');
  return unique([...found, ...(found.length === 0 && bare !== undefined ? [bare] : [])]).flatMap(filledTemplate);
}

/** Replaces placeholders by numbers: `<row>,<col>` becomes `1,1` and `0,0`. */
const filledTemplate = (example: string): string[] => {
  const placeholder = /<[\w -]+>|\{[\w -]+\}|\[[a-z_ ]+\]/g;
  return placeholder.test(example) ? ['1', '0', '2'].map((digit) => example.replaceAll(placeholder, digit)) : [example];
};

/** A number of limited length: each digit of a longer one would be tried as the first. */
const NUMBER = String.raw`(-?\d{1,15}(?:\.\d{1,15})?)`;
const TO = String.raw`\s*(?:and|to|through|[-\u2013]|\.\.\.?|,)\s*`;
const UNIT =
  /^\s*-?(?:characters?|chars?|letters?|digits?|symbols?|items?|elements?|words?|numbers|values|entries|tokens)\b/i;

/** Returns the bounds of a number. */
function rangeIn(sentence: string): Pick<TextFacts, 'min' | 'max'> {
  const bounds: { min?: number; max?: number } = {};
  const both = [
    new RegExp(String.raw`(?:between|from|range(?: of)?|within|in|be)\s*[[(]?${NUMBER}${TO}${NUMBER}`, 'gi'),
    new RegExp(String.raw`[[(]${NUMBER}\s*(?:to|[-\u2013]|\.\.\.?)\s*${NUMBER}[\])]`, 'g'),
    new RegExp(String.raw`${NUMBER}\s*(?:<=?|\u2264)\s*\w+\s*(?:<=?|\u2264)\s*${NUMBER}`, 'g'),
    new RegExp(String.raw`\b${NUMBER}\s*[-\u2013]\s*${NUMBER}\b`, 'g'),
  ];
  for (const pattern of both) {
    for (const { index, 0: match, 1: low, 2: high } of sentence.matchAll(pattern)) {
      if (UNIT.test(sentence.slice(index + match.length)) || !(Number(low) < Number(high))) continue;
      return { min: Number(low), max: Number(high) };
    }
  }
  const limits: readonly (readonly [string, 'min' | 'max', number])[] = [
    [
      String.raw`(?:greater than or equal to|at least|no less than|not less than|minimum(?: \w+)?(?: is| of)?|>=|\u2265)`,
      'min',
      0,
    ],
    [
      String.raw`(?:less than or equal to|at most|no more than|not exceed|maximum(?: \w+)?(?: is| of)?|up to|<=|\u2264)`,
      'max',
      0,
    ],
    ['(?:(?:greater|more|larger|bigger) than|above|>)(?! or| ?=)', 'min', 1],
    ['(?:(?:less|fewer|smaller|lower) than|below|<)(?! or| ?=)', 'max', -1],
  ];
  const exclusive: typeof bounds = {};
  for (const [words, bound, step] of limits) {
    const match = new RegExp(String.raw`${words}\s*${NUMBER}`, 'i').exec(sentence);
    if (!match || UNIT.test(sentence.slice(match.index + match[0].length))) continue;
    bounds[bound] = Number(match[1]) + step;
    if (step !== 0) exclusive[bound] = Number(match[1]);
  }
  // No integer is between them, so they are limits of fractions.
  if (Number(bounds.min) > Number(bounds.max)) Object.assign(bounds, exclusive);
  if (/\bnon-?negative\b/i.test(sentence)) bounds.min ??= 0;
  else if (/\bpositive\b/i.test(sentence)) bounds.min ??= 1;
  return bounds;
}

/** Returns the bounds of a length, and the pattern of texts with only letters or digits. */
function lengthIn(sentence: string): Pick<TextFacts, 'minLength' | 'maxLength' | 'pattern'> {
  const unit = String.raw`[- ]?(?:\w+[- ])?(characters?|chars?|letters?|digits?|symbols?|items?|elements?|words?|numbers|values|entries)\b`;
  const between = new RegExp(String.raw`(\d{1,9})${TO}(\d{1,9})${unit}`, 'i').exec(sentence);
  if (between) return { minLength: Number(between[1]), maxLength: Number(between[2]) };
  const least = new RegExp(String.raw`(?:at least|minimum(?: of)?|no fewer than)\s+(\d+)${unit}`, 'i').exec(sentence);
  const most = new RegExp(String.raw`(?:at most|maximum(?: of)?|no more than|up to)\s+(\d+)${unit}`, 'i').exec(
    sentence,
  );
  if (least || most) {
    return { ...(least && { minLength: Number(least[1]) }), ...(most && { maxLength: Number(most[1]) }) };
  }
  const exact =
    new RegExp(String.raw`\b(\d+)${unit}`, 'i').exec(sentence) ??
    /\b(?:of|has|have) length (\d+)()/i.exec(sentence) ??
    /\blength (?:must be|of|is) (\d+)()/i.exec(sentence);
  if (!exact) return {};
  const length = Number(exact[1]);
  const kind = exact[2]?.toLowerCase() ?? '';
  const letters = /upper-?case|capital/i.test(sentence) ? 'A-Z' : 'a-z';
  const characters = kind.startsWith('letter') ? letters : kind.startsWith('digit') ? '0-9' : undefined;
  const pattern = characters === undefined ? {} : { pattern: `^[${characters}]{${length}}$` };
  return { minLength: length, maxLength: length, ...pattern };
}
