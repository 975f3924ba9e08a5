import { createHash } from 'node:crypto';
import type { ImageContent } from '@black-ide/protocol';
import { readAsset } from '@black-ide/workspace';
import type { Block, SessionDocument } from '../session-document.ts';
import { escapeHtml } from './escape-html.ts';
import { markdownToHtml } from './markdown-to-html.ts';

const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;
/** Prompts listed at the top. */
const MOST_LISTED = 300;
const WHO = { you: 'You', black: 'Black', summary: 'Summary of what came before' } as const;

/**
 * A document as one self-contained page: no script at all, nothing loaded from anywhere (a policy in the page forbids
 * both, should something have slipped through), readable by day and night, folded where it is long.
 */
export function renderPage(document: SessionDocument): string {
  const style = readAsset(new URL('./page.css', import.meta.url)).trim();
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Black IDE">
<title>${escapeHtml(document.title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1 dir="auto">${escapeHtml(document.title)}</h1>
<dl>${facts(document)}</dl>
${contents(document.blocks)}</header>
<main>
${document.blocks.map(renderBlock).join('')}</main>
<footer>${footer(document)}</footer>
</body>
</html>
`;
}

function facts({ folder, started, models, turns, usage, id }: SessionDocument): string {
  const sent = usage.input + usage.cacheRead + usage.cacheWrite;
  const cost = usage.cost.total;
  const rows: [string, string][] = [
    ['Folder', folder],
    ['Begun', moment(started)],
    [models.length > 1 ? 'Models' : 'Model', models.join(', ')],
    ['Turns', turns === 0 ? '' : String(turns)],
    ['Tokens', sent + usage.output === 0 ? '' : `${count(sent)} in, ${count(usage.output)} out`],
    ['Cost', cost > 0 ? `$${cost < 0.01 ? cost.toFixed(4) : cost.toFixed(2)}` : ''],
    ['Session', id],
  ];
  return rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`)
    .join('');
}

/** The prompts, to jump to; not worth it for one or two. */
function contents(blocks: readonly Block[]): string {
  const prompts = blocks.filter((block) => block.kind === 'said' && block.who === 'you');
  if (prompts.length < 3) return '';
  const items = prompts.slice(0, MOST_LISTED).map((block) => {
    const text = block.kind === 'said' ? block.text.replaceAll(/\s+/g, ' ').trim().slice(0, 100).toWellFormed() : '';
    return `<li><a href="#${anchor(block.id)}" dir="auto">${escapeHtml(text) || '(no text)'}</a></li>`;
  });
  const more = prompts.length > MOST_LISTED ? `<li>… and ${prompts.length - MOST_LISTED} more</li>` : '';
  return `<details class="contents"><summary>${prompts.length} prompts</summary><ol>${items.join('')}${more}</ol></details>\n`;
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'said': {
      const { who, text, images, id, time } = block;
      const head = `<h2>${WHO[who]}<time datetime="${escapeHtml(time)}">${moment(time)}</time></h2>`;
      const body = who === 'you' ? `<div class="text" dir="auto">${escapeHtml(text)}</div>` : prose(text);
      return `<section class="said ${who}" id="${anchor(id)}">${head}${body}${images.map(picture).join('')}</section>\n`;
    }
    case 'thought':
      return `<details class="thought"><summary>Thinking</summary>${prose(block.text)}</details>\n`;
    case 'call':
      return call(block);
    case 'note':
      return `<p class="note ${block.tone}" dir="auto">${escapeHtml(block.text)}</p>\n`;
  }
}

function prose(markdown: string): string {
  return `<div class="prose" dir="auto">${markdownToHtml(markdown)}</div>`;
}

function call({ name, about, outcome, failed, input, output, images, diff }: Block & { kind: 'call' }): string {
  const tail = outcome ? ` <span class="outcome">${escapeHtml(outcome)}</span>` : '';
  const line = `<b>${escapeHtml(name)}</b> <span class="about">${escapeHtml(about)}</span>${tail}`;
  const parts = [
    input && `<pre class="input">${escapeHtml(input)}</pre>`,
    diff && `<pre class="diff">${diffLines(diff)}</pre>`,
    output && `<pre>${escapeHtml(output)}</pre>`,
    ...images.map(picture),
  ].filter(Boolean);
  const classes = failed ? 'call failed' : 'call';
  if (parts.length === 0) return `<p class="${classes}">${line}</p>\n`;
  return `<details class="${classes}"><summary>${line}</summary>${parts.join('')}</details>\n`;
}

function diffLines(diff: string): string {
  return diff
    .split('\n')
    .map((line) => {
      const text = escapeHtml(line);
      if (/^(?:---|\+\+\+) /.test(line)) return `<span class="file">${text}</span>`;
      if (line.startsWith('+')) return `<ins>${text}</ins>`;
      if (line.startsWith('-')) return `<del>${text}</del>`;
      return line.startsWith('@@') ? `<span class="place">${text}</span>` : `<span>${text}</span>`;
    })
    .join('');
}

function picture({ data, mimeType }: ImageContent): string {
  if (!PICTURES.includes(mimeType) || !BASE64.test(data))
    return `<p class="note plain">A picture (${escapeHtml(mimeType)})</p>`;
  return `<img alt="A picture" loading="lazy" src="data:${mimeType};base64,${data.replaceAll(/\s/g, '')}">`;
}

function footer({ redacted, elsewhere }: SessionDocument): string {
  const secrets =
    redacted === 0
      ? 'No secrets were recognised in it'
      : `${redacted} ${redacted === 1 ? 'secret was' : 'secrets were'} taken out`;
  const branches = elsewhere > 0 ? ` ${elsewhere} entries on branches that were left are not shown.` : '';
  return `Exported by Black IDE. ${secrets}; look through it before you hand it on.${branches}`;
}

/** Ids come from files: only what is harmless in a fragment stays. */
function anchor(id: string): string {
  return `e-${id.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)}`;
}

/** To the minute, in UTC: the page is read anywhere. */
function moment(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? '' : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function count(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 1_000_000 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(1)}M`;
}
