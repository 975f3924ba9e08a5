// The floors: which package may import which. `npm run floors` applies these rules; scripts/fixtures/floors breaks each
// of them once, so that a rule which no longer bites is found out.

const TEST = '\\.test\\.tsx?$';

/** For each package the ones that it may import, all of them below it. */
const FLOORS = {
  protocol: [],
  workspace: ['protocol'],
  intel: ['protocol', 'workspace'],
  engine: ['protocol', 'workspace', 'intel'],
  diagnose: ['protocol', 'workspace', 'intel', 'engine'],
  cli: ['protocol', 'workspace', 'intel', 'engine', 'diagnose'],
  vscode: ['protocol', 'workspace', 'intel', 'engine', 'diagnose'],
  webview: ['protocol'],
  testkit: ['protocol', 'workspace', 'intel', 'engine', 'diagnose'],
};

const floors = Object.entries(FLOORS).map(([name, below]) => ({
  name: `floor-${name}`,
  comment: `packages/${name} may import ${below.join(', ') || 'no other package'}.`,
  from: { path: `^packages/${name}/` },
  to: {
    path: '^(packages|distribution|bench|e2e|scripts|examples)/',
    pathNot: `^packages/(${[name, 'testkit', ...below].join('|')})/`,
  },
}));

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const rules = [
  ...floors,
  {
    name: 'known-package',
    comment: 'A new package gets its floor here before it gets code.',
    from: { path: '^packages/', pathNot: `^packages/(${Object.keys(FLOORS).join('|')})/` },
    to: {},
  },
  {
    name: 'disk-and-shell-in-workspace',
    comment: 'Files and processes are reached through packages/workspace, where the gate and the journal are.',
    from: { path: '^packages/', pathNot: ['^packages/(workspace|testkit)/', '^packages/[^/]+/bin/', TEST] },
    to: { path: '^(node:)?(fs|fs/promises|child_process)$' },
  },
  {
    name: 'no-pixels-below-the-faces',
    comment: 'The engine and what is below it know nothing of VS Code, React or how a terminal looks.',
    from: { path: '^packages/(protocol|workspace|intel|engine|diagnose)/' },
    to: { path: '(^|node_modules/)(vscode|react|react-dom|ink)($|/)' },
  },
  {
    name: 'webview-without-node',
    comment: 'The webview runs in a browser.',
    from: { path: '^packages/webview/', pathNot: TEST },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'one-door-a-package',
    comment:
      'Another package is imported by its name, which is its index.ts, or by its door for detection, which is light.',
    from: { path: '^packages/([^/]+)/' },
    to: { path: '^packages/[^/]+/', pathNot: ['^packages/$1/', '^packages/[^/]+/src/(index|detection)\\.ts$'] },
  },
  {
    name: 'one-door-from-outside',
    comment: 'Scripts, benches and end-to-end tests use a package through its index.ts or its bin/.',
    from: { path: '^(scripts|bench|e2e)/' },
    to: {
      path: '^packages/',
      pathNot: ['^packages/[^/]+/src/index\\.ts$', '^packages/[^/]+/bin/', '^packages/[^/]+/package\\.json$'],
    },
  },
  {
    name: 'testkit-is-not-shipped',
    comment: 'Only tests, benches and scripts use the test kit.',
    from: { path: '^packages/', pathNot: ['^packages/testkit/', TEST] },
    to: { path: '^packages/testkit/' },
  },
  {
    name: 'tests-are-not-imported',
    comment: 'What two tests share belongs in the test kit.',
    from: {},
    to: { path: TEST },
  },
  { name: 'no-cycles', comment: 'Modules that import each other are one module.', from: {}, to: { circular: true } },
  {
    name: 'resolvable',
    comment: 'Each import leads somewhere.',
    from: {},
    to: { couldNotResolve: true, pathNot: '^vscode$' },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: rules.map((rule) => ({ ...rule, severity: 'error' })),
  options: {
    // TypeScript 7 has no compiler API: without swc every TypeScript file would look empty.
    parser: 'swc',
    tsPreCompilationDeps: true,
    moduleSystems: ['es6', 'cjs'],
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|fixtures)/' },
  },
};
