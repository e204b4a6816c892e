/**
 * Takes secret values out of a text, also where they are written as JSON or in a URL. Done in one pass, so that what
 * is put in their place is not looked at again.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = new Set(secrets.filter((secret) => secret !== '').flatMap(writings));
  if (forms.size === 0) return text;
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return text.replace(new RegExp(longestFirst.map(escapeRegExp).join('|'), 'g'), '[secret]');
}

function writings(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
}

const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
