// Talking to the Python kernel of a notebook: the same commands and frames as with the server.

import { Channel, Refused } from "../../web/static/js/net.js";
import { tell } from "../../web/static/js/dom.js";
import { Room } from "../../web/static/js/room/room.js";

const BUSY = 2000; // milliseconds without an answer until the user is told why
const GONE = "This board has lost its kernel. Run the cell again.";

export class Kernel extends Channel {
  constructor(model) {
    super();
    this.model = model;
    this.number = Math.floor(Math.random() * 2 ** 40); // two views of a board have the same kernel
    this.socket = { readyState: WebSocket.OPEN };
    this.hear = (frame) => this.receive(frame);
    model.on("msg:custom", this.hear);
  }

  /** Send a command; resolves to the answer. */
  async do(name, values = {}) {
    if (this.ended || this.model.comm_live === false) throw new Refused(GONE, 0);
    const late = setTimeout(() => tell("The kernel is busy. The board goes on when it has finished.", "done"), BUSY);
    try {
      return await this.request((frame) => this.model.send(frame), name, values);
    } finally {
      clearTimeout(late);
    }
  }

  close() {
    this.ended = true;
    this.model.off("msg:custom", this.hear);
    this.model.send({ do: "quiet" });
    this.refuse(GONE);
  }
}

/** A room whose positions, games and engines are in the kernel. */
export class KernelRoom extends Room {
  constructor(kernel, opened, reopen) {
    super(null, opened.spec, opened.start, kernel);
    this.opened = opened;
    this.reopen = reopen;
    if (opened.game === null) this.lay(opened);
    else this.take(opened.game);
    kernel.on("game", (frame) => this.hear(frame));
    this.on("node", () => this.live.do("shown", { moves: this.node.moves }).catch(() => {}));
  }

  /** Lay out the moves of a free board. */
  lay({ lines, position }) {
    this.tree.update(lines);
    this.node = this.tree.head;
    this.know(this.node, position);
    this.settle();
  }

  async load(moves) {
    return (await this.live.do("position", { moves })).position;
  }

  async agents() {
    return this.opened.agents;
  }

  get trains() {
    return false;
  }

  /** Show a review that was made before. */
  showReview(review) {
    for (const [index, node] of this.tree.head.path.entries()) this.values.set(node, review.values[index]);
    this.emit("review", review);
    this.emit("values");
  }

  /** Start a new game with the same players, in the place of this one. */
  async again({ moves = [], swap = false } = {}) {
    if ((await this.act("again", { moves, swap })) !== null) this.reopen();
  }
}
