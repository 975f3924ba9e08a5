import { mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTempWorkspace, leakCheck, type TempWorkspace } from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCodeIntelligence } from './code-intelligence.ts';
import type { CodeIntelligence, CodeIntelligenceOptions } from './code-intelligence-api.ts';
import type { Embedder } from './index/code-index-api.ts';

const FILES = {
  'package.json': '{ "name": "shop", "exports": { "./prices": "./src/prices.ts" } }',
  'src/prices.ts': [
    '/** What a basket costs with all discounts. */',
    'export function totalPrice(items: Item[]): number {',
    '  return items.reduce((sum, item) => sum + item.price, 0);',
    '}',
    'export interface Item { price: number }',
  ].join('\n'),
  'src/basket.ts': [
    "import { totalPrice, type Item } from './prices';",
    'export class Basket {',
    '  readonly items: Item[] = [];',
    '  checkout(): number {',
    '    return totalPrice(this.items);',
    '  }',
    '}',
  ].join('\n'),
  'src/basket.test.ts': [
    "import { Basket } from './basket';",
    "test('is empty', () => { new Basket().checkout(); });",
  ].join('\n'),
  'tools/report.py': ['def write_report(path):', '    """Writes the yearly report."""', '    return path', ''].join(
    '\n',
  ),
  'notes/Idea.md': 'Refund orders that were cancelled within a week.\n',
  'broken.ts': 'export function half( {\n',
  'logo.png': 'no text',
  '.gitignore': 'dist/\n',
  'dist/built.js': 'function totalPrice() {}',
};

let workspace: TempWorkspace;
let place: string;
const opened: CodeIntelligence[] = [];

beforeEach(async () => {
  workspace = await createTempWorkspace({ files: FILES });
  place = mkdtempSync(join(tmpdir(), 'code-index-'));
});

afterEach(async () => {
  for (const code of opened.splice(0)) await code.dispose();
  await workspace.dispose();
  rmSync(place, { recursive: true, force: true });
});

async function open(options: Partial<CodeIntelligenceOptions> = {}): Promise<CodeIntelligence> {
  const code = await openCodeIntelligence({
    root: workspace.path,
    folder: join(place, 'index'),
    workers: 1,
    ...options,
  });
  opened.push(code);
  return code;
}

/** Who calls a function, as `path:line`. */
function callersOf(code: CodeIntelligence, name: string): string[] {
  return code.graph.find(name).flatMap((id) => code.graph.callers(id).map(({ path, line }) => `${path}:${line}`));
}

function found(code: CodeIntelligence, words: string): string | undefined {
  return code.index.searchWords(words)[0]?.path;
}

