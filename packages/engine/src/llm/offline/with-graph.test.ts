import {
  answerPage,
  askGraph,
  type CodeIntelligence,
  hitsText,
  openCodeIntelligence,
  pageText,
  shownHits,
} from '@black-ide/intel';
import { createTempWorkspace, type TempWorkspace } from '@black-ide/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lineOf, missingPlaces } from './fixtures/places.ts';
import { Session } from './fixtures/session.ts';
import { ripgrepPath, type Tools, toolsOver } from './fixtures/tiny-tools.ts';

const FILES = {
  'package.json': '{ "name": "notes", "type": "module" }\n',
  'src/note.js': `/** Checks a note before it is saved. Throws when its title cannot be used. */
export function validateNote(note) {
  const title = note.title.trim();
  if (title === '') throw new Error('title must not be empty');
}

function leftOver() {}
`,
  'src/store.js': `import { validateNote } from './note.js';

/** Keeps notes in memory. */
export class NoteStore {
  /** Saves one note. */
  saveNote(note) {
    validateNote(note);
  }
}
`,
  'src/main.js': `import { NoteStore } from './store.js';

export function start() {
  const store = new NoteStore();
  store.saveNote({ title: 'First' });
}
`,
  'test/store.test.js': `import { test } from 'node:test';
import { NoteStore } from '../src/store.js';

test('saves', () => {
  const store = new NoteStore();
  store.saveNote({ title: 'Milk' });
});
`,
  'src/a/run.js': 'export function run() {}\n',
  'src/b/run.js': '\nexport function run() {}\n',
  'docs/guide.md': '# Guide\n\nThe orderBook is filled at night.\n',
};

let workspace: TempWorkspace;
let intel: CodeIntelligence;

beforeAll(async () => {
  workspace = await createTempWorkspace({ files: FILES });
  intel = await openCodeIntelligence({ root: workspace.path, folder: undefined });
  await intel.refresh();
});
afterAll(async () => {
  await intel.dispose();
  await workspace.dispose();
});

/** The engine's own code tools over the same folder, without its loop. */
function codeTools(): Tools {
  const tools: Record<string, (args: never) => string> = {
    code_graph: ({ symbol: of, ...question }: Parameters<typeof askGraph>[1] & { symbol?: string }) =>
      pageText(
        answerPage(askGraph(intel, { ...question, action: question.action ?? 'explain', ...(of ? { of } : {}) })),
        8_000,
      ),
    codebase_search: ({ query, path }: { query: string; path?: string }) =>
      hitsText(shownHits(intel, intel.index.searchWords(query, { limit: 10, ...(path ? { path } : {}) })), 8_000),
  };
  return tools as Tools;
}

async function ask(text: string) {
  const session = new Session({ ...toolsOver(workspace.path, await ripgrepPath()), ...codeTools() }).say(text);
  const answer = await session.answer();
  expect(missingPlaces(answer, workspace.path)).toEqual([]);
  return { answer, calls: session.calls.map(({ name }) => name) };
}

const at = (path: string, text: string) => `\`${path}:${lineOf(workspace.path, path, text)}\``;

