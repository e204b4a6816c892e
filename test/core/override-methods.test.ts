import { expect, test } from '@jest/globals';
import { overrideMethods } from '../../src/core/index.ts';

class Counter {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(): number {
    return ++this.#count;
  }

  name(): string {
    return 'counter';
  }
}

test('replaces methods of an object, and keeps the others and its private fields', () => {
  const counter = overrideMethods(new Counter(), { name: () => 'other', missing: () => 'missing' });
  const { add } = counter;

  expect(counter.name()).toBe('other');
  expect([add(), counter.count]).toEqual([1, 1]);
  expect(Reflect.get(counter, 'missing')).toBeUndefined();
  expect(counter.constructor.name).toContain('Counter');
});
