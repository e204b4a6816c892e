import { formatAddress, type ProxyNode } from './nodes.ts';
import { headerComment, listenAddress, listenComment, type ProxyPlan } from './plan.ts';

/** How many other nodes stand in for one that is gone; any of them knows that the session is lost. */
const STAND_INS = 2;

/** nginx that reads the owner of a session out of its id; tested with 1.22 and 1.30. */
export function renderNginxTagConfig(plan: ProxyPlan): string {
  const { nodes } = plan;
  return `${headerComment(plan)}
# An id of a session that a node issued is a UUID of version 8 whose first four digits are the tag of that node, so nginx
# needs no memory of sessions: it may be restarted, and there may be several. Each node must run with its own tag:
# ORS_NODE_TAG=${nodes[0]?.tag} ors serve ..., or all of them by ors serve --workers.
#
#   nginx -t -c $PWD/nginx.conf            checks this file
#   nginx -s reload                        after a change of the nodes; open calls go on, no session is lost
${FRAME}
http {
    map $http_x_session_id $ors_owner {
        ""       ors_any;     # no session yet: discovery, health
        default  ors_chosen;  # an id that the client chose itself
${nodes.map(({ tag }) => `        "~^${tag}[0-9a-f]{4}-[0-9a-f]{4}-8"  ors_${tag};`).join('\n')}
    }

    # New sessions go round all nodes; one that is draining or gone is left out for five seconds.
    upstream ors_any {
        zone ors_any 256k;  # nginx's own processes take turns together
${nodes.map((node) => `        server ${formatAddress(node)} max_fails=1 fail_timeout=5s;`).join('\n')}
        keepalive 64;
    }

    # Ids without a tag stay together as long as the nodes stay the same. A changed number of nodes moves some of them,
    # whose sessions are then lost: let clients ask POST /create_session for their ids.
    upstream ors_chosen {
        hash $http_x_session_id consistent;
${nodes.map((node) => `        server ${formatAddress(node)} max_fails=0;`).join('\n')}
        keepalive 64;
    }

    # One per node. The others are asked only if nothing listens at the owner: its sessions are lost then, and they say
    # so with 404, which clients understand; a 502 they would try again. max_fails=0: never give an owner up that lives.
${nodes.map((_, index) => owner(nodes, index)).join('\n')}

${SETTINGS}
    server {
        ${listen(plan)}

        # A node that drains answers 503, and nothing has happened yet: another one issues the id.
        location ~ ^/create_session/?$ {
            proxy_pass http://ors_any;
            proxy_next_upstream error timeout http_503 non_idempotent;
        }

        # The episode must begin where its id leads, and nowhere else.
        location ~ ^/create/?$ {
            proxy_pass http://$ors_owner;
            proxy_next_upstream off;
        }

        # A call that may have reached its node is not sent to another one: no non_idempotent here.
        location / {
            proxy_pass http://$ors_owner;
            proxy_next_upstream error;
        }
${UNREACHABLE}
    }
}
`;
}

/** nginx that learns from the answers who has a session; nginx 1.29.6 or newer. */
export function renderNginxLearnConfig(plan: ProxyPlan): string {
  const { nodes } = plan;
  return `${headerComment(plan)}
# nginx 1.29.6 or newer, which can learn from the X-Session-ID of an answer which node has the session. The nodes need no
# tags, and clients may choose their ids. What is learned survives a reload, but not a restart of nginx, and a second
# nginx does not know it: where that matters use --sticky map.
#
#   nginx -t -c $PWD/nginx.conf            checks this file
#   nginx -s reload                        after a change of the nodes; open calls go on, no session is lost
${FRAME}
http {
    upstream ors {
        zone ors 256k;
${nodes.map((node) => `        server ${formatAddress(node)} max_fails=0;`).join('\n')}
        # 1m holds about 8,000 sessions, and when it is full the one that was used least recently is forgotten. Nodes end
        # a session after 15 minutes without a request, clients ping more often. header: at the first byte of an answer
        # and not after its last, which may come hours later.
        sticky learn create=$upstream_http_x_session_id lookup=$http_x_session_id zone=ors_sessions:64m timeout=1h header;
        keepalive 64;
    }

${SETTINGS}
    server {
        ${listen(plan)}

        # A node that drains or is full answers 503, and nothing has happened yet: another one is asked, and learned.
        location ~ ^/create(_session)?/?$ {
            proxy_pass http://ors;
            proxy_next_upstream error timeout http_503 non_idempotent;
            proxy_next_upstream_tries 3;
        }

        # If nothing listens at the owner its sessions are lost; another node is asked, and says so with 404, which
        # clients understand. A call that may have reached its node is not sent to another one: no non_idempotent here.
        location / {
            proxy_pass http://ors;
            proxy_next_upstream error;
        }
${UNREACHABLE}
    }
}
`;
}

function owner(nodes: readonly ProxyNode[], index: number): string {
  const [self, ...others] = [...nodes.slice(index), ...nodes.slice(0, index)];
  if (!self) return '';
  const standIns = others.slice(0, STAND_INS).map((node) => ` server ${formatAddress(node)} backup;`);
  return `    upstream ors_${self.tag} { server ${formatAddress(self)} max_fails=0;${standIns.join('')} keepalive 64; }`;
}

function listen(plan: ProxyPlan): string {
  const both = plan.listen.host === '[::]' ? ' ipv6only=off' : '';
  return [...listenComment(plan), `listen ${listenAddress(plan)}${both} backlog=4096;`].join('\n        ');
}

const FRAME = `
worker_processes auto;
worker_rlimit_nofile 65536;

events {
    # A call holds two connections for as long as it runs.
    worker_connections 16384;
}
`;

const SETTINGS = `    # Calls and setups may take long. Calls send a comment every 10 s; whoever waits for a setup hears nothing until it ends.
    proxy_connect_timeout 3s;
    proxy_send_timeout 1h;
    proxy_read_timeout 1h;

    # Events reach the client as they come.
    proxy_http_version 1.1;
    proxy_buffering off;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;

    # Secrets may travel in the header X-Secrets. The size of bodies is for the nodes to judge, whose limit is 32 MiB.
    large_client_header_buffers 4 64k;
    client_max_body_size 64m;

    # Clients keep connections, and nodes theirs for 75 s; nginx lets go of those to the nodes after 60 s.
    keepalive_timeout 75s;
    keepalive_requests 100000;
    access_log off;
`;

const UNREACHABLE = `
        # Where nginx itself has to refuse, it says so in the form of the standard.
        error_page 502 504 @unreachable;
        location @unreachable {
            default_type application/json;
            return 502 '{"detail":"the node of this request cannot be reached; try again"}';
        }`;
