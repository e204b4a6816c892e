import { formatAddress, headerComment, listenAddress, listenComment, type ProxyNode, type ProxyPlan } from './plan.ts';

/** Renders the configuration of a proxy that routes every request of a session to its node. */
export function renderProxyConfig(plan: ProxyPlan): string {
  if (plan.engine === 'haproxy') return renderHaproxyConfig(plan);
  return plan.sticky === 'map' ? renderNginxTagConfig(plan) : renderNginxLearnConfig(plan);
}

/**
 * Number of backup nodes of a node that is gone. Without a journal, each of them responds that the session is lost. With
 * one, the first of them continues it: if the requests alternated between two, the episode would move with each of them.
 */
const BACKUPS = 2;
const FIRST_BACKUP_WEIGHT = 1000;

/** Renders an nginx configuration that reads the node from the session id; tested with 1.22 and 1.30. */
function renderNginxTagConfig(plan: ProxyPlan): string {
  const { nodes } = plan;
  return `${headerComment(plan)}
# A session id that a node issued is a UUID of version 8 that begins with the four-digit tag of that node, so nginx keeps
# no state: it can be restarted, and there can be several. Each node must run with its own tag:
# ORS_NODE_TAG=${nodes[0]?.tag} ors serve ..., or all of them by ors serve --workers.
${FRAME}
    map $http_x_session_id $ors_owner {
        ""       ors_any;     # no session: discovery, health
        default  ors_chosen;  # an id that the client chose
${nodes.map(({ tag }) => `        "~^${tag}[0-9a-f]{4}-[0-9a-f]{4}-8"  ors_${tag};`).join('\n')}
    }
${nextNode(nodes, 'ors_any')}

    # New sessions are distributed over all nodes; a node that is draining or gone is skipped for five seconds.
    upstream ors_any {
        zone ors_any 256k;  # shared by the processes of nginx
${nodes.map((node) => `        server ${formatAddress(node)} max_fails=1 fail_timeout=5s;`).join('\n')}
        keepalive 64;
    }

    # Ids without a tag stay on their node while the nodes stay the same. A changed number of nodes moves some of them,
    # and their sessions are lost: clients should request ids with POST /create_session.
    upstream ors_chosen {
        hash $http_x_session_id consistent;
${nodes.map((node) => `        server ${formatAddress(node)} max_fails=0;`).join('\n')}
        keepalive 64;
    }

    # One per node. The others are used only if nothing listens at the owner: they continue its sessions if they share a
    # journal, and one of them has nearly all of the weight, so that a session does not move to and fro. Otherwise they
    # respond 404, which clients understand; clients would retry a 502. max_fails=0: never give up an owner that is alive.
${nodes.map((_, index) => owner(nodes, index)).join('\n')}

${SETTINGS}
    server {
        ${listen(plan)}
        set $ors_handed_over 425;
        recursive_error_pages on;

        # A node that drains responds 503, and nothing has happened yet: another one issues the id.
        location ~ ^/create_session/?$ {
            proxy_pass http://ors_any;
            proxy_next_upstream error timeout http_503 non_idempotent;
        }

        # The episode must begin on the node of its id.
        location ~ ^/create/?$ {
            proxy_pass http://$ors_owner;
            proxy_next_upstream off;
        }

        # A call that may have reached its node is not sent to another one: no non_idempotent here.
        location / {
            proxy_pass http://$ors_owner;
            proxy_next_upstream error;
            proxy_intercept_errors on;
            error_page 425 = @elsewhere;
            error_page 502 504 @unreachable;
        }
${ELSEWHERE}
${UNREACHABLE}
    }
}
`;
}

