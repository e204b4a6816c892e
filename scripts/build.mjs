// Compiles the package into dist/ and puts the files of the page at /docs beside it.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
chmodSync('dist/src/cli/main.js', 0o755);

const swagger = dirname(require.resolve('swagger-ui-dist/package.json'));
mkdirSync('dist/docs', { recursive: true });
for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'LICENSE', 'NOTICE']) {
  copyFileSync(join(swagger, file), join('dist/docs', file));
}
writeFileSync(
  'dist/docs/index.html',
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Open Reward Standard: reference</title>
<link rel="stylesheet" href="swagger-ui.css">
<link rel="icon" href="favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<script src="swagger-ui-bundle.js"></script>
<script src="start.js"></script>
</body>
</html>
`,
);
writeFileSync(
  'dist/docs/start.js',
  `SwaggerUIBundle({ url: '../openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null });
`,
);
