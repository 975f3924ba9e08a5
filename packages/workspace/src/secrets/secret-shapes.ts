/**
 * What is a secret by its mere look, wherever it stands: private keys, tokens of well-known services, JSON web tokens,
 * passwords in addresses. Narrower than what an export takes out, because the model works with these texts: what only
 * might be one stays. A match of the group `secret`, or the whole, is taken out. Repetitions are bounded.
 */
export const SECRET_SHAPES: readonly RegExp[] = [
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?<secret>[^-]{1,20000})/g,
  /\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/@:"'<>]{0,200}:(?<secret>(?=[^\s/@]{0,400}\d)(?=[^\s/@]{0,400}[A-Za-z])[^\s/@"'<>${}]{8,400})@/gi,
  /\bhttps?:\/\/(?<secret>(?=[A-Za-z_-]{0,400}\d)[A-Za-z0-9_-]{20,400})@/gi,
  /\bsk-(?:[a-z0-9]{2,10}-){0,3}(?=[A-Za-z_-]{0,80}\d)[A-Za-z0-9_-]{20,300}/g,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,200}/g,
  /\bgh[opusr]_[A-Za-z0-9]{36,255}/g,
  /\bgithub_pat_[A-Za-z0-9_]{40,255}/g,
  /\bglpat-(?=[A-Za-z_-]{0,60}\d)[A-Za-z0-9_-]{20,200}/g,
  /\bxox[abeoprs]-\d[A-Za-z0-9-]{16,200}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\bnpm_[A-Za-z0-9]{36}/g,
  /\bhf_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{30,100}/g,
  /\bpypi-[A-Za-z0-9_-]{50,300}/g,
  /\bSG\.[A-Za-z0-9_-]{16,80}\.[A-Za-z0-9_-]{16,80}/g,
  /\beyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,4000}/g,
];
