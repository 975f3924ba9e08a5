import fc from 'fast-check';

fc.configureGlobal({ numRuns: Number(process.env.BLACK_TEST_RUNS), seed: Number(process.env.BLACK_TEST_SEED) });

// A person's keys and home must not reach the tests; those that need such settings hand them in.
for (const name of ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'BLACKIDE_HOME']) {
  delete process.env[name];
}
