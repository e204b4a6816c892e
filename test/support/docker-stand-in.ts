import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Ends the arguments of each call in the record of calls. */
const END_OF_CALL = '\x1e';

/**
 * Program `docker` that precedes the real one in PATH. It records its arguments and imitates Docker without containers:
 * `exec` runs a command on this machine, in a folder instead of /work, and `restart` ends it. A program of Node would take
 * ten times as long to start.
 */
const script = (folder: string) => `#!/bin/bash
PATH=/usr/bin:/bin
folder='${folder}'
printf '%s\\0' "$@" '${END_OF_CALL}' >> "$folder/calls"
fail() { printf '%s\\n' "$1" >&2; exit "\${2:-1}"; }
known() { [ -e "$folder/containers/$1" ] || fail "Error response from daemon: No such container: $1"; }
[ -e "$folder/failure" ] && [ "$1" != rm ] && fail "$(cat "$folder/failure")" 125
if [ -e "$folder/refused" ]; then
  for word; do [ "$word" = "$(head -n 1 "$folder/refused")" ] && fail "$(tail -n +2 "$folder/refused")" 125; done
fi
last=\${!#}
case $1 in
  run)
    while [ "$1" != --name ]; do shift; done
    touch "$folder/containers/$2"
    echo 0123456789abcdef ;;
  exec)
    shift
    variables=()
    while [[ $1 == --* ]]; do
      [ "$1" = --env ] && variables+=("$2")
      [ "$1" = --interactive ] || shift
      shift
    done
    known "$1"
    shift
    setsid env -i PATH=/usr/bin:/bin "\${variables[@]}" "\${@//\\/work/$folder/work}" <&0 &
    echo $! > "$folder/running"
    wait $! ;;
  restart)
    known "$last"
    # The command may have ended.
    kill -9 -- "-$(cat "$folder/running")" 2>&- || true ;;
  rm) rm -f "$folder/containers/$last" ;;
  inspect) known "$last"; echo true ;;
  ps) cat "$folder/list" 2>&- || true ;;
  *) fail "docker: '$1' is not a docker command." ;;
esac
`;

export async function dockerStandIn() {
  const folder = await mkdtemp(join(tmpdir(), 'docker-'));
  const [bin, before] = [join(folder, 'bin'), process.env.PATH];
  await Promise.all([mkdir(bin), mkdir(join(folder, 'containers'))]);
  await writeFile(join(bin, 'docker'), script(folder), { mode: 0o755 });
  process.env.PATH = `${bin}${delimiter}${before}`;

  return {
    /** Returns the arguments of all calls of a subcommand so far. */
    calls: async (task: string): Promise<string[][]> => {
      const file = join(folder, 'calls');
      const calls = existsSync(file) ? (await readFile(file, 'utf8')).split(`${END_OF_CALL}\0`).slice(0, -1) : [];
      return calls.map((call) => call.split('\0').slice(0, -1)).filter(([first]) => first === task);
    },
    /** Sets the names and labels that `docker ps` lists. */
    list: (rows: readonly (readonly [string, string])[]) =>
      writeFile(join(folder, 'list'), rows.map((row) => row.join('\t')).join('\n')),
    loseContainers: async () => {
      await rm(join(folder, 'containers'), { recursive: true });
      await mkdir(join(folder, 'containers'));
    },
    failWith: (text: string) => writeFile(join(folder, 'failure'), text),
    /** Fails all calls that have the flag. */
    refuse: (flag: string, text: string) => writeFile(join(folder, 'refused'), `${flag}\n${text}`),
    takeAway: async () => {
      process.env.PATH = join(folder, 'containers');
    },
    [Symbol.asyncDispose]: async () => {
      process.env.PATH = before;
      await rm(folder, { recursive: true });
    },
  };
}
