import { Ajv2020 } from 'ajv/dist/2020.js';
import fixture from '../../../../examples/conformance/environment.ts';
import type { Mutant } from '../mutant.ts';
import { changedFrames, type WireRequest } from '../wire.ts';
import {
  callOf,
  changedCalls,
  changedInputs,
  endFrame,
  endingIn,
  inputOf,
  jsonAnswer,
  outputWith,
  withBody,
} from './frames.ts';

export const requestMutants: readonly Mutant[] = [
  {
    name: 'an unknown tool succeeds',
    caughtBy: ['call/unknown-tool'],
    wire: () => ({ frames: endingIn('no_such_tool', () => endFrame({ ok: true, output: outputWith({}) })) }),
  },
  {
    name: 'an unknown tool is a failure of the server',
    caughtBy: ['call/unknown-tool'],
    wire: () => ({
      request: (request) =>
        callOf(request)?.name === 'no_such_tool' ? jsonAnswer(500, { detail: 'KeyError' }) : request,
    }),
  },
  {
    name: 'an input of null counts as an empty one',
    caughtBy: ['call/input-no-object'],
    wire: () => ({ request: changedCalls((call) => (call.input === null ? { ...call, input: {} } : undefined)) }),
  },
  {
    name: 'an input may be left out',
    caughtBy: ['call/input-no-object'],
    wire: () => ({ request: changedCalls((call) => (call.input === undefined ? { ...call, input: {} } : undefined)) }),
  },
  {
    name: 'a call without a name calls the first tool',
    caughtBy: ['call/no-name'],
    wire: () => ({
      request: changedCalls((call) => (call.name === undefined ? { ...call, name: 'echo' } : undefined)),
    }),
  },
  {
    name: 'a number is accepted as a task_id',
    caughtBy: ['type/task-id'],
    wire: () => ({
      request: changedCalls((call) =>
        typeof call.task_id === 'number' ? { ...call, task_id: String(call.task_id) } : undefined,
      ),
    }),
  },
  {
    name: 'a tool without parameters rejects an empty object',
    caughtBy: ['call/no-parameters', 'toolset/merged'],
    wire: () => ({
      request: (request) =>
        callOf(request)?.name === 'noargs' ? jsonAnswer(400, { detail: 'noargs takes no input' }) : request,
    }),
  },
  {
    name: 'a call reaches its session under any environment',
    caughtBy: ['call/other-environment'],
    wire: () => ({
      request: (request) => ({ ...request, path: request.path.replace(/^\/other\/call$/, '/conformance/call') }),
    }),
  },
];

const asText = (value: unknown): unknown => (typeof value === 'string' ? value : JSON.stringify(value));
const isNested = new Ajv2020().compile(fixture.tools.get('nested')?.spec.input_schema ?? false);

export const inputMutants: readonly Mutant[] = [
  {
    name: 'a missing required text counts as empty',
    caughtBy: ['call/missing-parameter', 'call/invalid-inputs'],
    wire: () => ({ request: changedInputs('echo', (input) => ({ text: '', ...input })) }),
  },
  {
    name: 'any value is accepted as a text',
    caughtBy: ['call/invalid-input', 'call/invalid-inputs'],
    wire: () => ({
      request: changedInputs('echo', (input) => ('text' in input ? { ...input, text: asText(input.text) } : input)),
    }),
  },
  {
    name: 'any value is accepted as the name of a secret',
    caughtBy: ['call/invalid-inputs'],
    wire: () => ({
      request: changedInputs('secret_digest', (input) =>
        'name' in input ? { ...input, name: asText(input.name) } : input,
      ),
    }),
  },
  {
    name: 'a large number is a failure of the server',
    caughtBy: ['call/valid-inputs'],
    wire: () => ({
      request(request) {
        const call = callOf(request);
        const by = inputOf(call).by;
        const isLarge = Number.isInteger(by) && Math.abs(Number(by)) > 20;
        return call?.name === 'count' && isLarge ? jsonAnswer(500, { detail: 'OverflowError' }) : request;
      },
    }),
  },
  {
    name: 'a tool runs before its input is rejected',
    caughtBy: ['call/invalid-does-not-run'],
    wire() {
      const late = new WeakSet<WireRequest>();
      return {
        request(request) {
          const call = callOf(request);
          if (call?.name !== 'nested' || isNested(call.input)) return request;
          const changed = withBody(request, { name: 'nested', input: { mode: 'fast', point: { x: 1, y: 1 } } });
          late.add(changed);
          return changed;
        },
        frames: changedFrames((frame, request) =>
          late.has(request) && frame.startsWith('event: end') ? endFrame({ ok: false, error: 'invalid input' }) : frame,
        ),
      };
    },
  },
  {
    name: 'the default of a schema is not applied',
    caughtBy: ['call/defaults'],
    wire: () => ({ request: changedInputs('fail', (input) => ({ message: 'undefined', ...input })) }),
  },
  {
    name: 'an enum is case-insensitive',
    caughtBy: ['call/enum'],
    wire: () => ({
      request: changedInputs('nested', (input) =>
        typeof input.mode === 'string' ? { ...input, mode: input.mode.toLowerCase() } : input,
      ),
    }),
  },
  {
    name: 'an enum lacks a value',
    caughtBy: ['call/enum'],
    wire: () => ({
      request: changedInputs('nested', (input) => (input.mode === 'slow' ? { ...input, mode: 'none' } : input)),
    }),
  },
  {
    name: 'a bound is exclusive',
    caughtBy: ['call/nested-bounds'],
    wire: () => ({
      request: changedInputs('nested', (input) => (input.level === 5 ? { ...input, level: 6 } : input)),
    }),
  },
  {
    name: 'an additional key of a closed object is dropped',
    caughtBy: ['call/nested-bounds'],
    wire: () => ({
      request: changedInputs('nested', (input) => {
        const { z: _, ...point } = Object(input.point) as Record<string, unknown>;
        return 'z' in Object(input.point) ? { ...input, point } : input;
      }),
    }),
  },
  {
    name: 'a list that is too long is cut',
    caughtBy: ['call/nested-bounds', 'call/invalid-does-not-run', 'call/invalid-inputs'],
    wire: () => ({
      request: changedInputs('nested', (input) =>
        Array.isArray(input.tags) ? { ...input, tags: input.tags.slice(0, 3) } : input,
      ),
    }),
  },
];
