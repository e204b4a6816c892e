const { default: Sequencer } = require('@jest/test-sequencer');

/** Suites that take long although their files are short: without a record of durations, Jest would start them last. */
const LONG = [
  'conformance/checks/',
  'conformance/client/mutants',
  'cli/serve-watch',
  'cli/validate',
  'http/early-response',
  'rollout/kill',
  'sandbox/',
  'trace/store/postgres',
  'trace/store/sqlite',
  'validate/rules',
];

/** Starts long suites first. */
module.exports = class extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => LONG.some((part) => path.includes(`/test/${part}`));
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
