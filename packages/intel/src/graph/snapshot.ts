import { BlackError } from '@black-ide/protocol';
import type { SectionReader, SectionWriter } from '../files/sections.ts';
import { LANGUAGES } from '../parsing/language.ts';
import { NameTable } from './names/name-table.ts';
import type { SettledGraph } from './resolution.ts';
import { BIND_WIDTH, FILE_WIDTH, FileCol, HOLE, IMP_WIDTH, REF_WIDTH, SYM_WIDTH } from './tables/columns.ts';
import { type Csr, isCsr } from './tables/csr.ts';
import type { SettledTables } from './tables/graph-tables.ts';
import { arePlaced } from './tables/merge-tables.ts';

const TABLES = ['files', 'symbols', 'order', 'references', 'imports', 'bindings', 'lists'] as const;

export function saveGraph(writer: SectionWriter, { tables, uses, lookups }: SettledGraph): void {
  tables.names.save(writer);
  for (const name of TABLES) writer.array(name, tables[name]);
  for (const [name, csr] of Object.entries({ named: tables.named, uses, ...lookups })) {
    writer.array(`${name}.starts`, csr.starts);
    writer.array(`${name}.values`, csr.values);
  }
}

/**
 * Whether the bytes are those that were stored is the reader's affair; here is checked, in the time of a glance, that the
 * parts belong together.
 * @throws BlackError `index_damaged` where they do not.
 */
export function loadGraph(reader: SectionReader): SettledGraph {
  const names = NameTable.load(reader);
  const csr = (name: string): Csr => ({
    starts: reader.uint32(`${name}.starts`),
    values: reader.uint32(`${name}.values`),
  });
  const tables: SettledTables = {
    names,
    files: reader.int32('files'),
    symbols: reader.int32('symbols'),
    order: reader.int32('order'),
    references: reader.int32('references'),
    imports: reader.int32('imports'),
    bindings: reader.int32('bindings'),
    lists: reader.int32('lists'),
    named: csr('named'),
  };
  const lookups = { names: csr('names'), files: csr('files'), everywhere: csr('everywhere') };
  const graph = { tables, uses: csr('uses'), lookups };
  if (!isSound(graph)) {
    throw new BlackError('index_damaged', 'The parts of the stored graph do not fit together.', 'Build it again.');
  }
  return graph;
}

function isSound({ tables, uses, lookups }: SettledGraph): boolean {
  const { files, symbols, order, references, imports, bindings, named } = tables;
  const names = tables.names.count;
  const fileCount = files.length / FILE_WIDTH;
  const symbolCount = symbols.length / SYM_WIDTH;
  const referenceCount = references.length / REF_WIDTH;
  const counts = [fileCount, symbolCount, referenceCount, imports.length / IMP_WIDTH, bindings.length / BIND_WIDTH];
  return (
    counts.every(Number.isInteger) &&
    order.length === symbolCount &&
    arePlaced(files, tables) &&
    areFiles(files, names) &&
    isCsr(named, names, symbolCount) &&
    isCsr(uses, symbolCount) &&
    isCsr(lookups.names, names) &&
    isCsr(lookups.files, fileCount) &&
    isCsr(lookups.everywhere, names)
  );
}

function areFiles(files: Int32Array, names: number): boolean {
  for (let at = 0; at < files.length; at += FILE_WIDTH) {
    const language = files[at + FileCol.LANGUAGE]!;
    if (language < HOLE || language >= LANGUAGES.length) return false;
    for (const column of [FileCol.PACKAGE, FileCol.STEM, FileCol.FOLDER, FileCol.WHOLE]) {
      if (files[at + column]! < -1 || files[at + column]! > names) return false;
    }
  }
  return true;
}
