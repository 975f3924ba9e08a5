import { chmod } from 'node:fs/promises';
import { createTempWorkspace } from '@black-ide/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment } from './clean-environment.ts';

const HEX = '0123456789abcdef0123456789abcdef';

describe('cleanEnvironment', () => {
  it.each([
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'GEMINI_APIKEY',
    'openaiApiKey',
    'GITHUB_TOKEN',
    'GH_TOKEN',
    'NPM_TOKEN',
    'MYTOKEN',
    'GITHUB_PAT',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_ACCESS_KEY_ID',
    'AWS_SESSION_TOKEN',
    'PGPASSWORD',
    'MYSQL_PWD',
    'SSHPASS',
    'DB_PASSWD',
    'KEY_PASSPHRASE',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'APP_CREDS',
    'BASIC_AUTH',
    'HTTP_AUTHORIZATION',
    'DEPLOY_PRIVATE',
    'CLIENT_CERT',
    'SESSION_COOKIE',
    'ANTHROPIC_CUSTOM_HEADERS',
    'SSLKEYLOGFILE_KEY',
    'AZURE_STORAGE_CONNECTION_STRING',
    'dbConnectionString',
    'SQL_CONNSTR',
    'SLACK_WEBHOOK_URL',
    'DB_CONN',
  ])('IDE-66 IDE-86 drops %s for its name', (name) => {
    expect(cleanEnvironment({ [name]: 'x' })).not.toHaveProperty(name);
  });

  it.each([
    ['a PEM block', '-----BEGIN RSA PRIVATE KEY-----\nabc'],
    ['a password in a URL', 'postgres://app:hunter2@db.example/app'],
    ['a password with odd characters in a URL', 'redis://:p?w#d@cache.example'],
    ['a token in a URL', `https://${HEX}@sentry.example/1`],
    ['an Anthropic key', `sk-ant-api03-${HEX}`],
    ['an OpenAI key', `sk-proj-${HEX}`],
    ['a GitHub token', `ghp_${HEX}`],
    ['a fine-grained GitHub token', `github_pat_${HEX}`],
    ['an AWS key', 'AKIAIOSFODNN7EXAMPLE'],
    ['a Google key', `AIza${HEX}`],
    ['a Slack token', `xoxb-${HEX}`],
    ['a JSON web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl'],
    ['a key in a connection string', `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${HEX}==`],
    ['a password in a connection string', 'Server=db;User Id=app;Password = hunter2;'],
    ['a password for libpq', 'host=db user=app password=hunter2'],
    ['an address of Slack that anybody may post to', 'https://hooks.slack.com/services/T0/B0/abc'],
    ['an address of Discord that anybody may post to', 'https://discord.com/api/webhooks/1/abc'],
  ])('IDE-66 IDE-86 drops %s whatever its name', (_, value) => {
    expect(cleanEnvironment({ SETTING: value })).not.toHaveProperty('SETTING');
    expect(cleanEnvironment({ SETTING: `{"x":"${value}"}` })).not.toHaveProperty('SETTING');
  });

  it.each([
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'LD_AUDIT',
    'DYLD_INSERT_LIBRARIES',
    'NODE_OPTIONS',
    'NODE_COMPILE_CACHE',
    'NODE_CHANNEL_FD',
    'BASH_ENV',
    'ENV',
    'BASH_FUNC_ls%%',
    'SHELLOPTS',
    'PS4',
    'PROMPT_COMMAND',
    'PYTHONSTARTUP',
    'PERL5OPT',
    'RUBYOPT',
    'JAVA_TOOL_OPTIONS',
    '_JAVA_OPTIONS',
    'DOTNET_STARTUP_HOOKS',
    'GIT_DIR',
    'GIT_WORK_TREE',
    'GIT_INDEX_FILE',
    'GIT_SSH_COMMAND',
    'GIT_EXTERNAL_DIFF',
    'GIT_EXEC_PATH',
    'GIT_CONFIG_COUNT',
    'GIT_CONFIG_KEY_0',
    'GIT_CONFIG_GLOBAL',
    'GIT_ASKPASS',
    'SUDO_ASKPASS',
    'LESSOPEN',
    'RIPGREP_CONFIG_PATH',
    'TAR_OPTIONS',
    'MAKEFLAGS',
    'FORCE_COLOR',
    'ELECTRON_RUN_AS_NODE',
    'VSCODE_IPC_HOOK',
    'BLACK_RUN_ID',
    'BLACK_TEST_DEEP',
    'BLACKIDE_HOME',
  ])('IDE-86 drops %s, which redirects programs or is not meant for them', (name) => {
    expect(cleanEnvironment({ [name]: 'x' })).not.toHaveProperty([name]);
    expect(cleanEnvironment({ [name]: 'x' }, { keep: [name] })).toHaveProperty([name], 'x');
  });

  it.each([
    ['PATH', '/usr/bin:/bin'],
    ['HOME', '/home/me'],
    ['USER', 'me'],
    ['LANG', 'de_DE.UTF-8'],
    ['TMPDIR', '/tmp'],
    ['SSH_AUTH_SOCK', '/run/user/1000/keyring/ssh'],
    ['XAUTHORITY', '/home/me/.Xauthority'],
    ['NODE_EXTRA_CA_CERTS', '/etc/ssl/company.pem'],
    ['SSL_CERT_FILE', '/etc/ssl/certs/ca.pem'],
    ['HTTPS_PROXY', 'http://proxy.example:3128'],
    ['PYTHONPATH', '/src/lib'],
    ['GOPATH', '/home/me/go'],
    ['JAVA_HOME', '/usr/lib/jvm'],
    ['GIT_AUTHOR_NAME', 'Me'],
    ['GIT_COMMITTER_EMAIL', 'me@example.com'],
    ['GIT_CONFIG_NOSYSTEM', '1'],
    ['TOKENIZERS_PARALLELISM', 'false'],
    ['KEYBOARD_LAYOUT', 'de'],
    ['COMPASS_DIR', '/x'],
    ['DATABASE_URL', 'postgres://localhost:5432/app'],
    ['npm_config_registry', 'https://registry.example/'],
    ['NPM_CONFIG_PREFIX', '/opt/npm'],
    ['CI', 'true'],
    ['EMPTY', ''],
  ])('IDE-86 leaves %s', (name, value) => {
    expect(cleanEnvironment({ [name]: value })).toHaveProperty(name, value);
  });

  it('IDE-75 says that nobody is there to answer, unless told otherwise', () => {
    const asked = { PAGER: 'less', GIT_EDITOR: 'vim', TERM: 'xterm-256color' };
    expect(cleanEnvironment(asked)).toMatchObject({
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      GIT_EDITOR: 'true',
      GIT_TERMINAL_PROMPT: '0',
      TERM: 'dumb',
      NO_COLOR: '1',
    });
    expect(cleanEnvironment(asked, { keep: ['PAGER', 'T*'] })).toMatchObject({ PAGER: 'less', TERM: 'xterm-256color' });
  });

  it('IDE-86 lets nothing of npm through, and finds node all the same', async () => {
    await using workspace = await createTempWorkspace({ files: { 'bin/node': '', 'own/node': '' } });
    await chmod(workspace.at('bin/node'), 0o755);
    const npm = {
      npm_config_user_agent: 'npm/11',
      npm_config_registry: 'https://registry.example/',
      npm_lifecycle_event: 'start',
      npm_package_name: 'black-ide',
      npm_execpath: '/usr/lib/npm-cli.js',
      INIT_CWD: '/srv',
      NODE: '/usr/bin/node',
      COLOR: '0',
    };
    const added = [
      '/srv/node_modules/.bin',
      '/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin',
    ];
    const found = cleanEnvironment(
      { ...npm, PATH: [...added, workspace.at('bin'), '/bin'].join(':') },
      { node: workspace.at('own/node') },
    );
    expect(Object.keys(found).filter((name) => name in npm)).toEqual([]);
    expect(found.PATH).toBe(`${workspace.at('bin')}:/bin`);
    const without = cleanEnvironment(
      { ...npm, PATH: [...added, '/nowhere'].join(':') },
      { node: workspace.at('own/node') },
    );
    expect(without.PATH).toBe(`/nowhere:${workspace.at('own')}`);
  });

  it('survives any environment, and keeps what the user lists', () => {
    const names = fc.string({
      unit: fc.constantFrom('A', 'K', 'E', 'Y', '_', 'o', '%', ' '),
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.dictionary(names, fc.option(fc.string(), { nil: undefined })), (env) => {
        const kept = cleanEnvironment(env, { keep: Object.keys(env).map((name) => name.replaceAll('*', '')) });
        for (const [name, value] of Object.entries(env)) expect(kept[name]).toBe(value);
        expect(Object.keys(cleanEnvironment(env)).filter((name) => /KEY$/.test(name))).toEqual([]);
      }),
    );
  });
});
