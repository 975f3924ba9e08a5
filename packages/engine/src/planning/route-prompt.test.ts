import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLANNING_KEYWORDS } from './constants.ts';
import { PromptWords } from './prompt-words.ts';
import { type RouteFacts, routePrompt } from './route-prompt.ts';
import { shouldOrchestrate } from './should-orchestrate.ts';

const facts: RouteFacts = { setting: 'standard', canWrite: true };
const to = (prompt: string, more: Partial<RouteFacts> = {}) => routePrompt(prompt, { ...facts, ...more }).to;

const PLANNED = [
  'fix add',
  'Fix it!',
  'REFACTOR the store',
  'implement dark mode',
  'build',
  'rename every greeting to salutation in all files',
  'change the title of the page please now',
  'Can you rename this function everywhere in it?',
  'could you fix the failing test?',
  'What does the build do?',
  'Hi, please change the colour of the button',
  'Виправ помилку',
  'зміни колір кнопки на сторінці входу будь ласка',
  'बटन का रंग हर पेज पर बदल दो',
  'लॉगिन पेज बनाओ',
  'লগইন পেজ তৈরি করো',
  'প্রতিটি পাতায় বোতামের রং বদলে দাও',
  '修复登录错误',
  '把登录页面上的按钮颜色改成蓝色',
  'arregla la página',
  'tell me why the build is slow',
  'find all uses of alpha and rename them to beta',
  'list the files in docs and delete those that are empty',
  'give me a login page with a red button please',
  'the test still fails with the same error',
];

const ASKED = [
  'hi',
  'Hello there!',
  'thank you so much',
  'Where is the config file read?',
  'how are notes saved',
  'Who calls `build()` and `fix()` in the store of the shop?',
  'what is "implement" used for in this very large repository?',
  'the store keeps what exactly, and for how long?',
  'Could you tell me how the session log works in detail?',
  'explain the difference between the store and the notebook in detail',
  'Привіт',
  'Де зберігаються налаштування користувача у цьому проекті?',
  'यह फ़ाइल क्या करती है?',
  'এই ফাইলটি কী করে এবং কোথায় ব্যবহার হয়?',
  '配置文件在哪里读取？',
  '你好',
  'list all files that mention line 7',
  'find every place where the log is read',
  'show all settings that a workspace may have',
  'look at a.txt and summarise it briefly',
  'please summarise what the engine does at its start',
  'Give me a short overview of this repo',
  'покажи всі файли де згадано цей рядок',
  '列出所有提到第七行的文件',
];

const DIRECT = ['run the tests', 'go on', 'yes', 'rename a to b', 'make it', '/etc/hosts', '继续'];

