import type { Documents } from '@black-ide/workspace';

/** The texts of files as everybody reads them. */
export interface DiskTexts {
  /** Null: there is no such file, or it is no text. */
  read(path: string): Promise<string | null>;
  /** Tells one state of a file from another without reading it; undefined where there is none. */
  stamp(path: string): Promise<string | undefined>;
}

export function diskTexts(documents: Pick<Documents, 'read' | 'stat'>): DiskTexts {
  return {
    read: async (path) => {
      const read = await documents.read(path);
      return read.ok ? read.document.text : null;
    },
    stamp: async (path) => {
      const looked = await documents.stat(path);
      return looked.ok ? `${looked.stat.mtimeMs}/${looked.stat.size}` : undefined;
    },
  };
}
