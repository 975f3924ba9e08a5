import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import { useSandbox } from './fixtures/use-sandbox.ts';
import { findSandbox, forbiddenSandbox } from './sandbox-status.ts';

const { here, put, run, sandbox, env } = useSandbox();

describe('Sandbox: status', () => {
  it('IDE-65 works here: in CI, too, a sandbox is no luxury', async () => {
    expect(await sandbox().status()).toMatchObject({ active: true });
  });

  it('IDE-65 says what is missing, and never runs without', async () => {
    sandbox({ platform: 'darwin' });
    expect(await sandbox().status()).toMatchObject({ active: false, reason: 'unsupported' });
    await expect(run('echo never')).rejects.toMatchObject({ code: 'sandbox_unavailable' });
  });

  it('IDE-65 can be switched off', async () => {
    expect(await sandbox({ off: true }).status()).toMatchObject({ active: false, reason: 'off' });
    await expect(run('echo never')).rejects.toMatchObject({ code: 'sandbox_unavailable' });
  });

  it('IDE-65 a bubblewrap that does not work is found out by trying, once, and told in its own words', async () => {
    const log = put('log');
    const broken = put(
      'tools/bwrap',
      `#!/bin/sh\necho run >> ${log}\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n`,
    );
    chmodSync(broken, 0o755);
    sandbox({ env: { ...env(), PATH: `${dirname(broken)}:${env().PATH}` } });
    expect(await sandbox().status()).toMatchObject({
      active: false,
      reason: 'forbidden',
      why: expect.stringContaining('setting up uid map: Permission denied'),
    });
    await expect(run('echo never')).rejects.toBeInstanceOf(BlackError);
  });

  it('§5a never takes the bubblewrap of the workspace', async () => {
    const planted = put('app/tools/bwrap', '#!/bin/sh\nexit 0\n');
    chmodSync(planted, 0o755);
    const found = findSandbox({ env: { PATH: `${dirname(planted)}:/usr/bin:/bin` }, workspace: here.root });
    expect(found).toMatchObject({ active: true, bwrap: expect.not.stringContaining(here.root) });
  });

  it('IDE-84 names the command that mends it', () => {
    expect(findSandbox({ env: {}, platform: 'win32' })).toMatchObject({ active: false, reason: 'unsupported' });
    expect(forbiddenSandbox('words')).toMatchObject({ active: false, reason: 'forbidden', why: 'words' });
  });
});
