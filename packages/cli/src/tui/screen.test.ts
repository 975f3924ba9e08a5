import { Writable } from 'node:stream';
import xterm from '@xterm/headless';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Output } from '../headless/output.ts';
import { Screen } from './screen.ts';

function setUp(columns = 20, rows = 8) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1_000 });
  const stream = Object.assign(
    new Writable({ write: (chunk, _encoding, done) => terminal.write(chunk, () => done()) }),
    { isTTY: true, columns, rows },
  );
  const out = new Output(stream);
  const screen = new Screen({ out, stream, finish: (line) => line });
  const shown = async (): Promise<string[]> => {
    await out.flush();
    const { active } = terminal.buffer;
    const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)!.translateToString(true));
    while (lines.at(-1) === '') lines.pop();
    return lines;
  };
  return { terminal, screen, shown };
}

it('IDE-79 what is finished is printed once and stays; only the region below it changes', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', '漢'), minLength: 1, maxLength: 9 });
  const step = fc.record({
    print: fc.array(line, { maxLength: 4 }),
    live: fc.array(line, { minLength: 1, maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { screen, shown } = setUp();
      const printed: string[] = [];
      for (const { print, live } of steps) {
        screen.print(print);
        printed.push(...print);
        screen.draw({ lines: live, cursor: { row: 0, column: 1 } });
        expect(await shown()).toEqual([...printed, ...live]);
      }
    }),
  );
});

it('cuts what is wider or higher than the terminal', async () => {
  const { screen, shown } = setUp(10, 4);
  screen.draw({ lines: ['1', '2', '3', '4', 'x'.repeat(30)] });
  expect(await shown()).toEqual(['3', '4', 'xxxxxxxxxx']);
});

it('puts the cursor where it is wanted', async () => {
  const { screen, shown, terminal } = setUp();
  screen.print(['above']);
  screen.draw({ lines: ['a', 'input', 'status'], cursor: { row: 1, column: 5 } });
  await shown();
  expect([terminal.buffer.active.cursorY, terminal.buffer.active.cursorX]).toEqual([2, 5]);
});

it('gives the terminal back with the conversation and without the live region', async () => {
  const { screen, shown } = setUp();
  screen.print(['said']);
  screen.draw({ lines: ['live', 'status'], cursor: { row: 0, column: 0 } });
  screen.leave();
  expect(await shown()).toEqual(['said']);
});

it('shows a list on the alternate screen and leaves the conversation as it was', async () => {
  const { screen, shown } = setUp();
  screen.print(['said']);
  screen.draw({ lines: ['live'] });
  screen.drawAlternate({ lines: ['list', 'one'] });
  expect(await shown()).toEqual(['list', 'one']);
  screen.leaveAlternate();
  expect(await shown()).toEqual(['said', 'live']);
});

it('draws below what a shell wrote while we were stopped, and leaves nothing of its own below', async () => {
  const { terminal, screen, shown } = setUp();
  screen.draw({ lines: ['one', 'two', 'three'], cursor: { row: 0, column: 1 } });
  await shown();
  await new Promise<void>((done) => terminal.write('\r\n$ fg\r\n', done));
  screen.retake();
  screen.draw({ lines: ['four'], cursor: { row: 0, column: 1 } });
  expect(await shown()).toEqual(['one', '$ fg', 'four']);
  screen.drawAlternate({ lines: ['a list'] });
  screen.retake();
  screen.draw({ lines: ['five'], cursor: { row: 0, column: 1 } });
  expect(await shown()).toEqual(['one', '$ fg', 'five']);
});
