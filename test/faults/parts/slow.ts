// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources are quoted here.
import type { Fault } from '../fault.ts';

/** Faults that suites of `make slow` have to notice. */
export const slowFaults: readonly Fault[] = [
  {
    id: 'handles-given-up-with-worker',
    part: 'hosting',
    file: 'src/hosting/worker-pool.ts',
    find: 'reportLeft(episode, episode.handles.splice(-1)',
    replace: 'reportLeft(episode, episode.handles.splice(0)',
    tests: ['test/hosting/orphans'],
    target: 'slow',
  },
  {
    id: 'deleted-session-expected-without-content',
    part: 'conformance',
    file: 'src/conformance/checks/sessions/delete.ts',
    find: 'const isRight = deleted.status === 200 &&',
    replace: 'const isRight = deleted.status === 204 &&',
    tests: ['test/conformance/plain-servers'],
    target: 'slow',
  },
  {
    id: 'express-needs-no-body',
    part: 'http',
    file: 'src/http/express-app.ts',
    find: 'if (operation.body?.required && value === undefined)',
    replace: 'if (!operation.body?.required && value === undefined)',
    tests: ['test/conformance/entrances'],
    target: 'slow',
  },
  {
    id: 'blob-under-another-name',
    part: 'generate',
    file: 'src/generate/client.ts',
    find: '| { data: Blob; error?: never; response: Response }',
    replace: '| { blob: Blob; error?: never; response: Response }',
    tests: ['test/generate/compiled'],
    target: 'slow',
  },
  {
    id: 'full-reward-above-maximum',
    part: 'validate',
    file: 'src/validate/rules/rewards.ts',
    find: 'exceedsBound(totalReward(run), maxReward)',
    replace: '!exceedsBound(maxReward, totalReward(run))',
    tests: ['test/validate/examples'],
    target: 'slow',
  },
  {
    id: 'solve-returns-no-outputs',
    part: 'testing',
    file: 'src/testing/play.ts',
    find: 'outputs.push(output);',
    replace: '',
    tests: ['test/cli/init'],
    target: 'slow',
  },
];
