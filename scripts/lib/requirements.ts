import type { Report } from './count-tests.mjs';

/** A test that names a requirement: its title and, as paths below the root, its file and the code file it belongs to. */
export interface Proof {
  test: string;
  file: string;
  code: string;
}

/** One requirement, and the tests of the report that name it. It is proven when some passed and none failed. */
export interface Requirement {
  id: string;
  text: string;
  proven: boolean;
  passed: Proof[];
  failed: Proof[];
}

/** What a report proves, and the tests that name a number which does not exist. */
export interface Coverage {
  requirements: Requirement[];
  unknown: { id: string; proof: Proof }[];
}

const LINE = /^- ((?:IDE|INT|SES|DX)-\d+) (.+)$/gm;
const NAMED = /\b(?:IDE|INT|SES|DX)-\d+\b/g;

/** Reads the numbers and texts from `docs/requirements.md`. Throws when a number stands there twice. */
export function parseRequirements(markdown: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [, id = '', text = ''] of markdown.matchAll(LINE)) {
    if (texts.has(id)) throw new Error(`${id} stands twice in docs/requirements.md`);
    texts.set(id, text);
  }
  return texts;
}

/**
 * Lays a test report beside the requirements. `pathOf` turns the report's absolute file names into paths below the root;
 * `hasFile` tells whether such a path exists.
 */
export function prove(
  texts: Map<string, string>,
  report: Report,
  pathOf: (file: string) => string,
  hasFile: (path: string) => boolean,
): Coverage {
  const requirements = new Map(
    [...texts].map(([id, text]): [string, Requirement] => [id, { id, text, proven: false, passed: [], failed: [] }]),
  );
  const unknown: Coverage['unknown'] = [];
  for (const { name, assertionResults } of report.testResults) {
    const file = pathOf(name);
    const beside = file.replace(/\.test(\.tsx?)$/, '$1');
    const code = hasFile(beside) ? beside : file;
    for (const { fullName, status } of assertionResults) {
      const proof = { test: fullName, file, code };
      for (const id of new Set(fullName.match(NAMED))) {
        const requirement = requirements.get(id);
        if (!requirement) unknown.push({ id, proof });
        else if (status === 'passed') requirement.passed.push(proof);
        else if (status === 'failed') requirement.failed.push(proof);
      }
    }
  }
  for (const each of requirements.values()) each.proven = each.passed.length > 0 && each.failed.length === 0;
  return { requirements: [...requirements.values()], unknown };
}
