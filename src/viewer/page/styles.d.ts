/** Style sheets, which the bundler collects. */
declare module '*.css';

/** Renders TeX as MathML; the package has types that its `exports` hide. */
declare module 'temml' {
  const temml: {
    readonly render: (
      tex: string,
      element: HTMLElement,
      options: {
        readonly displayMode: boolean;
        readonly throwOnError: boolean;
        readonly trust: boolean;
        readonly maxExpand: number;
      },
    ) => void;
  };
  // biome-ignore lint/style/noDefaultExport: the package has no other export
  export default temml;
}
