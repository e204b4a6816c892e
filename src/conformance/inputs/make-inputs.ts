import { canonicalJson, equalJson, isMissingPackage, isRecord } from '../../core/index.ts';
import { HarnessError, UntestableError } from '../assertions.ts';
import { type CompiledSchema, compileSchema, type SchemaOrBoolean, type Schemas } from './compile.ts';
import type { GeneratedInput, ToolInputs } from './create-inputs.ts';
import { generateBoundaryInputs, generateInvalidInputs } from './edge-cases.ts';
import { type InputCandidate, inputNodes } from './input-nodes.ts';
import { generateValue } from './make-value.ts';
import { authorExamples, resolveShapes, take } from './shape.ts';

const MAX_BOUNDARIES = 24;
const MAX_INVALID_INPUTS = 64;
/** Random values per requested input, because some do not match. */
const ATTEMPTS = 5;
/** Random values if no other valid input was found. */
const LAST_ATTEMPTS = 50;

export interface GenerateInputsOptions {
  /** Number of random inputs. */
  readonly random: number;
  readonly seed: number;
  /** Undefined if json-schema-faker is not installed. */
  readonly faker: Faker | undefined;
}

/** Generates inputs for an untrusted schema. @throws UntestableError if it is not valid, or no input is found */
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
  const nodes = inputNodes(source, objects);
  const full = generateValue(source, objects, 'full');
  const randoms = (attempts: number) => (faker ? randomInputs(faker, source.root, seed, attempts) : []);

  const choose = chooser(source.accepts);
  const valid = [
    ...choose(simple(source, objects, full)),
    ...choose(generateBoundaryInputs(source, nodes, full), MAX_BOUNDARIES),
    ...choose(randoms(random * ATTEMPTS), random),
  ];
  if (valid.length === 0) valid.push(...choose(randoms(LAST_ATTEMPTS), 1));
  if (valid.length === 0) throw new UntestableError('no matching object was found');
  return verifyInputs(source, {
    valid,
    invalid: chooser(source.refuses)(generateInvalidInputs(source, nodes), MAX_INVALID_INPUTS),
  });
}

/** Validates all inputs once more after serialization. @throws HarnessError if one is not as expected */
export function verifyInputs(source: Pick<CompiledSchema, 'accepts' | 'refuses'>, inputs: ToolInputs): ToolInputs {
  const sent: ToolInputs = JSON.parse(JSON.stringify(inputs));
  for (const { value, what } of sent.valid) {
    if (!source.accepts(value)) throw new HarnessError(`${what} should be valid, and is not`);
  }
  for (const { value, what } of sent.invalid) {
    if (!source.refuses(value)) throw new HarnessError(`the input with ${what} should be invalid, and is not`);
  }
  return sent;
}

/** Yields candidates for simple inputs. */
function* simple(source: CompiledSchema, objects: Schemas, full: unknown): Generator<InputCandidate> {
  const minimal = generateValue(source, objects, 'minimal');
  const [shape = []] = take(resolveShapes(objects, source.follow), 1);
  yield* authorExamples(shape).map((value, index) => ({ value, what: `example ${index + 1} of the schema` }));
  const value = generateValue(source, objects, 'authored');
  if (!equalJson(value, minimal)) yield { value, what: 'the input of the examples and defaults' };
  yield { value: minimal, what: 'the minimal input' };
  yield { value: full, what: 'the full input' };
}

/** Returns a function that chooses distinct candidates that satisfy the predicate. */
function chooser(isAccepted: (input: unknown) => boolean) {
  const seen = new Set<string>();
  return (candidates: Iterable<InputCandidate>, max = Infinity): GeneratedInput[] => {
    const chosen: GeneratedInput[] = [];
    for (const { value, ...candidate } of candidates) {
      if (chosen.length >= max) break;
      if (!isRecord(value) || seen.has(canonicalJson(value)) || !isAccepted(value)) continue;
      seen.add(canonicalJson(value));
      chosen.push({ ...candidate, value });
    }
    return chosen;
  };
}

function* randomInputs(
  faker: Faker,
  schema: SchemaOrBoolean,
  seed: number,
  attempts: number,
): Generator<InputCandidate> {
  for (let each = seed; each < seed + attempts; each++) {
    yield { value: faker(schema, each), what: `a random input, seed ${each}` };
  }
}

/** Returns a random value, the same for the same seed; undefined if the schema is not supported. */
export type Faker = (schema: SchemaOrBoolean, seed: number) => unknown;

/** Loads the generator of json-schema-faker; undefined if the package is not installed. */
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
