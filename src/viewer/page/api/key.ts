import { useEffect, useState } from 'preact/hooks';

const NAME = 'ors-key';
const CHANGED = 'ors:key';

/** The API key that this tab uses; it is forgotten when the tab is closed. */
export const apiKey = (): string | undefined => sessionStorage.getItem(NAME) ?? undefined;

export function setApiKey(key: string | undefined): void {
  if (key === undefined) sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, key);
  dispatchEvent(new Event(CHANGED));
}

/** The key, always as it is now. */
export function useApiKey(): string | undefined {
  const [key, setKey] = useState(apiKey());
  useEffect(() => {
    const read = () => setKey(apiKey());
    addEventListener(CHANGED, read);
    return () => removeEventListener(CHANGED, read);
  }, []);
  return key;
}
