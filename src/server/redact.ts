/** Takes secret values out of a text, also where they are written as JSON or in a URL. */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = [...new Set(secrets.filter((secret) => secret !== '').flatMap(writings))];
  // Longest first, since one may hold another. What is put in their place is added last, so it is not looked at.
  const kept = forms
    .sort((a, b) => b.length - a.length)
    .reduce((parts, form) => parts.flatMap((part) => part.split(form)), [text]);
  return kept.join('[secret]');
}

function writings(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
}
