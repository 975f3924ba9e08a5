import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts', 'e2e/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/fixtures/**', 'examples/**'],
    expect: { requireAssertions: true },
    restoreMocks: true,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
