// <plywise-board game="connect4" moves="4453"></plywise-board>: a board of this server on another page.
//
// Attributes: game (a spec), start (a position as text), moves, at (the move that is shown first, by
// default the last), theme ("light" or "dark"). Not a module, so that any page may load it.
(() => {
  const HERE = document.currentScript.src;
  const NAMES = ["game", "start", "moves", "at", "theme"];

  const LOOK = new CSSStyleSheet();
  LOOK.replaceSync(`
    :host { display: block; max-width: 28rem }
    iframe { display: block; width: 100%; height: 24rem; border: 0 }
  `);

  class PlywiseBoard extends HTMLElement {
    static observedAttributes = NAMES;

    connectedCallback() {
      if (this.frame === undefined) {
        this.frame = document.createElement("iframe");
        this.frame.loading = "lazy";
        const shadow = this.attachShadow({ mode: "open" });
        shadow.adoptedStyleSheets = [LOOK];
        shadow.append(this.frame);
        this.hear = ({ source, data }) => {
          if (source !== this.frame.contentWindow || data?.plywise !== "height") return;
          this.frame.style.height = `${Number(data.height)}px`;
        };
      }
      addEventListener("message", this.hear);
      this.update();
    }

    disconnectedCallback() {
      removeEventListener("message", this.hear);
    }

    attributeChangedCallback() {
      if (this.frame !== undefined) this.update();
    }

    update() {
      const asked = new URLSearchParams(
        NAMES.filter((name) => this.hasAttribute(name)).map((name) => [name, this.getAttribute(name)]),
      );
      const address = `${new URL("board", HERE)}?${asked}`;
      this.frame.title = `Board of ${this.getAttribute("game")}`;
      if (this.frame.src !== address) this.frame.src = address;
    }
  }

  if (!customElements.get("plywise-board")) customElements.define("plywise-board", PlywiseBoard);
})();
