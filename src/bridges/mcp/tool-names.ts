/** Names that an environment may give its tools, one for each of these; those that it may not are changed. */
export function toolNames(names: readonly string[]): string[] {
  const taken = new Set(names.filter((name) => allowed(name) === name));
  return names.map((name) => {
    const own = allowed(name);
    if (own === name) return name;
    let free = own;
    for (let number = 2; taken.has(free); number++) free = `${own.slice(0, 120)}_${number}`;
    taken.add(free);
    return free;
  });
}

function allowed(name: string): string {
  const clean = name.replaceAll(/[^A-Za-z0-9_.-]/g, '_');
  return (/^[A-Za-z0-9_]/.test(clean) ? clean : `_${clean}`).slice(0, 128);
}
