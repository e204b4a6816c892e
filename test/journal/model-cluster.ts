import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqlDriver } from '../../src/trace/store/index.ts';
import { changesState, isIdempotent, type ModelTool } from './model-environments.ts';
import { type CallReply, EVICT_MS, type Fault, ModelNode, parseCall, type Reply, Surroundings } from './model-nodes.ts';

/** A step. Numbers select one of those that exist. */
export type Action =
  | { readonly type: 'create'; readonly node: number; readonly environment: 'replayed' | 'saved' }
  | {
      readonly type: 'call';
      readonly node: number;
      readonly session: number;
      readonly tool: ModelTool;
      readonly hasTaskId: boolean;
    }
  | { readonly type: 'repeat'; readonly node: number; readonly session: number; readonly call: number }
  | { readonly type: 'fork'; readonly node: number; readonly session: number; readonly at: number | undefined }
  | { readonly type: 'delete' | 'ping'; readonly node: number; readonly session: number }
  | { readonly type: 'kill'; readonly node: number; readonly isNoticed: boolean }
  | { readonly type: 'evict' | 'start' | 'close' | 'lapse' | 'renew'; readonly node: number };

/** A call as its client knows it. */
interface ModelCall {
  readonly tag: string;
  readonly tool: ModelTool;
  taskId: string | undefined;
  /** True if a server cut its stream, so that another one continues it. */
  wasCut: boolean;
  /** True if it was sent while the journal could lose it. */
  mayBeLost: boolean;
  /** Changes that were acknowledged before the call was sent. */
  readonly before: readonly string[];
  /** Position among the events of the session. */
  readonly sentAt: number;
  acknowledgedAt: number | undefined;
  reply: CallReply | undefined;
}

/** A session as its clients know it. */
interface ModelSession {
  readonly sid: string;
  readonly environment: 'replayed' | 'saved';
  /** False before a response has shown that it exists. */
  isCreated: boolean;
  isDeleted: boolean;
  /** True from the first request to delete it. */
  mayBeDeleted: boolean;
  calls: ModelCall[];
  events: number;
  /** The longest list of changes that a client has seen: every other one begins it, or begins with it. */
  longest: readonly string[];
  /** Changes that are acknowledged. */
  readonly changes: Set<string>;
  /** Changes that no list may have. */
  readonly forbidden: Set<string>;
  /** True from the first call of `finish`. */
  mayBeFinished: boolean;
}

const NODES = 3;

/** Servers that share a journal, and the knowledge of their clients, which each response is compared with. */
export class ModelCluster {
  readonly #database: SqlDriver;
  readonly #mode: 'sync' | 'async';
  readonly #surroundings = new Surroundings();
  readonly #nodes: ModelNode[] = [];
  readonly #ended: ModelNode[] = [];
  readonly #sessions: ModelSession[] = [];
  /** Runs of tools that must not run again, by session and tag. */
  readonly #ran = new Set<string>();
  readonly #violations: string[] = [];
  /** Tags of calls that were sent while the journal could lose them. */
  readonly #losable = new Set<string>();
  /** True in a step that can lose what an asynchronous journal has not written: clients learn nothing from its results. */
  #isLossy = false;
  #tags = 0;

  private constructor(database: SqlDriver, mode: 'sync' | 'async') {
    this.#database = database;
    this.#mode = mode;
  }

  static async start(database: SqlDriver, mode: 'sync' | 'async'): Promise<ModelCluster> {
    const cluster = new ModelCluster(database, mode);
    for (let index = 0; index < NODES; index++) cluster.#nodes.push(await cluster.#startNode());
    return cluster;
  }

