import { canonicalJson, equalJson, isMissingPackage, isRecord } from '../../core/index.ts';
import { HarnessError, UntestableError } from '../assertions.ts';
import { type CompiledSchema, compileSchema, type Schema, type Schemas } from './compile.ts';
import type { GeneratedInput, ToolInputs } from './create-inputs.ts';
import { generateBoundaryInputs, generateInvalidInputs } from './edge-cases.ts';
import { type InputCandidate, inputNodes } from './input-nodes.ts';
import { generateValue } from './make-value.ts';
import { authorExamples, resolveShapes, take } from './shape.ts';

const MAX_BOUNDARIES = 24;
const MAX_INVALID_INPUTS = 64;
/** Random values that are tried for each that is wanted: not all of them match. */
const TRIES = 5;
/** The same where nothing else was found. */
const LAST_TRIES = 50;

export interface GenerateInputsOptions {
  /** So many random inputs. */
  readonly random: number;
  readonly seed: number;
  /** Undefined where it is not installed. */
  readonly faker: Faker | undefined;
}

/** Inputs for a stranger's schema. Throws Untestable where it is none, or where none are found. */
export function generateInputs(schema: unknown, { random, seed, faker }: GenerateInputsOptions): ToolInputs {
  if (random > 0 && !faker) {
    throw new UntestableError('random inputs need json-schema-faker; install it with: npm install json-schema-faker');
  }
  const source = compileSchema(schema, (pattern) =>
    [seed, seed + 1]
      .map((each) => faker?.({ type: 'string', pattern }, each))
      .filter((text) => typeof text === 'string'),
  );
  const objects: Schemas = [source.root, { type: 'object' }];
  const places = inputNodes(source, objects);
  const full = generateValue(source, objects, 'full');
  const randoms = (tries: number) => (faker ? randomInputs(faker, source.root, seed, tries) : []);

  const choose = chooser(source.accepts);
  const valid = [
    ...choose(simple(source, objects, full)),
    ...choose(generateBoundaryInputs(source, places, full), MAX_BOUNDARIES),
    ...choose(randoms(random * TRIES), random),
  ];
  if (valid.length === 0) valid.push(...choose(randoms(LAST_TRIES), 1));
  if (valid.length === 0) throw new UntestableError('no object was found that it lets through');
  return verifyInputs(source, {
    valid,
    invalid: chooser(source.refuses)(generateInvalidInputs(source, places), MAX_INVALID_INPUTS),
  });
}

/** Nothing leaves unchecked. Throws HarnessError if a valid input is not valid or an invalid one is, as it will be sent. */
export function verifyInputs(source: Pick<CompiledSchema, 'accepts' | 'refuses'>, inputs: ToolInputs): ToolInputs {
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
function* simple(source: CompiledSchema, objects: Schemas, full: unknown): Generator<InputCandidate> {
  const minimal = generateValue(source, objects, 'minimal');
  const [shape = []] = take(resolveShapes(objects, source.follow), 1);
  yield* authorExamples(shape).map((value, index) => ({ value, what: `example ${index + 1} of the schema` }));
  const value = generateValue(source, objects, 'authored');
  if (!equalJson(value, minimal)) yield { value, what: 'the input of the examples and defaults' };
  yield { value: minimal, what: 'the minimal input' };
  yield { value: full, what: 'the full input' };
}

/** Chooses those that are wanted, and none of them twice. */
function chooser(isWanted: (input: unknown) => boolean) {
  const seen = new Set<string>();
  return (candidates: Iterable<InputCandidate>, max = Infinity): GeneratedInput[] => {
    const chosen: GeneratedInput[] = [];
    for (const { value, what, lacks } of candidates) {
      if (chosen.length >= max) break;
      if (!isRecord(value) || seen.has(canonicalJson(value)) || !isWanted(value)) continue;
      seen.add(canonicalJson(value));
      chosen.push({ value, what, ...(lacks && { isMissingRequired: lacks }) });
    }
    return chosen;
  };
}

function* randomInputs(faker: Faker, schema: Schema, seed: number, tries: number): Generator<InputCandidate> {
  for (let used = seed; used < seed + tries; used++) {
    yield { value: faker(schema, used), what: `a random input, seed ${used}` };
  }
}

/** A random value, the same for the same seed. Undefined where the generator does not understand the schema. */
export type Faker = (schema: Schema, seed: number) => unknown;

/** The generator of json-schema-faker; undefined where the package is not installed. */
export async function loadFaker(load = () => import('json-schema-faker')): Promise<Faker | undefined> {
  try {
    const { generateSync } = await load();
    return (schema, seed) => {
      try {
        return generateSync(schema, { seed });
      } catch {
        return undefined;
      }
    };
  } catch (error) {
    if (isMissingPackage(error, 'json-schema-faker')) return undefined;
    throw error;
  }
}
