import { symlinkSync } from 'node:fs';
import { relative } from 'node:path';
import { createTempWorkspace } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { isBinaryProgram } from './binary-program.ts';
import { pythonBehindShim, pythonPackage } from './python-package.ts';

const PACKAGE = 'debugpy/__init__.py';

describe('pythonPackage', () => {
  it('INT-31 looks where Debian, an own installation and a home keep packages', async () => {
    await using disk = await createTempWorkspace({
      files: {
        [`usr/lib/python3/dist-packages/${PACKAGE}`]: '',
        'usr/bin/python3.11': '',
        [`opt/lib/python3.12/site-packages/${PACKAGE}`]: '',
        'opt/bin/python3': '',
        'bare/bin/python3': '',
        [`me/.local/lib/python3.11/site-packages/${PACKAGE}`]: '',
      },
    });
    const found = (python: string, home?: string) => {
      const folder = pythonPackage(disk.at(python), 'debugpy', home);
      return folder && relative(disk.path, folder);
    };
    expect(found('usr/bin/python3.11')).toBe('usr/lib/python3/dist-packages/debugpy');
    expect(found('opt/bin/python3')).toBe('opt/lib/python3.12/site-packages/debugpy');
    expect(found('bare/bin/python3')).toBe(undefined);
    expect(found('bare/bin/python3', disk.at('me'))).toBe('me/.local/lib/python3.11/site-packages/debugpy');
    expect(found('nowhere/bin/python3')).toBe(undefined);
  });

  it('INT-31 keeps to a virtual environment, unless that lets the system in', async () => {
    await using disk = await createTempWorkspace({
      files: {
        [`usr/lib/python3/dist-packages/${PACKAGE}`]: '',
        'usr/bin/python3': '',
        'closed/pyvenv.cfg': 'home = /usr/bin\ninclude-system-site-packages = false\n',
        'closed/bin/note': '',
        'open/pyvenv.cfg': 'include-system-site-packages = true\n',
        'open/bin/note': '',
        'own/pyvenv.cfg': 'include-system-site-packages = false\n',
        [`own/lib/python3.11/site-packages/${PACKAGE}`]: '',
        'own/bin/note': '',
      },
    });
    for (const name of ['closed', 'open', 'own'])
      symlinkSync(disk.at('usr/bin/python3'), disk.at(`${name}/bin/python3`));
    expect(pythonPackage(disk.at('closed/bin/python3'), 'debugpy')).toBe(undefined);
    expect(pythonPackage(disk.at('open/bin/python3'), 'debugpy')).toBe(
      disk.at('usr/lib/python3/dist-packages/debugpy'),
    );
    expect(pythonPackage(disk.at('own/bin/python3'), 'debugpy')).toBe(
      disk.at('own/lib/python3.11/site-packages/debugpy'),
    );
  });
});

describe('pythonBehindShim', () => {
  it('INT-31 follows the choice of pyenv: the environment, the folder, then the one for all', async () => {
    await using disk = await createTempWorkspace({
      files: {
        'pyenv/shims/python3': '',
        'pyenv/version': '3.11.7\n3.10.1\n',
        'pyenv/versions/3.11.7/bin/python3': '',
        'pyenv/versions/3.12.1/bin/python3': '',
        'app/.python-version': '3.12.1\n',
        'app/inner/note': '',
        'other/bin/python3': '',
      },
    });
    const shim = disk.at('pyenv/shims/python3');
    const behind = (version: string) => disk.at(`pyenv/versions/${version}/bin/python3`);
    expect(pythonBehindShim(shim, disk.at('app/inner'))).toBe(behind('3.12.1'));
    expect(pythonBehindShim(shim, disk.at('other'))).toBe(behind('3.11.7'));
    expect(pythonBehindShim(shim, disk.at('app'), { PYENV_VERSION: '3.11.7' })).toBe(behind('3.11.7'));
    expect(pythonBehindShim(shim, disk.at('app'), { PYENV_VERSION: '2.0' })).toBe(shim);
    expect(pythonBehindShim(disk.at('other/bin/python3'), disk.at('app'))).toBe(disk.at('other/bin/python3'));
  });
});

describe('isBinaryProgram', () => {
  it('INT-31 tells compiled programs from scripts', async () => {
    await using disk = await createTempWorkspace({ files: { script: '#!/bin/sh\n', empty: '' } });
    expect(isBinaryProgram(process.execPath)).toBe(true);
    expect(['script', 'empty', 'missing'].map((name) => isBinaryProgram(disk.at(name)))).toEqual([false, false, false]);
  });
});