/** Renders an nginx configuration that learns the node of a session from responses; nginx 1.29.6 or newer. */
function renderNginxLearnConfig(plan: ProxyPlan): string {
  const { nodes } = plan;
  return `${headerComment(plan)}
# nginx 1.29.6 or newer, which learns the node of a session from the X-Session-ID of a response. The nodes need no tags,
# and clients may choose their ids. The table survives a reload, but not a restart of nginx, and is not shared with a
# second nginx: if that matters, use --sticky map.
${FRAME}
${nextNode(nodes, 'ors')}

    # One per node. The others are used only if nothing listens there.
${nodes.map((_, index) => owner(nodes, index)).join('\n')}

    upstream ors {
        zone ors 256k;
${nodes.map((node) => `        server ${formatAddress(node)} max_fails=0;`).join('\n')}
        # 1m holds about 8,000 sessions; when it is full, the least recently used one is removed. Nodes end a session after
        # 15 minutes without a request; clients ping more often. header: learn at the first byte of a response, not
        # after the last one, which may come hours later.
        sticky learn create=$upstream_http_x_session_id lookup=$http_x_session_id zone=ors_sessions:64m timeout=1h header;
        keepalive 64;
    }

${SETTINGS}
    server {
        ${listen(plan)}
        set $ors_handed_over 425;
        recursive_error_pages on;

        # A node that drains or is full responds 503, and nothing has happened yet: another one is tried, and learned.
        location ~ ^/create(_session)?/?$ {
            proxy_pass http://ors;
            proxy_next_upstream error timeout http_503 non_idempotent;
            proxy_next_upstream_tries 3;
        }

        # If nothing listens at the owner, another node continues its sessions if they share a journal; otherwise it
        # responds 404, which clients understand. A call that may have reached its node is not sent to another one: no
        # non_idempotent here.
        location / {
            proxy_pass http://ors;
            proxy_next_upstream error;
            proxy_intercept_errors on;
            error_page 425 = @elsewhere;
            error_page 502 504 @unreachable;
        }
${ELSEWHERE}
${UNREACHABLE}
    }
}
`;
}

/** Renders the map from a node that has handed a session over to the upstream of the next node. */
function nextNode(nodes: readonly ProxyNode[], fallback: string): string {
  const next = nodes.map(({ tag }, index) => `        "${tag}"  ors_${nodes[(index + 1) % nodes.length]?.tag};`);
  return `
    # A node that drains has handed its idle sessions over if it has a journal. For the request of such a session it
    # responds 425 with its tag, without starting anything, and the node after it is asked, at most twice.
    map $upstream_http_x_handed_over $ors_next {
        volatile;
        default  ${fallback};
${next.join('\n')}
    }`;
}

function owner(nodes: readonly ProxyNode[], index: number): string {
  const [self, ...others] = [...nodes.slice(index), ...nodes.slice(0, index)];
  if (!self) return '';
  const backups = others.slice(0, BACKUPS).map((node, position) => {
    const weight = position === 0 && others.length > 1 ? ` weight=${FIRST_BACKUP_WEIGHT}` : '';
    return ` server ${formatAddress(node)} backup${weight};`;
  });
  return `    upstream ors_${self.tag} { server ${formatAddress(self)} max_fails=0;${backups.join('')} keepalive 64; }`;
}

function listen(plan: ProxyPlan): string {
  const both = plan.listen.host === '[::]' ? ' ipv6only=off' : '';
  return [...listenComment(plan), `listen ${listenAddress(plan)}${both} backlog=4096;`].join('\n        ');
}

const FRAME = `#
#   nginx -t -c $PWD/nginx.conf            checks this file
#   nginx -s reload                        after a change of the nodes; open calls continue, no session is lost

worker_processes auto;
worker_rlimit_nofile 65536;

events {
    # A call holds two connections while it runs.
    worker_connections 16384;
}

http {`;

const SETTINGS = `    # Calls and setups may take long. Calls send a comment every 10 s; a setup sends nothing until it ends.
    proxy_connect_timeout 3s;
    proxy_send_timeout 1h;
    proxy_read_timeout 1h;

    # Events are forwarded immediately.
    proxy_http_version 1.1;
    proxy_buffering off;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Handed-Over $ors_handed_over;

    # The header X-Secrets may be large. The nodes limit the size of bodies to 32 MiB.
    large_client_header_buffers 4 64k;
    client_max_body_size 64m;

    # Clients and nodes keep connections open for 75 s; nginx closes those to the nodes after 60 s.
    keepalive_timeout 75s;
    keepalive_requests 100000;
    access_log off;
`;

