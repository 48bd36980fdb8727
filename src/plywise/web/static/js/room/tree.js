// The moves of a game with its variations. A node is a position and knows the move that led to it.
// The first child of a node belongs to the main line if any of them does.

export class Node {
  constructor(parent, move, note = "") {
    this.parent = parent;
    this.move = move; // null at the root
    this.note = note;
    this.children = [];
    this.ply = parent === null ? 0 : parent.ply + 1;
    this.main = parent === null; // is it part of the game that was played?
    this.seconds = 0;
    this.trial = false; // made only to show a line of the engine?
  }

  /** The moves from the start to here. */
  get moves() {
    return this.parent === null ? [] : [...this.parent.moves, this.move];
  }

  /** The nodes from the start to here, this one included. */
  get path() {
    return this.parent === null ? [this] : [...this.parent.path, this];
  }

  child(move) {
    return this.children.find((child) => child.move === move) ?? null;
  }

  /** The last main-line node on the way here: where a variation branches off. */
  get stem() {
    return this.main ? this : this.parent.stem;
  }

  /** The next node of this line. */
  get next() {
    return this.children[0] ?? null;
  }
}

export class Tree {
  constructor() {
    this.root = new Node(null, null);
    this.head = this.root; // the current position of the game
  }

  /** The node after a move, added if it is new. */
  add(node, move) {
    const known = node.child(move);
    if (known) return known;
    const made = new Node(node, move);
    node.children.push(made);
    return made;
  }

  /** Update the tree from the server's game; nodes that stay keep their identity. */
  update({ moves, undone = [], branches = [], notes = [] }) {
    const stale = new Set(this.main());
    this.root.note = notes.join(" ");
    let node = this.root;
    for (const [index, move] of [...moves, ...undone].entries()) {
      node = this.add(node, move.text);
      this.take(node, move);
      node.main = true;
      stale.delete(node);
      const at = node.parent.children.indexOf(node);
      if (at > 0) node.parent.children.unshift(...node.parent.children.splice(at, 1));
      if (index === moves.length - 1) this.head = node;
    }
    if (moves.length === 0) this.head = this.root;
    stale.delete(this.root);
    for (const left of stale) left.main = false;
    const line = this.main();
    for (const branch of branches) {
      let at = line[branch.at] ?? null;
      for (const move of branch.moves) {
        if (at === null) break;
        at = this.add(at, move.text);
        this.take(at, move);
      }
    }
  }

  take(node, move) {
    node.note = move.note ?? "";
    node.seconds = move.seconds ?? 0;
  }

  /** The nodes of the main line from the root on, including undone moves. */
  main() {
    const line = [this.root];
    for (;;) {
      const next = line.at(-1).children.find((child) => child.main);
      if (!next) return line;
      line.push(next);
    }
  }

  /** The node after these moves, each added if it is new. */
  walk(moves) {
    return moves.reduce((node, move) => this.add(node, move), this.root);
  }

  /** Remove a node and everything after it. */
  prune(node) {
    node.parent.children = node.parent.children.filter((child) => child !== node);
  }

  /** A node's moves from where it leaves the main line: what the server calls a branch. */
  branch(node) {
    const stem = node.stem;
    return { at: stem.ply, moves: node.moves.slice(stem.ply) };
  }
}
