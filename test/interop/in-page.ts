import type { Page } from './chromium.ts';

/** A module of the page: its functions run there, what they take and give is JSON. */
export function inPage<Module extends object>(page: Page, name: string): Module {
  const call =
    (key: string) =>
    (...args: unknown[]) =>
      page.evaluate(`import('/${name}.js').then((it) => it.${key}(...${JSON.stringify(args)}))`);
  return new Proxy({}, { get: (_, key) => call(String(key)) }) as Module;
}
