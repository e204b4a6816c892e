import { afterAll, describe, expect, it } from '@jest/globals';
import { createInputGenerator } from '../../../src/conformance/inputs/create-inputs.ts';
import { createInputLearner, looksRefused } from '../../../src/conformance/inputs/learn-inputs.ts';

const generator = createInputGenerator();
afterAll(async () => {
  await generator[Symbol.asyncDispose]();
});

const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const string = { type: 'string' };
const integer = { type: 'integer' };

/** A tool with limits in its code: why it refuses an input, if it does. */
interface LimitedTool {
  readonly inputSchema: object;
  readonly description?: string;
  readonly prompt?: string;
  readonly refuses: (input: never) => string | false;
}

const pydantic = (parameter: string, message: string) =>
  `Tool input validation error: [{'type': 'value_error', 'loc': ('${parameter}',), 'msg': '${message}', 'input': ''}]`;

const tools: Readonly<Record<string, LimitedTool>> = {
  'a literal that pydantic checks': {
    inputSchema: object({ action: string }),
    refuses: ({ action }: { action: string }) =>
      !['hit', 'stand'].includes(action) &&
      `Tool input validation error: [{'type': 'literal_error', 'loc': ('action',), 'msg': "Input should be 'hit' or 'stand'", 'input': ''}]`,
  },
  'a validator for two coordinates': {
    inputSchema: object({ row: integer, col: integer }),
    refuses: ({ row, col }: { row: number; col: number }) =>
      row < 1 || row > 3
        ? pydantic('row', 'Value error, row must be between 1 and 3')
        : (col < 1 || col > 3) && pydantic('col', 'Value error, col must be between 1 and 3'),
  },
  'words that only the prompt lists': {
    inputSchema: object({ command: string }),
    prompt: 'You are in a cave.\n\nAvailable commands: look, dig, leave.\n',
    refuses: ({ command }: { command: string }) => !['look', 'dig', 'leave'].includes(command) && 'Unknown command.',
  },
  'a bulleted list of commands': {
    inputSchema: object({ command: string }),
    prompt: 'Use these commands:\n- look: describes the room\n- inventory: lists what you carry\n\nGood luck.',
    refuses: ({ command }: { command: string }) =>
      !['look', 'inventory'].includes(command) && 'I do not understand that.',
  },
  'a word of five letters': {
    inputSchema: object({ guess: string }),
    refuses: ({ guess }: { guess: string }) => !/^[a-z]{5}$/.test(guess) && 'Your guess must be exactly 5 letters.',
  },
  'a number in a text': {
    inputSchema: object({ answer: string }),
    prompt: 'Guess a number between 1 and 20.',
    refuses: ({ answer }: { answer: string }) =>
      !(Number(answer) >= 1 && Number(answer) <= 20) && `'${answer}' is not a number from 1 to 20`,
  },
  'moves in a notation': {
    inputSchema: object({ move: string }),
    refuses: ({ move }: { move: string }) =>
      !/^[a-h][1-8][a-h][1-8]$/.test(move) && "Invalid move; use a form like 'e2e4'.",
  },
  'a pattern': {
    inputSchema: object({ cell: string }),
    refuses: ({ cell }: { cell: string }) =>
      !/^[A-C][1-3]$/.test(cell) &&
      `[{'type': 'string_pattern_mismatch', 'loc': ('cell',), 'msg': "String should match pattern '^[A-C][1-3]$'", 'input': ''}]`,
  },
  'a list of a fixed length': {
    inputSchema: object({ numbers: { type: 'array', items: integer } }),
    refuses: ({ numbers }: { numbers: number[] }) => numbers.length !== 3 && 'numbers must have exactly 3 items',
  },
  'a description of the parameter': {
    inputSchema: object({ suit: { type: 'string', description: 'One of: hearts, spades.' } }),
    refuses: ({ suit }: { suit: string }) => !['hearts', 'spades'].includes(suit) && 'No.',
  },
  'an example of the whole input': {
    inputSchema: object({ from: string, to: string }),
    prompt: 'Move a disk, for example {"from": "A", "to": "C"}.',
    refuses: ({ from, to }: { from: string; to: string }) =>
      !(['A', 'B', 'C'].includes(from) && ['A', 'B', 'C'].includes(to) && from !== to) && 'There is no such peg.',
  },
  'names of players': {
    inputSchema: object({ player_name: string }),
    prompt: 'You play with others.\nPlayers: Ann, Bob, Carl',
    refuses: ({ player_name: name }: { player_name: string }) =>
      !['Ann', 'Bob', 'Carl'].includes(name) && 'No such player.',
  },
  'a nullable number': {
    inputSchema: object({ bet: { anyOf: [integer, { type: 'null' }] } }),
    refuses: ({ bet }: { bet: number | null }) => !(bet !== null && bet >= 5) && 'bet must be at least 5',
  },
  'limits that show one after the other': {
    inputSchema: object({ amount: integer }),
    refuses: ({ amount }: { amount: number }) =>
      (amount < 10 && 'Input should be greater than or equal to 10') || (amount > 20 && 'amount must be at most 20'),
  },
};

describe('createInputLearner', () => {
  it.each(Object.entries(tools))('finds an input that a tool accepts: %s', async (_, { prompt, refuses, ...tool }) => {
    const learner = createInputLearner(generator);
    learner.hear(prompt ?? '');
    const named = { name: 'act', ...tool };
    const tried: unknown[] = [];

    for (let calls = 0; calls < 5; calls++) {
      const { valid } = await learner.inputs(named);
      const next = valid.find(({ value }) => !tried.includes(JSON.stringify(value)));
      tried.push(JSON.stringify(next?.value));
      const refusal = refuses((next?.value ?? {}) as never);
      if (refusal === false) break;
      learner.refuse('act', next?.value ?? {}, refusal);
    }

    expect(tried.length).toBeGreaterThan(1);
    expect(refuses(JSON.parse(String(tried.at(-1))) as never)).toBe(false);
  });

  it('returns the inputs of the schema before a refusal, and for tools that refused nothing', async () => {
    const learner = createInputLearner(generator);
    const tool = { name: 'act', inputSchema: object({ action: string }) };
    const plain = await generator.generate(tool.inputSchema);

    learner.hear('Valid actions: go, stay');
    learner.refuse('other', {}, 'action must be one of: x, y');

    expect(await learner.inputs(tool)).toEqual(plain);
  });

  it('keeps to the schema if texts contradict it', async () => {
    const learner = createInputLearner(generator);
    const tool = { name: 'act', inputSchema: object({ level: { type: 'integer', minimum: 1, maximum: 5 } }) };
    const plain = await generator.generate(tool.inputSchema);

    learner.refuse('act', { level: 1 }, 'level must be between 100 and 200');

    expect(await learner.inputs(tool)).toEqual(plain);
  });

  it('says whether a refusal is new', () => {
    const learner = createInputLearner(generator);

    const isNew = ['No.', 'No.', 'Not that.'].map((text) => learner.refuse('act', {}, text));

    expect(isNew).toEqual([true, false, true]);
  });
});

describe('looksRefused', () => {
  it.each([
    ['Invalid move. Valid moves: up, down.', true],
    ['The word must be 5 letters long.', true],
    ['You move north.', false],
    ['Correct!', false],
  ])('classifies %j as %p', (text, expected) => {
    expect(looksRefused(text)).toBe(expected);
  });
});
