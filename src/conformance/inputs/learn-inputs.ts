import { asSchema, definedFields, fieldsOf, isRecord, type JSONSchema, tryParseJson } from '../../core/index.ts';
import { UntestableError } from '../assertions.ts';
import { isPattern } from './compile.ts';
import type { InputGenerator, ToolInputs } from './create-inputs.ts';
import { parseTextFacts, type StatementPart, type TextFacts, textParts } from './text-facts.ts';

/** The parts of a tool that inputs are generated from. */
export interface LearnableTool {
  readonly name: string;
  readonly description?: unknown;
  readonly inputSchema: unknown;
}

/**
 * Inputs of tools, improved by what an environment says: its prompt, descriptions and refusals.
 *
 * @example
 * await using inputs = createInputGenerator();
 * const learner: InputLearner = createInputLearner(inputs);
 * learner.hear('Valid guesses are between 1 and 20.');
 */
export interface InputLearner {
  /** Notes a text about all tools: the prompt, or an output. */
  readonly hear: (text: string) => void;
  /** Notes that a tool has refused an input, with the text of the refusal. Returns whether the text is new. */
  readonly refuse: (tool: string, input: Readonly<Record<string, unknown>>, text: string) => boolean;
  /**
   * Generates inputs that match the schema of a tool. After a refusal, those that also match what the texts say come first.
   * Rejects with UntestableError, like the generator.
   */
  readonly inputs: (tool: LearnableTool) => Promise<ToolInputs>;
}

const MAX_HEARD = 8;
const MAX_REFUSALS = 8;
/** Numbers that are tried as texts. */
const MAX_NUMBERS = 32;

/**
 * Creates a learner for one episode. Many environments keep their limits in code and not in the schema: words, ranges and
 * formats that only the prompt or a refusal tells.
 *
 * @example
 * const learner = createInputLearner(inputs);
 * learner.hear('Guess a number. Valid guesses are between 1 and 20.');
 * learner.refuse('guess', { number: 0 }, 'number must be between 1 and 20');
 * const inputSchema = { type: 'object', properties: { number: { type: 'integer' } } };
 * const { valid } = await learner.inputs({ name: 'guess', inputSchema });
 */
export function createInputLearner(
  generator: InputGenerator,
  options: Parameters<InputGenerator['generate']>[1] = {},
): InputLearner {
  const heard: string[] = [];
  const refusals = new Map<string, Refusal[]>();
  return {
    hear(text) {
      if (!heard.includes(text)) heard.unshift(text);
      heard.splice(MAX_HEARD);
    },
    refuse(tool, input, text) {
      const own = refusals.get(tool) ?? [];
      if (own.some((refusal) => refusal.text === text)) return false;
      refusals.set(tool, own);
      own.unshift({ text, echoed: Object.values(input).map(String) });
      own.splice(MAX_REFUSALS);
      return true;
    },
    async inputs(tool) {
      const plain = await generator.generate(tool.inputSchema, options);
      const own = refusals.get(tool.name);
      if (!own) return plain;
      const refined = refineSchema(tool, own, heard);
      if (!refined) return plain;
      const learned = await generator.generate(refined, options).catch((error: unknown) => {
        // A text may contradict the schema.
        if (error instanceof UntestableError) return undefined;
        throw error;
      });
      const valid = learned?.valid.map(({ what, ...input }) => ({ ...input, what: `${what}, as the texts say` })) ?? [];
      return valid.length === 0 ? plain : { valid, invalid: plain.invalid };
    },
  };
}

/**
 * Returns whether the text of an output reads like a refusal: many tools return an output that says that the input was
 * wrong, and nothing else happens.
 *
 * @example
 * looksRefused('Invalid move. Valid moves: up, down.'); // true
 */
export const looksRefused = (text: string): boolean => REFUSAL.test(text.slice(0, 300));

const REFUSAL =
  /\b(?:invalid|illegal|unknown|unrecogni[sz]ed|not (?:a )?(?:valid|legal|allowed|recogni[sz]ed)|must (?:be|have|match|contain)|out of (?:range|bounds))\b/i;

