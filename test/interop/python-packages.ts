import { fileURLToPath } from 'node:url';

/** Folder into which scripts/python.sh installs the Python packages. */
export const venv = fileURLToPath(new URL('../../.cache/python', import.meta.url));

export const interpreter = `${venv}/bin/python`;

/** Socket of the process that has imported the packages (fork-servers.mjs), in the tests of this folder. */
export const forks = process.env.ORS_PYTHON_FORKS;

/**
 * The command that runs a Python script, which is its next argument: as the interpreter does, but in a fork of that process,
 * if there is one. That process logs only critical errors, whatever LOG_LEVEL says.
 */
export const python: readonly [string, ...string[]] =
  forks === undefined
    ? [interpreter]
    : [interpreter, '-I', '-S', fileURLToPath(new URL('fork_client.py', import.meta.url)), forks];

export const packages = ['ors-sdk', 'openreward'] as const;
