/** Runs jobs in parallel, a limited number at a time. */

/** At most `limit` at a time, started in order. The first rejection is thrown when all ended. */
export async function inParallel<T>(
  limit: number,
  items: readonly T[],
  job: (item: T) => Promise<void> | undefined,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      const doing = job(item);
      if (doing !== undefined) await doing;
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, worker);
  const settled = await Promise.allSettled(workers);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
