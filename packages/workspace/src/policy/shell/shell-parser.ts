import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { BlackError } from '@black-ide/protocol';
import type { Language, Parser, TreeCursor } from 'web-tree-sitter';
import { compileGrammar } from '../../assets/compile-grammar.ts';
import { MARKER } from './markers.ts';

/** `!` before a compound command, which the grammar may take for anything. */
const NEGATED_COMPOUND =
  /!(?<=(?:^|[;&|({\n]|\b(?:then|do|else|elif|if|while|until))\s{0,200}!)(?=\s{1,200}(?:(?:if|while|until|for|case|select)\b|[{(]|\[\[))/;

/** Where the two WebAssembly files lie; absolute paths. */
export interface ShellParserFiles {
  /** `web-tree-sitter.wasm` */
  runtime: string;
  /** `tree-sitter-bash.wasm` */
  grammar: string;
}

/** A node of the syntax tree, copied out of the parser's memory. */
export interface ShellNode {
  /** The grammar's name of it; an operator or keyword is its own name. */
  readonly type: string;
  readonly field: string | undefined;
  /** Offsets into the source, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly children: readonly ShellNode[];
}

/** What became of a command line. */
export type ShellSyntax =
  | {
      readonly sound: true;
      /** The text the offsets count in. */
      readonly source: string;
      readonly root: ShellNode;
      /** Whether a statement went well or not cannot be told apart. */
      readonly anyOutcome: boolean;
    }
  | { readonly sound: false; readonly source: string; readonly why: string };

export type SoundSyntax = ShellSyntax & { readonly sound: true };

/** Deeper nesting than any person writes; bounds recursion everywhere behind the parser. */
const MAX_DEPTH = 150;
/** More negations of compound commands than these are not worked around. */
const MAX_NEGATIONS = 8;
/** Progress calls of the parser (one per some hundred steps) after which a text counts as not parsable. */
const MAX_PROGRESS = 5_000;
const RESERVED = /^(!|\{|\}|if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|\]\]|\(|\))$/;
/** Blanks that bash does not treat as blanks, invisible characters, and all control characters but tab and newline. */
const DECEPTIVE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u115F\u1160\u3164\uFFA0]/u;

/**
 * Parses command lines with tree-sitter's bash grammar. The WebAssembly is loaded on the first `load`; `parse` works
 * from then on and never throws for any input.
 */
export class ShellParser {
  readonly #files: Partial<ShellParserFiles>;
  #loading: Promise<Parser> | undefined;
  #parser: Parser | undefined;

  /** Without `files` the packages' own files are used; a bundle carries them along. */
  constructor(options: { files?: Partial<ShellParserFiles> } = {}) {
    this.#files = options.files ?? {};
  }

  /** Loads the parser once. @throws BlackError `shell_parser_missing` */
  async load(): Promise<void> {
    this.#loading ??= this.#create();
    this.#parser = await this.#loading;
  }

  /** The tree of `source`, or why there is none that could be relied upon. `load` comes first. */
  parse(source: string): ShellSyntax {
    if (!this.#parser) throw new Error('ShellParser.load has not finished');
    if (MARKER.test(source)) return { sound: false, source, why: 'it holds private-use characters' };
    if (DECEPTIVE.test(source.replace(/[\t\n]/g, ''))) {
      return { sound: false, source, why: 'it holds invisible characters or blanks that are none to the shell' };
    }
    let text = source;
    for (let negations = 0; negations <= MAX_NEGATIONS; negations += 1) {
      const root = this.#tree(this.#parser, text);
      if (typeof root === 'string') return { sound: false, source, why: root };
      const misread = findMisread(root, text);
      if (!misread) return { sound: true, source: text, root, anyOutcome: text !== source };
      // The grammar knows `!` before a simple command only; elsewhere it is left out and both outcomes are followed.
      const isNegation = text.slice(misread.start, misread.end).trim() === '!';
      const at = isNegation ? text.indexOf('!', misread.start) : (NEGATED_COMPOUND.exec(text)?.index ?? -1);
      if (at < 0) break;
      text = `${text.slice(0, at)} ${text.slice(at + 1)}`;
    }
    return { sound: false, source, why: 'it is written in a way the parser misreads' };
  }

  /** The tree in plain objects, or why there is none. */
  #tree(parser: Parser, text: string): ShellNode | string {
    let progress = 0;
    const tree = parser.parse(text, null, { progressCallback: () => ++progress > MAX_PROGRESS });
    if (!tree) {
      parser.reset();
      return 'it is too tangled to parse';
    }
    const cursor = tree.walk();
    try {
      if (tree.rootNode.hasError) return 'it is no complete shell command';
      return copyNode(cursor, 0) ?? 'it is nested too deeply';
    } finally {
      cursor.delete();
      tree.delete();
    }
  }

  dispose(): void {
    this.#parser?.delete();
    this.#parser = undefined;
    this.#loading = undefined;
  }

  async #create(): Promise<Parser> {
    const files = { runtime: this.#files.runtime ?? runtimePath(), grammar: this.#files.grammar ?? grammarPath() };
    try {
      saveMemory();
      const treeSitter = await import('web-tree-sitter');
      await treeSitter.Parser.init({ locateFile: () => files.runtime });
      const bytes = await readFile(files.grammar);
      const compiled = compileGrammar(bytes);
      const language: Language = await treeSitter.Language.load(bytes);
      return compiled && new treeSitter.Parser().setLanguage(language);
    } catch (cause) {
      throw new BlackError(
        'shell_parser_missing',
        `The shell parser cannot be loaded from ${files.runtime} and ${files.grammar}.`,
        'Install Black IDE again, or run `npm ci` in its folder.',
        { cause },
      );
    }
  }
}

/** For what commands print: V8 else lets 150 MB of it pile up before it collects any. */
function saveMemory(): void {
  setFlagsFromString('--optimize-for-size');
}

function runtimePath(): string {
  return createRequire(import.meta.url).resolve('web-tree-sitter/web-tree-sitter.wasm');
}

function grammarPath(): string {
  return createRequire(import.meta.url).resolve('tree-sitter-bash/tree-sitter-bash.wasm');
}

/**
 * A reserved word where a command's name stands means that the grammar took a keyword for a program; a backtick inside
 * of backticks, that it took two substitutions for one.
 */
function findMisread(node: ShellNode, source: string): ShellNode | undefined {
  const text = source.slice(node.start, node.end);
  if (node.type === 'command_name' && RESERVED.test(text.trim())) return node;
  if (node.type === 'command_substitution' && text.startsWith('`')) {
    if (
      text
        .slice(1, -1)
        .replace(/\\[\s\S]/g, '')
        .includes('`')
    )
      return node;
  }
  for (const child of node.children) {
    const found = findMisread(child, source);
    if (found) return found;
  }
  return undefined;
}

/** The node under the cursor in plain objects. A cursor knows its field; asking a node for that of its nth child counts to n. */
function copyNode(cursor: TreeCursor, depth: number): ShellNode | undefined {
  if (depth > MAX_DEPTH || cursor.nodeIsMissing) return undefined;
  const field = cursor.currentFieldName ?? undefined;
  const children: ShellNode[] = [];
  const copy = { type: cursor.nodeType, field, start: cursor.startIndex, end: cursor.endIndex, children };
  if (!cursor.gotoFirstChild()) return copy;
  do {
    const child = copyNode(cursor, depth + 1);
    if (!child) return undefined;
    children.push(child);
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
  return copy;
}
