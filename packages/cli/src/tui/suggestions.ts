import { join } from 'node:path';
import type { Documents } from '@black-ide/workspace';

/** Source files that are likely to be looked at first, and what they are written in. */
const SOURCE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|cc|cpp|swift|scala|ex|lua|sh)$/;
const TEST = /(^|[/._-])(?:tests?|specs?|fixtures?|mocks?|vendor|dist|build)([/._-]|$)/i;
const CENTRAL = /(^|\/)(?:main|index|app|server|store|cli|lib|core|engine|mod|__main__)\.[a-z]+$/i;
const README = /^readme(?:\.\w+)?$/i;

/** Three real things to try in this workspace, found by looking at it. */
export async function suggestions(paths: readonly string[], cwd: string, documents: Documents): Promise<string[]> {
  const sources = paths.filter((path) => SOURCE.test(path) && !TEST.test(path) && !/\.config\./.test(path));
  const found: string[] = [];
  if (await hasTests(paths, cwd, documents)) found.push('Run the tests');
  const central =
    sources.find((path) => CENTRAL.test(path)) ?? sources[0] ?? paths.find((path) => /^[^.][^/]*$/.test(path));
  if (central) found.push(`Explain ${central}`);
  if (paths.some((path) => README.test(path)) || sources.length > 1) found.push('What does this project do?');
  const another = sources.find((path) => path !== central && !CENTRAL.test(path));
  if (another) found.push(`Where is ${nameOf(another)} used?`);
  found.push('What can you do?', 'List the files here', 'Which tools do you have?');
  return found.slice(0, 3);
}

async function hasTests(paths: readonly string[], cwd: string, documents: Documents): Promise<boolean> {
  if (paths.includes('package.json')) {
    const read = await documents.read(join(cwd, 'package.json'));
    return (
      read.ok && /"test"\s*:/.test(read.document.text ?? '') && !/no test specified/.test(read.document.text ?? '')
    );
  }
  const known = ['Cargo.toml', 'go.mod', 'pytest.ini', 'tox.ini', 'pom.xml', 'build.gradle', 'mix.exs'];
  return paths.some((path) => known.includes(path) || /(^|\/)test_\w+\.py$/.test(path));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
}
