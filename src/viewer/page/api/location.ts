import { useEffect, useRef, useState } from 'preact/hooks';
import { decodePercent } from '../../../core/index.ts';

/**
 * Query parameters of an address. The address holds the state of a page, so that it can be linked, reloaded and
 * returned to.
 */
export type UrlQuery = Readonly<Record<string, string | number | undefined>>;

const CHANGED = 'ors:location';

/** Builds a link to a page of the viewer, such as `?view=run&run=first`; undefined values are left out. */
export function buildHref(query: UrlQuery): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '?' : `?${new URLSearchParams(given)}`;
}

/** Returns whether the user has navigated within the viewer, as opposed to a reload or a link from elsewhere. */
export const hasNavigated = (): boolean => navigations > 0;
let navigations = 0;

/**
 * Navigates to a page, unless a guard rejects it. `replace` adds no history entry.
 *
 * @returns true if the address was changed.
 */
export function navigate(link: string, { replace = false }: { readonly replace?: boolean } = {}): boolean {
  if (!guard(new URL(link, location.href).searchParams)) return false;
  navigations++;
  history[replace ? 'replaceState' : 'pushState'](null, '', link);
  shown = location.href;
  dispatchEvent(new Event(CHANGED));
  return true;
}

/** Returns whether the page may be left for an address. */
type NavigationGuard = (query: URLSearchParams) => boolean;
const open: NavigationGuard = () => true;
let guard = open;
let shown = '';

/** Installs a guard for as long as the component is shown. */
export function useNavigationGuard(mayNavigate: NavigationGuard): void {
  const latest = useRef(mayNavigate);
  latest.current = mayNavigate;
  useEffect(() => {
    guard = (query) => latest.current(query);
    return () => {
      guard = open;
    };
  }, []);
}

/** Undoes a step back that the guard rejects: `popstate` arrives after the address has changed. */
function undoStepBack(event: PopStateEvent): void {
  if (guard(new URLSearchParams(location.search))) {
    shown = location.href;
  } else {
    event.stopImmediatePropagation();
    history.pushState(null, '', shown);
  }
}

/** Returns the current address with some parameters changed; undefined removes a parameter. */
export function withQuery(changes: UrlQuery): string {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name);
    else query.set(name, String(value));
  }
  return `?${query}`;
}

/** Changes some parameters of the address without a history entry, as filters do while they are typed. */
export const changeQuery = (changes: UrlQuery): boolean => navigate(withQuery(changes), { replace: true });

/** Returns the parameters that have a text. */
export const textParams = <Name extends string>(query: URLSearchParams, names: readonly Name[]) =>
  Object.fromEntries(names.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : []))) as {
    readonly [N in Name]?: string;
  };

/** Returns a parameter that is a whole number from 0 on; undefined for anything else. */
export function indexParam(query: URLSearchParams, name: string): number | undefined {
  const value = Number(query.get(name)?.trim() || 'none');
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Returns a parameter that is a finite number; undefined for anything else. */
export function numberParam(query: URLSearchParams, name: string): number | undefined {
  const value = Number(query.get(name)?.trim() || 'none');
  return Number.isFinite(value) ? value : undefined;
}

/** Returns a parameter that is `true` or `false`; undefined for anything else. */
export function booleanParam(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  return value === 'true' || value === 'false' ? value === 'true' : undefined;
}

/** Returns the query of the address and renders again when it changes. */
export const useQuery = (): URLSearchParams => new URLSearchParams(useAddress('search'));

/** Returns the decoded fragment of the address and renders again when it changes. */
export const useHash = (): string => decoded(useAddress('hash').slice(1));

/** Returns the decoded fragment of the address; a malformed escape is returned unchanged. */
export const currentHash = (): string => decoded(location.hash.slice(1));

const decoded = (text: string): string => decodePercent(text) ?? text;

const useAddress = (part: 'search' | 'hash'): string =>
  useWindowValue(() => location[part], [CHANGED, 'popstate', 'hashchange']);

/** Returns a value that changes with events of the window, and renders again when it does. */
export function useWindowValue<T extends string | undefined>(read: () => T, events: readonly string[]): T {
  const [value, setValue] = useState(read());
  useEffect(() => {
    const listening = new AbortController();
    const update = () => setValue(read());
    update();
    for (const name of events) addEventListener(name, update, { signal: listening.signal });
    return () => listening.abort();
  }, []);
  return value;
}

/** Handles clicks on links of the viewer without a page load; with a modifier key they are left to the browser. */
export function followLinks(): void {
  shown = location.href;
  addEventListener('popstate', undoStepBack);
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a');
    const address = link?.getAttribute('href');
    const isOurs = address?.startsWith('?') && !link?.target && !link?.hasAttribute('download');
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!address || !isOurs || !isPlain || event.defaultPrevented) return;
    event.preventDefault();
    if (navigate(address)) scrollTo(0, 0);
  });
}
