import { describe, expect, it } from 'vitest';
import { importsModule } from './modules.ts';

describe('the lines that import a file', () => {
  it.each<[file: string, path: string, line: string, imports: boolean]>([
    ['src/requests/compat.py', 'src/requests/auth.py', 'from .compat import basestring', true],
    ['src/requests/compat.py', 'src/requests/auth.py', 'from . import compat, utils', true],
    ['src/requests/compat.py', 'tests/a.py', 'from requests.compat import urljoin', true],
    ['src/requests/compat.py', 'tests/a.py', 'import requests.compat as c', true],
    ['src/requests/compat.py', 'tests/a.py', 'from requests import compat', true],
    ['src/requests/compat.py', 'src/requests/a.py', 'x = compat.bytes', false],
    ['src/requests/compat.py', 'tests/a.py', 'from tests.compat import StringIO', false],
    ['src/requests/compat.py', 'tests/a.py', 'from .compat import StringIO', false],
    ['src/requests/compat.py', 'a.py', 'from urllib3.util import compat', false],
    ['src/requests/__init__.py', 'tests/a.py', 'import requests', true],
    ['src/store.ts', 'src/main.ts', "import { a } from './store.ts';", true],
    ['src/store.ts', 'src/main.ts', "} from './store.js';", true],
    ['src/store.ts', 'src/main.ts', "const { a } = await import('./store');", true],
    ['src/store.ts', 'test/a.js', "const a = require('../src/store');", true],
    ['src/store.ts', 'lib/main.ts', "import { a } from './store.ts';", false],
    ['src/store.ts', 'src/main.ts', "log('./store.ts');", false],
    ['src/store/index.ts', 'src/main.ts', "import a from './store';", true],
    ['store.ts', 'src/main.ts', "import a from './store.ts';", true],
    ['store/store.go', 'main.go', 'import "example.org/store"', true],
  ])('IDE-28 %s in %s: %s', (file, path, text, imports) => {
    expect(importsModule({ path, line: 1, text }, file)).toBe(imports);
  });
});
