import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stateHome } from './state-home.ts';

const onPosix = process.platform !== 'win32';

function home(...folders: string[]): string {
  const path = temporaryFolder();
  for (const folder of folders) mkdirSync(join(path, folder));
  return path;
}

describe.runIf(onPosix)('stateHome', () => {
  it('IDE-88 follows BLACKIDE_HOME: absolute, relative, below the home', () => {
    const env = { HOME: '/home/me' };
    expect(stateHome({ env: { ...env, BLACKIDE_HOME: '/state' }, cwd: '/w' })).toBe('/state');
    expect(stateHome({ env: { ...env, BLACKIDE_HOME: 'state' }, cwd: '/w' })).toBe('/w/state');
    expect(stateHome({ env: { ...env, BLACKIDE_HOME: '~/state' }, cwd: '/w' })).toBe('/home/me/state');
    expect(stateHome({ env: { ...env, BLACKIDE_HOME: '~' }, cwd: '/w' })).toBe('/home/me');
    expect(stateHome({ env: { ...env, BLACKIDE_HOME: '~other' }, cwd: '/w' })).toBe('/w/~other');
  });

  it('finds an existing folder that differs in case, and prefers the usual name', () => {
    const found = (path: string): string | undefined => stateHome({ env: { HOME: path, BLACKIDE_HOME: '' }, cwd: '/' });
    const none = home();
    const old = home('.blackIDE');
    const both = home('.blackIDE', '.blackide');
    expect(found(none)).toBe(join(none, '.blackide'));
    expect(found(old)).toBe(join(old, '.blackIDE'));
    expect(found(both)).toBe(join(both, '.blackide'));
    expect(found('/no/such/home')).toBe('/no/such/home/.blackide');
  });

  it('IDE-88 asks the system where HOME is missing or no absolute path', () => {
    const listed = userInfo().homedir;
    for (const HOME of [undefined, '', 'relative']) {
      expect(stateHome({ env: { HOME }, cwd: '/w' })?.toLowerCase()).toBe(join(listed, '.blackide'));
    }
  });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'black-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
