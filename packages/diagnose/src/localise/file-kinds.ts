const SIDE =
  /(?:^|\/)(?:examples?|samples?|demos?|docs?|documentation|website|site|benchmarks?|benches|bench|scripts?|tools?|fixtures?|testdata|__mocks__|mocks?|playground|e2e|ci|hack|contrib|tutorials?|galleries|\.github)\//i;
const FOREIGN =
  /(?:^|\/)(?:vendor|vendored|_vendor|third[_-]?party|external|deps|node_modules|dist|build|out|generated|gen|\.yarn)\/|\.min\.(?:js|css)$|[._](?:pb|generated|gen)\.\w+$|\.d\.ts$|(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|go\.sum|poetry\.lock|CHANGE\w*|HISTORY|NEWS|RELEASE\w*)(?:\.\w+)?$/i;

/** Whether a file is an example, a tool or a text about the code rather than the code itself, by its path. */
export function isSideFile(path: string): boolean {
  return SIDE.test(path);
}

/** Whether a file was copied from elsewhere, generated, or only records what was done: nobody mends a fault there. */
export function isForeignFile(path: string): boolean {
  return FOREIGN.test(path);
}