describe('routePrompt', () => {
  it.each(PLANNED)('IDE-29 %s → plan', (prompt) => {
    expect(to(prompt)).toBe('plan');
  });

  it.each(ASKED)('IDE-30 %s → Ask', (prompt) => {
    expect(to(prompt)).toBe('ask');
  });

  it.each(DIRECT)('IDE-30 %s → the chosen mode', (prompt) => {
    expect(to(prompt)).toBe('mode');
  });

  it.each([
    ['one two three four five', 5],
    ['বোতামের রং বদলে দাও এখন', 5],
    ['बटन का रंग बदल दो', 5],
    ['зміни колір кнопки, будь ласка', 5],
    ["don't you dare re-do it", 6],
    ['修改按钮颜色', 3],
  ])('IDE-29 words are counted as readers of the script count them: %s', (text, count) => {
    expect(new PromptWords(text).count).toBe(count);
  });

  it('IDE-29 property: plain text is counted as Unicode segmentation counts it', () => {
    const plain = fc.array(fc.constantFrom('a', 'Z', '9', ' ', '?', '!', '\n', ', '), { maxLength: 40 });
    fc.assert(
      fc.property(plain, (pieces) => {
        const text = pieces.join('');
        // A letter that no shortcut knows brings the whole text to the segmenter.
        expect(new PromptWords(`${text} é`).words.slice(0, -1)).toEqual(new PromptWords(text).words);
      }),
    );
  });

  it('IDE-30 strict plans long questions too, off plans nothing, a read-only mode runs as it is', () => {
    const question = 'How does the session log survive a kill of the process?';
    expect(to(question)).toBe('ask');
    expect(to(question, { setting: 'strict' })).toBe('plan');
    expect(to('who?', { setting: 'strict' })).toBe('ask');
    for (const prompt of [...PLANNED, ...ASKED, ...DIRECT]) {
      expect(to(prompt, { setting: 'off' })).toBe('mode');
      expect(to(prompt, { canWrite: false })).toBe('mode');
    }
  });

  it('IDE-30 a mode that was chosen for this very prompt holds for questions, and lifts no plan', () => {
    expect(to('do the tests pass?', { explicitMode: true })).toBe('mode');
    expect(to('fix the tests', { explicitMode: true })).toBe('plan');
  });

  it('IDE-29 a short “go on” goes on with a plan that broke off, not past it', () => {
    expect(to('go on', { planningBroke: true })).toBe('plan');
    expect(to('/single go on', { planningBroke: true })).toBe('plan');
    expect(to('what happened?', { planningBroke: true })).toBe('ask');
    expect(to('go on', { planningBroke: true, plan: false })).toBe('mode');
  });

  it('IDE-30 slash commands come first: informing ones bypass, /single goes on as the bare text', () => {
    expect(routePrompt('/explain fix() in src/store.ts', facts)).toEqual({
      to: 'ask',
      text: 'explain fix() in src/store.ts',
    });
    expect(routePrompt('/ask build or buy, and why so', facts)).toEqual({
      to: 'ask',
      text: 'build or buy, and why so',
    });
    expect(routePrompt('/single run it', facts)).toEqual({ to: 'mode', text: 'run it' });
    expect(routePrompt('/single Build a CRM with contacts', facts)).toEqual({
      to: 'plan',
      text: 'Build a CRM with contacts',
    });
    expect(routePrompt('/direct rename alpha to beta in all of the files', facts)).toEqual({
      to: 'mode',
      text: 'rename alpha to beta in all of the files',
    });
    expect(routePrompt('/plan it', facts)).toEqual({ to: 'plan', text: 'it' });
    expect(routePrompt('/orchestrate it', facts)).toEqual({ to: 'plan', text: 'it', orchestrate: true });
    expect(routePrompt('/nonsense it', facts)).toEqual({ to: 'mode', text: '/nonsense it' });
    expect(routePrompt('/explain it', { ...facts, canWrite: false })).toEqual({ to: 'mode', text: 'explain it' });
  });

  it('IDE-30 --plan and --no-plan go before the words, and what was piped in decides nothing', () => {
    expect(to('hi', { plan: true })).toBe('plan');
    expect(to('fix everything in this repository right now', { plan: false })).toBe('mode');
    const piped = 'Why does this fail?\n\nError: cannot build, fix it';
    expect(to(piped)).toBe('plan');
    expect(to(piped, { said: 'Why does this fail?' })).toBe('ask');
  });

  it('IDE-39 a build of a product is told from a targeted change', () => {
    for (const prompt of ['Build a CRM with contacts and deals', 'create an API for orders', 'Implement a dashboard'])
      expect(shouldOrchestrate(prompt), prompt).toBe(true);
    for (const prompt of [
      'make this function faster in the user service',
      'fix the api',
      'refactor the app',
      'build the tests',
      'what is an api?',
    ])
      expect(shouldOrchestrate(prompt), prompt).toBe(false);
    expect(routePrompt('Build a CRM with contacts and deals', facts)).toMatchObject({ to: 'plan', orchestrate: true });
    expect(routePrompt('/single Build a CRM', facts).orchestrate).toBeUndefined();
  });

  it('IDE-29 no prompt of more than five words that asks nothing gets past the gate, nor one with a keyword', () => {
    const word = fc.constantFrom('rename', 'colour', 'кнопка', 'बटन', 'বোতাম', 'x1', 'the', 'page');
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 6, maxLength: 12 }),
        fc.constantFrom(' ', ', ', '\n', ' — '),
        (all, gap) => {
          expect(to(all.join(gap))).toBe('plan');
        },
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...PLANNING_KEYWORDS), word, fc.constantFrom('', '?', '!'), (keyword, more, end) => {
        expect(to(`${keyword} ${more}${end}`)).toBe('plan');
        expect(to(`${keyword.toUpperCase()}: ${more}${end}`)).toBe('plan');
      }),
    );
  });

  it('IDE-29 any text at all is routed, a very long one in no time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(['mode', 'ask', 'plan']).toContain(to(text));
      }),
    );
    expect(to('word '.repeat(2_000_000))).toBe('plan');
  });
});
