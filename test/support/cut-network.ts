/**
 * The network between one machine and a server: passes on what comes, until it is cut. Then connections are gone and new
 * ones refused, or, `silent`, stay open and nothing comes through.
 */
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Network {
  /** The address of the server behind it. */
  readonly url: string;
  readonly cut: (how?: 'silent') => Promise<void>;
  readonly mend: () => Promise<void>;
}

export async function networkTo(server: string): Promise<Network> {
  const to = new URL(server);
  const open = new Set<Socket>();
  let isSilent = false;
  const make = () =>
    createServer((near) => {
      const far = connect(Number(to.port), to.hostname);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        open.add(one);
        one.on('data', (bytes) => void (isSilent || other.write(bytes)));
        one.on('error', () => undefined);
        one.on('close', () => {
          open.delete(one);
          if (!isSilent) other.destroy();
        });
      }
    });
  let listening = make();
  const listen = (port: number) =>
    new Promise<void>((done) => listening.listen(port, '127.0.0.1', done));
  await listen(0);
  const { port } = listening.address() as AddressInfo;
  const end = async (): Promise<void> => {
    const closed = new Promise((done) => listening.close(done));
    for (const one of open) one.destroy();
    await closed;
  };
  onTestFinished(end);
  const url = new URL(server);
  Object.assign(url, { hostname: '127.0.0.1', port: String(port) });
  return {
    url: url.href,
    cut: async (how) => {
      if (how === 'silent') isSilent = true;
      else await end();
    },
    mend: async () => {
      if (isSilent) {
        isSilent = false;
        // What was lost on the way is not made up for: both sides begin again.
        for (const one of open) one.destroy();
        return;
      }
      listening = make();
      await listen(port);
    },
  };
}
