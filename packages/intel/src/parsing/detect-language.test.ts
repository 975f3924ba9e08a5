import { expect, it } from 'vitest';
import { detectLanguage } from './detect-language.ts';

const none = () => '';

it.each([
  ['src/a.ts', 'typescript'],
  ['src/a.d.ts', 'typescript'],
  ['a.mts', 'typescript'],
  ['a.TSX', 'tsx'],
  ['a.jsx', 'javascript'],
  ['a.cjs', 'javascript'],
  ['a.pyi', 'python'],
  ['a.hpp', 'cpp'],
  ['a.kts', 'kotlin'],
  ['lib/tasks/x.rake', 'ruby'],
  ['Gemfile', 'ruby'],
  ['.bashrc', 'bash'],
  ['a.md', undefined],
  ['.ts', undefined],
  ['Makefile', undefined],
  ['a.ts.bak', undefined],
])('INT-1 takes %s for %s by its name', (path, language) => {
  expect(detectLanguage(path, none)).toBe(language);
});

it.each([
  ['#!/bin/sh\n', 'bash'],
  ['#!/usr/bin/env python3\n', 'python'],
  ['#!/usr/bin/env -S node --no-warnings\n', 'javascript'],
  ['#! /usr/local/bin/ruby -w\n', 'ruby'],
  ['#!/usr/bin/env FOO=1 bash\r\n', 'bash'],
  ['#!/usr/bin/perl\n', undefined],
  ['echo hello\n', undefined],
])('INT-1 takes a file without an extension for what its shebang %j says', (head, language) => {
  expect(detectLanguage('bin/run', () => head)).toBe(language);
});

it('INT-1 tells the headers of C++ from those of C', () => {
  expect(detectLanguage('a.h', () => '#include <stdio.h>\nint f(int);\n')).toBe('c');
  expect(detectLanguage('a.h', () => '#pragma once\nnamespace n {\nclass A;\n}\n')).toBe('cpp');
  expect(detectLanguage('a.h', () => '#include <vector>\n')).toBe('cpp');
});
