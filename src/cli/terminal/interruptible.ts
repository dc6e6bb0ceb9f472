/** Ctrl-C, a polite kill and a closed terminal stop the work at hand; the second one ends the process. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
  }
}

/** Ctrl-C in the terminal is for the program alone that is open there. */
export async function ignoringCtrlC<T>(work: () => Promise<T>): Promise<T> {
  const leave = (): void => undefined;
  process.on('SIGINT', leave);
  try {
    return await work();
  } finally {
    process.removeListener('SIGINT', leave);
  }
}
