/**
 * Returns a proxy of an object that has other methods. Methods that the object does not have are not added; its own are
 * bound to it, because a proxy has no private fields.
 */
export function overrideMethods<T extends object>(target: T, methods: object): T {
  return new Proxy(target, {
    get(_, key) {
      if (Object.hasOwn(methods, key) && key in target) return Reflect.get(methods, key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
