#!/usr/bin/env bash
# Four workers on a cluster by `sbatch slurm.sh`. Not run by Slurm: a test runs the script alone.
# In the folder that it is called in: .contracts/config.yaml, owners.pem, and `environment` with CONTRACTS_QUEUE and
# ANTHROPIC_API_KEY, readable by you alone. `npm install -g agent-contracts bullmq ioredis` for you on each node, or
# once on a file system that all see.
#SBATCH --job-name=contracts-worker
#SBATCH --array=1-4
#SBATCH --cpus-per-task=2
#SBATCH --mem=8G
#SBATCH --time=08:00:00
# SIGTERM to the worker alone an hour before the end: it takes no more jobs, and hands in those it has.
#SBATCH --signal=B:TERM@3600
#SBATCH --requeue
#SBATCH --output=worker-%A-%a.log
set -euo pipefail
cd "$SLURM_SUBMIT_DIR"
export CONTRACTS_TRUST=1
set -a
. ./environment
set +a
# The trees of jobs, on the node's own disk.
export XDG_CACHE_HOME="${TMPDIR:-/tmp}/contracts-$SLURM_JOB_ID"
mkdir -p "$XDG_CACHE_HOME"
# In place of the shell, so that the signal comes to it.
exec contracts worker --queue "$CONTRACTS_QUEUE" --key owners.pem --agent builder --labels linux,slurm --slots 2
