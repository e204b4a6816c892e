import { type TracePage, type Visit, visit } from './browser-visit.ts';
import type { Engine } from './engine.ts';
import { traceId } from './otlp.ts';
import { installedStores, type OtlpStore, type StartedOtlpStore, startOtlpStore, titleOf } from './otlp-stores.ts';
import { waitUntilReadable } from './peer.ts';
import { type SampleBlock, sampleBlocks, TEXT } from './sample-blocks.ts';
import type { RoundContext, StoreRow } from './store-measure.ts';
import { createTraces, serve } from './trace-server.ts';

const VISITS = 3;
const BATCH = 100;
const TRACE = 'page';
/** Beginning of the text of the first block. MLflow shows 400 characters of it. */
const EXPECTED = TEXT.slice(0, 200);

/** Compares the page of a long trace in Chromium with those of other trace stores. */
export async function page(engine: Engine, { blocks, progress }: RoundContext): Promise<StoreRow[]> {
  const content = sampleBlocks('page', blocks);
  await using database = await engine.create();
  await using server = await serve(database);
  await createTraces(server, 1);
  await forBatches(content, (batch) => server.post('traces/tr_0/blocks', { blocks: batch }));
  const ours: TracePage = {
    url: `${server.url}/ui/?view=trace&trace=tr_0`,
    text: '.tr-row .tr-inner',
    listed: `Number(document.querySelector('.tr-outline-head small').textContent.replaceAll(/\\D/g, ''))`,
  };
  const visits: [title: string, visits: Visit[]][] = [['store', await visitOften(ours, progress)]];
  for (const store of installedStores) {
    progress(titleOf(store));
    await using started = await startOtlpStore(store);
    await fill(started, content);
    visits.push([titleOf(store), await visitOften(await pages[store.name](started.url), progress)]);
  }
  return Array.from({ length: VISITS }, (_, index) =>
    rowsOf(blocks, new Map(visits.map(([title, list]) => [title, list[index] as Visit]))),
  ).flat();
}

/** Pages of a trace in other stores. */
const pages: Readonly<Record<OtlpStore['name'], (url: string) => Promise<TracePage>>> = {
  async Phoenix(url) {
    const response = await fetch(`${url}/v1/projects`);
    const { data } = (await response.json()) as { data: { id: string }[] };
    return {
      url: `${url}/projects/${data[0]?.id}/traces/${traceId(TRACE)}`,
      text: '[data-testid=dialog] .cm-content',
      listed: `document.querySelectorAll('[data-testid=trace-tree] .span-node-wrap').length`,
    };
  },
  MLflow: async (url) => ({
    url: `${url}/#/experiments/0/traces?selectedEvaluationId=tr-${traceId(TRACE)}`,
    text: '[data-testid=model-trace-explorer-default-span-view]',
    listed: `document.querySelectorAll('[data-testid^=timeline-tree-node-]').length`,
  }),
};

/** Visits a page several times. */
async function visitOften(tracePage: TracePage, progress: RoundContext['progress']): Promise<Visit[]> {
  const visits: Visit[] = [];
  for (let count = 1; count <= VISITS; count++) {
    progress(`visit ${count} of ${tracePage.url}`);
    visits.push(await visit(tracePage, EXPECTED));
  }
  return visits;
}

/** Writes blocks as spans of one trace: the first block is the root, and the parent of all that have no other one. */
async function fill(store: StartedOtlpStore, blocks: readonly SampleBlock[]): Promise<void> {
  const start = Date.now() - blocks.length;
  const root = blocks[0]?.id ?? '';
  const spans = blocks.map((block, index) => {
    if (index === 0) return { block, time: [start, start + blocks.length] as const };
    const time = [start + index, start + index + 1] as const;
    return { block, parentBlock: ('parent_block_id' in block && block.parent_block_id) || root, time };
  });
  await forBatches(spans, (batch) => store.writeSpans(TRACE, batch));
  const readable = await waitUntilReadable(store, new Set(blocks.map(({ id }) => id)));
  if (readable < blocks.length) throw new Error(`only ${readable} of ${blocks.length} spans became readable`);
}

async function forBatches<Item>(items: readonly Item[], write: (batch: readonly Item[]) => unknown): Promise<void> {
  for (let from = 0; from < items.length; from += BATCH) await write(items.slice(from, from + BATCH));
}

/** @param visits one visit to each store, by title. */
function rowsOf(blocks: number, visits: ReadonlyMap<string, Visit>): StoreRow[] {
  const row = (name: string, better: StoreRow['better'], figureOf: (visit: Visit) => number): StoreRow => ({
    name: `page of ${blocks.toLocaleString('en')} blocks, ${name}`,
    better,
    figures: Object.fromEntries([...visits].map(([title, each]) => [title, figureOf(each)])),
  });
  return [
    { ...row('ms to the text of the first', 'less', ({ text }) => text), atMost: 1 },
    row('ms until it is complete', 'less', ({ complete }) => complete),
    row('blocks that it lists then', 'more', ({ listed }) => listed),
    row('CPU s of the browser', 'less', ({ cpu }) => cpu),
    row('JavaScript heap MB', 'less', ({ heap }) => heap / 1e6),
    row('MB received', 'less', ({ bytes }) => bytes / 1e6),
  ];
}
