import { randomInt } from 'node:crypto';
import { defineConfig } from 'vitest/config';

const deep = process.env.BLACK_TEST_DEEP === '1';
const seed = process.env.BLACK_TEST_SEED ?? String(randomInt(2 ** 31));
// Other agents and SDKs are a big download: `npm test -- --all` brings them.
const peers = process.env.BLACK_TEST_ALL === '1' ? [] : ['e2e/peers/**'];
const runs = deep ? 2000 : 100;
console.log(`property tests: ${runs} runs each, seed ${seed} (BLACK_TEST_SEED=${seed} repeats them)`);

export default defineConfig({
  test: {
    include: ['packages/*/{src,bin}/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts', 'e2e/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/fixtures/**', 'examples/**', ...peers],
    setupFiles: ['scripts/lib/vitest-setup.ts'],
    env: {
      BLACK_TEST_SEED: seed,
      BLACK_TEST_RUNS: String(runs),
      // A person's own Git settings must not reach the tests.
      GIT_AUTHOR_NAME: 'Test',
      GIT_AUTHOR_EMAIL: 'test@example.com',
      GIT_COMMITTER_NAME: 'Test',
      GIT_COMMITTER_EMAIL: 'test@example.com',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
    },
    expect: { requireAssertions: true },
    restoreMocks: true,
    testTimeout: deep ? 900_000 : 30_000,
    hookTimeout: 30_000,
  },
});
