// The light, dark or system theme: set before anything is drawn, so that nothing flashes.
// Not a module, because modules wait for the whole page.
(() => {
  const ORDER = ["auto", "light", "dark"];
  const root = document.documentElement;

  function kept() {
    try {
      const theme = localStorage.getItem("theme");
      return ORDER.includes(theme) ? theme : "auto";
    } catch {
      return "auto"; // storage is not available
    }
  }

  function use(theme) {
    if (theme === "auto") root.removeAttribute("data-theme");
    else root.dataset.theme = theme;
  }

  let theme = kept();
  use(theme);

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const name = () => {
      const words = `Theme: ${theme === "auto" ? "system" : theme}`;
      button.setAttribute("aria-label", words);
      button.title = words;
    };
    name();
    button.addEventListener("click", () => {
      theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];
      use(theme);
      name();
      try {
        localStorage.setItem("theme", theme);
      } catch {
        // Storage is not available: the theme lasts until the page is reloaded.
      }
    });
  });
})();
