/**
 * Adds to package-lock.json the packages for other platforms that npm left out of it.
 *
 *   node scripts/complete-lock.mjs
 *
 * Tools like biome bring one optional package per platform. npm leaves those out of the lock file that the registry at
 * hand does not have, and then `npm ci` refuses the file because they are missing from it. What is added tells npm the
 * platform, so that it passes the package over on every other one; it names no checksum, since there is none to know.
 * Run it after every `npm install` that changes the lock file; test/house/lock-file.test.ts says when it was forgotten.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];

/** The platform that a package's name ends in: `linux-x64-musl` gives linux, x64 and musl. */
function platformOf(name) {
  const [system, cpu, libc] = name.split('/').at(-1).split('-').slice(-4).join('-').match(/[a-z0-9]+/g).reduce(
    (parts, part) => (SYSTEMS.includes(part) ? [part] : parts.length > 0 ? [...parts, part] : parts),
    [],
  );
  if (!system || !cpu) return undefined;
  return {
    cpu: [cpu],
    ...(system === 'linux' && (libc === 'musl' || libc === 'gnu') && { libc: [libc === 'gnu' ? 'glibc' : 'musl'] }),
    os: [system],
  };
}

/** The optional packages that a lock file asks for and does not hold, as entries that can be put into it. */
export function missingPlatforms(lock) {
  const { packages } = lock;
  const missing = {};
  for (const { optionalDependencies = {}, dev } of Object.values(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const path = `node_modules/${name}`;
      if (Object.keys(packages).some((known) => known.endsWith(path))) continue;
      const platform = platformOf(name);
      if (platform) missing[path] = { version, ...platform, ...(dev && { dev }), optional: true };
    }
  }
  return missing;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = JSON.parse(readFileSync(FILE, 'utf8'));
  const missing = missingPlatforms(lock);
  const sorted = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
  console.log(`added ${Object.keys(missing).length} packages of other platforms to package-lock.json`);
}
