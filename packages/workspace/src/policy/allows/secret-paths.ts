import type { Field } from '../shell/facts.ts';
import { matchesGlob } from '../shell/glob-match.ts';
import { isGlob, QUESTION, SET_OPEN, STAR, withoutMarkers } from '../shell/markers.ts';
import { programName } from '../shell/wrappers.ts';

const NAMES =
  /^(\.env(rc)?|\.env\.(?!(example|sample|template|dist|defaults?|schema)$).+|.+\.env|\.?_?netrc|\.pgpass|\.my\.cnf|\.npmrc|\.pypirc|\.yarnrc\.yml|\.git-credentials|\.htpasswd|\.dockercfg|\.vault-token|\.boto|\.s3cfg|\.authinfo(\.gpg)?|id_(rsa|dsa|ecdsa|ed25519)(_.*)?|.*\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|ovpn)|credentials(\.(json|ya?ml|toml|ini|csv))?|secrets?\.(json|ya?ml|toml|env|txt)|service-account.*\.json|g?shadow-?|sudoers|\.?[a-z]*_history|kubeconfig|.*\.tfstate|environ)$/i;
const FOLDERS =
  /(^|\/)(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.password-store|keyrings|\.config\/(gcloud|gh|op|doctl))(\/|$)|(^|\/)\.blackide\/(?!knowledge|plans?\b|artifacts|mindmap|modes)/i;
/** Names a pattern is tried on. */
const SAMPLES = ['.env', '.env.local', 'id_rsa', 'id_ed25519', '.npmrc', '.netrc', 'server.pem', 'server.key', '.ssh'];
/** Programs that only tell names, or whose words are text. */
const NO_CONTENT =
  /^(ls|echo|printf|find|fd|fdfind|stat|test|\[|\[\[|basename|dirname|du|df|pwd|cd|which|type|realpath|readlink|mkdir|touch|true|false|:|tree|man)$/;
/** Programs whose first operand is a pattern or a program text. */
const PATTERN_FIRST = /^([ef]?grep|rg|ag|ack|sed|jq|yq|[gmn]?awk)$/;

/** The first word by which a command would read a file that holds secrets; undefined if there is none. */
export function secretWord(words: readonly Field[]): Field | undefined {
  const [name, ...rest] = words;
  if (!name || NO_CONTENT.test(programName(name))) return undefined;
  const program = programName(name);
  let skip = PATTERN_FIRST.test(program) && !rest.some(({ value }) => /^(-e|-f|--regexp|--file)/.test(value)) ? 1 : 0;
  if (program === 'git') {
    const grep = rest.findIndex(({ value }) => value === 'grep');
    return rest.slice(grep + 1 + (grep < 0 ? 0 : 1)).find(isSecret);
  }
  return rest.find((word) => {
    if (skip > 0 && !word.value.startsWith('-')) {
      skip -= 1;
      return false;
    }
    return isSecret(word);
  });
}

/** Whether the word is, or its pattern could match, a path at which secrets are kept. */
export function isSecret(word: Field): boolean {
  const value = word.value.replace(/^-{1,2}[A-Za-z-]+=/, '');
  return [value, value.slice(value.lastIndexOf(':') + 1)].some((path) => {
    const name = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
    if (FOLDERS.test(withoutMarkers(path)) || NAMES.test(withoutMarkers(name))) return true;
    return isGlob(name) && couldBeSecret(name);
  });
}

function couldBeSecret(pattern: string): boolean {
  const literal = pattern.replace(new RegExp(`[${STAR}${QUESTION}]`, 'g'), '');
  if (literal === '') return false;
  // A leading wildcard does not take in names with a leading dot.
  const leading = [STAR, QUESTION, SET_OPEN].some((mark) => pattern.startsWith(mark));
  return SAMPLES.some((name) => !(leading && name.startsWith('.')) && matchesGlob(pattern, name));
}
