import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTags } from '../src/parse-tags.ts';

test('tags are lower case, trimmed and each once', () => {
  assert.deepEqual(parseTags('home, Food ,home,'), ['home', 'food']);
});

test('nothing gives no tags', () => {
  assert.deepEqual(parseTags(''), []);
});
