import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Access } from '../../../../generated/trace.ts';
import { useWindowValue } from './location.ts';

const [meta] = document.getElementsByName('ors-offers');
const offers = (meta?.getAttribute('content') ?? '').split(' ');

/** Features of the server that served this page, from its HTML. */
export const SERVER_FEATURES = {
  traces: offers.includes('traces'),
  environments: offers.includes('environments'),
  /** Set if the traces require an API key. */
  keys: offers.includes('keys'),
};

const NAME = 'ors-key';
const ACCESS = 'ors-access';
const CHANGED = 'ors:key';

/** API key of this tab; the browser forgets it when the tab is closed. */
export const apiKey = (): string | undefined => sessionStorage.getItem(NAME) ?? undefined;

export function setApiKey(key: string | undefined): void {
  sessionStorage.removeItem(ACCESS);
  if (key === undefined) sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, key);
  dispatchEvent(new Event(CHANGED));
}

/** Returns the API key and renders again when it changes. */
export const useApiKey = (): string | undefined => useWindowValue(apiKey, [CHANGED]);

/** Access of everyone to a server without keys. */
const ANYONE: Access = { organization: 'default', scopes: ['read', 'write'] };

/**
 * Returns the access of this tab as far as it is known without a request, so that pages need not wait for one: that of
 * everyone, or what `rememberAccess` has stored for the API key.
 */
export function knownAccess(): Access | undefined {
  if (apiKey() === undefined) return SERVER_FEATURES.keys ? undefined : ANYONE;
  const stored = sessionStorage.getItem(ACCESS);
  // Only `rememberAccess` writes it.
  return stored === null ? undefined : (JSON.parse(stored) as Access);
}

/** Stores the access of the API key until the tab is closed or the key changes. */
export const rememberAccess = (access: Access): void => sessionStorage.setItem(ACCESS, JSON.stringify(access));

/** Organization whose traces this page shows, and the scopes of the API key. */
export const AccessContext = createContext<Access>(ANYONE);

/** Returns the organization for the path parameters of the trace API. */
export const useOrganization = (): string => useContext(AccessContext).organization;

export const useCanWrite = (): boolean => useContext(AccessContext).scopes.includes('write');