interface Refusal {
  readonly text: string;
  /** Values of the refused input, which the text may repeat. */
  readonly echoed: readonly string[];
}

/** Returns the schema of a tool with what texts say; undefined if they say nothing about its parameters. */
export function refineSchema(
  { description, inputSchema }: LearnableTool,
  refusals: readonly Refusal[],
  heard: readonly string[],
): JSONSchema | undefined {
  const schema = asSchema(inputSchema);
  const { properties } = schema;
  if (!isRecord(properties)) return undefined;
  const names = Object.keys(properties);
  // The most reliable texts come first.
  const sources = [
    ...refusals.map(({ text, echoed }) => factsByParameter(text, names, properties, echoed)),
    factsOfDescriptions(properties),
    ...[String(description ?? ''), ...heard].map((text) => factsByParameter(text, names, properties, [])),
  ];
  const examples = wholeExamples(names, [...refusals.map(({ text }) => text), ...heard]);
  let isRefined = examples.length > 0;
  const refined = Object.entries(properties).map(([name, property]): [string, unknown] => {
    const facts = sources.flatMap((source) => source.get(name) ?? []);
    const refinement = refineProperty(property, facts);
    isRefined ||= refinement !== undefined;
    return [name, refinement === undefined ? property : { allOf: [property, refinement] }];
  });
  if (!isRefined) return undefined;
  return { ...schema, properties: Object.fromEntries(refined), ...(examples.length > 0 && { examples }) };
}

/** Returns the inputs that texts give as JSON: `{"row": 1, "col": 2}`. */
function wholeExamples(names: readonly string[], texts: readonly string[]): Record<string, unknown>[] {
  const objects = texts.flatMap((text) => text.match(/\{[^{}]{1,300}\}/g) ?? []).map((json) => tryParseJson(json));
  return objects
    .filter((value): value is Record<string, unknown> => isRecord(value) && Object.keys(value).length > 0)
    .filter((value) => Object.keys(value).every((key) => names.includes(key)));
}

type FactsByParameter = ReadonlyMap<string, readonly TextFacts[]>;

function factsOfDescriptions(properties: Readonly<Record<string, unknown>>): FactsByParameter {
  const entries = Object.entries(properties).map(([name, property]) => {
    const { description = '' } = fieldsOf(property);
    const facts = textParts(String(description)).flatMap(({ text }) => parseTextFacts(text) ?? []);
    return [name, facts] as const;
  });
  return new Map(entries);
}

/** Returns the facts of a text by the parameter that each sentence is about. */
function factsByParameter(
  text: string,
  names: readonly string[],
  properties: Readonly<Record<string, unknown>>,
  echoed: readonly string[],
): FactsByParameter {
  const all = new Map<string, TextFacts[]>();
  let about: readonly string[] = [];
  for (const part of textParts(text)) {
    const named = namedParameters(part, names);
    if (named.length > 0) about = named;
    const facts = parseTextFacts(part.text, echoed);
    if (!facts) continue;
    const meant = named.length > 0 ? named : about.length > 0 ? about : names;
    for (const name of meant.filter((each) => isAbout(facts, properties[each]))) {
      all.set(name, [...(all.get(name) ?? []), facts]);
    }
  }
  return all;
}

