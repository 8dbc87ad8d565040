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
  focusNext(location.pathname, [control.id && `#${CSS.escape(control.id)}`, opener, heading && `#${heading}`])
})

/**
 * When the next page is the one at `path`, it focuses the first of these elements that it has.
 * @param {string} path @param {(string | null | undefined)[]} selectors
 */
export function focusNext(path, selectors) {
  sessionStorage.setItem(kept, JSON.stringify({ path, selectors: selectors.filter(Boolean) }))
}

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

const rowSelector = ':is(tr, li)[id]'
/** The row of the action, or else the one with the focus before a refresh. @type {Element | null} */
let row = null
/** The row, and the ones around it, the next ones first. @type {string[]} */
let rowIds = []

document.addEventListener('htmx:before:swap', (event) => {
  const source = event instanceof CustomEvent ? event.detail.ctx?.sourceElement : null
  row = source?.closest(rowSelector) ?? document.activeElement?.closest(rowSelector) ?? null
  const rows = [...(row?.closest('table, ul')?.querySelectorAll(rowSelector) ?? [])]
  const at = rows.findIndex((each) => each === row)
  rowIds = [...rows.slice(Math.max(at, 0)), ...rows.slice(0, Math.max(at, 0)).toReversed()].map(({ id }) => id)
})

/** The focus of a row that changed stays in it. That of a row that is gone goes to the next one, or to the page’s heading. */
document.addEventListener('htmx:after:swap', () => {
  if (!row || !isFocusLost()) return
  const controls = rowIds.flatMap((id) => [`#${CSS.escape(id)} a`, `#${CSS.escape(id)} button:not(${closed} *)`])
  for (const selector of [...controls, 'h1']) if (focusFirst(selector)) return
})

const closed = ':is(dialog:not([open]), [popover]:not(:popover-open))'

/** Whether nothing has the focus, or something in a dialog or menu that was closed. */
const isFocusLost = () => document.activeElement === document.body || document.activeElement?.closest(closed) != null
