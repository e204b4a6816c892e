const fail = (): never => {
  throw new Error('must not be inspected');
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable(new Error('revoked'), {});
  revoke();
  return proxy;
}

/** Returns a proxy whose every operation throws. */
const trapped = (): object => new Proxy(new Error('trapped'), new Proxy({}, { get: () => fail }));

const withGetters = (target: object): object =>
  Object.defineProperties(
    target,
    Object.fromEntries(
      ['stack', 'message', 'name', 'cause', 'code', 'status', 'errors', 'toString', 'toJSON', 'then', 'constructor']
        .map((key): [PropertyKey, PropertyDescriptor] => [key, { get: fail }])
        .concat([
          [Symbol.toPrimitive, { get: fail }],
          [Symbol.toStringTag, { get: fail }],
        ]),
    ),
  );

function inACircle(): Error {
  const error = new Error('in a circle');
  error.cause = error;
  return Object.assign(error, { errors: [error] });
}

/** Values that code may throw, and whose inspection throws or does not terminate. */
export const HOSTILE_VALUES: Readonly<Record<string, () => unknown>> = {
  'a revoked proxy': revoked,
  'a proxy whose traps throw': trapped,
  'an error whose getters throw': () => withGetters(new Error('hidden')),
  'an object whose getters throw': () => withGetters({}),
  'an object without a prototype': () => Object.create(null),
  'an error that is its own cause': inACircle,
  'an error of two megabytes': () => new Error('x'.repeat(2_000_000)),
  'an error whose message is an object': () =>
    Object.assign(new Error('x'), { message: revoked(), stack: {}, name: 1 }),
  'an aggregate of revoked proxies': () => Object.assign(new AggregateError([]), { errors: [revoked(), trapped()] }),
  'a symbol': () => Symbol('thrown'),
  undefined: () => undefined,
  null: () => null,
  'a function': () => fail,
};
