import { execFileSync } from 'node:child_process';

/**
 * Builds the command and the package before all tests, since some tests start them like a user. Worker threads run the
 * build too, which starts faster than the sources.
 */
export default function build() {
  // MAKEFLAGS of `make -j` refers to file descriptors that are closed in this process.
  const env = { ...process.env, MAKEFLAGS: undefined };
  execFileSync('make', ['--silent', 'build'], { env, stdio: 'inherit' });
  process.env.ORS_BUILT_WORKERS = '1';
}