describe('the offline provider with the code graph and the index', () => {
  it('IDE-28 explains a symbol: signature, comment, code, callers, tests', async () => {
    const { answer, calls } = await ask('explain validateNote');
    expect(answer).toMatch(
      /^`validateNote` is an exported function, defined at `src\/note\.js:2`\.\n\n> Checks a note before it is saved\./,
    );
    expect(answer).toContain("4    if (title === '') throw");
    expect(answer).toMatch(
      new RegExp(`Called:\\n- ${at('src/store.js', 'validateNote(note);')} in \`NoteStore.saveNote\``),
    );
    expect(answer).toMatch(/Tests that reach it:\n- `test\/store\.test\.js:4`/);
    expect(answer).toContain('Found in the code graph');
    expect(calls).not.toContain('grep_search');
  });

  it('IDE-28 tells who calls and who uses it, tests apart', async () => {
    const { answer } = await ask('who calls saveNote?');
    expect(answer).toMatch(/Called by 2:\n- `src\/main\.js:5` in `start`\n\nIn tests:\n- `test\/store\.test\.js:6`/);
    expect((await ask('is validateNote used anywhere?')).answer).toMatch(/Used in \d places?:\n- `src\/store\.js:7`/);
  });

  it('IDE-28 tells what breaks, what it calls, which tests cover it, and how two things connect', async () => {
    const impact = (await ask('what breaks if I change validateNote?')).answer;
    expect(impact).toMatch(
      /May break: 3 symbols[\s\S]*NoteStore\.saveNote[\s\S]*start[\s\S]*Tests among them:\n- `test\/store\.test\.js:4`/,
    );
    expect((await ask('what does saveNote call?')).answer).toMatch(
      /It calls, in this order:\n- `src\/note\.js:2` `validateNote`/,
    );
    expect((await ask('which tests cover validateNote?')).answer).toMatch(
      /Tests that reach it, the nearest first:\n- `test\/store\.test\.js:4`/,
    );
    expect((await ask('how do start and validateNote connect?')).answer).toMatch(
      /over 2 calls:\n\n1\. `src\/main\.js:3` `start`\n2\. `src\/store\.js:6` `NoteStore\.saveNote`\n3\. `src\/note\.js:2` `validateNote`/,
    );
    expect((await ask('path from validateNote to start')).answer).toMatch(
      /the other way round there is one[\s\S]*1\. .*`start`/,
    );
    const dead = (await ask('find dead code')).answer;
    expect(dead).toMatch(/leftOver[\s\S]*Candidates only/);
    expect(dead).not.toContain('validateNote');
  });

  it('IDE-28 tells what breaks with a file', async () => {
    const { answer } = await ask('what breaks if I change src/note.js');
    expect(answer).toMatch(/^`src\/note\.js`:[\s\S]*NoteStore\.saveNote[\s\S]*Imported by:\n- `src\/store\.js:1`/);
  });

  it('IDE-28 finds a name by the graph, words by the index, and says which', async () => {
    const name = await ask('where is saveNote defined?');
    expect(name.answer).toMatch(
      /^`src\/store\.js:6`[\s\S]*Sure: `saveNote` is defined there\. Found in the code graph/,
    );
    const words = await ask('Where is the note title validated?');
    expect(words.answer.split('\n')[0]).toContain('`src/note.js:');
    expect(words.answer).toMatch(/Found in the search index\. Fairly sure|Found by text search/);
  });

  it('IDE-28 lists the symbols of one name, and takes one of them by its place', async () => {
    const { answer } = await ask('explain run');
    expect(answer).toMatch(/`run` is the name of 2 symbols[\s\S]*`src\/a\/run\.js:1`[\s\S]*`src\/b\/run\.js:2`/);
    expect((await ask('explain src/b/run.js:2')).answer).toMatch(
      /^`src\/b\/run\.js:2` is an exported function, defined at `src\/b\/run\.js:2`/,
    );
    expect((await ask('who calls src/b/run.js:2')).answer).toMatch(/The code graph knows nothing that calls it/);
  });

  it('IDE-28 falls back to text search where the graph knows nothing', async () => {
    const { answer } = await ask('who uses orderBook');
    expect(answer).toMatch(/`docs\/guide\.md:3`[\s\S]*Found by text search/);
    expect((await ask('what breaks if I change orderBook')).answer).toMatch(
      /^The code graph knows nothing called `orderBook`\.[\s\S]*`docs\/guide\.md:3`/,
    );
    const without = await new Session(toolsOver(workspace.path, await ripgrepPath()))
      .say('impact of saveNote')
      .answer();
    expect(without).toMatch(/^This takes the code graph[\s\S]*Found by text search/);
  });
});
