import { describe, expect, it } from 'vitest';
import { isFailure, type ThrowFrame } from './exception-judge.ts';
import { TryBlocks } from './try-blocks.ts';

/** The frame of the place that `@` marks in a source. */
function frame(source: string, more: Partial<ThrowFrame> = {}): ThrowFrame {
  const lines = source.replace('@', '').split('\n');
  const before = source.slice(0, source.indexOf('@')).split('\n');
  const place = new TryBlocks(lines.join('\n')).at(before.length - 1, before.at(-1)!.length);
  return { isUser: true, isRunner: false, place, ...more };
}
const library = (source: string, more: Partial<ThrowFrame> = {}) => frame(source, { isUser: false, ...more });

const THROWS = frame('function f() { @throw new Error(); }');
const ASYNC_THROWS = frame('async function f() { @throw new Error(); }');
const TOP = frame('@run();');

describe('isFailure', () => {
  it.each([
    ['nothing catches it', [THROWS, TOP], true],
    ['the own function catches it', [frame('function f() { try { @throw 1; } catch {} }')], false],
    ['only finally is there', [frame('function f() { try { @throw 1; } finally { g(); } }')], true],
    ['it is thrown in the catch block', [frame('function f() { try { g(); } catch { @throw 1; } }')], true],
    ['a caller catches it', [THROWS, frame('try { @f(); } catch {}')], false],
    ['a try around an inner function is not its', [frame('try { g(() => { @throw 1; }); } catch {}'), TOP], true],
    [
      'a runner at the outer end catches it',
      [THROWS, library('async function run() { try { await @act(); } catch {} }')],
      true,
    ],
    [
      'a runner is started by the own code, which does not wait for it',
      [THROWS, library('async function run() { try { await @act(); } catch {} }'), TOP],
      true,
    ],
    [
      'a library expects it',
      [THROWS, library('function throws(f) { try { @f(); } catch {} }'), frame('@throws(f);')],
      false,
    ],
    [
      'a library expects a rejection',
      [ASYNC_THROWS, library('async function rejects(f) { const p = @f(); }'), frame('await @rejects(f);')],
      false,
    ],
    [
      "Node's runner is called at the top of a test",
      [THROWS, library('try { @f(); } catch {}', { isRunner: true }), TOP],
      true,
    ],
    ['it never leaves a library', [library('try { @g(); } catch {}'), frame('@read();')], false],
    ['a library throws through the own code', [library('@throw 1;'), frame('@same(1, 2);'), TOP], true],
  ])('INT-34 %s', (_what, frames, failure) => {
    expect(isFailure(frames)).toBe(failure);
  });

  it.each([
    ['try { await @f(); } catch {}', false],
    ['try { @f(); } catch {}', true],
    ['try { await Promise.all([@f(), g()]); } catch {}', false],
    ['try { await (a ? @f() : g()); } catch {}', false],
    ['try { await a.b?.@f(); } catch {}', false],
    ['try { for await (const x of @f()) g(x); } catch {}', false],
    ['await @f();', true],
    ['@f().catch(() => undefined);', false],
    ['@f().then(g).catch(h);', false],
    ['@f().then(g, h);', false],
    ['@f().then(g);', true],
    ['await @f().finally(g);', true],
    ['await Promise.allSettled([@f()]);', false],
    ['await expect(@f()).rejects.toThrow();', false],
    ['await expect(Promise.race([@f(), g()])).rejects.toThrow();', false],
    ['new Wrapper(@f());', false],
    ['const promise = @f();', true],
    ['void @f();', true],
    ['async () => { try { return @f(); } catch {} }', true],
    ['async () => { try { return await @f(); } catch {} }', false],
    ['async () => { try { await (() => @f())(); } catch {} }', true],
  ])('INT-34 the rejection of an async function in: %s', (source, failure) => {
    expect(isFailure([ASYNC_THROWS, frame(source)])).toBe(failure);
  });
});

describe('TryBlocks', () => {
  it('INT-34 reads scripts, modules, and what is neither as nothing', () => {
    expect(new TryBlocks('with (a) { try { b(); } catch {} }').at(0, 17).caught).toBe(true);
    expect(new TryBlocks('#!/usr/bin/env node\nimport "a"; try { await b(); } catch {}').at(1, 26).caught).toBe(true);
    expect(new TryBlocks('return 1; try { b() } catch {}').at(0, 16).caught).toBe(true);
    expect(new TryBlocks('const a: number = 1; try { b() } catch {}').at(0, 27)).toMatchObject({ caught: false });
    expect(new TryBlocks('').at(9, 9)).toMatchObject({ caught: false, fate: 'kept' });
  });

  it('INT-34 survives code that is nested deeper than any stack', () => {
    const deep = `${'('.repeat(20_000)}1${')'.repeat(20_000)}`;
    expect(new TryBlocks(deep).at(0, 20_000)).toMatchObject({ caught: false });
    const long = `try { a(); } catch {} ${'a + '.repeat(50_000)}1`;
    expect(new TryBlocks(long).at(0, 6)).toMatchObject({ fate: 'kept' });
  });
});
