const [meta] = document.getElementsByName('ors-offers');
const offers = (meta?.getAttribute('content') ?? '').split(' ');

/** What the server of this page has to look at; its pages tell. */
export const SERVER_FEATURES = { traces: offers.includes('traces'), environments: offers.includes('environments') };
