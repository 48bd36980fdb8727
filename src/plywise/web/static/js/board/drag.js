// Dragging a piece from one place of a board to another, with a mouse, a pen or a finger.

const START = 6; // pixels that a pointer moves before it drags

export class Drag {
  /** `targets` knows where a piece may go; nothing happens on places without one. */
  constructor(svg, targets) {
    this.svg = svg;
    this.targets = targets;
    this.from = null; // {id, x, y, pointer}, while the button is down
    this.lifted = null; // the elements that follow the pointer
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", () => this.end());
    // After a drag the browser also reports a click, which must not count as another press.
    svg.addEventListener("click", (event) => this.swallow(event), true);
  }

  down(event) {
    this.dragged = false;
    const id = this.under(event);
    if (!event.isPrimary || event.button !== 0 || id === null || !this.targets.leads(id)) return;
    this.from = { id, x: event.clientX, y: event.clientY, pointer: event.pointerId };
  }

  move(event) {
    if (this.from === null || event.pointerId !== this.from.pointer) return;
    const [right, down] = [event.clientX - this.from.x, event.clientY - this.from.y];
    if (this.lifted === null) {
      if (Math.hypot(right, down) < START) return;
      this.lift();
    }
    const scale = 1 / this.svg.getScreenCTM().a;
    for (const element of this.lifted) {
      element.style.transform = `translate(${right * scale}px, ${down * scale}px)`;
    }
    event.preventDefault();
  }

  /** Pick the piece up: it leaves its place and follows the pointer. */
  lift() {
    this.dragged = true;
    this.targets.choose(this.from.id);
    const ids = this.targets.standing(this.from.id).map(({ id }) => id);
    const drawn = [...this.svg.querySelectorAll("[data-id]")];
    this.lifted = drawn.filter((element) => ids.includes(element.getAttribute("data-id")));
    for (const element of this.lifted) {
      element.classList.add("lifted");
      element.parentNode.append(element); // over all others; drawing the next position puts it back
    }
    this.svg.setPointerCapture(this.from.pointer);
  }

  up(event) {
    if (this.lifted !== null) {
      const id = this.under(event);
      const back = id !== this.from.id && !this.targets.drop(id);
      if (back || id === this.from.id) this.targets.choose(null);
    }
    this.end();
  }

  end() {
    for (const element of this.lifted ?? []) {
      element.classList.remove("lifted");
      element.style.transform = "";
    }
    this.from = this.lifted = null;
  }

  swallow(event) {
    if (this.dragged) event.stopPropagation();
    this.dragged = false;
  }

  /** The place under the pointer, also while the board has captured it. */
  under({ clientX, clientY }) {
    for (const element of this.svg.getRootNode().elementsFromPoint(clientX, clientY)) {
      const place = element.closest("[data-place]");
      if (place !== null && this.svg.contains(place)) return place.getAttribute("data-place");
    }
    return null;
  }
}
