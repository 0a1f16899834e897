#!/bin/bash
# A sweep on a Slurm cluster: a hundred shares of the work as a job array, then the table.
#   sbatch examples/clusters/slurm.sh SWEEP.toml OUTPUT
# OUTPUT has to lie on a file system that all nodes see. Whatever is lost, the same command goes on from there.
#SBATCH --job-name=stickslip
#SBATCH --array=0-99
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --requeue
set -euo pipefail
sweep=${1:?which sweep file?}
output=${2:?which folder for the results?}

if [[ -z ${COLLECT:-} ]]; then
    # The first share hands in the job that collects, to be begun when all shares are done.
    if [[ $SLURM_ARRAY_TASK_ID == "$SLURM_ARRAY_TASK_MIN" && ${SLURM_RESTART_COUNT:-0} == 0 ]]; then
        sbatch --array=0 --dependency="afterok:$SLURM_ARRAY_JOB_ID" --kill-on-invalid-dep=yes \
            --export=ALL,COLLECT=1 "$0" "$sweep" "$output"
    fi
    # Tasks are numbered from 0 without gaps, so that their number is that of the share.
    # Some versions of Slurm do not hand the processors of the task on to srun by themselves.
    srun --cpus-per-task="$SLURM_CPUS_PER_TASK" stickslip sweep "$sweep" --output "$output" --workers "$SLURM_CPUS_PER_TASK" \
        --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
else
    name=$(stickslip sweep "$sweep" --dry-run --json | sed -n 's/.*"sweep": "\(.*\)".*/\1/p')
    stickslip sweep --collect "$output/$name"
fi
