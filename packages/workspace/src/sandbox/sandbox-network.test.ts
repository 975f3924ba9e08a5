import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSandbox } from './fixtures/use-sandbox.ts';

const { here, put, run, git, sandbox, env } = useSandbox();
let server: Server;
let port: number;
let handler: (request: IncomingMessage, response: ServerResponse) => void;
const heard: string[] = [];

beforeEach(async () => {
  heard.length = 0;
  handler = (_request, response) => response.end('hello');
  server = createServer((request, response) => {
    heard.push(`${request.method} ${request.headers.host} ${request.url}`);
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Every name is this machine, as a rebinding name server would say. */
const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
const request = (url: string, more = ''): string =>
  `${process.execPath} -e "fetch('${url}'${more}).then(async (r) => console.log(r.status, await r.text())).catch((e) => console.log('failed', e.cause?.code ?? e.cause?.message ?? e.message))"`;
/** The same without a tunnel, as most programs ask a proxy for plain HTTP. */
const plain = (url: string): string =>
  `${process.execPath} -e "const p = new URL(process.env.http_proxy); require('http').get({ host: p.hostname, port: p.port, path: '${url}', headers: { host: 'elsewhere.test' } }, async (r) => console.log(r.statusCode, (await r.toArray()).join('')))"`;

describe('Sandbox: network', () => {
  it('IDE-65 nothing is reached past the proxy, whatever a command does', async () => {
    sandbox({ resolve, allowedHosts: [`web.test:${port}`] });
    const direct = `for a in 127.0.0.1 ::1 localhost; do (exec 3<>/dev/tcp/$a/${port}) && echo REACHED; done; NO_PROXY='*' ${request(`http://127.0.0.1:${port}/`)}; getent hosts example.com && echo REACHED; cat /proc/net/route | wc -l; true`;
    const { output } = await run(direct);
    expect(output).not.toContain('REACHED');
    expect(output).toMatch(/failed ECONNREFUSED[\s\S]*\n1\n$/);
    expect(heard).toEqual([]);
  });

  it('INT-31 we reach a server inside, which nobody outside can, and what it says first is not lost', async () => {
    const box = sandbox();
    const listen = `node -e "const s=require('net').createServer((c)=>{c.end('greeting');s.close()});s.listen(0,'127.0.0.1',()=>console.log('port',s.address().port))"`;
    const started = Promise.withResolvers<number>();
    const running = run(listen, { onOutput: (text) => started.resolve(Number(/port (\d+)/.exec(text)?.[1])) });
    const inside = await started.promise;
    const socket = await box.connect(inside);
    const words: string[] = [];
    for await (const text of socket.setEncoding('utf8')) words.push(String(text));
    expect(words.join('')).toBe('greeting');
    expect(await running).toMatchObject({ exitCode: 0 });
    await expect(box.connect(inside)).rejects.toMatchObject({ code: 'not_reachable' });
  });

  it('INT-31 what we lay into the shared temporary folder is there inside', async () => {
    const folder = (await sandbox().temporary()) ?? '';
    writeFileSync(join(folder, 'note'), 'hello\n');
    expect((await run('cat /tmp/note')).output).toBe('hello\n');
  });

  it('IDE-65 an allowed host is reached, another is named with its rule', async () => {
    sandbox({ resolve, allowedHosts: [`web.test:${port}`] });
    const allowed = await run(request(`http://web.test:${port}/a?b`));
    expect(allowed).toMatchObject({ output: '200 hello\n', sandbox: { blockedHosts: [] } });
    expect(heard).toEqual([`GET web.test:${port} /a?b`]);
    expect((await run(plain(`http://web.test:${port}/c`))).output).toBe('200 hello\n');
    expect(heard.pop()).toBe(`GET web.test:${port} /c`);
    const { output, sandbox: report } = await run(
      [plain(`http://web.test/`), request(`https://other.example.com/`), plain(`http://x.web.test:${port}/`)].join(
        '; ',
      ),
    );
    expect(output).toContain('403 The sandbox does not let this command reach web.test:80: only port');
    expect(report?.blockedHosts.map(({ host, port: at }) => `${host}:${at}`)).toEqual([
      'web.test:80',
      'other.example.com:443',
      `x.web.test:${port}`,
    ]);
    expect(heard).toHaveLength(1);
  });

  it('IDE-65 a port of this machine that is allowed is found where it is outside', async () => {
    sandbox({ allowedHosts: [`localhost:${port}`] });
    const { output } = await run(
      `${request(`http://localhost:${port}/own`)}; ${request(`http://127.0.0.1:${port}/own`)}`,
    );
    expect(output).toBe('200 hello\n200 hello\n');
    expect(heard).toEqual([`GET localhost:${port} /own`, `GET 127.0.0.1:${port} /own`]);
  });

  it('IDE-65 a public name that leads to an inner address is refused', async () => {
    sandbox({ resolve, allowedHosts: ['*.example.com', 'rebind.example.org'] });
    const { output } = await run(`${plain('http://a.example.com/')}; ${plain('http://rebind.example.org/')}`);
    expect(output.match(/403 .*it leads to 127\.0\.0\.1/g)).toHaveLength(2);
    expect(heard).toEqual([]);
  });

  it('IDE-65 npm installs from an allowed registry, with its cache in the home', async () => {
    put('pack/package/package.json', JSON.stringify({ name: 'tiny', version: '1.0.0', bin: { tiny: 'cli.js' } }));
    put('pack/package/cli.js', '#!/usr/bin/env node\nconsole.log("tiny runs")\n');
    const tarball = join(here.base, 'tiny.tgz');
    execFileSync('tar', ['-czf', tarball, '-C', join(here.base, 'pack'), 'package']);
    const registry = `http://npm.test:${port}`;
    handler = ({ url }, response) => {
      if (url === '/tiny.tgz') response.end(readFileSync(tarball));
      else if (url === '/tiny') {
        const version = {
          name: 'tiny',
          version: '1.0.0',
          bin: { tiny: 'cli.js' },
          dist: { tarball: `${registry}/tiny.tgz` },
        };
        response.end(
          JSON.stringify({ name: 'tiny', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }),
        );
      } else response.writeHead(404).end('{}');
    };
    put('app/package.json', '{"name":"app","version":"1.0.0"}');
    mkdirSync(join(here.home, '.npm/_cacache'), { recursive: true });
    sandbox({ resolve, allowedHosts: [`npm.test:${port}`] });
    const { output, exitCode } = await run(`npm install --no-audit --no-fund --registry ${registry} tiny && npx tiny`, {
      env: { PATH: env().PATH },
    });
    expect(output).toContain('tiny runs');
    expect(exitCode).toBe(0);
    expect(heard).toContain(`GET npm.test:${port} /tiny.tgz`);
    const offline = await run(
      `rm -rf node_modules && npm install --offline --no-audit --no-fund --registry ${registry}`,
    );
    expect(offline.exitCode).toBe(0);
  });

  it('IDE-65 pip installs from an allowed index', async () => {
    put('wheel/tiny_py/__init__.py', 'WORD = "tiny py"\n');
    put('wheel/tiny_py-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\nName: tiny-py\nVersion: 1.0\n');
    put('wheel/tiny_py-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n');
    put('wheel/tiny_py-1.0.dist-info/RECORD', '');
    const wheel = join(here.base, 'tiny_py-1.0-py3-none-any.whl');
    const parts = ['tiny_py', 'tiny_py-1.0.dist-info'].map((part) => join(here.base, 'wheel', part));
    execFileSync('python3', ['-m', 'zipfile', '-c', wheel, ...parts]);
    handler = ({ url }, response) => {
      if (url?.endsWith('.whl')) response.end(readFileSync(wheel));
      else {
        response.setHeader('content-type', 'text/html');
        response.end('<a href="/tiny_py-1.0-py3-none-any.whl">tiny_py-1.0-py3-none-any.whl</a>');
      }
    };
    const own = { ...env(), HOME: homedir() };
    sandbox({ resolve, allowedHosts: [`pypi.test:${port}`], env: own });
    const install = `python3 -m pip install -q --no-cache-dir --target lib --index-url http://pypi.test:${port}/simple --trusted-host pypi.test tiny-py`;
    const { output, exitCode } = await run(
      `${install} && PYTHONPATH=lib python3 -c 'import tiny_py; print(tiny_py.WORD)'`,
      {
        env: own,
      },
    );
    expect(output).toContain('tiny py');
    expect(exitCode).toBe(0);
  });

  it('IDE-65 git clones over HTTP from an allowed host, and a C compiler works', async () => {
    const origin = join(here.base, 'origin');
    mkdirSync(origin);
    await git(origin, 'init', '-q', '-b', 'main');
    put('origin/hello.c', '#include <stdio.h>\nint main(void) { puts("compiled"); return 0; }\n');
    await git(origin, 'add', '-A');
    await git(origin, 'commit', '-qm', 'first');
    await git(origin, 'update-server-info');
    handler = ({ url = '' }, response) => {
      const path = join(origin, '.git', new URL(url, 'http://x').pathname.replace('/repo.git', ''));
      try {
        response.end(readFileSync(path));
      } catch {
        response.writeHead(404).end();
      }
    };
    sandbox({ resolve, allowedHosts: [`git.test:${port}`] });
    const {
      output,
      exitCode,
      sandbox: report,
    } = await run(
      `git clone -q http://git.test:${port}/repo.git clone && cd clone && cc -o hello hello.c && ./hello && git log --format=%s`,
    );
    expect([output, exitCode]).toEqual(['compiled\nfirst\n', 0]);
    expect(report?.setAside).toEqual([]);
  });
});
