/**
 * Ctrl-C as a signal for the work at hand, and so are a polite kill and a terminal that is closed. A
 * second one is not waited for: it ends the process.
 */
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
export async function deafToCtrlC<T>(work: () => Promise<T>): Promise<T> {
  const leave = (): void => undefined;
  process.on('SIGINT', leave);
  try {
    return await work();
  } finally {
    process.removeListener('SIGINT', leave);
  }
}
