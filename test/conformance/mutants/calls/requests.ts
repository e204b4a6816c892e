import type { Mutant } from '../mutant.ts';
import { callOf, changedCalls, endFrame, endingIn, jsonAnswer, outputWith } from './of-calls.ts';

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
    caughtBy: ['call/no-parameters'],
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