  #startNode(): Promise<ModelNode> {
    return ModelNode.start(this.#database, this.#surroundings, {
      mode: this.#mode,
      ran: ({ sid, tag, isIdempotent: mayRunAgain }) => {
        const run = `${sid} ${tag}`;
        if (this.#ran.has(run) && !mayRunAgain && !this.#losable.has(tag))
          this.#violations.push(`${tag} ran twice in ${sid}`);
        this.#ran.add(run);
      },
    });
  }

  async beginStep(
    actions: readonly Action[],
    fault: (Fault & { readonly node: number }) | undefined,
    delays: number,
  ): Promise<void> {
    this.#assertNoViolation();
    await this.#written();
    this.#surroundings.seed = delays;
    if (this.#nodes.every((node) => node.isKilled)) await this.#restart(0);
    const mayLack = this.#nodes.some((node) => !node.isKilled && node.mayLack);
    const endsNodes = actions.some(({ type }) => type === 'kill' || type === 'lapse');
    this.#isLossy = this.#mode === 'async' && (mayLack || endsNodes || fault !== undefined);
    for (const [index, node] of this.#nodes.entries()) node.plan(index === fault?.node ? fault : undefined);
  }

  async run(action: Action): Promise<void> {
    if (action.type === 'create') return this.#create(action.node, action.environment);
    if ('session' in action) {
      const session = this.#sessions[action.session % this.#sessions.length];
      if (!session) return;
      if (action.type === 'call') return this.#call(action.node, session, action.tool, action.hasTaskId);
      if (action.type === 'fork') return this.#fork(action.node, session, action.at);
      if (action.type === 'delete') return this.#delete(action.node, session);
      if (action.type === 'ping') return void (await this.#send(action.node, session, '/ping'));
      if (action.type !== 'repeat') return;
      const call = session.calls[action.call % session.calls.length];
      if (call?.taskId !== undefined) await this.#sendCall(action.node, session, call);
      return;
    }
    const { type } = action;
    const node = this.#nodes[action.node] as ModelNode;
    if (type === 'start' && node.isKilled) await this.#restart(action.node);
    if (node.isKilled) return;
    if (type === 'evict') {
      this.#surroundings.now += EVICT_MS;
      node.sweep();
    }
    if (type === 'close') await node.close();
    if (type === 'kill') {
      node.kill();
      if (action.isNoticed) await this.#setLease(node, 0);
    }
    if (type === 'lapse') {
      await this.#database.write(1, async (transaction) => {
        await transaction.query('UPDATE journal_servers SET until_ms = 0 WHERE name = ?', [node.name]);
        node.passLease();
      });
    }
    if (type === 'renew') await this.#setLease(node, 1);
  }

  /** Kills all nodes, and compares what a new one knows with what the clients know. */
  async verify(): Promise<void> {
    this.#surroundings.seed = 0;
    await this.#written();
    this.#isLossy = false;
    for (const node of this.#nodes) node.kill();
    await this.#restart(0);
    for (const session of [...this.#sessions]) {
      for (const call of session.calls) {
        if (call.reply && call.taskId !== undefined) await this.#sendCall(0, session, call, 'required');
      }
      await this.#call(0, session, 'look', true, 'required');
      await this.#call(0, session, 'add', true, 'required');
      if (session.isCreated && !session.mayBeDeleted) await this.#delete(0, session);
      await this.#send(0, session, '/ping');
    }
    this.#assertNoViolation();
    const orphans = await this.#query(
      'SELECT id FROM journal_snapshots WHERE id NOT IN (SELECT snapshot FROM journal_calls WHERE snapshot IS NOT NULL)',
    );
    if (orphans.length > 0) throw new Error(`${orphans.length} snapshots belong to no call`);
    for (const { sid, isDeleted } of this.#sessions) {
      const rows = await this.#query('SELECT sid FROM journal_episodes WHERE sid = ?', [sid]);
      if (isDeleted && rows.length > 0) throw new Error(`${sid} was deleted, and is in the journal`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#nodes, ...this.#ended].map((node) => node.release()));
    for (const table of ['episodes', 'servers', 'snapshots']) await this.#query(`DELETE FROM journal_${table}`);
  }

  #query(sql: string, params: readonly string[] = []): Promise<readonly object[]> {
    return this.#database.write(1, (transaction) => transaction.query(sql, params));
  }

  #setLease({ name }: ModelNode, untilMs: 0 | 1): Promise<unknown> {
    return this.#query(`UPDATE journal_servers SET until_ms = ${untilMs} WHERE name = ?`, [name]);
  }

  async #restart(index: number): Promise<void> {
    const before = this.#nodes[index] as ModelNode;
    for (const node of this.#nodes) if (node.isKilled) await this.#setLease(node, 0);
    const started = await this.#startNode();
    if (this.#nodes[index] !== before) return void this.#ended.push(started);
    this.#ended.push(before);
    this.#nodes[index] = started;
  }

  /** Waits until the nodes have written what their clients know. */
  async #written(): Promise<void> {
    do await nextTurn();
    while (this.#nodes.some((node) => node.isWriting));
  }

  #assertNoViolation(): void {
    if (this.#violations.length > 0) throw new Error(this.#violations.join('\n'));
  }

  #check(isRight: boolean, violation: () => string): void {
    if (!isRight) this.#violations.push(violation());
  }

  /** Sends a request to a node, or to another one if that has ended. Checks its status. */
  async #send(index: number, session: ModelSession, path: string, body?: object): Promise<Reply | undefined> {
    const { isCreated, isDeleted } = session;
    const [node] = [0, 1, 2].map((step) => this.#nodes[(index + step) % NODES]).filter((each) => !each?.isKilled);
    const reply = await node?.send(path, session.sid, body);
    if (!reply) return undefined;
    const { status, text } = reply;
    const show = () => `${path} ${JSON.stringify(body ?? {})} of ${session.sid}: ${status} ${text}`;
    if (status === 404 || status === 410) {
      this.#check(!isCreated || session.mayBeDeleted, () => `lost: ${show()}`);
    } else if (status === 200) {
      this.#check(
        !isDeleted || body !== undefined || path === '/delete',
        () => `lives after it was deleted: ${show()}`,
      );
      session.isCreated = true;
    } else {
      this.#check(status === 503, show);
    }
    return reply;
  }

  async #create(node: number, environment: ModelSession['environment']): Promise<void> {
    const session = newSession(`s${this.#sessions.length}`, environment);
    this.#sessions.push(session);
    await this.#send(node, session, '/create', { env_name: environment, split: 'train', index: 0 });
  }

  async #call(
    node: number,
    session: ModelSession,
    tool: ModelTool,
    hasTaskId: boolean,
    success?: 'required',
  ): Promise<void> {
    const tag = `${tool}${++this.#tags}`;
    const call: ModelCall = {
      tag,
      tool,
      taskId: hasTaskId ? `client-${tag}` : undefined,
      wasCut: false,
      mayBeLost: false,
      before: [...session.changes],
      sentAt: session.events++,
      acknowledgedAt: undefined,
      reply: undefined,
    };
    session.calls.push(call);
    session.mayBeFinished ||= tool === 'finish';
    await this.#sendCall(node, session, call, success);
  }

  async #sendCall(node: number, session: ModelSession, call: ModelCall, success?: 'required'): Promise<void> {
    const { environment, sid, isDeleted } = session;
    if (this.#isLossy) {
      call.mayBeLost = true;
      this.#losable.add(call.tag);
    }
    const { tag, tool, taskId, reply: first } = call;
    const body = { name: tool, input: { tag }, ...(taskId !== undefined && { task_id: taskId }) };
    const response = await this.#send(node, session, `/${environment}/call`, body);
    const received = response?.status === 200 ? parseCall(response.text) : undefined;
    const reply = received?.event === undefined ? undefined : received;
    const show = () => `${tag} of ${sid}: ${JSON.stringify(response)}`;
    const isGone = response?.status === 404 || response?.status === 410;
    if (success) this.#check(isGone || (reply !== undefined && !isTransient(reply)), () => `no outcome: ${show()}`);
    if (received && !reply) {
      call.taskId ??= received.taskId;
      call.wasCut = true;
    }
    if (!reply) return;
    call.taskId ??= reply.taskId;
    this.#check(!isDeleted || isTransient(reply), () => `lives after it was deleted: ${show()}`);
    const isUnknown = reply.text === 'unknown task_id';
    const isLost = first === undefined && (call.mayBeLost || !call.wasCut);
    if (isUnknown) this.#check(isLost, () => `forgotten: ${show()}`);
    if (isUnknown || isTransient(reply) || (session.mayBeDeleted && reply.text === 'session deleted')) return;
    const known = call.reply;
    if (known) return this.#check(known.event === reply.event && known.text === reply.text, () => `changed: ${show()}`);
    if (!this.#isLossy) {
      call.reply = reply;
      call.acknowledgedAt = session.events++;
    }
    this.#acknowledge(session, call, reply);
  }

  #acknowledge(session: ModelSession, call: ModelCall, { event, text }: CallReply): void {
    const { tag, tool, before } = call;
    const show = () => `${tag} of ${session.sid}: ${text}`;
    const result = event === 'end' ? JSON.parse(text) : undefined;
    if (result?.reason === 'interrupted') {
      this.#check(!isIdempotent(tool), () => `was not repeated: ${show()}`);
      if (session.environment === 'replayed' && !this.#isLossy) session.forbidden.add(tag);
      return;
    }
    if (result?.reason === 'episode_finished') {
      this.#check(session.mayBeFinished, () => `finished: ${show()}`);
      return;
    }
    const shown = event === 'end' ? result.output?.blocks?.[0]?.text : /broken (\[.*?\])/.exec(text)?.[1];
    if (shown === undefined) {
      this.#violations.push(show());
      return;
    }
    const tags: string[] = JSON.parse(shown);
    this.#check(!before.some((each) => each.startsWith('finish')), () => `ran after the end: ${show()}`);
    this.#compare(session, tags, before, show);
    if (!changesState(tool)) return;
    this.#check(tags.includes(tag), () => `is not in the state: ${show()}`);
    if (event === 'end') this.#check(result.output.reward === 1, () => `is not paid: ${show()}`);
    if (!this.#isLossy) session.changes.add(tag);
  }

  /** Compares the changes of an episode with those that are known. */
  #compare(session: ModelSession, tags: readonly string[], required: readonly string[], show: () => string): void {
    const { longest, forbidden } = session;
    this.#check(new Set(tags).size === tags.length, () => `counted twice: ${show()}`);
    const missing = required.filter((tag) => !tags.includes(tag));
    this.#check(missing.length === 0, () => `lacks ${missing}: ${show()}`);
    const wrong = tags.filter((tag) => forbidden.has(tag));
    this.#check(wrong.length === 0, () => `must not have ${wrong}: ${show()}`);
    const length = Math.min(tags.length, longest.length);
    const isSame = tags.slice(0, length).join() === longest.slice(0, length).join();
    this.#check(isSame, () => `another order than ${longest}: ${show()}`);
    if (tags.length > longest.length && !this.#isLossy) session.longest = tags;
  }

  async #fork(node: number, parent: ModelSession, atIndex: number | undefined): Promise<void> {
    const acknowledged = parent.calls.filter(({ reply, taskId }) => reply !== undefined && taskId !== undefined);
    const at = atIndex === undefined ? undefined : acknowledged[atIndex % acknowledged.length];
    if (atIndex !== undefined && !at) return;
    const changes = at ? [...at.before, ...(parent.changes.has(at.tag) ? [at.tag] : [])] : [...parent.changes];
    const isEarlier = ({ acknowledgedAt }: ModelCall) => !at || (acknowledgedAt ?? Infinity) < at.sentAt;
    const inherited = acknowledged.filter((call) => call === at || isEarlier(call));
    const later = at ? parent.calls.filter(({ sentAt }) => sentAt > (at.acknowledgedAt ?? 0)) : [];
    const { longest } = parent;
    const reply = await this.#send(node, parent, '/fork', at ? { at: at.taskId } : {});
    if (reply?.status !== 200) return;
    const child = newSession(JSON.parse(reply.text).sid, parent.environment);
    this.#sessions.push(child);
    child.isCreated = true;
    child.calls = inherited.map((call) => ({ ...call, wasCut: false, before: [], sentAt: 0, acknowledgedAt: 0 }));
    child.events = 1;
    child.longest = at ? [] : longest;
    for (const tag of changes) child.changes.add(tag);
    for (const tag of [...parent.forbidden, ...later.map((call) => call.tag)]) child.forbidden.add(tag);
    child.mayBeFinished = parent.mayBeFinished;
    await this.#call(node, child, 'look', true);
  }

  async #delete(node: number, session: ModelSession): Promise<void> {
    session.mayBeDeleted = true;
    const reply = await this.#send(node, session, '/delete');
    if (reply?.status === 200) session.isDeleted = true;
  }
}

const newSession = (sid: string, environment: ModelSession['environment']): ModelSession => ({
  sid,
  environment,
  isCreated: false,
  isDeleted: false,
  mayBeDeleted: false,
  calls: [],
  events: 0,
  longest: [],
  changes: new Set(),
  forbidden: new Set(),
  mayBeFinished: false,
});

/** Reports whether a client has to repeat the call: its server has neither run it to its end, nor refused it. */
const isTransient = ({ event, text }: CallReply): boolean =>
  event === 'error' && /^(session (moved|evicted|is over)|its journal failed)/.test(text);
