import type { Painter } from '../text/painter.ts';
import type { Live } from './screen.ts';

/** What an overlay says to a key: it stays, or it is done. */
export type OverlayStep = 'stay' | 'close';

/** Something that takes the whole screen for a while. */
export interface Overlay {
  draw(columns: number, rows: number, paint: Painter): Live;
  /** `text`: what was typed, one key or a paste; else the name of the key. */
  key(key: { name?: string | undefined; text?: string | undefined }): OverlayStep;
}
