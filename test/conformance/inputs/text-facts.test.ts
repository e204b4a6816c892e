import { describe, expect, it } from '@jest/globals';
import { parseTextFacts, textParts } from '../../../src/conformance/inputs/text-facts.ts';

describe('parseTextFacts', () => {
  it.each<[string, readonly string[]]>([
    ["Input should be 'up', 'down', 'left' or 'right'", ['up', 'down', 'left', 'right']],
    ['action must be one of: look, take, drop', ['look', 'take', 'drop']],
    ["Invalid direction. Valid directions are ['north', 'south'].", ['north', 'south']],
    ['Choose from A, B, C, or D.', ['A', 'B', 'C', 'D']],
    ['Answer with `yes` or `no`.', ['yes', 'no']],
    ['Valid moves: rock/paper/scissors', ['rock', 'paper', 'scissors']],
    ['choice should be either "hit" or "stand"', ['hit', 'stand']],
    ['Available actions: [hit, stand]', ['hit', 'stand']],
    ['Players: Ann, Bob, Carl', ['Ann', 'Bob', 'Carl']],
    ['direction must be north or south', ['north', 'south']],
  ])('finds the words in: %s', (sentence, words) => {
    expect(parseTextFacts(sentence)?.words).toEqual(words);
  });

  it.each<[string, object]>([
    ['row must be between 1 and 9', { min: 1, max: 9 }],
    ['Column out of range (0-6).', { min: 0, max: 6 }],
    ['Input should be greater than or equal to 3', { min: 3 }],
    ['Input should be greater than 0 and less than 10', { min: 1, max: 9 }],
    ['Input should be greater than 0 and less than 1', { min: 0, max: 1 }],
    ['Input should be less than 8', { max: 7 }],
    ['0 <= x <= 10', { min: 0, max: 10 }],
    ['the number must be in [1, 20]', { min: 1, max: 20 }],
    ['amount must be a positive integer', { min: 1 }],
    ['bet must be at least 5 and at most 100', { min: 5, max: 100 }],
  ])('finds the range in: %s', (sentence, range) => {
    expect(parseTextFacts(sentence)).toMatchObject(range);
  });

  it.each<[string, object]>([
    ['The guess must be exactly 5 letters', { minLength: 5, maxLength: 5, pattern: '^[a-z]{5}$' }],
    ['Enter a 4-digit code', { minLength: 4, maxLength: 4, pattern: '^[0-9]{4}$' }],
    ['String should have at least 3 characters', { minLength: 3 }],
    ['List should have at most 10 items after validation, not 11', { maxLength: 10 }],
    ["String should match pattern '^[a-h][1-8]$'", { pattern: '^[a-h][1-8]$' }],
  ])('finds the shape in: %s', (sentence, shape) => {
    expect(parseTextFacts(sentence)).toMatchObject(shape);
  });

  it.each<[string, readonly string[]]>([
    ["Use algebraic notation, e.g. 'e2e4'.", ['e2e4']],
    ['Give coordinates, for example 3,4', ['3']],
    ["The format is '<row>,<col>'", ['1,1', '0,0', '2,2']],
    ['Use ISO dates such as "2024-01-31".', ['2024-01-31']],
  ])('finds the examples in: %s', (sentence, examples) => {
    expect(parseTextFacts(sentence)?.examples).toEqual(examples);
  });

  it.each(['You must be careful.', 'Try again.', 'The session is over.', 'Something went wrong: no such table.'])(
    'finds nothing in: %s',
    (sentence) => {
      expect(parseTextFacts(sentence)).toBeUndefined();
    },
  );

  it.each([
    ['spaces', ' '],
    ['wide spaces', '\u2003'],
    ['digits', '7'],
  ])('reads past a long run of %s without backtracking over it', (_, character) => {
    const sentence = `${character.repeat(18_000)} row must be between 1 and 9`;

    const facts = textParts(sentence).flatMap(({ text }) => parseTextFacts(text) ?? []);

    expect(facts).toMatchObject([{ min: 1, max: 9 }]);
  });

  it('omits the values that a refusal repeats', () => {
    expect(parseTextFacts("'fly' is unknown; choose from 'fly', 'walk'", ['fly'])?.words).toEqual(['walk']);
  });
});

describe('textParts', () => {
  it('reads the errors of pydantic, with the parameters that they are about', () => {
    const text =
      "Tool input validation error: [{'type': 'value_error', 'loc': ('row',), 'msg': \"Value error, it's off the board\", " +
      "'input': 9}, {'type': 'missing', 'loc': ('col',), 'msg': 'Field required', 'input': {}}]";

    expect(textParts(text)).toEqual([
      { parameter: 'row', text: "Value error, it's off the board" },
      { parameter: 'col', text: 'Field required' },
    ]);
  });

  it('joins the items of a list to the line before it', () => {
    const [, list] = textParts('You explore a cave.\nCommands:\n- look: describes the room\n- go: moves\n\nGood luck.');

    expect(list?.text).toBe("Commands: 'look', 'go',");
  });
});
