import { describe, expect, test } from '@jest/globals';
import { errorCode, errorMessage, errorName, errorStack, isInstance, propertyOf } from '../../src/core/index.ts';
import { HOSTILE_VALUES } from '../support/hostile-values.ts';

describe.each(Object.entries(HOSTILE_VALUES))('%s', (_, make) => {
  test.each([errorMessage, errorStack])('is described in a bounded text by $name', (describeError) => {
    const text = describeError(make());

    expect(text.length).toBeGreaterThan(0);
    expect(text.length).toBeLessThanOrEqual(100_200);
  });

  test('can be asked for a name, a code, a type and a property', () => {
    const value = make();

    expect(typeof errorName(value)).toBe('string');
    expect(errorCode(value)).toBeUndefined();
    expect(typeof isInstance(value, Error)).toBe('boolean');
    expect(() => propertyOf(value, 'status')).not.toThrow();
  });
});

test.each([
  ['its message', new TypeError('no'), 'no'],
  ['its name if it has no message', new TypeError(), 'TypeError'],
  ['the messages of an aggregate', new AggregateError([new Error('one'), new Error('two')]), 'one; two'],
  ['the message of any object', { message: 'plain' }, 'plain'],
  ['the text that was thrown', 'just text', 'just text'],
  ['that an empty text was thrown', '', 'an empty string was thrown'],
  ['a number', 7, '7'],
  ['undefined', undefined, 'undefined'],
  ['the type of another object', {}, 'a value of type object was thrown'],
])('errorMessage returns %s', (_, thrown, message) => {
  expect(errorMessage(thrown)).toBe(message);
});

test('errorCode returns codes that are texts', () => {
  expect(errorCode(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe('ENOENT');
  expect(errorCode(Object.assign(new Error('x'), { code: 7 }))).toBeUndefined();
  expect(errorCode('ENOENT')).toBeUndefined();
});

test('errorStack returns the stack, else name and message', () => {
  expect(errorStack(new TypeError('no'))).toMatch(/^TypeError: no\n +at /);
  expect(errorStack({ name: 'Odd', message: 'no' })).toBe('Odd: no');
});
