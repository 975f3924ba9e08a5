import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { descriptorKind } from './descriptor-kind.ts';

describe.runIf(process.platform !== 'win32')('descriptorKind', () => {
  it('IDE-88 tells files, devices and closed descriptors apart', () => {
    const file = openSync(import.meta.filename, 'r');
    const device = openSync('/dev/null', 'r');
    expect([descriptorKind(file), descriptorKind(device)]).toEqual(['file', 'other']);
    closeSync(file);
    closeSync(device);
    expect(descriptorKind(999)).toBe('other');
  });

  it('IDE-83 tells a shell pipe from the socket of a program that starts us', async () => {
    const script = `import { descriptorKind } from ${JSON.stringify(new URL('./descriptor-kind.ts', import.meta.url).href)};
      process.stdout.write(descriptorKind(0));`;
    const args = ['--input-type=module-typescript', '-e', script];
    const quoted = [process.execPath, ...args].map((word) => `'${word}'`).join(' ');
    const outputOf = (command: string, words: string[]): Promise<string> =>
      new Promise((resolve, reject) => {
        const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
        let text = '';
        child.stdout.on('data', (chunk) => {
          text += chunk;
        });
        child.on('error', reject).on('close', () => resolve(text));
      });
    expect(await outputOf('sh', ['-c', `echo x | ${quoted}`])).toBe('pipe');
    expect(await outputOf(process.execPath, args)).toBe('socket');
  });
});
