/** The command line is wrong: exit code 2. Free of imports, so that a usage error costs no start-up. */
export class UsageError extends Error {
  /** What to type instead, or where to read on. */
  readonly next: string | undefined;

  constructor(message: string, next?: string) {
    super(message);
    this.name = 'UsageError';
    this.next = next;
  }
}
