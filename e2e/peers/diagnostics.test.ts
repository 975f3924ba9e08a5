import { createMockModelServer, createTempWorkspace, runBlack } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { SERVER_PATH } from './language-project.ts';

interface Task {
  files: Record<string, string>;
  /** What breaks another file, and an edit that only moves its lines. */
  breaks: [path: string, from: string, to: string];
  moves: [path: string, from: string, to: string];
  told: RegExp;
}

const TASKS: Record<string, Task> = {
  Python: {
    files: {
      'pyproject.toml': '[project]\nname = "shop"\n',
      'price.py': 'def price(item: str) -> int:\n    return len(item)\n',
      'total.py': 'from price import price\n\ntotal: int = price("tea")\n',
    },
    breaks: ['price.py', '-> int:\n    return len(item)', '-> str:\n    return item'],
    moves: ['total.py', 'import price\n', 'import price\n\n# The whole basket.\n'],
    told: /^Edited price\.py .*\nNew problems:\ntotal\.py:3:14 error Pyright reportAssignmentType: Type "str" is not assignable to declared type "int".*$/,
  },
  Go: {
    files: {
      'go.mod': 'module example.com/shop\n\ngo 1.19\n',
      'price/price.go': 'package price\n\nfunc Price(item string) int { return len(item) }\n',
      'main.go':
        'package main\n\nimport "example.com/shop/price"\n\nfunc main() {\n\tvar total int = price.Price("tea")\n\tprintln(total)\n}\n',
    },
    breaks: ['price/price.go', 'int { return len(item) }', 'string { return item }'],
    moves: ['main.go', 'func main() {\n', '// The whole basket.\n\nfunc main() {\n\t// One item.\n'],
    told: /^Edited price\/price\.go .*\nNew problems:\nmain\.go:6:18 error compiler IncompatibleAssign: cannot use price\.Price\("tea"\) .*$/,
  },
};

describe('an agent task in other languages', () => {
  it.each(Object.entries(TASKS))(
    'INT-16 INT-17 %s: an edit that breaks a type in another file carries exactly that; one that only shifts lines none',
    { timeout: 180_000 },
    async (_, { files, breaks, moves, told }) => {
      await using workspace = await createTempWorkspace({ files });
      await using home = await createTempWorkspace({});
      // The machine may be busy: what is told counts, not how soon.
      await home.write('settings.json', '{"lsp.waitMs": 60000}');
      const [first, second] = [breaks, moves].map(([path, old_string, new_string]) => ({
        toolCalls: [{ name: 'edit_file', args: { path, old_string, new_string } }],
      }));
      await using modelServer = await createMockModelServer([first!, second!, { text: 'done' }]);
      const args = ['-p', 'change the price', '--model', 'openai/mock'];
      const env = { PATH: SERVER_PATH };
      const ran = await runBlack({ args, cwd: workspace.path, home: home.path, modelServer, env, timeoutMs: 150_000 });
      expect(ran).toMatchObject({ code: 0, stdout: 'done\n' });
      const results = modelServer.modelCalls().flatMap((call) => call.request!.lastToolResults.map(({ text }) => text));
      expect(results).toEqual([expect.stringMatching(told), expect.stringMatching(/^Edited .*\.$/)]);
    },
  );
});
