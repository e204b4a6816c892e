import { escapeMarkup } from '../core/index.ts';
import type { HostedEnvironment } from '../hosting/index.ts';

/** Renders the page at `/`, which lists the environments. */
export function renderLandingPage(environments: readonly HostedEnvironment[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Open Reward Standard</title>
<link rel="stylesheet" href="docs/landing.css">
<link rel="icon" href="docs/favicon-32x32.png">
</head>
<body>
<h1>An Open Reward Standard server</h1>
<p>Agents use its environments over HTTP. See the <a href="docs/">API reference</a>.</p>
${environments.map(describe).join('\n')}
</body>
</html>
`;
}

function describe({ name, description, splits, tools }: HostedEnvironment): string {
  const facts = [
    `splits ${splits.map((split) => code(split.name)).join(' ')}`,
    ...(tools.length > 0 ? [`tools ${tools.map((tool) => code(tool.name)).join(' ')}`] : []),
  ];
  const about = description === undefined ? '' : `<p>${escapeMarkup(description)}</p>`;
  return `<article><h2>${escapeMarkup(name)}</h2>${about}<p><small>${facts.join(' &middot; ')}</small></p></article>`;
}

const code = (text: string) => `<code>${escapeMarkup(text)}</code>`;
