// Compiles the package into dist/ and puts the files of its web pages beside it.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const SWAGGER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'LICENSE', 'NOTICE'];

rmSync('dist', { recursive: true, force: true });
try {
  execFileSync(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
} catch {
  process.exit(1);
}
chmodSync('dist/src/cli/main.js', 0o755);

cpSync('src/server/pages', 'dist/pages', { recursive: true });
const swagger = dirname(require.resolve('swagger-ui-dist/package.json'));
for (const file of SWAGGER_FILES) copyFileSync(join(swagger, file), join('dist/pages', file));
