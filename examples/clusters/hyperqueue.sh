#!/bin/bash
# A sweep by HyperQueue, whose workers may come and go: a hundred shares of the work, then the table.
#   hq server start &
#   hq worker start &                       # on every machine, or through `hq alloc add slurm`
#   examples/clusters/hyperqueue.sh SWEEP.toml OUTPUT
# OUTPUT has to lie on a file system that all workers see. A share whose worker is lost begins again where it was.
set -euo pipefail
sweep=${1:?which sweep file?}
output=${2:?which folder for the results?}
shares=${SHARES:-100}

# The number of the task is that of the share: the shell of the task puts it in.
# shellcheck disable=SC2016
hq submit --name stickslip --array "0-$((shares - 1))" --cpus 1 --max-fails 0 --crash-limit 100 --wait -- \
    bash -c 'stickslip sweep "$1" --output "$2" --workers 1 --shard "$HQ_TASK_ID/$3"' \
    share "$sweep" "$output" "$shares"

name=$(stickslip sweep "$sweep" --dry-run --json | sed -n 's/.*"sweep": "\(.*\)".*/\1/p')
stickslip sweep --collect "$output/$name"
