/**
 * @typedef {{ status: string, title: string, fullName: string, failureMessages?: string[] }} Assertion
 * @typedef {{ name: string, status: string, message?: string, assertionResults: Assertion[] }} TestFile
 * @typedef {{ startTime: number, testResults: TestFile[] }} Report Vitest's JSON report, the parts read here
 */

/**
 * Counts a test run. Whatever makes the run as a whole worthless is a failure too: no report, no test, a file that could
 * not be loaded, a runner that failed though each test passed.
 *
 * @param {Report | undefined} report
 * @param {number | null} exitCode the runner's
 * @returns {{ passed: number, failed: number, why: string[] }}
 */
export function countTests(report, exitCode) {
  if (!report) return { passed: 0, failed: 1, why: ['the test runner wrote no report'] };
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const passed = tests.filter((test) => test.status === 'passed').length;
  const why = [];
  let failed = tests.filter((test) => test.status === 'failed').length;
  for (const file of report.testResults) {
    if (file.status !== 'failed' || file.assertionResults.some((test) => test.status === 'failed')) continue;
    failed++;
    why.push(`${file.name} failed as a whole: ${file.message ?? ''}`);
  }
  if (tests.length === 0 && failed === 0) {
    failed++;
    why.push('no test ran');
  }
  if (exitCode !== 0 && failed === 0) {
    failed++;
    why.push(`the test runner ended with ${exitCode ?? 'a signal'} though no test failed`);
  }
  return { passed, failed, why };
}
