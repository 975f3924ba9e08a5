import { list, readAll } from '../ask.ts';
import { fileKind, languageOf } from '../code/file-kind.ts';
import type { Plan, ToolSet } from '../plan.ts';
import { clip, code, count, paragraphs, visible } from '../render.ts';
import { joinLines } from '../results/read-result.ts';

const MANIFESTS = ['package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod', 'composer.json', 'pubspec.yaml'];

/** What does this project do: what it says of itself, and how it is laid out. */
export function* explainProject(tools: ToolSet): Plan {
  const listing = yield* list(undefined, tools.atMost('list_directory', 'depth', 3));
  if (listing.failure !== undefined) return `I could not list the folder: ${listing.failure}`;
  const top = listing.entries.filter((entry) => !entry.replace(/\/$/, '').includes('/'));
  const readme = top.find((entry) => /^readme(?:\.\w+)?$/i.test(entry));
  const manifest = MANIFESTS.find((name) => top.includes(name));
  const wanted = [readme, manifest].filter((path) => path !== undefined);
  const results = wanted.length > 0 ? yield* readAll(wanted.map((path) => ({ path, limit: 120 }))) : [];
  const texts = new Map(wanted.map((path, at) => [path, textOf(results[at])]));
  const said = readme ? readmeWords(texts.get(readme) ?? '') : undefined;
  const own = manifest ? describe(texts.get(manifest) ?? '') : undefined;
  const folders = top.filter((entry) => entry.endsWith('/'));
  return paragraphs(
    said?.title
      ? `**${visible(said.title)}**${own ? `: ${visible(own)}` : ''}`
      : own
        ? visible(own)
        : `This folder has no README that says what it is.`,
    said?.words ? `> ${visible(clip(said.words, 500))}` : undefined,
    folders.length > 0 ? `Folders: ${folders.slice(0, 20).map(code).join(', ')}` : undefined,
    languages(listing.entries),
    readme
      ? `In its own words, from ${code(readme)}${manifest ? ` and ${code(manifest)}` : ''}; \`explain FILE\` outlines a file.`
      : '`explain FILE` outlines a file, `list DIR` shows a folder.',
  );
}

function textOf(result: { failure?: string | undefined; lines?: ReadonlyMap<number, string> } | undefined): string {
  return result?.lines ? joinLines(result.lines) : '';
}

/** The first heading and the first paragraph of prose. */
function readmeWords(text: string): { title: string; words: string } {
  const title = /^(?:#\s+(.+)|(.+)\n=+)\s*$/m.exec(text);
  const blocks = text.replace(/```[\s\S]*?(?:```|$)/g, '').split(/\n\s*\n/);
  const prose = blocks.find(
    (block) =>
      /^[\p{L}*_"'`>[]/u.test(block.trim()) && !/^(?:\[!\[|!\[|<)/.test(block.trim()) && !/\n[=-]+\s*$/.test(block),
  );
  const words = (prose ?? '').trim().replace(/^>\s?/gm, '').replace(/\s+/g, ' ');
  return { title: (title?.[1] ?? title?.[2] ?? '').trim(), words };
}

/** A manifest's own description. */
function describe(text: string): string | undefined {
  return /^\s*"?description"?\s*[:=]\s*["']?(.+?)["']?,?\s*$/m.exec(text)?.[1];
}

function languages(entries: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const language =
      entry.endsWith('/') || !/^(?:source|test)$/.test(fileKind(entry)) || /\.(?:json|html|css)$/.test(entry)
        ? undefined
        : languageOf(entry);
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3);
  if (most.length === 0) return undefined;
  return `Near the top: ${most.map(([language, n]) => `${count(n, 'file')} of ${language}`).join(', ')}.`;
}
