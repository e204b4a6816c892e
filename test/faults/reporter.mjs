import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Appends one line of JSON per test file to the file `ORS_FAULTS_REPORT`, before `--bail` can end the run. */
export default class FaultReporter {
  onTestResult(_test, { testFilePath, testExecError, testResults, numPassingTests }) {
    const failed = testResults.find(({ status }) => status === 'failed');
    const message = failed?.failureMessages[0] ?? testExecError?.message;
    const line = {
      file: relative(process.cwd(), testFilePath),
      passed: numPassingTests,
      failure: message === undefined ? undefined : stripVTControlCharacters(String(message)),
      name: failed?.fullName,
    };
    appendFileSync(process.env.ORS_FAULTS_REPORT, `${JSON.stringify(line)}\n`);
  }
}
