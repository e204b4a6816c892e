import { useEffect, useRef, useState } from 'preact/hooks';
import { decodePercent } from '../../../core/index.ts';

/** What a page is about stands in its address, so that every state of it can be linked, reloaded and gone back to. */
export type UrlQuery = Readonly<Record<string, string | number | undefined>>;

const CHANGED = 'ors:location';

/** A link to a page of the viewer, such as `?view=run&run=first`; what is undefined is left out. */
export function buildHref(query: UrlQuery): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '?' : `?${new URLSearchParams(given)}`;
}

/** Whether a page was gone to within the viewer, and not by a link from elsewhere or a reload. */
export const hasNavigated = (): boolean => navigations > 0;
let navigations = 0;

/**
 * Goes to a page, unless the one that is shown holds it back. `replace` leaves no step to go back to: for filters while
 * they are typed.
 *
 * @returns whether it went there.
 */
export function navigate(link: string, { replace = false }: { readonly replace?: boolean } = {}): boolean {
  if (!guard(new URL(link, location.href).searchParams)) return false;
  navigations++;
  history[replace ? 'replaceState' : 'pushState'](null, '', link);
  shown = location.href;
  dispatchEvent(new Event(CHANGED));
  return true;
}

/** Says whether another address may be gone to. */
type NavigationGuard = (query: URLSearchParams) => boolean;
const open: NavigationGuard = () => true;
let guard = open;
let shown = '';

/** Has a component asked before the address changes, as long as it is shown. */
export function useNavigationGuard(mayGo: NavigationGuard): void {
  const latest = useRef(mayGo);
  latest.current = mayGo;
  useEffect(() => {
    guard = (query) => latest.current(query);
    return () => {
      guard = open;
    };
  }, []);
}

/** Going back has happened when it is told of: what is held back is gone to again. */
function holdBack(event: PopStateEvent): void {
  if (guard(new URLSearchParams(location.search))) {
    shown = location.href;
  } else {
    event.stopImmediatePropagation();
    history.pushState(null, '', shown);
  }
}

/** The address with some of its query changed; undefined takes a name out. */
export function withQuery(changes: UrlQuery): string {
  return buildHref({ ...Object.fromEntries(new URLSearchParams(location.search)), ...changes });
}

/** The query of the address, always as it is now. */
export const useQuery = (): URLSearchParams => new URLSearchParams(useAddress('search'));

/** What stands after the # of the address. */
export const useHash = (): string => decoded(useAddress('hash').slice(1));

/** What stands after the # now; an address that was typed may be no escape at all. */
export const currentHash = (): string => decoded(location.hash.slice(1));

const decoded = (text: string): string => decodePercent(text) ?? text;

function useAddress(part: 'search' | 'hash'): string {
  const [value, setValue] = useState(location[part]);
  useEffect(() => {
    const read = () => setValue(location[part]);
    read();
    for (const name of [CHANGED, 'popstate', 'hashchange']) addEventListener(name, read);
    return () => {
      for (const name of [CHANGED, 'popstate', 'hashchange']) removeEventListener(name, read);
    };
  }, [part]);
  return value;
}

/** Links within the viewer change the address without loading the page anew; with a modifier they are the browser's. */
export function followLinks(): void {
  shown = location.href;
  addEventListener('popstate', holdBack);
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
