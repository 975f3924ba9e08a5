import type { Field } from '../shell/facts.ts';
import { matchesGlob } from '../shell/glob-match.ts';
import {
  ANY,
  activateGlobs,
  isGlob,
  isUnknown,
  QUESTION,
  SET_OPEN,
  SOME,
  STAR,
  withoutMarkers,
} from '../shell/markers.ts';
import { programName } from '../shell/wrappers.ts';
import { secretSearch } from './secret-search.ts';

const NAMES =
  /^(\.env(rc)?|\.env\.(?!(example|sample|template|dist|defaults?|schema)$).+|.+\.env|\.?_?netrc|\.pgpass|\.my\.cnf|\.npmrc|\.pypirc|\.yarnrc\.yml|\.git-credentials|\.htpasswd|\.dockercfg|\.vault-token|\.boto|\.s3cfg|\.authinfo(\.gpg)?|id_(rsa|dsa|ecdsa|ed25519)(_.*)?|.*\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|ovpn)|\.?credentials(\.(json|ya?ml|toml|ini|csv|tfrc\.json))?|oauth_creds\.json|auth\.json|rclone\.conf|logins\.json|key4\.db|secrets?\.(json|ya?ml|toml|env|txt)|service-account.*\.json|g?shadow-?|sudoers|\.?[a-z]*_history|kubeconfig|.*\.tfstate|environ)$/i;
const FOLDERS =
  /(^|\/)(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.password-store|keyrings|\.config\/(gcloud|gh|op|doctl))(\/|$)|(^|\/)\.blackide\/(?!knowledge|plans?\b|artifacts|mindmap|modes)/i;
/** Names a pattern is tried on. */
const SAMPLES = [
  '.env',
  '.env.local',
  'id_rsa',
  'id_ed25519',
  '.npmrc',
  '.netrc',
  'server.pem',
  'server.key',
  '.ssh',
  'environ',
];
/** Programs that only tell names, or whose words are text. */
const NO_CONTENT =
  /^(ls|echo|printf|find|fd|fdfind|stat|test|\[|\[\[|basename|dirname|du|df|pwd|cd|which|type|realpath|readlink|mkdir|touch|true|false|:|tree|man|wc)$/;
/** Programs that print what is in the files that they are given, whichever these are. */
const PRINTS = /^(cat|head|tail|[ef]?grep|cut|nl|tac|rev)$/;
/** Subcommands of git that tell of files by their names alone. */
const GIT_NAMES =
  /^(ls-files|ls-tree|status|check-ignore|check-attr|rev-parse|branch|tag|remote|describe|name-rev|rev-list|shortlog|add|rm|mv)$/;
/** Programs whose first operand is a pattern or a program text. */
const PATTERN_FIRST = /^([ef]?grep|rg|ag|ack|sed|jq|yq|[gmn]?awk)$/;

/** Whether a program prints names at most, nothing of what is in the files. */
export function tellsNamesOnly(program: string): boolean {
  return NO_CONTENT.test(program);
}

/** Whether a file holds secrets, by its path alone. */
export function isSecretPath(path: string): boolean {
  return FOLDERS.test(path) || NAMES.test(path.slice(path.lastIndexOf('/') + 1));
}

/** The first word by which a command would read a file that holds secrets; undefined if there is none. */
export function secretWord(words: readonly Field[]): Field | undefined {
  const [name, ...rest] = words;
  if (!name) return undefined;
  // What tells names alone tells those that it is to read from a file, too.
  if (tellsNamesOnly(programName(name))) {
    return rest.find((word) => word.value.startsWith('--files0-from=') && isSecret(word));
  }
  const program = programName(name);
  let skip = PATTERN_FIRST.test(program) && !rest.some(({ value }) => /^(-e|-f|--regexp|--file)/.test(value)) ? 1 : 0;
  if (program === 'git') return gitSecret(rest);
  if (/^([ef]?grep|rg|ag|ack)$/.test(program)) {
    const globs = rest.filter(
      ({ value }, index) =>
        /^--include=|^--i?glob=/.test(value) || /^(-g|--i?glob|--include)$/.test(rest[index - 1]?.value ?? ''),
    );
    const found = globs.find((word) => isSecretPattern(word)) ?? secretSearch(program, rest);
    if (found) return found;
  }
  return rest.find((word) => {
    if (skip > 0 && !word.value.startsWith('-')) {
      skip -= 1;
      return false;
    }
    return isSecret(word) || (PRINTS.test(program) && isUnknownName(word));
  });
}

function gitSecret(words: readonly Field[]): Field | undefined {
  const at = words.findIndex(({ value }) => !value.startsWith('-'));
  const sub = words[at]?.value ?? '';
  if (GIT_NAMES.test(sub)) return undefined;
  const rest = words.slice(at + 1);
  // Of `git grep` the first operand is what is looked for; a path given to git is a pattern even in quotes.
  const from = sub === 'grep' ? rest.findIndex(({ value }) => !value.startsWith('-')) + 1 : 0;
  return rest.slice(from).find((word) => isSecretPattern(word));
}

/** A word that the program itself takes for a pattern of names. */
function isSecretPattern(word: Field): boolean {
  if (/^(--[a-z]+=)?(!|:!|:\^|:\(exclude\))/.test(word.value)) return false;
  return isSecret(word) || isSecret({ ...word, value: activateGlobs(word.value) });
}

/** A file of which not even the name is known. */
function isUnknownName({ value }: Field): boolean {
  const name = value.split('/').at(-1) ?? '';
  return isUnknown(name) && couldBeSecret(name.replaceAll(ANY, STAR).replaceAll(SOME, STAR), true);
}

/** Whether the word is, or its pattern could match, a path at which secrets are kept. */
export function isSecret(word: Field): boolean {
  const value = word.value.replace(/^-{1,2}[A-Za-z-]+=/, '');
  return [value, value.slice(value.lastIndexOf(':') + 1)].some((path) => {
    const name = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
    if (FOLDERS.test(withoutMarkers(path)) || isSecretPath(withoutMarkers(name))) return true;
    return isGlob(name) && couldBeSecret(name);
  });
}

function couldBeSecret(pattern: string, anyName = false): boolean {
  const literal = pattern.replace(new RegExp(`[${STAR}${QUESTION}]`, 'g'), '');
  if (literal === '') return anyName;
  // A leading wildcard does not take in names with a leading dot.
  const leading = !anyName && [STAR, QUESTION, SET_OPEN].some((mark) => pattern.startsWith(mark));
  return SAMPLES.some((name) => !(leading && name.startsWith('.')) && matchesGlob(pattern, name));
}