/** Returns the parameters that a part of a text names. */
function namedParameters({ text, parameter }: StatementPart, names: readonly string[]): readonly string[] {
  if (parameter !== undefined && names.includes(parameter)) return [parameter];
  const words = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `;
  return names.filter((name) => {
    const spoken = name
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    // `player_name` is also meant by `Players:`.
    const [first = ''] = spoken.split(' ');
    return [spoken, `${spoken}s`, ...(first.length > 2 ? [first, `${first}s`] : [])].some((each) =>
      words.includes(` ${each} `),
    );
  });
}

/** Returns the type of a property, or of the first alternative that is not null. */
function typeOf(property: unknown): string | undefined {
  const { type, anyOf, enum: choices } = fieldsOf(property);
  if (choices !== undefined) return undefined;
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).find((each) => each !== undefined && each !== 'null');
  const types = [type].flat().filter((each) => each !== 'null');
  return types.length === 1 ? String(types[0]) : undefined;
}

const isNumeric = (type: string | undefined): boolean => type === 'integer' || type === 'number';

/** Returns whether facts can apply to a property: a range to a number, words to a text. */
function isAbout({ words, examples, min, max }: TextFacts, property: unknown): boolean {
  const type = typeOf(property);
  const hasNumbers = min !== undefined || max !== undefined || [...words, ...examples].some((word) => isNumber(word));
  return isNumeric(type) ? hasNumbers : type === 'string' || type === 'array';
}

const isNumber = (word: string): boolean => /^-?\d+(\.\d+)?$/.test(word);

/** Returns a schema of the facts about a property, the first of each kind; undefined if none applies. */
function refineProperty(property: unknown, facts: readonly TextFacts[]): JSONSchema | undefined {
  const type = typeOf(property);
  const words = facts.find((each) => each.words.length > 0)?.words ?? [];
  const examples = facts.flatMap((each) => each.examples);
  if (type === 'string') return refineText(words, examples, facts);
  if (isNumeric(type)) {
    const { min, max } = rangeOf(facts);
    if (min !== undefined || max !== undefined) return definedFields({ type, minimum: min, maximum: max });
    const numbers = [...words, ...examples].filter(isNumber).map(Number);
    return numbers.length > 0 ? { type, enum: [...new Set(numbers)] } : undefined;
  }
  if (type !== 'array') return undefined;
  const { minLength: minItems, maxLength: maxItems } = lengthOf(facts);
  const ofItems = facts.map(({ minLength: _, maxLength: __, pattern: ___, ...rest }) => rest);
  const items = refineProperty(fieldsOf(property).items, ofItems);
  const isRefined = minItems !== undefined || maxItems !== undefined || items !== undefined;
  return isRefined ? definedFields({ type, items, minItems, maxItems }) : undefined;
}

/** Returns the bounds of the length in the first facts that have any. */
function lengthOf(facts: readonly TextFacts[]): Pick<TextFacts, 'minLength' | 'maxLength'> {
  const known = facts.find(({ minLength, maxLength }) => minLength !== undefined || maxLength !== undefined);
  return definedFields({ minLength: known?.minLength, maxLength: known?.maxLength });
}

/** Returns the bounds of the first facts that have any. */
function rangeOf(facts: readonly TextFacts[]): Pick<TextFacts, 'min' | 'max'> {
  const min = facts.find((each) => each.min !== undefined)?.min;
  const max = facts.find((each) => each.max !== undefined && each.max >= (min ?? Number.NEGATIVE_INFINITY))?.max;
  return definedFields({ min, max });
}

function refineText(
  words: readonly string[],
  examples: readonly string[],
  facts: readonly TextFacts[],
): JSONSchema | undefined {
  const { min, max } = rangeOf(facts);
  if (words.length > 0) return { type: 'string', enum: [...new Set([...words, ...examples])] };
  const pattern = facts.find((each) => each.pattern !== undefined)?.pattern;
  if (pattern !== undefined && isPattern(pattern)) return { type: 'string', pattern };
  const numbers = min === undefined && max === undefined ? [] : numbersIn(min, max).map(String);
  const choices = [...new Set([...examples, ...numbers])];
  if (choices.length > 0) return { type: 'string', enum: choices };
  const { minLength, maxLength } = lengthOf(facts);
  const isShaped = minLength !== undefined || maxLength !== undefined;
  return isShaped ? definedFields({ type: 'string', minLength, maxLength }) : undefined;
}

/** Returns whole numbers of a range, at equal distances if there are many. */
function numbersIn(min: number | undefined, max: number | undefined): number[] {
  const low = min ?? (max ?? 0) - MAX_NUMBERS;
  const high = max ?? low + MAX_NUMBERS;
  const count = Math.min(MAX_NUMBERS, Math.floor(high - low) + 1);
  const step = count > 1 ? (high - low) / (count - 1) : 0;
  return [...new Set(Array.from({ length: count }, (_, at) => Math.round(low + at * step)))];
}
