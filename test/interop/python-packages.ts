import { fileURLToPath } from 'node:url';

/** Folder into which scripts/python.sh installs the Python packages. */
export const venv = fileURLToPath(new URL('../../.cache/python', import.meta.url));

export const interpreter = `${venv}/bin/python`;

const forksOf = (socket: string | undefined): readonly [string, ...string[]] =>
  socket === undefined
    ? [interpreter]
    : [interpreter, '-I', '-S', fileURLToPath(new URL('fork_client.py', import.meta.url)), socket];

/**
 * Commands that run a Python script, which is their next argument: as the interpreter does, but in the tests of this folder
 * in a fork of a process that has imported the packages (fork-servers.mjs).
 */
export const python = {
  script: forksOf(process.env.ORS_FORKS_OF_SCRIPTS),
  /** With LOG_LEVEL=CRITICAL. */
  server: forksOf(process.env.ORS_FORKS_OF_SERVERS),
};

export const packages = ['ors-sdk', 'openreward'] as const;
