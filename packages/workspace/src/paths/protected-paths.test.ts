import { describe, expect, it } from 'vitest';
import { noticedPath, protectedPath } from './protected-paths.ts';

describe('protectedPath', () => {
  it.each([
    ['.git', 'git internals'],
    ['.git/hooks/pre-commit', 'git internals'],
    ['.git/config', 'git internals'],
    ['vendor/sub/.git/hooks/pre-commit', 'git internals'],
    ['vendor\\sub\\.git\\config', 'git internals'],
    ['.GIT/config', 'git internals'],
    ['.git./config', 'git internals'],
    ['.git /config', 'git internals'],
    ['.git::$INDEX_ALLOCATION/config', 'git internals'],
    ['GIT~1/config', 'git internals'],
    ['.g\u200cit/config', 'git internals'],
    ['.gitmodules', 'git internals'],
    ['.gitattributes', 'git internals'],
    ['.husky/pre-commit', 'git hooks'],
    ['.githooks/post-checkout', 'git hooks'],
    ['.pre-commit-config.yaml', 'git hooks'],
    ['.blackide', "the agent's configuration"],
    ['.blackide/settings.json', "the agent's configuration"],
    ['.blackIDE/mcp.json', "the agent's configuration"],
    ['.BlackIde/hooks.json', "the agent's configuration"],
    ['.blackide/hooks/after.sh', "the agent's configuration"],
    ['.blackide/modes/x.md', "the agent's configuration"],
    ['.blackide/skills/x/SKILL.md', "the agent's configuration"],
    ['.blackide/extensions/a.js', "the agent's configuration"],
    ['.blackide/AGENTS.md', "the agent's configuration"],
    ['.blackide/something-of-tomorrow.json', "the agent's configuration"],
    ['.blackide/knowledge/.blackide/settings.json', "the agent's configuration"],
    ['packages/a/.agents/modes/x.md', "the agent's configuration"],
    ['.mcp.json', "the agent's configuration"],
    ['sub/.MCP.json', "the agent's configuration"],
    ['.vscode/settings.json', "the editor's configuration"],
    ['.vſcode/tasks.json', "the editor's configuration"],
    ['.VSCode/mcp.json', "the editor's configuration"],
    ['.idea/workspace.xml', "the editor's configuration"],
    ['my.code-workspace', "the editor's configuration"],
    ['.zed/settings.json', "the editor's configuration"],
    ['.cUrSoR/mcp.json', "another agent's configuration"],
    ['.claude/settings.json', "another agent's configuration"],
    ['.github/workflows/ci.yml', 'continuous integration'],
    ['.GitHub/Workflows/ci.yml', 'continuous integration'],
    ['.gitlab-ci.yml', 'continuous integration'],
    ['.circleci/config.yml', 'continuous integration'],
    ['Jenkinsfile', 'continuous integration'],
    ['.envrc', 'a file that an editor or shell runs on opening'],
  ])('IDE-53 protects %s', (path, why) => {
    expect(protectedPath(path)).toEqual({ why });
  });

  it.each([
    'src/index.ts',
    '.gitignore',
    '.github/CODEOWNERS',
    '.github',
    'AGENTS.md',
    'docs/.github-notes.md',
    'git/config',
    'a.git/config',
    '.blackide/knowledge/architecture.md',
    '.blackIDE/mindmap/project_mindmap.md',
    '.blackide/features_plan.md',
    '.blackide/artifacts/t1/implementation_plan.md',
    '.blackide/overview.md',
    '.agents/notes.md',
    'modes/x.md',
    'settings.json',
    'mcp.json',
    'constructor',
    '__proto__/x',
    '',
  ])('IDE-53 leaves %s writable', (path) => {
    expect(protectedPath(path)).toBeUndefined();
  });

  it('IDE-53 warns of files that ordinary commands run', () => {
    expect(noticedPath('packages/a/package.json')).toEqual({ why: 'its scripts run with npm' });
    expect(noticedPath('GNUmakefile')).toEqual({ why: 'its recipes run with the build' });
    expect(noticedPath('src/package.json.ts')).toBeUndefined();
  });
});
