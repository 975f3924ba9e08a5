import type { LanguageRules } from './language-rules.ts';

/** JavaScript's own objects: their members are read from the running engine. */
const JAVASCRIPT_PROTOTYPES: readonly object[] = [
  Array,
  ArrayBuffer,
  BigInt,
  Boolean,
  Date,
  Error,
  Function,
  Map,
  Number,
  Object,
  Promise,
  RegExp,
  Set,
  String,
  Symbol,
  Uint8Array,
  URL,
  WeakMap,
  WeakRef,
].map(({ prototype }) => prototype);
// `Iterator` has no name that TypeScript knows yet.
const ITERATOR: object = Object.getPrototypeOf(Object.getPrototypeOf([].values()));

const words = (text: string): string[] => text.split(/\s+/);

const PYTHON =
  words(`append extend insert pop remove clear index count sort reverse copy keys values items get setdefault
  update popitem fromkeys add discard union intersection difference symmetric_difference issubset issuperset isdisjoint
  join split rsplit splitlines strip lstrip rstrip startswith endswith replace find rfind rindex format format_map encode
  decode lower upper title capitalize casefold swapcase center ljust rjust zfill partition rpartition translate maketrans
  isdigit isalpha isalnum isnumeric isdecimal isspace isupper islower istitle isidentifier hex fromhex tobytes
  read readline readlines write writelines seek tell flush close fileno truncate send throw bit_length to_bytes from_bytes
  isoformat strftime strptime timestamp total_seconds group groups groupdict match fullmatch search findall finditer sub
  subn appendleft popleft extendleft rotate most_common elements`);

const JVM = words(`add addAll remove removeAll removeIf retainAll contains containsAll containsKey containsValue get
  getOrDefault put putAll putIfAbsent computeIfAbsent computeIfPresent compute merge size isEmpty clear iterator stream
  keySet values entrySet getKey getValue setValue hasNext next indexOf lastIndexOf set sort forEach toArray equals hashCode
  toString getClass compareTo length charAt substring trim strip split startsWith endsWith replace replaceAll matches
  toLowerCase toUpperCase isBlank concat format append insert reverse map filter flatMap reduce collect anyMatch allMatch
  noneMatch findFirst findAny limit skip distinct sorted orElse orElseGet orElseThrow ifPresent isPresent of close apply
  accept test run call getName getMessage printStackTrace println print printf write read flush intValue longValue
  doubleValue name ordinal valueOf join first last let also toList toSet mapOf count any all none foreach fold foldLeft
  getOrElse mkString`);

const COMMON = words(`add append push pop insert remove delete clear get set has contains include size length len count
  empty first last begin end find each map filter reduce sort reverse join split trim replace format print write read close
  open to_s to_string String Error Len Read Write Close Add Get Set unwrap expect clone iter into as_ref as_str is_some
  is_none is_ok is_err ok_or unwrap_or map_err and_then push_str c_str data at front back push_back emplace_back what str
  substr ToString Equals GetHashCode Add Contains Remove Count Select Where First FirstOrDefault ToList ToArray Any All
  isEmpty toString equals hashCode compareTo new nil to_a to_h to_i to_sym freeze dup send call`);

const BY_FAMILY: Partial<Record<LanguageRules['family'], readonly string[]>> = {
  javascript: [...JAVASCRIPT_PROTOTYPES, ITERATOR].flatMap((each) => Object.getOwnPropertyNames(each)),
  python: PYTHON,
  jvm: JVM,
};

const SETS = new Map(Object.entries(BY_FAMILY).map(([family, names]) => [family, new Set(names)]));
const OTHERS = new Set(COMMON);

/**
 * Whether objects of the language itself have a member of a name: on something that is not known it says nothing. In
 * django 95 of 100 guesses that were wrong were `join` and `extend`.
 */
export function isLanguageMember(family: LanguageRules['family'], name: string): boolean {
  return (SETS.get(family) ?? OTHERS).has(name);
}
