import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * Appends one line of JSON per test file to the file `ORS_FAULTS_REPORT`. Ends Jest as soon as a test has failed: the rest
 * of its file, which Jest's own `--bail` would run, tells nothing more.
 */
export default class FaultReporter {
  onTestCaseResult({ path }, { status, fullName, failureMessages }) {
    if (status === 'failed') this.#fail(path, failureMessages[0], fullName);
  }

  onTestResult({ path }, { testExecError, numPassingTests }) {
    if (testExecError) this.#fail(path, testExecError.message);
    else this.#append(path, { passed: numPassingTests });
  }

  #fail(path, message, name) {
    this.#append(path, { passed: 0, failure: stripVTControlCharacters(String(message)), name });
    process.exit(1);
  }

  #append(path, result) {
    const line = { file: relative(process.cwd(), path), ...result };
    appendFileSync(process.env.ORS_FAULTS_REPORT, `${JSON.stringify(line)}\n`);
  }
}
