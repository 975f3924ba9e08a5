import { COMMANDS, type CommandSpec, type FlagSpec } from './command-specs.ts';

/** The help of a command, broken to a terminal's width (at least 20 columns, at most 100). */
export function helpText(spec: CommandSpec, columns: number): string {
  const width = Math.min(Math.max(columns, 20), 100);
  const parts: string[] = [
    wrap(spec.about, width),
    section(
      'Usage',
      spec.usage.map((line) => `  ${line}`),
    ),
  ];
  if (spec.name === '') {
    const rows = COMMANDS.filter(({ name }) => name !== '' && !name.includes(' '));
    parts.push(
      section(
        'Commands',
        table(
          rows.map(({ name, about }) => [name, about]),
          width,
        ),
      ),
    );
  }
  parts.push(
    section(
      'Options',
      table(
        spec.flags.map((flag) => [flagText(flag), flag.about]),
        width,
      ),
    ),
  );
  for (const note of spec.notes ?? []) parts.push(section(note.title, table(note.rows, width)));
  const examples = spec.examples.flatMap(({ line, about }) => [...wrapIndented(`# ${about}`, 2, width), `  ${line}`]);
  parts.push(section('Examples', examples));
  if (spec.name === '') parts.push(wrap('black COMMAND --help shows the help of a command.', width));
  return `${parts.join('\n\n')}\n`;
}

function section(title: string, lines: readonly string[]): string {
  return [`${title}:`, ...lines].join('\n');
}

function flagText(flag: FlagSpec): string {
  const short = flag.short ? `-${flag.short}, ` : '    ';
  return `${short}--${flag.name}${flag.value ? ` ${flag.value}` : ''}`;
}

/** Two columns, or one below the other where the width does not allow two. */
function table(rows: readonly (readonly [string, string])[], width: number): string[] {
  const left = Math.max(...rows.map(([name]) => name.length));
  if (left + 4 + 24 > width) {
    return rows.flatMap(([name, about]) => [`  ${name.trim()}`, ...wrapIndented(about, 6, width)]);
  }
  return rows.flatMap(([name, about]) => {
    const [first = '', ...rest] = wrapIndented(about, left + 4, width);
    return [`  ${name.padEnd(left)}  ${first.trimStart()}`, ...rest];
  });
}

function wrapIndented(text: string, indent: number, width: number): string[] {
  const space = ' '.repeat(indent);
  return wrap(text, Math.max(width - indent, 10))
    .split('\n')
    .map((line) => space + line);
}

function wrap(text: string, width: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line ? `${line} ${word}` : word;
    }
  }
  return [...lines, line].join('\n');
}