/** Named locations keep the method and the body. The last one lets the node respond 503 instead of 425. */
const ELSEWHERE = `
        location @elsewhere {
            set $ors_elsewhere $ors_next;  # before the new request clears the response that it is read from
            proxy_pass http://$ors_elsewhere;
            proxy_next_upstream error;
            proxy_intercept_errors on;
            error_page 425 = @last;
            error_page 502 504 @unreachable;
        }
        location @last {
            set $ors_handed_over "";
            set $ors_elsewhere $ors_next;
            proxy_pass http://$ors_elsewhere;
            proxy_next_upstream error;
        }`;

const UNREACHABLE = `
        # Errors of nginx itself have the form of the standard.
        error_page 502 504 @unreachable;
        location @unreachable {
            default_type application/json;
            return 502 '{"detail":"the node of this request cannot be reached; try again"}';
        }`;

/** Renders a HAProxy configuration that learns the node of a session from responses, or reads it from the id. */
function renderHaproxyConfig(plan: ProxyPlan): string {
  const { nodes } = plan;
  const servers = (check: string) =>
    nodes.map((node) => `    server ${name(node.tag)} ${formatAddress(node)} id ${id(node.tag)} ${check}`).join('\n');
  const serversOfNew = nodes
    .map(
      ({ tag, ...address }) =>
        `    server ${name(tag)}_new ${formatAddress(address)} id ${LARGEST_ID + id(tag)} weight 0 track ors_new/${name(tag)}`,
    )
    .join('\n');
  return `${headerComment(plan)}
# HAProxy 2.6 or newer. It learns the node of a session from the X-Session-ID of the responses to POST /create. Ids of
# nodes with a tag (ORS_NODE_TAG, ors serve --workers) are UUIDs of version 8 that begin with it; they are routed by their
# tag even if HAProxy has not learned them, because it was restarted or is a second one.
#
#   haproxy -c -f haproxy.cfg              checks this file
#   kill -USR2 <pid of haproxy -W>         after a change of the nodes; open calls continue, no session is lost

global
    # A call holds two connections while it runs; ulimit -n limits their number. The header X-Secrets, and a request that
    # is retried, must fit into a buffer.
    tune.bufsize 131072
    localpeer this

defaults
    mode http
    # Calls and setups may take long. Calls send a comment every 10 s; a setup sends nothing until it ends.
    timeout connect 3s
    timeout client 1h
    timeout server 1h
    timeout tunnel 1h
    # For connections that send no request, or only a part of one.
    timeout http-request 60s
    timeout http-keep-alive 75s
    timeout queue 30s
    # Nodes keep idle connections for 75 s.
    http-reuse safe
    option forwardfor
    # A request that could not be sent to a node is sent to another one. It continues the session if the nodes share a
    # journal. Otherwise the session is lost, and it responds 404, which clients understand; they would retry a 503.
    retries 3
    option redispatch 1
    # A request is sent again only if it has arrived as a whole.
    option http-buffer-request
    balance roundrobin
    # Errors of HAProxy itself have the form of the standard.
${[502, 503, 504].map(refusal).join('\n')}
    default-server inter 1s rise 1

# After a reload, the old process passes the table to the new one over this port.
peers reload
    peer this 127.0.0.1:10024

frontend ors
    ${bind(plan)}
    use_backend ors_new if { path /create /create/ /create_session /create_session/ }
    default_backend ors_sessions

# Sessions begin on nodes that are ready. A node that drains or is full responds 503, and nothing has happened yet, so
# another one is tried. An id with a tag begins on its node if possible, which recognizes a repeated /create.
backend ors_new
    option httpchk GET /ready
    http-check expect status 200
    timeout check 10s
    retry-on conn-failure 503
    retries 2
    http-request set-var(txn.path) path
    ${LEARNED}
    ${REPLACED}
    stick match req.hdr(X-Session-ID) table ors_sessions
    stick store-response res.hdr(X-Session-ID) table ors_sessions if { var(txn.path) -m reg ^/create/?$ }
${nodes.map(({ tag }) => useServer(tag)).join('\n')}
    # A node that refuses connections is out before ors_sessions asks this backend whether it is up.
${servers('check fall 1 inter 250ms')}

# Everything else is routed by session: as learned, or else by the tag. A node that is not ready (L7OKC) continues with
# its sessions until none is left. The sessions of a node that refuses connections go to another one, and stay at the one
# that has answered. One that is suspended or busy for a minute does not lose its sessions.
backend ors_sessions
    stick-table type string len 128 size 1m expire 2h peers reload
    option httpchk GET /ready
    http-check expect error-status L7OKC status 200
    timeout check 60s
    balance hdr(X-Session-ID)
    hash-type consistent
    # A node that drains has handed its idle sessions over if it has a journal. For the request of such a session it
    # responds 425 without starting anything, and another node is asked. A request that does not fit into a buffer cannot
    # be sent again: the node brings the session back for it.
    retry-on conn-failure 425
    http-request set-var(txn.size) req.body_size
    acl is_whole req.body_len,sub(txn.size) -m int 0
    acl is_chunked req.hdr(Transfer-Encoding) -m found
    http-request set-header X-Handed-Over 425 if is_whole !is_chunked
    http-request set-header X-Handed-Over continue if !is_whole or is_chunked
    http-response set-status 503 reason "Service Unavailable" if { status 425 }
    ${LEARNED}
    ${REPLACED}
    stick match req.hdr(X-Session-ID)
    http-request set-var(txn.session) req.hdr(X-Session-ID)
    stick store-response var(txn.session) if { status 200 } !{ var(txn.node) -m int 0 } !{ srv_id gt ${LARGEST_ID} }
${nodes.map(({ tag }) => useServer(tag)).join('\n')}
${servers('check fall 3 fastinter 100ms observe layer4 error-limit 1 on-error fastinter')}
    # The backends check at different times. A node that has just come back may have new sessions while it still counts as
    # down here: a request for it goes there if it counts as up in ors_new.
${nodes.map(({ tag }) => useServer(tag, '_new')).join('\n')}
${serversOfNew}
`;
}

