// Checks that imports between packages point down only, and that the check itself still sees: the rules must report each
// line of scripts/fixtures/floors that breaks one, and the cruise must reach every source file.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import configuration from '../.dependency-cruiser.mjs';
import { teachSwcUsing } from './lib/teach-swc-using.ts';

const root = join(import.meta.dirname, '..');
const ROOTS = ['packages', 'distribution', 'scripts', 'bench', 'e2e'];
const SOURCE = /\.(ts|tsx|mts|cts|mjs|cjs|js|jsx)$/;
const SKIPPED = /(^|\/)(dist|node_modules|fixtures)(\/|$)/;

teachSwcUsing();
const problems = [...(await checkFixture()), ...(await checkRepository())];
for (const problem of problems) console.error(problem);
if (problems.length) process.exitCode = 1;

/** Each fixture file names in its first line the rules that it breaks; what is reported must be exactly that. */
async function checkFixture(): Promise<string[]> {
  const folder = join(import.meta.dirname, 'fixtures', 'floors');
  const { modules } = await look(folder);
  const unbroken = new Set(configuration.forbidden?.map((rule) => rule.name));
  const problems: string[] = [];
  for (const file of sources(folder)) {
    const wanted = /^\/\/ breaks: (.+)/.exec(readFileSync(join(folder, file), 'utf8'))?.[1] ?? '';
    const found = [...new Set(brokenBy(modules, file).map((each) => each.rule))].sort().join(', ');
    if (found !== wanted) problems.push(`fixture ${file}: should break "${wanted}", breaks "${found}"`);
    for (const name of wanted.split(', ')) unbroken.delete(name);
  }
  for (const name of unbroken) problems.push(`no file of the fixture breaks ${name}`);
  return problems;
}

async function checkRepository(): Promise<string[]> {
  const { modules } = await look(root);
  const seen = new Set(modules.map((module) => module.source));
  const files = sources(root);
  const missed = files.filter((file) => !seen.has(file));
  const broken = files.flatMap((file) => brokenBy(modules, file).map(({ rule, to }) => `${rule}: ${file} → ${to}`));
  // Without a working parser each file is seen and none has an import.
  const imports = modules.filter((module) => files.includes(module.source)).flatMap((module) => module.dependencies);
  console.log(
    `${files.length} source files, ${imports.length} imports, ${configuration.forbidden?.length} rules, ${broken.length} broken`,
  );
  return [
    ...broken,
    ...missed.map((file) => `not looked at: ${file}`),
    ...(imports.length < files.length ? ['fewer imports than files: the parser reads nothing'] : []),
    ...files.filter(usesHiddenDoor).map((file) => `process.getBuiltinModule hides an import from the floors: ${file}`),
  ];
}

async function look(folder: string): Promise<ICruiseResult> {
  process.chdir(folder);
  const { output } = await cruise(
    ROOTS.filter((name) => existsSync(join(folder, name))),
    {
      ...configuration.options,
      ruleSet: { forbidden: configuration.forbidden ?? [] },
      validate: true,
      baseDir: folder,
    },
    { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  );
  if (typeof output === 'string') throw new Error('the cruise has no result to read');
  return output;
}

function brokenBy(modules: ICruiseResult['modules'], file: string): { rule: string; to: string }[] {
  const module = modules.find((each) => each.source === file);
  return (module?.dependencies ?? []).flatMap((dependency) =>
    (dependency.rules ?? []).map((rule) => ({ rule: rule.name, to: dependency.resolved })),
  );
}

function sources(folder: string): string[] {
  return ROOTS.filter((name) => existsSync(join(folder, name)))
    .flatMap((name) =>
      readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file)),
    )
    .filter((file) => SOURCE.test(file) && !SKIPPED.test(file));
}

function usesHiddenDoor(file: string): boolean {
  return file.startsWith('packages/') && /\bgetBuiltinModule\b/.test(readFileSync(join(root, file), 'utf8'));
}
