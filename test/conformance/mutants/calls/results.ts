import type { Mutant } from '../mutant.ts';
import { changedFramesOf, changedResults, isSample } from './of-calls.ts';

export const resultMutants: readonly Mutant[] = [
  {
    name: 'the result of a call is wrapped in an array',
    caughtBy: ['call/result-json', 'call/valid-inputs'],
    wire: () => ({ frames: changedResults(isSample, (result) => [result]) }),
  },
  {
    name: 'the result of a call is written as Python writes it',
    caughtBy: ['call/result-json', 'call/valid-inputs'],
    wire: () => ({
      frames: changedFramesOf(isSample, (frame) => frame.replaceAll('null', 'None').replaceAll('true', 'True')),
    }),
  },
  {
    name: 'ok is a text',
    caughtBy: ['type/ok'],
    wire: () => ({ frames: changedResults(isSample, (result) => ({ ...result, ok: String(result.ok) })) }),
  },
  {
    name: 'the output of a success is called result',
    caughtBy: ['type/success'],
    wire: () => ({
      frames: changedResults(isSample, (result) => (result.ok ? { ok: true, result: result.output } : result)),
    }),
  },
  {
    name: 'a success also has an error',
    caughtBy: ['type/success'],
    wire: () => ({ frames: changedResults(isSample, (result) => (result.ok ? { ...result, error: 'none' } : result)) }),
  },
  {
    name: 'the error of a failure is an object',
    caughtBy: ['type/failure'],
    wire: () => ({
      frames: changedResults(undefined, (result) =>
        result.ok ? result : { ok: false, error: { text: result.error } },
      ),
    }),
  },
  {
    name: 'a failure has an output too',
    caughtBy: ['type/failure'],
    wire: () => ({
      frames: changedResults(undefined, (result) => (result.ok ? result : { ...result, output: { blocks: [] } })),
    }),
  },
];
