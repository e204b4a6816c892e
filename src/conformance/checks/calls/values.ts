/** What docs/conformance-fixture.md says of the tool `image`. */
export const ONE_PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII=';

export const IMAGE_METADATA = {
  unicode: 'snow \u2603 and \u{1F600}',
  deep: { list: [1, 2.5, null, true, { empty: [] }] },
};
