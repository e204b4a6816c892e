/** Returns environment variables for a Node process in which some modules are missing, including built-in ones. */
export function withoutModules(...names: readonly string[]): { readonly NODE_OPTIONS: string } {
  const preload = `
    import Module from 'node:module';
    const isMissing = (name) => ${JSON.stringify(names)}.includes(name);
    const { _load: load } = Module;
    const { getBuiltinModule } = process;
    Module._load = function (name, ...rest) {
      if (!isMissing(name)) return load.call(this, name, ...rest);
      throw Object.assign(new Error("Cannot find module '" + name + "'"), { code: 'MODULE_NOT_FOUND' });
    };
    process.getBuiltinModule = (name) => (isMissing(name) ? undefined : getBuiltinModule.call(process, name));
  `;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` };
}
