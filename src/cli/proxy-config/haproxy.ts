import { formatAddress } from './nodes.ts';
import { headerComment, listenAddress, listenComment, type ProxyPlan } from './plan.ts';

/** HAProxy that learns from the answers who has a session, and reads it out of the id where it has not. */
export function renderHaproxyConfig(plan: ProxyPlan): string {
  const { nodes } = plan;
  const servers = (check: (name: string) => string) =>
    nodes.map(
      (node) => `    server ${name(node.tag)} ${formatAddress(node)} id ${id(node.tag)} ${check(name(node.tag))}`,
    );
  return `${headerComment(plan)}
# HAProxy 2.6 or newer. It learns from the X-Session-ID of the answers to POST /create which node has the session. Ids of
# nodes with a tag (ORS_NODE_TAG, ors serve --workers) are UUIDs of version 8 that begin with it; they find their node
# also through a HAProxy that has learned nothing, because it was restarted or is a second one.
#
#   haproxy -c -f haproxy.cfg              checks this file
#   kill -USR2 <pid of haproxy -W>         after a change of the nodes; open calls go on, no session is lost

global
    # A call holds two connections for as long as it runs; how many there may be follows from ulimit -n.
    # Secrets may travel in the header X-Secrets, which must fit into a buffer; so must a request that is tried again.
    tune.bufsize 131072
    localpeer this

defaults
    mode http
    # Calls and setups may take long. Calls send a comment every 10 s; whoever waits for a setup hears nothing until it ends.
    timeout connect 3s
    timeout client 1h
    timeout server 1h
    timeout tunnel 1h
    # These end what sends no request, or only half of one.
    timeout http-request 60s
    timeout http-keep-alive 75s
    timeout queue 30s
    # Nodes keep idle connections for 75 s.
    http-reuse safe
    option forwardfor
    # What could not be sent to a node is sent to another one at once. If nothing listens at the owner of a session, the
    # session is lost, and any other node says so with 404, which clients understand; a 503 they would try again.
    retries 3
    option redispatch 1
    balance roundrobin
    # Where HAProxy itself has to refuse, it says so in the form of the standard.
${[502, 503, 504].map(refusal).join('\n')}
    # /ready is 503 while a node drains. One second later no new session goes there; known ones still do, see below.
    option httpchk GET /ready
    http-check expect status 200
    # A node that has died refuses the question. One that has much to do is not gone: it has its time to answer.
    timeout check 10s
    default-server inter 1s fall 1 rise 1

# After a reload the process before teaches the new one what it has learned, over a port of its own.
peers reload
    peer this 127.0.0.1:10024

frontend ors
    ${bind(plan)}
    use_backend ors_new if { path /create /create/ /create_session /create_session/ }
    default_backend ors_sessions

# Where sessions begin: at nodes that are ready. A node that drains or is full answers 503, and nothing has happened yet,
# so another one is asked. An id with a tag begins where it was issued if it can: there a repeated /create is known.
backend ors_new
    retry-on conn-failure 503
    retries 2
    http-request set-var(txn.path) path
    stick match req.hdr(X-Session-ID) table ors_sessions
    stick store-response res.hdr(X-Session-ID) table ors_sessions if { var(txn.path) -m reg ^/create/?$ }
${nodes.map(({ tag }) => useServer(tag)).join('\n')}
${servers((name) => `track ors_sessions/${name}`).join('\n')}

# Everything else, by session: where it was learned, or else where its tag leads. Persist: also to a node that is not
# ready, for it serves the sessions that it has until none is left.
backend ors_sessions
    stick-table type string len 128 size 1m expire 2h peers reload
    option persist
    stick match req.hdr(X-Session-ID)
${nodes.map(({ tag }) => useServer(tag)).join('\n')}
${servers(() => 'check').join('\n')}
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

const useServer = (tag: string): string =>
  `    use-server ${name(tag)} if { req.hdr(X-Session-ID) -m reg ^${tag}[0-9a-f]{4}-[0-9a-f]{4}-8 } !{ req.hdr(X-Session-ID),in_table(ors_sessions) }`;
