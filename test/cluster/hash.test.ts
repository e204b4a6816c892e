import { expect } from '@jest/globals';
import { testUnless } from '../support/optional.ts';
import { until } from '../support/until.ts';
import { type EngineUnderTest, startCluster } from './cluster.ts';
import { missing } from './programs.ts';

/** Recommended by many guides, and wrong for sessions that live in one process. */
const HASHING: EngineUnderTest = {
  name: 'nginx that hashes the header',
  program: 'nginx',
  configure: (addresses, port) => `
events {}
http {
    access_log off;
    upstream ors {
        hash $http_x_session_id consistent;
${addresses.map((address) => `        server ${address};`).join('\n')}
    }
    server {
        listen 127.0.0.1:${port};
        location / {
            proxy_pass http://ors;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_buffering off;
        }
    }
}
`,
};

testUnless(missing('nginx', 'a cluster behind a hashed header'))(
  'hashing the header loses sessions when a node is added, and the test of it notices',
  async () => {
    await using cluster = await startCluster(HASHING);
    const { players, nodes, proxy, note } = cluster;
    const all = await players.enter(300);
    const before = await players.count(all);

    await nodes.start('0003');
    await proxy.reload(nodes.all.map(({ address }) => address));
    // The reload takes effect while they play.
    const after = await until(async () => {
      const outcome = await players.count(all);
      return outcome.lost.length > 0 && outcome;
    }, 'lost sessions');

    note(`add a node: lost ${after.lost.length} of ${all.length}`);
    expect(before).toMatchObject({ lost: [], wrong: [] });
    expect(after.lost.length).toBeGreaterThan(all.length / 20);
  },
);
