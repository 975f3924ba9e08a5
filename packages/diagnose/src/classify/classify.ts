import type { ReportClass } from '@black-ide/protocol';
import type { Report } from '../report/read-report.ts';

export interface Classification {
  kind: ReportClass;
  reason: string;
}

/** A report of fewer words says too little, unless it has a trace, code or an error. */
const FEWEST_WORDS = 5;
const WORDS = /\p{L}[\p{L}\p{M}\p{N}'’-]*/gu;

const CRASH =
  /\b(?:crash(?:e[sd]|ing)?|segfault|segmentation fault|sigsegv|sigabrt|sigbus|core dump(?:ed)?|anr|panic(?:s|ked)?|unhandled exception|uncaught|force[- ]?clos\w*|stack ?overflow|out of memory|heap[- ](?:buffer|use)|kernel panic|freezes?|hangs?|abgest(?:ü|ue)rzt|absturz|plante|se cierra|崩溃|闪退|崩潰|تعطل|ক্র্যাশ)\b|(?:崩溃|闪退|崩潰|تعطل|ক্র্যাশ)/iu;
const FAULT =
  /\b(?:bugs?|errors?|exceptions?|fail(?:s|ed|ing|ure)?|wrong(?:ly)?|incorrect(?:ly)?|broken?|breaks?|does(?: not|n['’]t) work|do(?: not|n['’]t) work|not working|stopped working|no longer works?|regression|unexpected(?:ly)?|instead of|should (?:have|be|not)|but (?:it|the|i|we|instead|get|got)|expected|actual(?:ly)?|missing|lost|corrupt\w*|leaks?|ignore[sd]?|never|cannot|can['’]t|unable|invalid|raises?|throws?|returns? (?:null|none|undefined|nothing|an? (?:wrong|empty))|fehler|falsch|funktioniert nicht|erreur|ne marche pas|no funciona|ошибка|не работает)\b|(?:错误|不工作|错|失败|خطأ|لا يعمل|ভুল|কাজ করে না|কাজ করছে না|ত্রুটি)/iu;
const WISH =
  /\b(?:feature request|feature[: ]|enhancement|would be (?:nice|great|good|cool|helpful|useful|handy|lovely)|(?:it|this) would be|please (?:add|support|implement|provide|consider)|could you (?:please )?(?:add|support|implement)|can you (?:please )?(?:add|support|implement)|i(?:'d| would) (?:like|love) (?:to (?:see|have)|it if|a|an|support)|add (?:an? )?(?:option|support|ability|possibility|way|setting|flag|button|mode)|support for|allow (?:users|me|us|for|to)|proposal|suggest(?:ion)?|wish(?:list)?|any plans? (?:to|for)|missing feature|it would help|wäre (?:schön|toll|gut)|bitte .* hinzufügen|serait bien|estaría bien)\b|(?:希望.*(?:支持|增加|添加)|建议|请.*添加|أقترح|যোগ করুন|যোগ করা যায়)/iu;
const ASKS =
  /^(?:how|what|where|when|why|which|who|is|are|can|could|does|do|should|would|has|have|wie|was|warum|comment|pourquoi|cómo|qué)\b|\b(?:how (?:do|can|should|to)|what is the (?:best|right|correct)|is (?:it|there) (?:possible|a way|any way)|is there (?:an?|any)|question[: ]|help me|i(?:'m| am) (?:new|wondering|trying to understand)|wondering (?:if|how|whether)|any (?:ideas?|advice|documentation|docs|example))\b/iu;
const SPAM =
  /\b(?:casino|viagra|cialis|poker|slots?|betting|escort|forex|crypto (?:invest\w*|signals?|giveaway)|seo (?:services?|ranking)|backlinks?|buy (?:now|followers|cheap|followers)|cheap (?:price|meds|flights)|click here|limited offer|100% free|earn (?:money|\$|€)|work from home|whatsapp(?: me|:| \+)|telegram (?:group|channel|@)|loan offer|discount code|promo code|subscribe to my|visit my (?:site|website|channel)|weight loss|hot (?:girls|singles)|guest post|increase (?:your )?traffic)\b/iu;
const PRAISE =
  /^(?:\W*(?:great|nice|good|love|awesome|best|excellent|thanks?|thank you|super|perfect|bad|worst|useless|terrible|hate)\b[\W\p{L}]*){1,8}$/iu;

/**
 * What a report is, without any model (DX-2). Only bugs and crashes go on: where it is not plain that a report is anything
 * else it counts as a bug, since a bug that is thrown away costs more than one that is looked at.
 */
export function classify({ title, text, prose, traces, code, quotes }: Report): Classification {
  const words = [...text.matchAll(WORDS)].length;
  const [trace] = traces;
  if (trace) {
    const message = trace.message === undefined ? '' : `: ${trace.message.slice(0, 120)}`;
    return { kind: 'crash', reason: `it has a stack trace${message}` };
  }
  if (text.trim() === '') return { kind: 'not_enough_information', reason: 'it is empty' };
  const spam = firstOf(SPAM, text);
  const links = (text.match(/https?:\/\//g) ?? []).length;
  const hasFault = FAULT.test(prose);
  if (spam !== undefined && (!hasFault || links > 0 || code.length === 0) && !CRASH.test(prose)) {
    return { kind: 'spam', reason: `it advertises: “${spam}”` };
  }
  const crash = firstOf(CRASH, prose);
  if (crash !== undefined) return { kind: 'crash', reason: `it says “${crash}”` };
  const hasProof = code.length > 0 || quotes.length > 0;
  if (words < FEWEST_WORDS && !hasProof) {
    return { kind: 'not_enough_information', reason: `it has ${words} ${words === 1 ? 'word' : 'words'}` };
  }
  if (PRAISE.test(text.trim()))
    return { kind: 'not_enough_information', reason: 'it praises or scolds, and tells nothing' };
  const wish = firstOf(WISH, `${title}\n${prose}`);
  const fault = firstOf(FAULT, prose);
  if (wish !== undefined && (WISH_TITLE.test(title) || !isStrong(prose))) {
    return { kind: 'feature_request', reason: `it asks for something new: “${wish}”` };
  }
  const question = firstOf(ASKS, title) ?? (prose.trim().endsWith('?') ? firstOf(ASKS, prose) : undefined);
  if (question !== undefined && !isStrong(prose) && (title.trim().endsWith('?') || fault === undefined)) {
    return { kind: 'question', reason: `it asks: “${question}”` };
  }
  if (fault !== undefined) return { kind: 'bug', reason: `it says “${fault}”` };
  return words < 12 && !hasProof
    ? { kind: 'not_enough_information', reason: 'it names no fault, no error and no code' }
    : { kind: 'bug', reason: 'it tells of behaviour, and nothing speaks for anything else' };
}

const WISH_TITLE = /^\W*(?:feat(?:ure)?\b|enhancement|proposal|rfc|please|add\b|allow\b|request\b)/i;

/** Words that hardly anybody uses who only wishes or asks. */
const STRONG =
  /\b(?:regression|exception|stack ?trace|steps to reproduce|reproduc\w+|expected (?:behaviou?r|result|output)|actual (?:behaviou?r|result|output)|wrong(?:ly)?|incorrect(?:ly)?|broken|stopped working|no longer|instead of|fails?|failed|throws|raises|corrupt\w*|doesn['’]t work|does not work)\b/iu;

function isStrong(prose: string): boolean {
  return STRONG.test(prose);
}

function firstOf(pattern: RegExp, text: string): string | undefined {
  return pattern.exec(text)?.[0].trim();
}
