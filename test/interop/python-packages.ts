import { fileURLToPath } from 'node:url';

/** Folder into which scripts/python.sh installs the Python packages. */
export const venv = fileURLToPath(new URL('../../.cache/python', import.meta.url));

export const interpreter = `${venv}/bin/python`;

export const packages = ['ors-sdk', 'openreward'] as const;
