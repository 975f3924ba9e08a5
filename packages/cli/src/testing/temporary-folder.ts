import { temporaryHome } from '@black-ide/workspace';
import { onTestFinished } from 'vitest';

/** The path of a new folder that is gone when the running test has ended. */
export function temporaryFolder(): string {
  const { path, dispose } = temporaryHome();
  onTestFinished(dispose);
  return path;
}
