import type { Query, Tree } from 'web-tree-sitter';
import type { WasmModule } from './wasm-runtime.ts';

const NODE_INTS = 5;
const ROOT_LIMITS = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xffffffff, 0xffffffff];

/** Offsets into a capture of `QueryMatches.ints`. */
export const CaptureInt = { INDEX: 0, NODE: 1, START: 2, ROW: 3, COLUMN: 4 } as const;
/** Integers of one capture: its number in the query, and the five of its node. */
export const CAPTURE_INTS = 1 + NODE_INTS;

/**
 * The matches of a query in a tree, as the integers that WebAssembly wrote. `Query.matches` makes two objects of each
 * capture, and their ends cost a look-up of one function by name; reading the integers halves what is spent beside the
 * parse. The layout is that of web-tree-sitter's `unmarshalCaptures` and `unmarshalNode`, of exactly the version that
 * package.json names.
 *
 * A match is: number of the pattern, number of captures, captures.
 */
export class QueryMatches {
  readonly ints: Int32Array;
  readonly count: number;
  readonly #module: WasmModule;
  readonly #buffer: number;
  readonly #tree: number;

  constructor(module: WasmModule, query: Query, tree: Tree) {
    this.#module = module;
    this.#buffer = module._ts_init() >> 2;
    this.#tree = addressOf(tree);
    const root = tree.rootNode;
    module.HEAP32.set([root.id, root.startIndex, root.startPosition.row, root.startPosition.column], this.#buffer);
    module.HEAP32[this.#buffer + 4] = addressOf(root);
    module._ts_query_matches_wasm(addressOf(query), this.#tree, ...ROOT_LIMITS);
    const heap = module.HEAP32;
    this.count = heap[this.#buffer] ?? 0;
    const address = heap[this.#buffer + 1] ?? 0;
    const start = address >> 2;
    let end = start;
    for (let match = 0; match < this.count; match += 1) end += 2 + (heap[end + 1] ?? 0) * CAPTURE_INTS;
    this.ints = heap.slice(start, end);
    module._free(address);
  }

  /** Where the node of a capture ends, in UTF-16 units. @param capture its place in `ints` */
  endOf(capture: number): number {
    this.#hand(capture);
    return this.#module._ts_node_end_index_wasm(this.#tree);
  }

  /** How many named children it has, comments too. */
  childrenOf(capture: number): number {
    this.#hand(capture);
    return this.#module._ts_node_named_child_count_wasm(this.#tree);
  }

  #hand(capture: number): void {
    const { ints } = this;
    const heap = this.#module.HEAP32;
    const buffer = this.#buffer;
    for (let at = 0; at < NODE_INTS; at += 1) heap[buffer + at] = ints[capture + 1 + at] ?? 0;
  }
}

/** web-tree-sitter keeps the address of an object's counterpart in WebAssembly at the key 0. */
function addressOf(object: object): number {
  return (object as { readonly 0: number })[0];
}
