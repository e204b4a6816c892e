import { describe, expect, test } from '@jest/globals';
import {
  errorCode,
  errorMessage,
  errorName,
  errorStack,
  failureReason,
  hasCode,
  isInstance,
  isMissingPackage,
  isStackOverflow,
  loadOptionalPackage,
  MissingPackageError,
  networkErrorKind,
  propertyOf,
  rootCause,
} from '../../src/core/index.ts';
import { HOSTILE_VALUES } from '../support/hostile-values.ts';

describe.each(Object.entries(HOSTILE_VALUES))('%s', (_, make) => {
  test.each([errorMessage, errorStack, failureReason])('is described in a bounded text by $name', (describeError) => {
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
    expect(() => rootCause(value)).not.toThrow();
    expect(isStackOverflow(value)).toBe(false);
    expect(networkErrorKind(value)).toBeUndefined();
  });
});

function withCode(message: string, code: string, options?: ErrorOptions): Error {
  return Object.assign(new Error(message, options), { code });
}

test.each([
  ['its message', new TypeError('no'), 'no'],
  ['its name if it has no message', new TypeError(), 'TypeError'],
  ['the messages of an aggregate', new AggregateError([new Error('one'), new Error('two')]), 'one; two'],
  ['the message of any object', { message: 'plain' }, 'plain'],
  ['the text that was thrown', 'just text', 'just text'],
  ['that an empty text was thrown', '', 'an empty string was thrown'],
  ['a number', 7, '7'],
  ['that undefined was thrown', undefined, 'undefined was thrown'],
  ['that null was thrown', null, 'null was thrown'],
  ['the codes of an aggregate without messages', new AggregateError([withCode('', 'ECONNREFUSED')]), 'ECONNREFUSED'],
  ['the messages of aggregates in an aggregate', new AggregateError([new AggregateError([new Error('in')])]), 'in'],
  ['three messages of an aggregate', new AggregateError(['a', 'b', 'c', 'd'].map((m) => new Error(m))), 'a; b; c; ...'],
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

test('hasCode compares the code with each of several', () => {
  expect(hasCode(withCode('', 'ENOENT'), 'EACCES', 'ENOENT')).toBe(true);
  expect(hasCode(withCode('', 'ENOENT'), 'EACCES')).toBe(false);
  expect(hasCode(undefined, 'ENOENT')).toBe(false);
});

const refused = () =>
  new AggregateError([withCode('connect ECONNREFUSED ::1:9', 'ECONNREFUSED'), withCode('', 'ECONNREFUSED')]);

const NOT_TLS = 'TLS failed: wrong version number';
const openSsl = (reason: string, detail = '') =>
  withCode(
    `write EPROTO 805CB7A9957F0000:error:0A00010B:SSL routines:ssl3_get_record:${reason}:../ssl3_record.c:354:${detail}\n`,
    'EPROTO',
  );

describe('failureReason', () => {
  test.each([
    ['a refused connection to a name with two addresses', refused(), 'connect ECONNREFUSED ::1:9'],
    ['the same from fetch', new TypeError('fetch failed', { cause: refused() }), 'connect ECONNREFUSED ::1:9'],
    ['a cause that has only a code', new TypeError('fetch failed', { cause: withCode('', 'EPIPE') }), 'EPIPE'],
    ['a message with its cause', new Error('no store', { cause: withCode('disk', 'EIO') }), 'no store (disk)'],
    ['a message that has its cause', new Error('it failed: disk', { cause: new Error('disk') }), 'it failed: disk'],
    ['an error without a cause', new Error('plain'), 'plain'],
    ['https to a server of http', new TypeError('fetch failed', { cause: openSsl('wrong version number') }), NOT_TLS],
    [
      'an alert',
      openSsl('tlsv1 alert internal error', 'SSL alert number 80'),
      'TLS failed: tlsv1 alert internal error',
    ],
  ])('returns the reason of %s', (_, error, reason) => {
    expect(failureReason(error)).toBe(reason);
  });
});

test.each([
  [new TypeError('fetch failed', { cause: refused() }), 'not_sent'],
  [new TypeError('fetch failed', { cause: withCode('', 'UND_ERR_CONNECT_TIMEOUT') }), 'not_sent'],
  [new TypeError('fetch failed', { cause: withCode('', 'CERT_HAS_EXPIRED') }), 'certificate'],
  [withCode('', 'ERR_TLS_CERT_ALTNAME_INVALID'), 'certificate'],
  [withCode('', 'ERR_INVALID_CHAR'), 'permanent'],
  [withCode('', 'ECONNRESET'), undefined],
])('networkErrorKind classifies %o as %s', (error, kind) => {
  expect(networkErrorKind(error)).toBe(kind);
});

describe('isMissingPackage', () => {
  const sdk = '@modelcontextprotocol/sdk';

  test.each([
    ['the package', `Cannot find package '${sdk}' imported from /app/index.js`, true],
    ['a file of the package', `Cannot find module '${sdk}/client/index.js'`, true],
    ['a dependency of the package', `Cannot find package 'zod' imported from /app/node_modules/${sdk}/x.js`, false],
    ['a package whose name is longer', `Cannot find package '${sdk}-extra' imported from /app/index.js`, false],
  ])('recognizes whether %s is missing', (_, message, isMissing) => {
    expect(isMissingPackage(withCode(message, 'ERR_MODULE_NOT_FOUND'), sdk)).toBe(isMissing);
  });

  test('is false for errors with another code', () => {
    expect(isMissingPackage(withCode(`'${sdk}'`, 'ENOENT'), sdk)).toBe(false);
  });
});

describe('loadOptionalPackage', () => {
  const load = (error: Error) => loadOptionalPackage('some-package', 'a bridge', () => Promise.reject(error));

  test('rejects with the command that installs a missing package', async () => {
    const missing = load(withCode("Cannot find package 'some-package'", 'ERR_MODULE_NOT_FOUND'));

    await expect(missing).rejects.toBeInstanceOf(MissingPackageError);
    await expect(missing).rejects.toThrow('a bridge needs the package some-package: npm install some-package');
  });

  test('rethrows errors of an installed package', async () => {
    const broken = withCode("Cannot find package 'its-dependency'", 'ERR_MODULE_NOT_FOUND');

    await expect(load(broken)).rejects.toBe(broken);
  });
});

test('isStackOverflow distinguishes an exceeded stack from other range errors', () => {
  const recurse = (): number => recurse() + 1;
  let overflow: unknown;
  try {
    recurse();
  } catch (error) {
    overflow = error;
  }

  expect(isStackOverflow(overflow)).toBe(true);
  expect(isStackOverflow(new RangeError('Invalid string length'))).toBe(false);
});
