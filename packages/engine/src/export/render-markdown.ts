import type { Block, SessionDocument } from './session-document.ts';

const WHO = { you: 'You', black: 'Black', summary: 'Summary of what came before' } as const;
/** Results are cut shorter here than in a page, where they can be folded. */
const LONGEST = 4_000;

/** A document as Markdown: what was said whole, every step with its result below it. */
export function renderMarkdown(document: SessionDocument): string {
  const { title, folder, started, models, id, redacted, blocks } = document;
  const facts = [folder, started.slice(0, 16).replace('T', ' '), models.join(', '), id].filter(Boolean).join(' · ');
  const secrets = redacted > 0 ? ` · ${redacted} ${redacted === 1 ? 'secret' : 'secrets'} taken out` : '';
  return `# ${title.replaceAll(/([\\`*_[\]<>])/g, '\\$1')}\n\n${facts}${secrets}\n\n${blocks.map(renderBlock).join('\n')}`;
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'said': {
      const pictures = block.images.map(({ mimeType }) => `\n\n*(a picture, ${mimeType})*`).join('');
      return `## ${WHO[block.who]}\n\n${block.text.trim()}${pictures}\n`;
    }
    case 'thought':
      return quoted(block.text);
    case 'call': {
      const { name, about, outcome, failed, input, output, diff } = block;
      const line = [`${failed ? '✗' : '▸'} **${name}**`, about && code(about), outcome].filter(Boolean).join(' ');
      const parts = [diff && fenced(diff, 'diff'), input && fenced(input), output && fenced(output)].filter(Boolean);
      return `${line}\n${parts.map((part) => `\n${part}\n`).join('')}`;
    }
    case 'note':
      return `*${block.tone === 'asked' ? '? ' : ''}${block.text.replaceAll('*', '\\*')}*\n`;
  }
}

function quoted(text: string): string {
  return `${text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')}\n`;
}

/** A fence longer than any in the text. */
function fenced(text: string, language = ''): string {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}\n[…]` : text;
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}${language}\n${shown}\n${fence}`;
}

function code(text: string): string {
  const ticks = '`'.repeat(longestRun(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${text}${space}${ticks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
