/** A note as it is stored. */
export interface Note {
  /** Counts up from 1 and is never used again. */
  id: number;
  title: string;
  text: string;
  tags: string[];
  /** ISO 8601. */
  createdAt: string;
}
