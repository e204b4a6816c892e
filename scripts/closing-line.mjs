/** A Jest reporter that ends the output with one line for people and programs: `N passed, N failed`. */
export default class ClosingLine {
  /** A file that does not load has no tests to count, and is a failure all the same. */
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    console.log(`\n${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`);
  }
}
