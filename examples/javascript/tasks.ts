import { z } from 'zod';

const check = z.object({ args: z.array(z.json()), expected: z.json() });

export const codingTask = z.object({
  description: z.string(),
  function_name: z.string().regex(/^[A-Za-z]\w*$/),
  examples: z.array(check),
  tests: z.array(check),
  solution: z.string(),
});

/**
 * A function to write. `examples` are public; `tests` are hidden and decide the reward; `solution` passes all of them.
 */
export type CodingTask = z.infer<typeof codingTask>;
/** The arguments of a call, and the expected result. */
export type Check = z.infer<typeof check>;

/** A task in compact form: each check is a line with the arguments and the expected result in JSON. */
type CompactTask = { description: string; solution: string; examples: string; tests: string };

function task({ description, solution, examples, tests }: CompactTask): CodingTask {
  const function_name = /^function (\w+)/.exec(solution)?.[1] ?? '';
  return { description, function_name, examples: parseChecks(examples), tests: parseChecks(tests), solution };
}

function parseChecks(lines: string): Check[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [args = '', expected = ''] = line.split(' -> ');
      return { args: JSON.parse(`[${args}]`), expected: JSON.parse(expected) };
    });
}

export const trainTasks: readonly CodingTask[] = [
  task({
    description: 'add(a, b): the sum of two numbers.',
    solution: 'function add(a, b) { return a + b; }',
    examples: `
      1, 2 -> 3`,
    tests: `
      0, 0 -> 0
      -5, 3 -> -2
      0.5, 0.25 -> 0.75
      1000000, 1 -> 1000001
      -7, -8 -> -15`,
  }),
  task({
    description: 'reverseWords(text): the words of a text in reverse order, one space between them.',
    solution: "function reverseWords(text) { return text.split(' ').filter(Boolean).reverse().join(' '); }",
    examples: `
      "red green blue" -> "blue green red"`,
    tests: `
      "one" -> "one"
      "" -> ""
      "  two  spaces " -> "spaces two"
      "a b c d" -> "d c b a"
      "to be or not" -> "not or be to"`,
  }),
  task({
    description: 'countVowels(text): the number of letters a, e, i, o, u in a text, in lower or upper case.',
    solution:
      'function countVowels(text) { return [...text.toLowerCase()].filter((c) => "aeiou".includes(c)).length; }',
    examples: `
      "Hello" -> 2`,
    tests: `
      "" -> 0
      "rhythm" -> 0
      "AEIOU aeiou" -> 10
      "Queue" -> 4
      "y" -> 0`,
  }),
  task({
    description:
      'unique(list): the items of a list of numbers without repetitions, in the order of their first appearance.',
    solution: 'function unique(list) { return [...new Set(list)]; }',
    examples: `
      [3, 1, 3] -> [3, 1]`,
    tests: `
      [] -> []
      [1, 1, 1] -> [1]
      [2, 1, 2, 3, 1] -> [2, 1, 3]
      [0, -1, 0] -> [0, -1]
      [5, 4] -> [5, 4]`,
  }),
  task({
    description: 'fibonacci(n): the Fibonacci number at index n; those at 0 and 1 are 0 and 1. n is at most 70.',
    solution: 'function fibonacci(n) { let [a, b] = [0, 1]; while (n-- > 0) [a, b] = [b, a + b]; return a; }',
    examples: `
      6 -> 8`,
    tests: `
      0 -> 0
      1 -> 1
      2 -> 1
      10 -> 55
      30 -> 832040
      70 -> 190392490709135`,
  }),
  task({
    description: 'isBalanced(text): whether the brackets ()[]{} of a text are closed in the right order.',
    solution: `function isBalanced(text) {
  const open = [];
  for (const c of text) {
    if ('([{'.includes(c)) open.push(c);
    if (')]}'.includes(c) && open.pop() !== '([{'[')]}'.indexOf(c)]) return false;
  }
  return open.length === 0;
}`,
    examples: `
      "(a[b])" -> true
      "(]" -> false`,
    tests: `
      "" -> true
      "{[()]}" -> true
      "([)]" -> false
      "((" -> false
      "))" -> false
      "f(x)[0]" -> true
      "}{" -> false`,
  }),
  task({
    description: 'roman(n): a number from 1 to 3999 in Roman numerals.',
    solution: `function roman(n) {
  const steps = [[1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'],
    [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']];
  let text = '';
  for (const [value, letters] of steps) for (; n >= value; n -= value) text += letters;
  return text;
}`,
    examples: `
      14 -> "XIV"`,
    tests: `
      1 -> "I"
      4 -> "IV"
      49 -> "XLIX"
      1994 -> "MCMXCIV"
      2026 -> "MMXXVI"
      3999 -> "MMMCMXCIX"
      878 -> "DCCCLXXVIII"`,
  }),
  task({
    description: 'transpose(table): the columns of a table (a list of rows of equal length) as rows.',
    solution:
      'function transpose(table) { return (table[0] ?? []).map((_, column) => table.map((row) => row[column])); }',
    examples: `
      [[1, 2], [3, 4]] -> [[1, 3], [2, 4]]`,
    tests: `
      [] -> []
      [[1, 2, 3]] -> [[1], [2], [3]]
      [[1], [2]] -> [[1, 2]]
      [["a", "b"], ["c", "d"], ["e", "f"]] -> [["a", "c", "e"], ["b", "d", "f"]]`,
  }),
];

