import { SandboxError } from './sandbox-error.ts';

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/Cannot connect to the Docker daemon|error during connect/, 'start Docker, or set DOCKER_HOST to where it runs'],
  [/permission denied/i, 'let this user use Docker: `sudo usermod -aG docker $USER`, then log in anew'],
  [
    /pull access denied|manifest unknown|No such image|not found: manifest/,
    'look at the option `image`; `docker pull` it',
  ],
  [/executable file not found/, 'the image needs `sh`, `sleep`, `head`, `cat` and `mkdir`'],
];

/** A failure of the program `docker`, with what to do. */
export function explainDockerError(task: string, error: NodeJS.ErrnoException & { stderr?: string }): SandboxError {
  if (error.code === 'ENOENT') {
    return new SandboxError('unavailable', "there is no program 'docker': install Docker, or use 'bubblewrap'");
  }
  const output = error.stderr?.trim().replaceAll('\n', ' ') || error.message;
  const remedy = REMEDIES.find(([pattern]) => pattern.test(output))?.[1];
  const message = `docker ${task} failed: ${output}${remedy ? `. What to do: ${remedy}` : ''}`;
  return new SandboxError(remedy ? 'unavailable' : 'failed', message, { cause: error });
}
