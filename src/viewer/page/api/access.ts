import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Access } from '../../../../generated/trace.ts';
import { useWindowValue } from './location.ts';

const [meta] = document.getElementsByName('ors-offers');
const offers = (meta?.getAttribute('content') ?? '').split(' ');

/** Features of the server that served this page, from its HTML. */
export const SERVER_FEATURES = { traces: offers.includes('traces'), environments: offers.includes('environments') };

const NAME = 'ors-key';
const CHANGED = 'ors:key';

/** API key of this tab; the browser forgets it when the tab is closed. */
export const apiKey = (): string | undefined => sessionStorage.getItem(NAME) ?? undefined;

export function setApiKey(key: string | undefined): void {
  if (key === undefined) sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, key);
  dispatchEvent(new Event(CHANGED));
}

/** Returns the API key and renders again when it changes. */
export const useApiKey = (): string | undefined => useWindowValue(apiKey, [CHANGED]);

/** Organization whose traces this page shows, and the scopes of the API key. */
export const AccessContext = createContext<Access>({ organization: 'default', scopes: ['read'] });

/** Returns the organization for the path parameters of the trace API. */
export const useOrganization = (): string => useContext(AccessContext).organization;

export const useCanWrite = (): boolean => useContext(AccessContext).scopes.includes('write');
