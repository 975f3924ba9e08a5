import type { Language } from '../parsing/language.ts';

const COMMON = 'if else for while return break continue switch case';
const ECMASCRIPT = `${COMMON} const var class extends function import export try catch finally throw new do default typeof in instanceof void delete with debugger enum`;
const C = `${COMMON} do default struct union enum goto typedef sizeof int char float double long short void unsigned signed static extern const`;
const JAVA = `${COMMON} do default class interface enum extends implements import package try catch finally throw throws new int char float double long short byte boolean void public private protected static final abstract instanceof`;

/** Words that are never names. Parsers take a keyword for a name where only a name may stand. */
const RESERVED: Readonly<Partial<Record<Language, string>>> = {
  typescript: ECMASCRIPT,
  tsx: ECMASCRIPT,
  javascript: ECMASCRIPT,
  python:
    'if elif else for while return break continue class def import from try except finally raise with lambda in is and or not pass del global nonlocal yield assert as',
  go: `${COMMON} func var const type struct interface map chan package import defer go select range goto default fallthrough`,
  rust: 'if else for while return break continue loop match fn let const static struct enum impl trait use mod pub in as ref mut where move',
  java: JAVA,
  c: C,
  cpp: `${C} class namespace template try catch throw new delete public private protected using`,
  csharp: `${COMMON} do default class struct interface enum namespace using try catch finally throw new int char float double long short byte bool void string object public private protected internal static readonly const in is`,
  php: `${COMMON} function class extends implements echo foreach try catch finally throw new public private protected static use namespace`,
  dart: `${COMMON} do default class extends enum try catch finally throw new const final var void in is with`,
  kotlin: 'if else for while return break continue class fun val var object interface try throw when do in is package',
  swift:
    'if else for while return break continue class func let var struct enum protocol import switch case default guard do catch throw in is',
};

/** The words of a language that are never names. */
export function reservedWords(language: Language): ReadonlySet<string> {
  return new Set(RESERVED[language]?.split(' '));
}

/** Names of members may be any word: `promise.catch`. */
export const NAME_NODE = /^(?:identifier|name|type_identifier|simple_identifier|scoped_identifier)$/;
