/**
 * Collects the licence texts of bundled packages, which must be distributed with our files.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const LICENSE_FILE = 'THIRD-PARTY-LICENSES.txt';
const LICENSE_NAME = /^(licen[cs]e|copying|notice)(-\w+)?(\.(md|txt))?$/i;
/** Heading after which a bundler lists its own dependencies, which are not in its output. */
const BUNDLER_DEPENDENCIES = /^# Licenses of bundled dependencies/m;
/** Runtime code that bundlers add, by the prefix of its module id. */
const RUNTIMES = { '\0vite/': 'vite', '\0rolldown/': 'rolldown' };

/** @returns the folders of the packages of these modules (paths or ids), without duplicates, sorted. */
export function packagesOf(modules) {
  const folders = [...modules].flatMap((id) => {
    const [, runtime] = Object.entries(RUNTIMES).find(([prefix]) => id.startsWith(prefix)) ?? [];
    if (runtime !== undefined) return join('node_modules', runtime);
    const [path] = id.replace(/^\0/, '').split('?');
    const at = path.lastIndexOf('node_modules/');
    if (at < 0) return [];
    const [first, second] = path.slice(at + 'node_modules/'.length).split('/');
    return path.slice(0, at) + join('node_modules', first.startsWith('@') ? join(first, second) : first);
  });
  return [...new Set(folders)].sort();
}

/** @throws Error if the package has no licence text. */
export function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => LICENSE_NAME.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').split(BUNDLER_DEPENDENCIES)[0].trim());
  if (texts.every((text) => text === '')) {
    throw new Error(
      `the bundled package ${name} has no licence text in ${folder}; remove the package, or add the text`,
    );
  }
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}

/** Writes the licence texts of the packages of these modules into a folder; writes no file if there are none. */
export function writeLicenses(modules, folder) {
  const packages = packagesOf(modules);
  if (packages.length === 0) return;
  const line = `\n${'-'.repeat(80)}\n\n`;
  const intro = 'The files in this folder and its subfolders contain parts of these packages.\n';
  writeFileSync(join(folder, LICENSE_FILE), [intro, ...packages.map(licenseOf)].join(line));
}

/** A Vite plugin that writes the licence texts of all loaded modules next to its output. */
export const licensesPlugin = () => ({
  name: 'third-party-licenses',
  writeBundle({ dir }) {
    writeLicenses(this.getModuleIds(), dir);
  },
});
