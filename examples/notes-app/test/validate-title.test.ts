import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TitleError, validateTitle } from '../src/validate-title.ts';

test('a title loses the space around it', () => {
  assert.equal(validateTitle('  Shopping list '), 'Shopping list');
});

test('an empty title is refused', () => {
  assert.throws(() => validateTitle('   '), TitleError);
});

test('a title of two lines is refused', () => {
  assert.throws(() => validateTitle('one\ntwo'), /one line/);
});

test('a title may have 80 characters', () => {
  assert.equal(validateTitle('x'.repeat(80)).length, 80);
});

test('a title of 81 characters is refused', () => {
  assert.throws(() => validateTitle('x'.repeat(81)), /at most 80/);
});
