import { isSecretVariable, namesSecret } from '../processes/secret-names.ts';
import { privateKeySpans } from './private-keys.ts';

export interface RedactOptions {
  /** Values known to be secret, e.g. of the environment: taken out wherever they stand. */
  known?: readonly string[];
}

/** What stands in place of a secret. */
export const REDACTED = '[redacted]';

/** A rule keeps its groups `keep` and `rest` and leaves out what is between. Repetitions are bounded, so that no text is slow. */
const RULES: readonly RegExp[] = [
  // User and password, or a token alone, in an address.
  /(?<keep>\b[a-z][a-z0-9+.-]{0,30}:\/\/)(?:[^\s/@:"'<>]{0,200}:[^\s/@"'<>]{1,400}|[A-Za-z0-9_-]{20,400})(?<rest>@)/gi,
  // Secrets in the query of an address.
  /(?<keep>[?&#;](?:access_token|refresh_token|id_token|auth_token|token|api[_-]?key|apikey|key|secret|client_secret|password|passwd|pwd|sig|signature|x-amz-signature|x-amz-credential|x-amz-security-token)=)[^\s&#"'<>()[\]]{4,2000}/gi,
  // Headers.
  /(?<keep>\b(?:proxy-)?authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|basic|token|digest|negotiate)\s{1,3})[^\s"'<>,]{4,4000}/gi,
  /(?<keep>\bbearer\s{1,3})[A-Za-z0-9._~+/-]{16,4000}={0,2}/gi,
  /(?<keep>\b(?:x-api-key|x-goog-api-key|api-key|x-auth-token|private-token|set-cookie|cookie)["']?\s{0,3}:\s{0,3}["']?)[^\r\n"'<>]{4,4000}/gi,
  // Keys that give themselves away by their beginning.
  /\b(?:sk|pk|rk)[-_](?=[A-Za-z_-]{0,80}\d)(?:[A-Za-z0-9]{1,20}[-_]){0,4}[A-Za-z0-9][A-Za-z0-9_-]{19,400}/g,
  /\b(?:gh[opusr]_|github_pat_|glpat-|gldt-|xox[abeoprs]-|xapp-|pypi-|dop_v1_|doo_v1_|shp(?:at|ca|pa|ss)_|whsec_|AKIA|ASIA|AIza|ya29\.|SG\.|lin_api_|sntrys_|tskey-|AGE-SECRET-KEY-)(?=[A-Za-z_.-]{0,80}\d)[A-Za-z0-9_.-]{12,1000}/g,
  /\b(?:npm|hf|gsk|r8)_[A-Za-z0-9]{20,200}/g,
  /\beyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,8000}(?:\.[A-Za-z0-9_-]{0,4000})?/g,
  /(?<keep>\bhooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/_-]{8,200}/g,
];

/** `NAME=value`, `name: "value"`, `"name": "value"`: judged by the name. */
const ASSIGNMENT =
  /(?<before>\b[A-Za-z][A-Za-z0-9_.-]{2,80}["']?[ \t]{0,3}(?:=|:|:=|=>)[ \t]{0,3})(?:(?<quote>["'`])(?<quoted>[^"'`\r\n]{4,4000})\k<quote>|(?<bare>[^\s"'`,;(){}[\]<>]{6,4000}))/g;
const NAME = /^[A-Za-z][A-Za-z0-9_.-]*/;

/** Short values would take every other word along. */
const SHORTEST_KNOWN = 8;

/**
 * Takes secrets out of text that leaves the machine: private keys, passwords in addresses, headers, the keys of
 * well-known services, and what is assigned to a name like `API_KEY`. Mail addresses stay. Pure; equal text comes back
 * as the very same string. Errs on the side of secrecy where the name says so, not where a word only looks odd.
 */
export function redact(text: string, { known = [] }: RedactOptions = {}): { text: string; count: number } {
  let count = 0;
  const put = (keep = '', rest = ''): string => {
    count += 1;
    return `${keep}${REDACTED}${rest}`;
  };
  const apply = (rule: RegExp, to: string): string =>
    to.replace(rule, (...match) => {
      const groups = groupsOf(match);
      // What a rule before this one has put there is no secret.
      const whole = String(match[0]);
      return whole.includes(REDACTED) ? whole : put(groups?.keep, groups?.rest);
    });
  let clean = '';
  let done = 0;
  for (const { start, end } of privateKeySpans(text)) {
    clean += put(text.slice(done, start));
    done = end;
  }
  clean += text.slice(done);
  for (const value of known) {
    if (value.length >= SHORTEST_KNOWN && clean.includes(value)) clean = clean.replaceAll(value, () => put());
  }
  for (const rule of RULES) clean = apply(rule, clean);
  clean = clean.replace(ASSIGNMENT, (...match) => {
    const whole = String(match[0]);
    const { before = '', quote = '', quoted, bare } = groupsOf(match) ?? {};
    const value = quoted ?? bare ?? '';
    if (value.includes(REDACTED) || !isAssignedSecret(NAME.exec(before)![0], before, value, quote)) return whole;
    return put(before + quote, quote);
  });
  return { text: clean, count };
}

/**
 * The same for every string inside a value: its text, and what a secret's name is the key of. Numbers and keys stay; a
 * part without secrets comes back as the very same object.
 * @param skip says of a key, and the object it is in, that its value is left as it is, e.g. a picture's.
 */
export function redactValue<T>(
  value: T,
  options: RedactOptions = {},
  skip: (key: string, within: object) => boolean = () => false,
): { value: T; count: number } {
  let count = 0;
  const visit = (each: unknown, key: string): unknown => {
    if (typeof each === 'string') {
      if (each.length >= 4 && key !== '' && namesSecret(key) && !isReference(each)) {
        count += 1;
        return REDACTED;
      }
      const { text, count: found } = redact(each, options);
      count += found;
      return text;
    }
    if (Array.isArray(each)) {
      const items = each.map((item) => visit(item, ''));
      return items.some((item, i) => item !== each[i]) ? items : each;
    }
    if (typeof each !== 'object' || each === null) return each;
    let changed = false;
    const fields = Object.entries(each).map(([name, field]) => {
      const clean = skip(name, each) ? field : visit(field, name);
      changed ||= clean !== field;
      return [name, clean] as const;
    });
    return changed ? Object.fromEntries(fields) : each;
  };
  return { value: visit(value, '') as T, count };
}

/** The values of an environment that are secret by their name or look, for `known`. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.trim().length >= SHORTEST_KNOWN && isSecretVariable(name, value) ? [value.trim()] : [],
  );
  return [...new Set(values)].sort((a, b) => b.length - a.length);
}

/**
 * Code is full of names like `token`: bare values count only where the name is written as variables of an environment
 * are, or behind `name: ` where the value is one token with digits in it.
 */
function isAssignedSecret(name: string, before: string, value: string, quote: string): boolean {
  if (!namesSecret(name) || isReference(value)) return false;
  if (quote !== '') return true;
  if (/^[A-Z][A-Z0-9_]*$/.test(name)) return /=\s*$/.test(before) || /\d/.test(value);
  return /^[A-Za-z0-9_+/=.~-]{12,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && !/\.\w+$/.test(value);
}

/** Names a place where the secret is kept instead of holding it: `$TOKEN`, `${{ secrets.X }}`, `process.env.X`, `…`, `<token>`. */
function isReference(value: string): boolean {
  return (
    /^(?:\$|<|%|\{\{|\*{3,}|x{4,}$|\.{3}|…|@)/i.test(value) ||
    /\b(?:process\.env|os\.environ|getenv|import\.meta|secrets\.|config\.|env\()/.test(value) ||
    /^(?:true|false|null|undefined|none|required|optional|string|number|boolean|password|secret|token|changeme)$/i.test(
      value,
    )
  );
}

function groupsOf(match: readonly unknown[]): Record<string, string | undefined> | undefined {
  const last = match.at(-1);
  return typeof last === 'object' && last !== null ? (last as Record<string, string | undefined>) : undefined;
}
