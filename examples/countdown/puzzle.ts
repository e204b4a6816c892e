import { type Random, seededRandom, takeOne } from '../random.ts';
import { type Expression, format, type Operator } from './arithmetic.ts';

/** Numbers to combine, the number to reach, and one way to reach it. */
export type Puzzle = { numbers: number[]; target: number; solution: string };

type Term = { value: number; expression: Expression };

const small = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const large = [25, 50, 75, 100];
const operators: readonly Operator[] = ['+', '-', '*', '/'];

/** Creates a puzzle by seed and index: `count` numbers, a quarter of them large, and a target from 101 to 999. */
export function createPuzzle(seed: number, index: number, count: number): Puzzle {
  const random = seededRandom(seed, index);
  for (;;) {
    const largeOnes = [...large];
    const smallOnes = [...small, ...small];
    const numbers = Array.from({ length: count }, (_, position) =>
      takeOne(random, position < count / 4 ? largeOnes : smallOnes),
    );
    const { value, expression } = combineAll(numbers, random);
    if (value > 100 && value < 1000) return { numbers, target: value, solution: format(expression) };
  }
}

/** Combines random pairs until a single number remains. */
function combineAll(numbers: readonly number[], random: Random): Term {
  const terms = numbers.map(toTerm);
  for (;;) {
    const left = takeOne(random, terms);
    if (terms.length === 0) return left;
    const right = takeOne(random, terms);
    const results = combinations(left, right);
    terms.push(takeOne(random, results));
  }
}

/** Searches all combinations of the numbers. @returns undefined if none of them reaches the target. */
export function solvePuzzle(numbers: readonly number[], target: number): string | undefined {
  const seen = new Set<string>();

  const search = (terms: readonly Term[]): Expression | undefined => {
    const hit = terms.find(({ value }) => value === target);
    if (hit) return hit.expression;

    const key = terms.map(({ value }) => value).sort((a, b) => a - b);
    if (terms.length === 1 || seen.size === seen.add(key.join()).size) return undefined;

    for (const [i, left] of terms.entries()) {
      for (const right of terms.slice(i + 1)) {
        const others = terms.filter((term) => term !== left && term !== right);
        for (const term of combinations(left, right)) {
          const found = search([term, ...others]);
          if (found !== undefined) return found;
        }
      }
    }
    return undefined;
  };

  const solution = search(numbers.map(toTerm));
  return solution === undefined ? undefined : format(solution);
}

/** Combines two terms by the rules of the game: every result is a positive integer. */
function combinations(one: Term, other: Term): Term[] {
  const [left, right] = one.value >= other.value ? [one, other] : [other, one];
  return operators.flatMap((operator) => {
    const value = apply(operator, left.value, right.value);
    const expression = { operator, left: left.expression, right: right.expression };
    return Number.isInteger(value) && value > 0 ? [{ value, expression }] : [];
  });
}

function apply(operator: Operator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
  }
}

const toTerm = (value: number): Term => ({ value, expression: value });
