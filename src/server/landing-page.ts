import type { Environment } from '../environment/index.ts';

/** What a person sees who opens the server in a browser. */
export function landingPage(environments: readonly Environment[]): string {
  const rows = environments.map(({ name, description, splits, tools }) => {
    const facts = `${splits.map((split) => split.name).join(', ')} &middot; ${[...tools.keys()].join(', ')}`;
    return `<dt>${escape(name)}</dt><dd>${escape(description ?? '')}<br>${facts}</dd>`;
  });
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>ors-kit</title></head>
<body>
<h1>An Open Reward Standard server</h1>
<p>It serves language-model agents, over HTTP. For people there is the <a href="docs/">reference of its operations</a>.</p>
<h2>Environments</h2>
<dl>${rows.join('')}</dl>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
