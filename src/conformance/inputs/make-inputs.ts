import { canonicalJson, equalJson, isRecord } from '../../core/index.ts';
import { HarnessError, Untestable } from '../verdict.ts';
import { boundaries } from './boundary.ts';
import { compile } from './compile.ts';
import type { Faker } from './faker.ts';
import type { Example, ToolInputs } from './inputs.ts';
import { defects } from './invalid.ts';
import { take } from './iterate.ts';
import { make } from './make.ts';
import { placesOf } from './place.ts';
import { authored, shapesOf } from './shape.ts';
import type { Schema, Schemas, Source } from './source.ts';
import type { Candidate } from './words.ts';

const MOST_BOUNDARIES = 24;
const MOST_INVALID = 64;
/** Random values that are tried for each that is wanted: not all of them match. */
const TRIES = 5;
/** The same where nothing else was found. */
const LAST_TRIES = 50;

export interface Wishes {
  /** So many random inputs. */
  readonly random: number;
  readonly seed: number;
  /** Undefined where it is not installed. */
  readonly faker: Faker | undefined;
}

/** Inputs for a stranger's schema. Throws Untestable where it is none, or where none are found. */
export function makeInputs(schema: unknown, { random, seed, faker }: Wishes): ToolInputs {
  if (random > 0 && !faker) {
    throw new Untestable('random inputs need json-schema-faker; install it with: npm install json-schema-faker');
  }
  const source = compile(schema, (pattern) =>
    [seed, seed + 1]
      .map((each) => faker?.({ type: 'string', pattern }, each))
      .filter((text) => typeof text === 'string'),
  );
  const objects: Schemas = [source.root, { type: 'object' }];
  const places = placesOf(source, objects);
  const full = make(source, objects, 'full');
  const randoms = (tries: number) => (faker ? randomInputs(faker, source.root, seed, tries) : []);

  const choose = chooser(source.accepts);
  const valid = [
    ...choose(simple(source, objects, full)),
    ...choose(boundaries(source, places, full), MOST_BOUNDARIES),
    ...choose(randoms(random * TRIES), random),
  ];
  if (valid.length === 0) valid.push(...choose(randoms(LAST_TRIES), 1));
  if (valid.length === 0) throw new Untestable('no object was found that it lets through');
  return asserted(source, { valid, invalid: chooser(source.refuses)(defects(source, places), MOST_INVALID) });
}

/** Nothing leaves unchecked. Throws HarnessError if a valid input is not valid or an invalid one is, as it will be sent. */
export function asserted(source: Pick<Source, 'accepts' | 'refuses'>, inputs: ToolInputs): ToolInputs {
  const sent: ToolInputs = JSON.parse(JSON.stringify(inputs));
  for (const { value, what } of sent.valid) {
    if (!source.accepts(value)) throw new HarnessError(`${what} was made to be valid, and is not`);
  }
  for (const { value, what } of sent.invalid) {
    if (!source.refuses(value)) throw new HarnessError(`the input with ${what} was made to be invalid, and is not`);
  }
  return sent;
}

/** The inputs before those at an edge. */
function* simple(source: Source, objects: Schemas, full: unknown): Generator<Candidate> {
  const minimal = make(source, objects, 'minimal');
  const [shape = []] = take(shapesOf(objects, source.follow), 1);
  yield* authored(shape).map((value, index) => ({ value, what: `example ${index + 1} of the schema` }));
  const value = make(source, objects, 'authored');
  if (!equalJson(value, minimal)) yield { value, what: 'the input of the examples and defaults' };
  yield { value: minimal, what: 'the minimal input' };
  yield { value: full, what: 'the full input' };
}

/** Chooses those that are wanted, and none of them twice. */
function chooser(isWanted: (input: unknown) => boolean) {
  const seen = new Set<string>();
  return (candidates: Iterable<Candidate>, most = Infinity): Example[] => {
    const chosen: Example[] = [];
    for (const { value, what, lacks } of candidates) {
      if (chosen.length >= most) break;
      if (!isRecord(value) || seen.has(canonicalJson(value)) || !isWanted(value)) continue;
      seen.add(canonicalJson(value));
      chosen.push({ value, what, ...(lacks && { lacks }) });
    }
    return chosen;
  };
}

function* randomInputs(faker: Faker, schema: Schema, seed: number, tries: number): Generator<Candidate> {
  for (let used = seed; used < seed + tries; used++) {
    yield { value: faker(schema, used), what: `a random input, seed ${used}` };
  }
}
