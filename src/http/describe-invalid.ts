import { pointerKeys, pointerPath } from '../core/index.ts';

/** One finding of the validator: where in the request, and what. */
export interface Finding {
  readonly path?: string;
  readonly message?: string;
}

/**
 * Puts the validator's findings into one sentence. It names fields and what was expected and never a value, since
 * values may be secrets.
 */
export function describeInvalid(findings: readonly Finding[]): string {
  const byPath = new Map<string, string[]>();
  for (const { path = '', message = '' } of findings) {
    const messages = byPath.get(path) ?? [];
    if (!message.includes(' schema in ')) messages.push(message);
    byPath.set(path, messages);
  }
  const sentences = [...byPath].map(([path, messages]) => describe(path, [...new Set(messages)]));
  return [...new Set(sentences)].join('; ');
}

function describe(path: string, messages: readonly string[]): string {
  const [place = 'request', ...keys] = pointerKeys(path) ?? [];
  const field = place === 'headers' ? `${headerName(keys.join('/'))} header` : pointerPath('', path) || place;
  const text = messages
    .join(' or ')
    .replaceAll(/ or must( be)?/g, ' or')
    .replace(/,null$/, ' or null');
  if (/required property/.test(text)) {
    return field === 'body' ? 'a JSON body is required' : `${field} is required`;
  }
  if (text.startsWith('Unknown query parameter')) return `${field} is not a parameter of this request`;
  if (/additional propert/.test(text)) return `${field} is not a field of this request`;
  return `${field} ${text || 'is not valid'}`;
}

const headerName = (name: string) =>
  name
    .split('-')
    .map((part) => (part === 'id' ? 'ID' : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('-');
