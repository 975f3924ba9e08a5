import { expect, it } from 'vitest';
import { painter } from '../text/painter.ts';
import { Pager } from './pager.ts';

const paint = painter({}, false);

function pager(count: number) {
  let lines = Array.from({ length: count }, (_, at) => `line ${at}`);
  const tail: string[] = [];
  const shown = new Pager('Title', () => lines, { version: () => lines, tail: () => tail });
  return {
    tail,
    grow: (...more: string[]) => {
      lines = [...lines, ...more];
    },
    /** The text between title and hint, on a screen of seven rows. */
    page: () => shown.draw(60, 7, paint).lines.slice(1, -1),
    hint: () => shown.draw(60, 7, paint).lines.at(-1),
    key: (name: string) => shown.key({ name }),
    type: (text: string) => [...text].map((character) => shown.key({ text: character })).at(-1),
  };
}

it('begins at its end and follows what grows there; whoever has scrolled up stays where they are', () => {
  const { page, grow, key, tail } = pager(20);
  expect(page()).toEqual(['line 15', 'line 16', 'line 17', 'line 18', 'line 19']);
  grow('line 20');
  tail.push('… running');
  expect(page().slice(-2)).toEqual(['line 20', '… running']);
  key('pageUp');
  const before = page();
  grow('line 21');
  tail.push('more');
  expect(page()).toEqual(before);
  key('home');
  expect(page()[0]).toBe('line 0');
  key('end');
  expect(page().at(-1)).toBe('more');
});

it('searches from the end upwards and round, by words of any case', () => {
  const { page, key, type, hint } = pager(30);
  page();
  type('/LINE 1');
  expect(hint()).toBe('/LINE 1');
  key('backspace');
  type('2');
  key('enter');
  expect(page()).toContain('line 29');
  type('n');
  type('n');
  expect(hint()).toContain('n older');
  expect(page()).toContain('line 27');
  for (let at = 0; at < 8; at++) type('n');
  expect(page()).toContain('line 2');
  type('N');
  expect(page()).toContain('line 20');
  type('/nowhere');
  key('enter');
  expect(hint()).toContain('Not found');
  type('/x');
  expect(key('escape')).toBe('stay');
  expect(key('escape')).toBe('close');
});
