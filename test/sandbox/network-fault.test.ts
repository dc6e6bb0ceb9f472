/**
 * How a check is known that fails because it has no network: what real programs print without one, and outputs of
 * checks that fail for another reason. Without bubblewrap, and for programs that are missing, the first part is left out.
 */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { networkFault } from '../../src/sandbox/engine/network.ts';

const here = sandboxMachine(process.env['PATH'] ?? '');
if (!here.works) console.log(`LEFT OUT: programs without a network, because ${here.why}`);
const isThere = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const isFault = (output: string): boolean =>
  networkFault('c', output, { by: 'network: none', fix: 'Open it' }) !== undefined;

describe('what programs print without a network', () => {
  const rows = [
    `node -e 'fetch("https://example.org").catch((e) => { console.log(String(e)); process.exit(1) })'`,
    `node -e 'require("https").get("https://example.org")'`,
    `node -e 'require("net").connect(443, "192.0.2.1")'`,
    `python3 -c 'import urllib.request as u; u.urlopen("https://example.org")'`,
    `python3 -c 'import socket; socket.create_connection(("192.0.2.1", 80))'`,
    'curl -sS https://example.org',
    'wget -nv https://example.org',
    'git ls-remote https://example.org/x.git',
    'npm view left-pad --fetch-retries=0',
  ];
  test.runIf(here.works).each(rows.filter((row) => isThere(row.split(' ')[0] ?? '')))(
    '%s',
    (command) => {
      const argv = ['--dev-bind', '/', '/', '--unshare-net', 'sh', '-c', command];
      const env = {
        ...process.env,
        npm_config_cache: '/tmp/no-cache',
        http_proxy: '',
        https_proxy: '',
        HTTPS_PROXY: '',
        HTTP_PROXY: '',
      };
      const { status, stdout, stderr } = spawnSync(
        here.works ? here.machine.programs.bwrap : '',
        argv,
        { env, encoding: 'utf8' },
      );
      expect(status).not.toBe(0);
      expect(isFault(stdout + stderr), stdout + stderr).toBe(true);
    },
  );

  test.each([
    'java.net.UnknownHostException: repo.maven.apache.org',
    'dial tcp: lookup proxy.golang.org on 10.0.0.1:53: no such host',
    'ssh: Could not resolve hostname github.com: Temporary failure in name resolution',
    'page.goto: net::ERR_NAME_NOT_RESOLVED at https://example.org/',
    'E: Temporary failure resolving deb.debian.org',
    'ConnectionRefusedError: [Errno 111] Connection refused',
  ])('%s', (output) => expect(isFault(output)).toBe(true));
});

describe('a check that fails for another reason', () => {
  test.each([
    ['a bundler', 'Error: Failed to resolve import "./b.ts" from "src/a.ts". Does the file exist?'],
    ['another one', 'src/a.js: Could not resolve "./b.js"'],
    ['a test that expects it, with TAP', 'ok 1 - says ECONNREFUSED in words\nnot ok 2 - adds\n'],
    ['with marks', '  ✓ maps ENOTFOUND to a message (2 ms)\n  ✕ adds two numbers (3 ms)\n'],
    ['of pytest', 'test_a.py::test_network_is_unreachable PASSED\ntest_a.py::test_adds FAILED\n'],
    ['of Go', '--- PASS: TestNoSuchHost: no such host (0.00s)\n--- FAIL: TestAdds (0.00s)\n'],
    ['only wrong', 'expected 3, found 4'],
  ])('%s', (_says, output) => expect(isFault(output)).toBe(false));

  test('its own server is down; a service of this machine is one that it cannot reach', async () => {
    const server = createServer();
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const node = `Error: connect ECONNREFUSED 127.0.0.1:${port} {\n  code: 'ECONNREFUSED',\n  port: ${port}\n}`;
    const curl = `curl: (7) Failed to connect to localhost port ${port} after 0 ms: Couldn't connect to server`;
    expect([node, curl].map(isFault)).toEqual([true, true]);
    await new Promise<unknown>((done) => void server.close(done));
    expect([node, curl].map(isFault)).toEqual([false, false]);
    expect(isFault(`${node}\ngetaddrinfo EAI_AGAIN example.org`)).toBe(true);
  });
});
