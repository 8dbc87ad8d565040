const kept = 'focus'

/**
 * An action that reloads its page keeps the focus: on the control, on the button that opened its dialog or, when both are
 * gone, on the heading of the section.
 */
document.addEventListener('htmx:finally:request', (event) => {
  if (!(event instanceof CustomEvent) || !event.detail.ctx.hx?.redirect) return
  const control = document.activeElement
  if (!control || control === document.body) return
  const dialog = control.closest('dialog')?.id
  const opener = dialog && `[commandfor="${dialog}"]:not(dialog *)`
  const heading = control.closest('section')?.getAttribute('aria-labelledby')
  const selectors = [control.id && `#${CSS.escape(control.id)}`, opener, heading && `#${heading}`].filter(Boolean)
  sessionStorage.setItem(kept, JSON.stringify({ path: location.pathname, selectors }))
})

/** @type {{ path: string, selectors: string[] } | null} */
const before = JSON.parse(sessionStorage.getItem(kept) ?? 'null')
sessionStorage.removeItem(kept)
if (before?.path === location.pathname) before.selectors.some(focusFirst)

/** Focuses the element, if it exists and can be focused. @param {string} selector */
function focusFirst(selector) {
  const found = document.querySelector(selector)
  if (!(found instanceof HTMLElement)) return false
  if (found.matches('h1, h2, h3')) found.tabIndex = -1
  found.focus()
  return document.activeElement === found
}
