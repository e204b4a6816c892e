import { execFileSync } from 'node:child_process';

/** Before all tests: what they start as a user would, the command and the package, is what the sources say now. */
export default function build() {
  execFileSync('make', ['--silent', 'build'], { stdio: 'inherit' });
}
