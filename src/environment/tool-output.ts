import { isRecord, misspelledName } from '../core/index.ts';
import {
  describeValue,
  type GroupScore,
  type JSONObject,
  OutputError,
  type SerializedToolOutput,
  serializeBlocks,
  serializeObject,
} from '../protocol/index.ts';

/** Fields that a result may lack. */
const OPTIONAL_FIELDS = ['reward', 'finished', 'metadata'];

/**
 * Validates the return value of a tool and adds missing fields. Source: data types, "Output Guarantees".
 *
 * @throws OutputError naming the field that is invalid.
 */
export function serializeOutput(result: unknown): SerializedToolOutput {
  if (!isRecord(result)) throw new OutputError('the tool returned no object; return { text } or { blocks }');
  for (const name in result) assertNotMisspelled(name, result);
  const { text, blocks, reward = null, finished = false, metadata = null } = result;
  if ((text === undefined) === (blocks === undefined)) {
    throw new OutputError('the tool returned neither text nor blocks, or both; return one of them');
  }
  if (reward !== null && !isFiniteNumber(reward)) {
    throw new OutputError(`reward is ${describeValue(reward)}; it must be a finite number or null`);
  }
  if (typeof finished !== 'boolean')
    throw new OutputError(`finished is ${describeValue(finished)}; it must be true or false`);
  return {
    blocks: serializeBlocks(blocks === undefined ? [{ type: 'text', text }] : blocks, 'blocks'),
    metadata: serializeObject(metadata, 'metadata'),
    reward,
    finished,
  };
}

/** Unknown fields are ignored, but a reward under a misspelled name would be lost without a word. */
function assertNotMisspelled(name: string, result: Readonly<Record<string, unknown>>): void {
  if (name === 'text' || name === 'blocks' || OPTIONAL_FIELDS.includes(name)) return;
  const meant = misspelledName(name, OPTIONAL_FIELDS);
  if (meant === undefined || result[meant] !== undefined) return;
  throw new OutputError(`the tool returned ${name}; did you mean ${meant}?`);
}

/** A comparative reward with all nullable fields. */
export type SerializedGroupScore = GroupScore & { readonly metadata: JSONObject | null };

/**
 * Validates the return value of `scoreGroup` and adds missing fields.
 *
 * @param count number of candidates.
 * @throws OutputError naming the score that is invalid, or both counts if they differ.
 */
export function serializeScores(scores: unknown, count: number): SerializedGroupScore[] {
  if (!Array.isArray(scores)) {
    throw new OutputError(`scoreGroup returned ${describeValue(scores)}; it must return an array of scores`);
  }
  if (scores.length !== count) {
    throw new OutputError(`scoreGroup returned ${scores.length} scores for ${count} candidates; return one for each`);
  }
  return scores.map((score: unknown, index) => serializeScore(score, `scores[${index}]`));
}

function serializeScore(score: unknown, where: string): SerializedGroupScore {
  const fields: Readonly<Record<string, unknown>> = isRecord(score) ? score : { reward: score };
  const { reward, metadata = null } = fields;
  if (!isFiniteNumber(reward)) {
    throw new OutputError(`${where}.reward is ${describeValue(reward)}; it must be a finite number`);
  }
  return { reward, metadata: serializeObject(metadata, `${where}.metadata`) };
}

const isFiniteNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
