/** A Jest reporter that ends the output with one line for people and programs: `N passed, N failed`. */
export default class ClosingLine {
  /** A file that does not load has no tests to count, and is a failure all the same. */
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    const line = `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`;
    // Jest's own summary comes after the reporters.
    process.once('exit', () => console.log(`\n${line}`));
  }
}
