import { execFileSync } from 'node:child_process';

/** Before all tests: what they start as a user would, the command and the package, is what the sources say now. */
export default function build() {
  // MAKEFLAGS of a `make -j` names file descriptors that are closed here.
  const env = { ...process.env, MAKEFLAGS: undefined };
  execFileSync('make', ['--silent', 'build'], { env, stdio: 'inherit' });
}
