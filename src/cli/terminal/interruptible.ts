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

/** The first signal asks the work to begin nothing more, the second to stop what it has. */
export async function draining(
  work: (drain: AbortSignal, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const [drain, stop] = [new AbortController(), new AbortController()];
  const signalled = (): void => (drain.signal.aborted ? stop.abort() : drain.abort());
  for (const signal of SIGNALS) process.on(signal, signalled);
  try {
    await work(drain.signal, stop.signal);
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, signalled);
  }
}

export function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const give = (): void => resolve(undefined);
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
}

/** Leaves nothing at the signal: one may be waited beside for days. */
export function orAborted<T>(act: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const give = (): void => resolve(undefined);
    if (signal.aborted) give();
    signal.addEventListener('abort', give, { once: true });
    act.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}

/** Ends this process as a signal does, for one that something keeps alive that cannot be closed. */
export function endBySignal(): void {
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  process.kill(process.pid, 'SIGTERM');
}

const AGAIN_MS = 100;

/** Ends a program that stays open by its first signal, after the work at hand has stopped by it. */
export function endingAfter(work: () => Promise<unknown>): void {
  for (const signal of SIGNALS)
    process.once(signal, () => {
      // Work that began just now listens a little later.
      const again = setInterval(() => process.emit(signal), AGAIN_MS);
      void work().then(() => {
        clearInterval(again);
        process.kill(process.pid, signal);
      });
    });
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
