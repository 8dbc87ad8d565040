/** Menus with `hx-trigger="open"` load their items when they open. */
document.addEventListener(
  'beforetoggle',
  (event) => {
    const menu = event.target
    if (event.newState === 'open' && menu instanceof Element && menu.matches('[hx-trigger="open"]:empty'))
      menu.dispatchEvent(new Event('open'))
  },
  // It doesn't bubble.
  { capture: true },
)
