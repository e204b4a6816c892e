const { default: Sequencer } = require('@jest/test-sequencer');

/** Suites that take long although their files are short: without a record of durations, Jest would start them last. */
const LONG = [
  'conformance/checks/',
  'conformance/client/mutants',
  'cli/serve-keys',
  'cli/validate',
  'client/silence',
  'hosting/lookups',
  'http/connections',
  'http/early-response',
  'rollout/agents/model-failures',
  'rollout/run',
  'sandbox/',
  'server/limits-connections',
  'trace/store/postgres',
  'trace/store/sqlite',
  'validate/rules',
];

/** Starts long suites early. They mostly wait, so every other suite is one that computes. */
module.exports = class extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => LONG.some((part) => path.includes(`/test/${part}`));
    const sorted = super.sort(tests);
    const long = sorted.filter(isLong);
    const others = sorted.filter((test) => !isLong(test));
    return [...long.flatMap((test, index) => [test, ...others.slice(index, index + 1)]), ...others.slice(long.length)];
  }
};