describe('openCodeIntelligence', () => {
  it('INT-4 INT-12 knows the code after a refresh, and at once when it is opened again', async () => {
    const first = await open();
    expect(await first.refresh()).toMatchObject({ added: 9, rebuilt: 'none' });
    await first.dispose();
    const second = await open();
    for (const code of [first, second]) {
      expect(callersOf(code, 'totalPrice')).toEqual(['src/basket.ts:5']);
      expect(found(code, 'costs with all discounts')).toBe('src/prices.ts');
      expect(found(code, 'yearly report')).toBe('tools/report.py');
      expect(found(code, 'cancelled orders')).toBe('notes/Idea.md');
      expect(code.report()).toMatchObject({ files: 9, parsed: 4, partial: 1, text: 3, binary: 1, skipped: 0 });
      expect(code.lines('src/prices.ts', 2, 2)).toEqual(['export function totalPrice(items: Item[]): number {']);
    }
    expect(second.complete).toBe(false);
    expect(await second.refresh()).toMatchObject({ added: 0, changed: 0, unchanged: 9, rebuilt: undefined });
    expect(second.complete).toBe(true);
  });

  it('INT-4 follows edits, renames and deletes', async () => {
    const code = await open();
    await code.refresh();
    await workspace.write(
      'src/offer.ts',
      "import { totalPrice } from 'shop/prices';\nexport const offer = () => totalPrice([]);\n",
    );
    await code.refreshFiles(['src/offer.ts']);
    expect(callersOf(code, 'totalPrice').sort()).toEqual(['src/basket.ts:5', 'src/offer.ts:2']);
    renameSync(workspace.at('src/basket.ts'), workspace.at('src/cart.ts'));
    await code.refresh();
    expect(callersOf(code, 'totalPrice').sort()).toEqual(['src/cart.ts:5', 'src/offer.ts:2']);
    rmSync(workspace.at('src/prices.ts'));
    await code.refresh();
    expect([code.graph.find('totalPrice'), found(code, 'discounts')]).toEqual([[], undefined]);
  });

  it('INT-3 resolves imports by the names that the workspace declares, also after they changed and a restart', async () => {
    await workspace.write(
      'src/offer.ts',
      "import { totalPrice } from '@new/prices';\nexport const offer = () => totalPrice([]);\n",
    );
    const code = await open();
    await code.refresh();
    const certainty = (each: CodeIntelligence) =>
      each.graph
        .find('totalPrice')
        .flatMap((id) => each.graph.callers(id))
        .find(({ path }) => path === 'src/offer.ts')?.certainty;
    expect(certainty(code)).not.toBe('import');
    await workspace.write('package.json', '{ "name": "@new", "exports": { "./prices": "./src/prices.ts" } }');
    await code.refresh();
    expect(certainty(code)).toBe('import');
    await code.dispose();
    expect(certainty(await open())).toBe('import');
  });

  it('INT-12 keeps nothing on the disk without a folder', async () => {
    const code = await open({ folder: undefined });
    await code.refresh();
    expect(callersOf(code, 'totalPrice')).toEqual(['src/basket.ts:5']);
    await code.dispose();
    expect(readdirSync(place)).toEqual([]);
  });

  it('finds the workspace behind a link', async () => {
    const real = await open();
    await real.refresh();
    await real.dispose();
    symlinkSync(workspace.path, join(place, 'link'));
    const code = await open({ root: join(place, 'link') });
    expect(code.root).toBe(workspace.path);
    expect(await code.refresh()).toMatchObject({ unchanged: 9, rebuilt: undefined });
  });

  it('leaves neither thread nor watch behind', async () => {
    const leaks = leakCheck({ tempFolder: place });
    const code = await open({ folder: undefined, workers: 2 });
    await code.watch();
    await code.dispose();
    await leaks.expectNoLeaks();
    expect(process.getActiveResourcesInfo()).not.toContain('MessagePort');
  });

  it('INT-9 has an embedder make vectors, which are loaded with the index', async () => {
    let texts = 0;
    const embedder: Embedder = {
      id: 'test-2',
      embed: async (all) => {
        texts += all.length;
        return all.map((text) => Float32Array.of(text.length, 1));
      },
    };
    const code = await open({ embedder });
    await code.refresh();
    await expect.poll(() => readdirSync(join(place, 'index')), { timeout: 20_000 }).toContain('vectors.bin');
    await code.dispose();
    const asked = texts;
    expect(asked).toBeGreaterThan(0);
    const again = await open({ embedder });
    await again.refresh();
    await again.dispose();
    expect(texts).toBe(asked);
    expect(again.report().notes).toEqual([]);
  });

  it('INT-9 says in the report that an embedder fails, and finds by words all the same', async () => {
    const embedder: Embedder = { id: 'test-1', embed: () => Promise.reject(new Error('no such model')) };
    const code = await open({ embedder });
    await code.refresh();
    await expect
      .poll(() => code.report().notes, { timeout: 20_000 })
      .toEqual([{ path: '.', why: expect.stringContaining('no such model') }]);
    expect(found(code, 'yearly report')).toBe('tools/report.py');
  });
});
