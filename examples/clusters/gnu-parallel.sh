#!/bin/bash
# A sweep by GNU parallel, on this machine or on those of a list: a share of the work per job, then the table.
#   examples/clusters/gnu-parallel.sh SWEEP.toml OUTPUT
#   HOSTS=machines.txt examples/clusters/gnu-parallel.sh SWEEP.toml OUTPUT
# Other machines have to see the same files. Without them `stickslip sweep SWEEP.toml` alone uses all processors.
set -euo pipefail
sweep=${1:?which sweep file?}
output=${2:?which folder for the results?}
shares=${SHARES:-8}

# Names are quoted, as parallel hands its words to a shell once more.
options=(--quote --halt "soon,fail=1" --retries 3 --workdir .)
if [[ -n ${HOSTS:-} ]]; then
    options+=(--sshloginfile "$HOSTS")
fi
seq 0 $((shares - 1)) | parallel "${options[@]}" \
    stickslip sweep "$sweep" --output "$output" --workers 1 --shard "{}/$shares"

name=$(stickslip sweep "$sweep" --dry-run --json | sed -n 's/.*"sweep": "\(.*\)".*/\1/p')
stickslip sweep --collect "$output/$name"
