import type { Form } from './form.ts';
import type { Request } from './request.ts';
import type { Said } from './said.ts';
import { takePlace } from './subject.ts';
import { readNamed } from './target.ts';

/** The forms of requests that go by what calls what. */

const CHANGED =
  'change[sd]?|changing|edit(?:s|ed|ing)?|modif(?:y|ies|ied|ying)|touch(?:es|ed|ing)?|renam(?:e|es|ed|ing)|remov(?:e|es|ed|ing)|delet(?:e|es|ed|ing)|break(?:s|ing)?|refactor(?:s|ed|ing)?';
const WILL = '(?:would |could |might |may |will |can |is |are |gets? |be )*';
const TEST_VERBS = 'cover|exercise|reach|call|use|test|check|touch|hit|run';

export const GRAPH_FORMS: readonly Form[] = [
  {
    name: 'what breaks',
    pattern: new RegExp(
      `^(?:what|who|which \\w+(?: \\w+)?) ${WILL}(?:break|breaks|broken|affected|fail|fails|impacted|happens?)(?: (?:if|when|by|after))? (?:(?:i|we|you|one|someone|somebody) )?(?:${CHANGED}|to) (?<symbol>.+)$`,
      'iu',
    ),
    read: ({ symbol }, said) => impact(said, symbol!),
    examples: [
      ['what breaks if I change saveNote?', { kind: 'impact', symbol: 'saveNote' }],
      ['Which code is affected by changing `NoteStore.save`?', { kind: 'impact', symbol: 'NoteStore.save' }],
      ['what would break when we remove src/store.ts', { kind: 'impact', symbol: 'src/store.ts' }],
      ['what happens to the weather', { kind: 'unknown' }],
    ],
  },
  {
    name: 'what breaks when it changes',
    pattern: new RegExp(
      `^(?:what|who|which \\w+) ${WILL}(?:break|breaks|broken|affected|fail|fails|impacted) (?:if|when) (?<symbol>.+?) (?:${CHANGED}|is (?:${CHANGED}))$`,
      'iu',
    ),
    read: ({ symbol }, said) => impact(said, symbol!),
    examples: [['what would break when NoteStore changes?', { kind: 'impact', symbol: 'NoteStore' }]],
  },
  {
    name: 'impact of',
    pattern: new RegExp(
      `^(?:(?:show|tell|give)(?: me)? |what(?:'s| is| would be) )?(?:the )?(?:impact|effects?|blast radius|consequences?)(?: of)?(?: (?:${CHANGED}))? (?:to |of |for )?(?<symbol>.+)$`,
      'iu',
    ),
    read: ({ symbol }, said) => impact(said, symbol!),
    examples: [
      ['impact of saveNote', { kind: 'impact', symbol: 'saveNote' }],
      ['what is the impact of changing saveNote?', { kind: 'impact', symbol: 'saveNote' }],
    ],
  },
  {
    name: 'what does it call',
    pattern:
      /^(?:what|which (?:functions?|methods?|things?|code)) (?:does|do|did|would) (?<symbol>.+?) (?:call|calls|use|uses|invoke|invokes|depend on|depends on|need|needs)(?: (?:itself|directly))?$/iu,
    read: ({ symbol }, said) => callees(said, symbol!),
    examples: [
      ['what does saveNote call?', { kind: 'callees', symbol: 'saveNote' }],
      ['which functions does `NoteStore.save` use', { kind: 'callees', symbol: 'NoteStore.save' }],
      ['what does the fox use', { kind: 'unknown' }],
    ],
  },
  {
    name: 'callees of',
    pattern: /^(?:(?:show|list|find|get)(?: me)? )?(?:the |all )?(?:callees|dependencies) (?:of|for) (?<symbol>.+)$/iu,
    read: ({ symbol }, said) => callees(said, symbol!),
    examples: [['callees of saveNote', { kind: 'callees', symbol: 'saveNote' }]],
  },
  {
    name: 'which tests cover',
    pattern: new RegExp(
      `^(?:(?:which|what) (?:of the |unit )?tests? (?:that )?(?:are there for|(?:${TEST_VERBS})(?:s|es)?) (?<covered>.+)|(?:show|list|find)(?: me)? (?:the |all )?tests? (?:of|for|that (?:${TEST_VERBS})) (?<symbol>.+)|(?:is|are) (?<tested>.+?) (?:ever |being )?(?:tested|covered)(?: by (?:a|any|some)? ?tests?)?)$`,
      'iu',
    ),
    read: ({ covered, symbol, tested }, said) => {
      const named = readNamed(said, covered ?? symbol ?? tested!);
      return named ? { kind: 'tested', symbol: named } : undefined;
    },
    examples: [
      ['which tests cover saveNote?', { kind: 'tested', symbol: 'saveNote' }],
      ['list the tests for NoteStore', { kind: 'tested', symbol: 'NoteStore' }],
      ['is `saveNote` tested?', { kind: 'tested', symbol: 'saveNote' }],
      ['which tests check the title?', { kind: 'find' }],
    ],
  },
  {
    name: 'how do they connect',
    pattern:
      /^(?:how (?:are|do|is|does) (?<one>.+?) (?:and|with|to) (?<other>.+?) (?:connect(?:ed)?|relate(?:d)?|linked|link|interact|depend on (?:each other|one another))|how (?:does|do|can) (?<from>.+?) (?:reach|get to|call|come to call|lead to|end up in|use) (?<to>.+)|(?:(?:show|find)(?: me)? )?(?:the |a )?(?:call )?(?:path|way|chain|connection)(?: of calls)? (?:from|between) (?<start>.+?) (?:to|and) (?<end>.+))$/iu,
    read: ({ one, other, from, to, start, end }, said) => {
      const [first, last] = [one ?? from ?? start!, other ?? to ?? end!].map((name) => readNamed(said, name));
      return first && last ? { kind: 'way', from: first, to: last } : undefined;
    },
    examples: [
      ['how do main and saveNote connect?', { kind: 'way', from: 'main', to: 'saveNote' }],
      ['How does `runApp` reach `saveNote`?', { kind: 'way', from: 'runApp', to: 'saveNote' }],
      ['path from main.start to saveNote', { kind: 'way', from: 'main.start', to: 'saveNote' }],
      ['how do people and dogs connect', { kind: 'way', from: 'people', to: 'dogs' }],
    ],
  },
  {
    name: 'what is unused',
    pattern:
      /^(?:(?:find|show|list|is there|are there|what is|what's|which is|which|what)(?: me)?(?: any| all| the)* )?(?:(?:dead|unused|unreachable) (?:code|functions?|methods?|class(?:es)?|symbols?|exports?)|(?:code|functions?|methods?|classes|symbols?) (?:(?:that|which) )?(?:is|are) (?:never|not) (?:used|called)(?: anywhere)?|unused|dead)(?<where> .+)?$/iu,
    read: ({ where }, said) => {
      if (!where) return { kind: 'unused' };
      const { place } = takePlace(said, `code${where}`, 'in|inside|within|under|below|of');
      return place ? { kind: 'unused', place } : undefined;
    },
    examples: [
      ['find dead code', { kind: 'unused' }],
      ['which functions are never called?', { kind: 'unused' }],
      ['list unused functions in src/', { kind: 'unused', place: 'src/' }],
      ['what is unused here for reasons', { kind: 'unknown' }],
    ],
  },
];

type Read = Request | undefined;

function impact(said: Said, phrase: string): Read {
  const symbol = readNamed(said, phrase);
  return symbol ? { kind: 'impact', symbol } : undefined;
}

function callees(said: Said, phrase: string): Read {
  const symbol = readNamed(said, phrase);
  return symbol ? { kind: 'callees', symbol } : undefined;
}
