/** The parts of the inspector protocol that are used here, by its own names. Lines and columns count from 0. */

export interface CdpLocation {
  scriptId: string;
  lineNumber: number;
  columnNumber?: number;
}

export interface RemoteObject {
  type: string;
  subtype?: string;
  className?: string;
  value?: unknown;
  unserializableValue?: string;
  description?: string;
  objectId?: string;
  preview?: ObjectPreview;
  /** On the data of a pause: nothing will catch it, as V8 sees it. */
  uncaught?: boolean;
}

export interface ObjectPreview {
  type: string;
  subtype?: string;
  description?: string;
  overflow: boolean;
  properties: PropertyPreview[];
  entries?: { key?: ObjectPreview; value: ObjectPreview }[];
}

export interface PropertyPreview {
  name: string;
  type: string;
  subtype?: string;
  value?: string;
  valuePreview?: ObjectPreview;
}

export interface CdpScope {
  type: string;
  name?: string;
  object: RemoteObject;
}

export interface CdpCallFrame {
  callFrameId: string;
  functionName: string;
  location: CdpLocation;
  scopeChain: CdpScope[];
  this: RemoteObject;
}

/** A frame of an earlier turn of the event loop: nothing can be asked of it. */
export interface PastFrame extends CdpLocation {
  functionName: string;
}

export interface AsyncStackTrace {
  /** `await` where the frames before it are continued from there. */
  description?: string;
  callFrames: PastFrame[];
  parent?: AsyncStackTrace;
}

export interface PausedEvent {
  callFrames: CdpCallFrame[];
  reason: string;
  data?: RemoteObject & { scriptId?: string };
  hitBreakpoints?: string[];
  asyncStackTrace?: AsyncStackTrace;
}

export interface ScriptParsed {
  scriptId: string;
  url: string;
  sourceMapURL?: string;
  executionContextId: number;
}

export interface PropertyDescriptor {
  name: string;
  value?: RemoteObject;
  get?: RemoteObject;
  isOwn?: boolean;
  symbol?: RemoteObject;
}