export const testTasks: readonly CodingTask[] = [
  task({
    description:
      'groupByLength(words): an object that maps each length to the list of the words of that length, in order.',
    solution: `function groupByLength(words) {
  const groups = {};
  for (const word of words) (groups[word.length] ??= []).push(word);
  return groups;
}`,
    examples: `
      ["a", "bb", "c"] -> {"1": ["a", "c"], "2": ["bb"]}`,
    tests: `
      ["one"] -> {"3": ["one"]}
      ["x", "y", "x"] -> {"1": ["x", "y", "x"]}
      ["", "a"] -> {"0": [""], "1": ["a"]}
      ["red", "green", "blue", "black"] -> {"3": ["red"], "4": ["blue"], "5": ["green", "black"]}`,
  }),
  task({
    description: 'mergeIntervals(list): the intervals [from, to], merged if they overlap or touch, sorted by `from`.',
    solution: `function mergeIntervals(list) {
  const merged = [];
  for (const [from, to] of [...list].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}`,
    examples: `
      [[5, 8], [1, 3], [2, 4]] -> [[1, 4], [5, 8]]`,
    tests: `
      [] -> []
      [[1, 2], [2, 3]] -> [[1, 3]]
      [[10, 12], [2, 3]] -> [[2, 3], [10, 12]]
      [[1, 10], [2, 3], [4, 5]] -> [[1, 10]]
      [[-3, -1], [-2, 0], [1, 1]] -> [[-3, 0], [1, 1]]`,
  }),
  task({
    description: 'flatten(list): the numbers of a nested list of numbers, from left to right.',
    solution: 'function flatten(list) { return list.flat(Infinity); }',
    examples: `
      [1, [2, [3]]] -> [1, 2, 3]`,
    tests: `
      [] -> []
      [[[[]]]] -> []
      [1, 2] -> [1, 2]
      [[1], [[2]], [[[3]]]] -> [1, 2, 3]
      [[4, [5]], 6, [[7, 8]]] -> [4, 5, 6, 7, 8]`,
  }),
  task({
    description: 'runLength(text): each run of a letter as its count and the letter, so that aaab becomes 3a1b.',
    solution: 'function runLength(text) { return text.replace(/(.)\\1*/g, (run) => run.length + run[0]); }',
    examples: `
      "aaab" -> "3a1b"`,
    tests: `
      "" -> ""
      "a" -> "1a"
      "abc" -> "1a1b1c"
      "aabbaa" -> "2a2b2a"
      "zzzzzzzzzzzz" -> "12z"`,
  }),
];
