import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Access } from '../../../../generated/trace.ts';

/** Whose traces this page shows, and what it may do with them. */
export const AccessContext = createContext<Access>({ organization: 'default', scopes: ['read'] });

/** The path parameters that every operation on an organization's traces needs. */
export const useOrganization = (): string => useContext(AccessContext).organization;

export const useCanWrite = (): boolean => useContext(AccessContext).scopes.includes('write');
