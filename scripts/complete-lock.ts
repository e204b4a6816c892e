/**
 * Adds the packages for other platforms to package-lock.json that npm omitted.
 *
 * npx tsx scripts/complete-lock.ts
 *
 * Tools such as biome have one optional package per platform. npm omits those from the lock file that its registry
 * lacks, and then `npm ci` rejects the file because they are missing. The added entries name the platform, so that npm
 * skips the package on every other one; they have no checksum, because it is unknown. Run it after an `npm install`
 * that changed the lock file; test/lock-file.test.ts fails if it was forgotten.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../package-lock.json', import.meta.url));
/** Suffix of a package name: `linux-x64-musl`, `android-arm-eabi`, `darwin-arm64`. */
const PLATFORM = /(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-([a-z0-9]+)(?:-([a-z]+))?$/;

/** An installed package in a lock file. */
interface LockedPackage {
  readonly version?: string;
  readonly dev?: true;
  readonly optional?: true;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** Finds the optional packages of platforms that a lock file references but does not contain, as new entries. */
export function missingPlatforms({ packages }: LockFile): Record<string, LockedPackage> {
  const known = new Set(Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/'))));
  const missing: Record<string, LockedPackage> = {};
  for (const { optionalDependencies = {}, dev } of Object.values(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const platform = platformOf(name);
      if (platform && !known.has(`node_modules/${name}`)) {
        missing[`node_modules/${name}`] = { version, ...(dev && { dev }), optional: true, ...platform };
      }
    }
  }
  return missing;
}

function platformOf(name: string): Pick<LockedPackage, 'cpu' | 'libc' | 'os'> | undefined {
  const [, system, cpu, library] = name.match(PLATFORM) ?? [];
  if (!system || !cpu) return undefined;
  const libc = system === 'linux' && (library === 'musl' || library === 'gnu');
  return { cpu: [cpu], ...(libc && { libc: [library === 'gnu' ? 'glibc' : 'musl'] }), os: [system] };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock: LockFile = JSON.parse(readFileSync(FILE, 'utf8'));
  const missing = missingPlatforms(lock);
  const packages = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
  console.log(`added ${Object.keys(missing).length} packages for other platforms to package-lock.json`);
}
