/** A Jest reporter that ends the output with a summary for people and programs: `N passed, N failed`. */
export default class ClosingLine {
  /** Counts a test file that cannot be loaded as one failure. */
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    const line = `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`;
    // Jest prints its summary after the reporters.
    process.once('exit', () => console.log(`\n${line}`));
  }
}
