import { join } from 'node:path';
import { readStoreFile } from '../stores/read-store-file.ts';

/** The user's settings file as it is on the disk. */
export interface SettingsText {
  path: string;
  /** Undefined where there is no file. */
  text: string | undefined;
}

/** `settings.json` of the state folder. @throws the system's error where it is there and cannot be read. */
export function readSettings(home: string): SettingsText {
  const path = join(home, 'settings.json');
  return { path, text: readStoreFile(path) };
}
