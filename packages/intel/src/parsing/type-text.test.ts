import { expect, it } from 'vitest';
import { simpleType } from './type-text.ts';

const rules = {
  wrappers: new Set(['Promise', 'Optional']),
  sequences: new Set(['Array', 'list']),
  nothing: new Set(['null', 'None']),
  typePrefix: /^readonly\s+/,
};

it.each([
  ['Store', 'Store'],
  ['a.b.Store<X>', 'a.b.Store'],
  ['"Store"', 'Store'],
  ['Promise<Store | null>', 'Store'],
  ['null | Store<A, B> | Other', 'Store'],
  ['Optional[list[Row]]', '[]Row'],
  ['readonly Row[]', '[]Row'],
  ['(Row | null)[]', '[]Row'],
  ['Array<Promise<Row>>', '[]Row'],
  ['Map<string, () => void>', 'Map'],
  ['std::vector<int>', 'std.vector'],
  ['Row?', 'Row'],
  ['null', undefined],
  ['(a: string) => Row', undefined],
  ['{ a: Row }', undefined],
  ['[Row, Row]', undefined],
  ['Row[][]', undefined],
  ["'literal text'", undefined],
])('INT-3 reads the written type %j as %j', (written, type) => {
  expect(simpleType(written, rules)).toBe(type);
});
