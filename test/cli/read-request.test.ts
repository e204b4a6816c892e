import { expect, test } from '@jest/globals';
import { type CallFlags, parseCallFlags } from '../../src/cli/call/session-call.ts';
import { parseHeader, parseSecret } from '../../src/cli/remote/flags.ts';

const NEW = { split: 'train', index: 0 };

test.each<[args: readonly (string | undefined)[], flags: CallFlags, request: unknown]>([
  [[], {}, undefined],
  [['lab'], {}, undefined],
  [['lab'], { tasks: 'train' }, undefined],
  [['lab'], NEW, { session: { kind: 'new', task: NEW, secrets: {} }, leaveOpen: false, tool: undefined, input: [] }],
  [
    ['lab', 'count'],
    { task: '{"n": 1}', secret: { A: 'a' }, keep: true, input: '{"x": 1}' },
    {
      session: { kind: 'new', task: { task: { n: 1 } }, secrets: { A: 'a' } },
      leaveOpen: true,
      tool: 'count',
      input: { x: 1 },
    },
  ],
  [
    ['lab', 'count', 'x=1'],
    { sid: 's' },
    {
      session: { kind: 'live', sid: 's' },
      leaveOpen: true,
      tool: 'count',
      input: [{ key: 'x', text: '1', isJson: false }],
    },
  ],
  [
    ['lab'],
    { sid: 's', close: true },
    { session: { kind: 'live', sid: 's' }, leaveOpen: false, tool: undefined, input: [] },
  ],
  [
    ['lab'],
    { ...NEW, toolset: 'shell', answer: ' 4\n' },
    {
      session: { kind: 'new', task: NEW, secrets: {}, toolset: 'shell' },
      leaveOpen: false,
      tool: undefined,
      input: [],
      answer: '4',
    },
  ],
  [
    ['lab'],
    { sid: 's', answer: '' },
    { session: { kind: 'live', sid: 's' }, leaveOpen: true, tool: undefined, input: [], answer: '' },
  ],
])('%j with %j is read', async ([name, tool, ...pairs], flags, request) => {
  expect(await parseCallFlags(name, tool, pairs as string[], flags)).toEqual(request);
});

test.each<[args: readonly (string | undefined)[], flags: CallFlags, told: string]>([
  [[], NEW, 'an episode needs an environment; add it after the URL'],
  [[], { sid: 's' }, 'an episode needs an environment; add it after the URL'],
  [[], { tasks: 'train' }, '--tasks needs an environment; add it after the URL'],
  [['lab', 'echo'], {}, "tool 'echo' needs an episode; add --split <name> --index <number>, --task or --sid"],
  [['lab', 'echo'], { tasks: 'train' }, "--tasks lists tasks and calls no tool; remove 'echo'"],
  [['lab'], { start: 5 }, '--start and --stop need --tasks <split>'],
  [['lab'], { tasks: 'train', start: 5, stop: 5 }, '--stop 5 must be above --start 5'],
  [['lab'], { split: 'train' }, '--split train needs an index; add --index <number>'],
  [['lab'], { index: 0 }, '--index 0 needs a split; add --split <name>'],
  [['lab'], { ...NEW, input: '{}' }, '--input needs a tool; add it after the environment'],
  [['lab', 'echo', 'a=1'], { ...NEW, input: '{}' }, "pass the parameters with --input or as 'a=1', not both"],
  [['lab', 'echo'], { ...NEW, input: '[]' }, "--input must be a JSON object, got '[]'"],
  [['lab', 'echo'], { ...NEW, input: '@nowhere' }, "--input: cannot read 'nowhere': it does not exist; check the path"],
  [
    ['lab'],
    { task: '{n:1}' },
    `--task is not valid JSON: '{n:1}'; write it as in '{"answer": "42"}', with double quotes`,
  ],
  [
    ['lab', 'echo'],
    { ...NEW, input: '{"n":[9007199254740993]}' },
    '--input: n[0] is a number that cannot be kept exactly; send it as a string',
  ],
  [['lab'], { keep: true }, '--keep needs a new session; add --split <name> --index <number>, or --task'],
  [['lab'], { close: true }, '--close needs --sid <id>'],
  [['lab'], { answer: '4' }, '--answer needs an episode; add --split <name> --index <number>, --task or --sid'],
  [['lab', 'echo'], { ...NEW, answer: '4' }, "--answer calls no tool of your choice; remove 'echo'"],
  [['lab'], { tasks: 'train', answer: '4' }, '--tasks lists tasks and submits no answer; remove --answer'],
  [['lab'], { sid: 's', toolset: 'shell' }, '--toolset is for a new session, not for that of --sid'],
  [['lab'], { sid: 's', secret: { A: 'a' } }, '--secret is for a new session, not for that of --sid'],
])('%j with %j is refused: %s', async ([name, tool, ...pairs], flags, told) => {
  await expect(parseCallFlags(name, tool, pairs as string[], flags)).rejects.toThrow(told);
});

test.each([
  [() => parseSecret('sk-my-password', {}), 'invalid --secret: expected NAME=VALUE, or the name of an environment var'],
  [() => parseSecret('=my-password', {}), '--secret needs a name; write NAME=VALUE'],
  [() => parseHeader('my-password', {}), "invalid --header: it has no colon; write it as 'Name: value'"],
  [() => parseHeader('my password: x', {}), 'invalid --header: it has characters that are not allowed'],
])('rejects an invalid secret or header without repeating it (%#)', (read, told) => {
  expect(read).toThrow(told);
  expect(read).not.toThrow(/password/);
});
