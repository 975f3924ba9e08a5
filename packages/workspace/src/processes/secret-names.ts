/** Words that make a variable a secret wherever they stand in its name. */
const ANYWHERE =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|APIKEY|PRIVATEKEY|ACCESSKEY|AUTHORIZATION|AUTHENTICATION|CONNECTION_?STRING|CONN_?STR|WEBHOOK/;
/** Words that do so as a whole part of the name (`DEPLOY_KEY`) or at the end of one (`SSHPASS`), but not in `MONKEYS_MAX`. */
const AS_PART =
  /(?:KEYS?|AUTH|CREDS?|PRIVATE|CERTS?|CERTIFICATES?|PWD|CONN|JWT|COOKIE|BEARER|^PAT|(?<!BY|COM|TRES)PASS)$/;

/**
 * Named like a secret, but known to be none. `SSH_AUTH_SOCK` stays on purpose: it is the name of a socket, not a key;
 * without it `git push` over SSH stops working, and what may use it is a matter of the sandbox. The others name public
 * certificates (a company's network does not work without them), files or settings.
 */
const HARMLESS = new Set([
  'PWD',
  'OLDPWD',
  'SSH_AUTH_SOCK',
  'XAUTHORITY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NIX_SSL_CERT_FILE',
  'NODE_EXTRA_CA_CERTS',
  'PIP_CERT',
  'DENO_CERT',
  'DOCKER_CERT_PATH',
  'SYSTEM_CERTIFICATE_PATH',
  'TOKENIZERS_PARALLELISM',
  'MAX_THINKING_TOKENS',
]);

/**
 * Secrets that give themselves away: PEM blocks, passwords in URLs and connection strings, addresses that whoever knows
 * them may post to, the forms of well-known providers' keys, JWTs.
 */
const VALUES = [
  /-----BEGIN [A-Z0-9 ]+-----/,
  /\b[a-z][a-z0-9+.-]{0,30}:\/\/(?:[^\s/@:]*:[^\s/@]+|[A-Za-z0-9_-]{20,})@/i,
  /(?:^|[;\s"'?&])(?:AccountKey|SharedAccessKey|SharedAccessSignature|Password|Pwd) {0,3}= {0,3}[^;\s&]/i,
  /\b(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks|[\w-]{1,60}\.webhook\.office\.com)\//i,
  /\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]{1,20}[-_]){0,4}[A-Za-z0-9]{20,}/,
  /\b(?:gh[opusr]_|github_pat_|glpat-|xox[abeoprs]-|npm_|hf_|pypi-|AKIA|ASIA|AIza)[A-Za-z0-9_-]{12,}/,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/,
];

/** Values beyond this are looked at only so far: no secret is longer, and the patterns stay cheap. */
const LOOKED_AT = 16 * 1024;

/** Whether an environment variable is a secret by its name or its value. Errs on the side of secrecy. */
export function isSecretVariable(name: string, value: string): boolean {
  const upper = name.toUpperCase();
  if (!HARMLESS.has(upper)) {
    if (ANYWHERE.test(upper) || upper.split(/[^A-Z0-9]+/).some((part) => AS_PART.test(part))) return true;
  }
  const start = value.slice(0, LOOKED_AT);
  return VALUES.some((pattern) => pattern.test(start));
}

/** Words that make a name in code or in a document a secret's: fewer than for variables, since much is called a key. */
const NAMED =
  /(?:^|_)(?:ACCESS_TOKEN|AUTH_TOKEN|TOKEN|SECRET|SECRETS|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|API_?KEY|(?:ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION|DEPLOY|MASTER|ACCOUNT)_KEY|KEY_SECRET|AUTHORIZATION|PWD)$/;

/** Whether a name of a variable, a setting or a field says that its value is a secret: `apiKey`, `DB_PASSWORD`, `x-api-key`. */
export function namesSecret(name: string): boolean {
  if (HARMLESS.has(name.toUpperCase())) return false;
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll(/[.-]/g, '_');
  return NAMED.test(words.toUpperCase());
}
