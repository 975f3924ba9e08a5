import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { omissionPlaceholder } from './omission-placeholder.ts';

const PLACEHOLDERS = [
  '// ... existing code ...',
  '  // ...existing code...',
  '// … existing code …',
  '# ... rest of the function unchanged ...',
  '# rest unchanged',
  '# ... rest of file ...',
  '-- ... remaining columns definitions ...',
  '/* ... rest of the styles ... */',
  '/* existing styles remain unchanged */',
  '<!-- ... existing content ... -->',
  '{/* ... existing components ... */}',
  '// rest of the code remains the same',
  '// The rest of the file is unchanged.',
  '// (rest of the code unchanged)',
  '; ... other functions ...',
  '% existing code',
  '(* ... unchanged ... *)',
  '<unchanged>',
  '[... unchanged ...]',
  '... existing code ...',
  '// ... keep existing imports ...',
  '// [existing code omitted for brevity]',
  '""" ... existing methods ... """',
  '// ... (same as before) ...',
  '--[[ ... existing code ... ]]',
];

const REAL = [
  '// existing code paths must keep working',
  '  ...rest,',
  '...rest',
  '// ... and so on',
  '// the rest is up to the caller',
  '# other methods',
  '// unchanged',
  '// no change',
  '<input />',
  '[unread]',
  'return existing code;',
  '// See the remaining lines below for the reason.',
  '* The rest of the arguments are passed on.',
  '...',
  '# ... more options',
  'The rest of the file is unchanged.',
];

describe('omissionPlaceholder', () => {
  it.each(PLACEHOLDERS)('IDE-52 refuses %s', (line) => {
    expect(omissionPlaceholder(`a\n${line}\nb`, 'a\nb')).toEqual({ line: 2, text: line.trim() });
  });

  it.each(REAL)('IDE-52 takes %s for what it is', (line) => {
    expect(omissionPlaceholder(`a\n${line}\nb`, 'a\nb')).toBeUndefined();
  });

  it('IDE-52 lets a line stay that was there before', () => {
    expect(omissionPlaceholder('x\n    // ... existing code ...\r\ny', '// ... existing code ...\n')).toBeUndefined();
  });

  it('IDE-52 is not fooled by real code', () => {
    const root = join(import.meta.dirname, '../../../..');
    const folders = ['packages', 'scripts', 'bench', 'examples', 'docs'].map((name) => join(root, name));
    const libraries = ['zod', 'yaml', 'diff', 'vitest', 'fast-check', 'typescript', '@types/node', 'iconv-lite'];
    const files = [...folders, ...libraries.map((name) => join(root, 'node_modules', name))].flatMap(sources);
    expect(files.length).toBeGreaterThan(1_000);
    const found = files.flatMap((file) => {
      const hit = omissionPlaceholder(readFileSync(file, 'utf8'), '');
      return hit ? [`${file}:${hit.line} ${hit.text}`] : [];
    });
    expect(found).toEqual([]);
  });
});

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.([cm]?[jt]sx?|md|css|html|py|ya?ml)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('omission-placeholder') && !/\/packages\/.*\/node_modules\//.test(file));
}
