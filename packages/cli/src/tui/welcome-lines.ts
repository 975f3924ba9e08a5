import type { Painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';
import { VERSION } from '../version.ts';
import { wrap } from './wrap.ts';

/** What an empty session shows: where one is, three things to try here, and how to add a model where there is none. */
export function welcomeLines(
  { cwd, home, model, tries }: { cwd: string; home: string | undefined; model: string; tries: readonly string[] },
  columns: number,
  paint: Painter,
): string[] {
  const folder = home && (cwd === home || cwd.startsWith(`${home}/`)) ? `~${cwd.slice(home.length)}` : cwd;
  const lines = [
    `${paint.bold('Black IDE')} ${paint.dim(VERSION)}`,
    paint.dim(visibleLine(folder)),
    '',
    'To try here (Tab):',
  ];
  lines.push(...tries.map((text) => `  ${visibleLine(text)}`));
  if (model.startsWith('offline/')) {
    lines.push(
      '',
      'No model is set up, so search and the code graph answer. To add one, leave and do one of these:',
      '  black auth set anthropic',
      paint.dim('  (or openai, google, openrouter; your own in ~/.blackide/settings.json)'),
      '  export ANTHROPIC_API_KEY=…',
      '  black --model ollama/NAME',
    );
  }
  lines.push('', paint.dim('/help shows commands and keys'));
  return [...lines.flatMap((line) => (line === '' ? [''] : wrap(line.trimStart(), columns, indentOf(line)))), ''];
}

function indentOf(line: string): string {
  return line.startsWith('  ') ? '  ' : '';
}
