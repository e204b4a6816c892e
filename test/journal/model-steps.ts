import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from '../support/fast-check.ts';
import { withDeadline } from '../support/until.ts';
import type { Action, ModelCluster } from './model-cluster.ts';
import { MODEL_TOOLS, type ModelTool } from './model-environments.ts';
import type { Fault } from './model-nodes.ts';

const node = fc.nat(2);
const session = fc.nat(3);
const call = fc.nat(7);
const tool = fc.constantFrom(...(Object.keys(MODEL_TOOLS) as ModelTool[]));

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('create' as const),
      node,
      environment: fc.constantFrom('replayed' as const, 'saved' as const),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ type: fc.constant('call' as const), node, session, tool, hasTaskId: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('repeat' as const), node, session, call }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('fork' as const),
      node,
      session,
      at: fc.option(call, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('delete' as const), node, session }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('ping' as const), node, session }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('evict' as const), node }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('kill' as const), node, isNoticed: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('start' as const), node }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('close' as const), node }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('lapse' as const, 'renew' as const), node }) },
);

const fault: fc.Arbitrary<Fault & { readonly node: number }> = fc.record({
  node,
  operation: fc.nat(12),
  kind: fc.constantFrom('before' as const, 'after' as const, 'refused' as const, 'unconfirmed' as const),
});

interface Step {
  /** Run at the same time, each after some turns of the event loop. */
  readonly actions: readonly { readonly after: number; readonly action: Action }[];
  readonly fault: (Fault & { readonly node: number }) | undefined;
  readonly delays: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  actions: fc.array(fc.record({ after: fc.nat(12), action }), { minLength: 1, maxLength: 4 }),
  fault: fc.option(fault, { nil: undefined, freq: 2 }),
  delays: fc.nat(1_000),
});

class StepCommand implements fc.AsyncCommand<object, ModelCluster> {
  readonly #step: Step;

  constructor(each: Step) {
    this.#step = each;
  }

  check(): boolean {
    return true;
  }

  async run(_model: object, cluster: ModelCluster): Promise<void> {
    const { actions, fault: planned, delays } = this.#step;
    await cluster.beginStep(
      actions.map(({ action: each }) => each),
      planned,
      delays,
    );
    const running = actions.map(async ({ after, action: each }) => {
      for (let turns = after; turns > 0; turns--) await nextTurn();
      await cluster.run(each);
    });
    await withDeadline(Promise.all(running), `the end of ${this}`);
  }

  toString(): string {
    return JSON.stringify(this.#step);
  }
}

/** Generates modes of journals. */
export const modes = fc.constantFrom('sync' as const, 'async' as const);

/** Generates what clients, servers and database do. */
export const steps = fc.commands([step.map((each) => new StepCommand(each))], { maxCommands: 8 });
