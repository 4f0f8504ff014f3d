#!/usr/bin/env bash
#SBATCH --job-name=verispec
#SBATCH --array=1-8
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --requeue
# One shard per task. A requeued task resumes its shard. When all are done, once:
#   verispec ledger merge runs/mine.shard-*-of-8 --into mine
set -euo pipefail

verispec judge specv --data SpecV --outputs my-outputs --judge qwen --run mine \
  --shard "${SLURM_ARRAY_TASK_ID}/${SLURM_ARRAY_TASK_COUNT}"
