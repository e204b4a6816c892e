import { parentPort } from 'node:worker_threads';
import { errorStack } from '../../core/index.ts';
import { HarnessError, UntestableError } from '../assertions.ts';
import type { ToolInputs } from './create-inputs.ts';
import { generateInputs, loadFaker } from './make-inputs.ts';

/** A job of the worker. */
export interface InputJob {
  /** JSON text of the schema. */
  readonly schema: string;
  readonly random: number;
  readonly seed: number;
}

/** Inputs, or why there are none: because of the schema, or of a bug. */
export type InputJobResult =
  | { readonly inputs: ToolInputs }
  | { readonly untestable: string }
  | { readonly bug: string };

const faker = loadFaker();

/** Generates inputs for a schema. Never rejects. */
export async function runInputJob({ schema, random, seed }: InputJob): Promise<InputJobResult> {
  try {
    return { inputs: generateInputs(JSON.parse(schema), { random, seed, faker: await faker }) };
  } catch (error) {
    if (error instanceof UntestableError) return { untestable: error.message };
    if (error instanceof RangeError) {
      return { untestable: `it is too deep or too large, or refers to itself in a circle (${error.message})` };
    }
    return { bug: error instanceof HarnessError ? error.message : errorStack(error) };
  }
}

// Loads all modules before the time limit of the first job starts.
await runInputJob({ schema: '{"type":"object"}', random: 0, seed: 1 });
parentPort?.on('message', async (job: InputJob) => parentPort?.postMessage(await runInputJob(job)));
parentPort?.postMessage('ready');