const refusal = (status: number): string =>
  `    http-error status ${status} content-type application/json string '{"detail":"the node of this request cannot be reached; try again"}'`;

function bind(plan: ProxyPlan): string {
  const both = plan.listen.host === '[::]' ? ' v4v6' : '';
  return [...listenComment(plan), `bind ${listenAddress(plan)}${both} backlog 4096`].join('\n    ');
}

const name = (tag: string): string => `node_${tag}`;
const id = (tag: string): number => Number.parseInt(tag, 16) + 1;
const LARGEST_ID = id('ffff');

/**
 * One lookup decides. If the rule for tags asked whether an id is known, and `stick match` asked again for its node, an
 * entry that disappears in between (a process that is being replaced empties its table) would leave neither.
 */
const LEARNED = 'http-request set-var(txn.node) req.hdr(X-Session-ID),table_server_id(ors_sessions)';

/** The connection of a call that runs across a reload stays with the old process. */
const REPLACED = `# A process that a reload has replaced does not know newer sessions and nodes: the client connects to the new one.
    http-request reject if { stopping } { var(txn.node) -m int 0 } { req.hdr(X-Session-ID) -m found }`;

const useServer = (tag: string, suffix = ''): string =>
  `    use-server ${name(tag)}${suffix} if { var(txn.node) -m int ${id(tag)} } or { var(txn.node) -m int 0 } { req.hdr(X-Session-ID) -m reg ^${tag}[0-9a-f]{4}-[0-9a-f]{4}-8 }`;
