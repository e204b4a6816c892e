# Replaces commands of the documents for their test. See world.ts for the variables.
set -eum -o pipefail

# Runs a server until it has printed its URL; then sends SIGINT.
briefly() {
  local said
  said=$(mktemp)
  "$@" < /dev/null > "$said" 2>&1 &
  until grep -q 'http://' "$said"; do
    jobs %% > /dev/null 2>&1 && kill -0 $! 2> /dev/null || { cat "$said" >&2; wait $!; return 1; }
    sleep 0.05
  done
  url=$(grep -o 'http://[0-9.:]*' "$said" | head -n 1) eval "$MEANWHILE"
  kill -INT $!
  wait $! || { cat "$said" >&2; return 1; }
  cat "$said"
}

ors() {
  case "$1 ${2-}" in
    'serve '* | 'traces serve') briefly "$NODE" "$MAIN" "$@" ;;
    'replay '*) briefly "$NODE" "$MAIN" "$@" --port 0 ;;
    'top '*) case " $* " in *' --once '*) "$NODE" "$MAIN" "$@" ;; *) briefly "$NODE" "$MAIN" "$@" ;; esac ;;
    # Two tasks are enough, and one for a rule to be tested.
    'rollout http'*) case " $* " in *' --limit '*) ;; *) set -- "$@" --limit 2 ;; esac; "$NODE" "$MAIN" "$@" ;;
    'validate '*) case " $* " in *' --tasks '*) set -- "${@/#50/1}" ;; *) set -- "$@" --tasks 1 ;; esac; "$NODE" "$MAIN" "$@" ;;
    *) "$NODE" "$MAIN" "$@" ;;
  esac
}

npx() {
  case "$1" in
    ors | ors-kit) shift; ors "$@" ;;
    tsx) "$NODE" --import tsx "${@:2}" ;;
    *) command npx --no-install "$@" ;;
  esac
}

npm() {
  case "$1 ${2-}" in
    'run -s') ors "${@:5}" ;;
    # Replaces packages of the registry by the checkout.
    'install '*)
      [ ! -e package.json ] || { mkdir -p node_modules/.bin; ln -sfn "$ROOT" node_modules/ors-kit
        sed -i "s|127.0.0.1:8080|127.0.0.1:$START_PORT|g" package.json
        printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$NODE" "$MAIN" > node_modules/.bin/ors; chmod +x node_modules/.bin/ors; }
      ;;
    'pack '*) touch ors-kit-0.1.0.tgz ;;
    'pkg '*) ;;
    # Runs until the end of the document.
    'start ')
      PORT="$START_PORT" timeout 600 npm start > "$WORLD/start.log" 2>&1 < /dev/null &
      echo $! >> "$WORLD/running"
      until grep -q 'http://' "$WORLD/start.log"; do kill -0 $! || { cat "$WORLD/start.log" >&2; return 1; }; sleep 0.05; done
      ;;
    *) command npm "$@" ;;
  esac
}

newest_run() { ls -t runs | head -n 1; }
first_trace() { "$NODE" "$MAIN" traces ls --db "$1" --json | grep -o 'tr_[0-9a-z]*' | head -n 1; }

# A stream never ends.
curl() {
  case " $* " in
    *' -N '*) command curl --fail --max-time 1 "$@" || [ $? = 28 ] ;;
    *) command curl --fail "$@" ;;
  esac
}
# test/documents.test.ts checks the names of the targets.
make() { :; }
# Blocks that need Python packages run in test/interop.
pip() { :; }
python() { :; }

cd "$(cat "$WORLD/cwd")"
trap 'pwd > "$WORLD/cwd"' EXIT
