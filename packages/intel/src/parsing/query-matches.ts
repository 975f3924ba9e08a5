import type { Query, Tree } from 'web-tree-sitter';
import type { WasmModule } from './wasm-runtime.ts';

const NODE_INTS = 5;
/**
 * So many matches may be under way at once. The deepest nesting that people write takes some dozens; without a limit the
 * time for ten thousand brackets in each other grows with their square.
 */
const MAX_OPEN = 1_024;
const WHOLE_TREE = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, MAX_OPEN, 0xffffffff];

/** Offsets into a capture of `QueryMatches.ints`. */
export const CaptureInt = { INDEX: 0, NODE: 1, START: 2, ROW: 3, COLUMN: 4 } as const;
/** Integers of one capture: its number in the query, and the five of its node. */
export const CAPTURE_INTS = 1 + NODE_INTS;

/**
 * The matches of a query in a tree, as the integers that WebAssembly wrote, where it wrote them. `Query.matches` makes two
 * objects of each capture, and their ends cost a look-up of one function by name; reading the integers halves what is
 * spent beside the parse. The layout is that of web-tree-sitter's `unmarshalCaptures` and `unmarshalNode`, of exactly the
 * version that package.json names.
 *
 * A match is: number of the pattern, number of captures, captures. To be freed before anything else is done with trees.
 */
export class QueryMatches {
  readonly ints: Int32Array;
  /** Where the first match begins in `ints`. */
  readonly start: number;
  readonly count: number;
  /** Some matches were given up: the nesting is too deep. */
  readonly isCut: boolean;
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
    module._ts_query_matches_wasm(addressOf(query), this.#tree, ...WHOLE_TREE);
    // The memory may have grown, and then it is another object.
    this.ints = module.HEAP32;
    this.count = this.ints[this.#buffer] ?? 0;
    this.start = (this.ints[this.#buffer + 1] ?? 0) >> 2;
    this.isCut = this.ints[this.#buffer + 2] !== 0;
  }

  free(): void {
    this.#module._free(this.start << 2);
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
    this.ints.copyWithin(this.#buffer, capture + CaptureInt.NODE, capture + CAPTURE_INTS);
  }
}

/** web-tree-sitter keeps the address of an object's counterpart in WebAssembly at the key 0. */
function addressOf(object: object): number {
  return (object as { readonly 0: number })[0];
}
