const TEST_NAME =
  /(?:[._-](?:test|tests|spec|specs|e2e)\.\w+$)|(?:^test[_-].*\.\w+$)|(?:(?:Test|Tests|Spec|TestCase)\.(?:java|kt|kts|cs|scala|swift|php)$)|(?:^conftest\.py$)|(?:_spec\.rb$)/;
const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|testing|e2e|testdata|test_[^/]*)\//;

/** Whether a file is one of tests, by its name or a folder that it lies in. @param path from the root, with `/` */
export function isTestFile(path: string): boolean {
  return TEST_NAME.test(path.slice(path.lastIndexOf('/') + 1)) || TEST_FOLDER.test(path);
}
