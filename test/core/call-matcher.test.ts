import { describe, expect, test } from '@jest/globals';
import { CallMatcher } from '../../src/core/index.ts';

/** Step of a conversation: `+id` is a call, `-id` a result, `|` a message. The id can be missing. */
function play(...steps: readonly string[]): (string | undefined)[] {
  const calls = new CallMatcher<string>();
  const found: (string | undefined)[] = [];
  let count = 0;
  for (const step of steps) {
    if (step === '|') calls.endTurn();
    else if (step.startsWith('+')) calls.add(step.slice(1), `call ${++count}`);
    else {
      const match = calls.take(step.slice(1));
      found.push(match && (match.isRepeated ? `${match.call} again` : match.call));
    }
  }
  return found;
}

describe('a result', () => {
  test.each<readonly [string, string, readonly (string | undefined)[]]>([
    ['belongs to the call with its id', '+a +b -b -a', ['call 2', 'call 1']],
    [
      'belongs to the next call with an id that is repeated in a turn',
      '+a +a +a -a -a -a',
      ['call 1', 'call 2', 'call 3'],
    ],
    ['belongs to the last turn with an id that is repeated in every turn', '+a -a +a -a', ['call 1', 'call 2']],
    ['belongs to the last turn before an earlier one', '+a | +a -a -a -a', ['call 2', 'call 1', 'call 2 again']],
    ['of an earlier turn finds its call', '+a +b -b | +c -c -a', ['call 2', 'call 3', 'call 1']],
    ['of a call that has one is repeated', '+a -a -a', ['call 1', 'call 1 again']],
    ['without an id belongs to the next call', '+ + - -', ['call 1', 'call 2']],
    ['without an id belongs first to a call without an id', '+a + - -', ['call 2', 'call 1']],
    ['without an id belongs to the last turn', '+ | + -', ['call 2']],
    ['without an id belongs to an earlier turn if the last one has all results', '+ | +a -a -', ['call 2', 'call 1']],
    ['without an id skips the calls that have results', '+a +b -a -', ['call 1', 'call 2']],
    ['with an id skips a call that a result without an id belongs to', '+a +a - -a', ['call 1', 'call 2']],
    ['without a call has none', '-a - +a -b', [undefined, undefined, undefined]],
  ])('%s', (_, steps, expected) => {
    expect(play(...steps.split(' '))).toEqual(expected);
  });

  test('is found in a time that does not depend on the number of calls', () => {
    const calls = new CallMatcher<number>();
    const count = 100_000;
    for (let index = 0; index < count; index++) calls.add(index % 2 === 0 ? 'same' : '', index);

    let misses = 0;
    for (let index = 0; index < count; index++) {
      if (calls.take(index % 2 === 0 ? 'same' : '')?.call !== index) misses++;
    }

    expect(misses).toBe(0);
  });
});
