const kept = 'focus'

/**
 * An action that reloads its page keeps the focus: on the control, on the button that opened its dialog or, when both are
 * gone, on the heading of the section.
 */
document.addEventListener('htmx:finally:request', (event) => {
  if (!(event instanceof CustomEvent) || !event.detail.ctx.hx?.redirect) return
  const control = document.activeElement
  if (control && control !== document.body) focusNext(location.pathname, Object.values(placesOf(control)).flat())
})

/** Selectors of the control, of what opened its dialog, and of the heading of its section. @param {Element} control */
function placesOf(control) {
  const heading = control.closest('section')?.getAttribute('aria-labelledby')
  return {
    controls: [control.id ? `#${CSS.escape(control.id)}` : [], openersOf(control.closest('dialog'))].flat(),
    headings: heading ? [`#${heading}`] : [],
  }
}

/**
 * Selectors of the button that opened a dialog and, when that is in a menu, of the menu's button.
 * @param {HTMLDialogElement | null} dialog @returns {string[]}
 */
export function openersOf(dialog) {
  if (!dialog?.id) return []
  const opener = `[commandfor="${dialog.id}"]:not(dialog *)`
  const menu = document.querySelector(opener)?.closest('[popover]')?.id
  return [opener, menu ? `[popovertarget="${menu}"]:not([popover] *)` : []].flat()
}

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

/** @param {string} selector */
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

/** Where the focus goes when a swap removes its control. @type {{ controls: string[], headings: string[] }} */
let places = { controls: [], headings: [] }

/** The last row of a table or list that loads more rows. @type {Element | null} */
let lastRow = null

document.addEventListener('htmx:before:swap', (event) => {
  const context = event instanceof CustomEvent ? event.detail.ctx : null
  const source = context?.sourceElement
  const control = document.activeElement
  places = control && control !== document.body ? placesOf(control) : { controls: [], headings: [] }
  const beforeMore = source?.closest('.more')?.previousElementSibling ?? null
  lastRow = beforeMore?.matches('li, tr') ? beforeMore : (beforeMore?.lastElementChild ?? null)
  row = source?.closest(rowSelector) ?? document.activeElement?.closest(rowSelector) ?? null
  const rows = [...(row?.closest('table, ul')?.querySelectorAll(rowSelector) ?? [])]
  const at = rows.findIndex((each) => each === row)
  rowIds = [...rows.slice(Math.max(at, 0)), ...rows.slice(0, Math.max(at, 0)).toReversed()].map(({ id }) => id)
  if (context) settleForm(context)
})

/**
 * An action that replaces a part of the page closes its dialog, and empties its form: the new part shows what was saved.
 * @param {{ sourceElement: Element, target?: Element, swap?: string, response?: { status: number }, request: { method: string } }} context
 */
function settleForm({ sourceElement, target, swap, response, request }) {
  if (request.method === 'GET' || (response?.status ?? 400) >= 400) return
  // The refresh that follows keeps what is in its fields.
  if (sourceElement instanceof HTMLFormElement && sourceElement.matches('[data-refresh]')) sourceElement.reset()
  if (swap === 'none' || !target) return
  const dialog = sourceElement.closest('dialog')
  if (dialog?.open && !dialog.contains(target)) dialog.close()
  else if (sourceElement instanceof HTMLFormElement && target !== sourceElement && target.contains(sourceElement))
    sourceElement.reset()
}

/** The first row that was loaded gets the focus, and the page stays where it is. @returns {boolean} whether there is one */
function focusLoadedRow() {
  const rows = [...(lastRow?.closest('table, ul')?.querySelectorAll('tr, li') ?? [])]
  const loaded = rows
    .slice(rows.findIndex((each) => each === lastRow) + 1)
    .find((each) => !lastRow?.contains(each) && !each.hasAttribute('data-group'))
  if (!lastRow || !(loaded instanceof HTMLElement)) return false
  loaded.tabIndex = -1
  loaded.focus({ preventScroll: true })
  return true
}

/**
 * The focus of a row that changed stays in it. That of a row that is gone goes to the next one, and that of another
 * control to the button that opened its dialog; without these, to the heading of the section or page.
 */
document.addEventListener('htmx:after:swap', (event) => {
  // Safari doesn't focus the button of a menu that loads its items.
  const isMenu = event instanceof CustomEvent && event.detail.ctx?.sourceElement?.matches('[popover]')
  if (isMenu || !isFocusLost() || focusLoadedRow()) return
  const { controls, headings } = places
  const inRows = rowIds.flatMap((id) => [`#${CSS.escape(id)} a`, `#${CSS.escape(id)} button:not(${closed} *)`])
  for (const selector of [...controls, ...(row ? [...inRows, ...headings, 'h1'] : headings)])
    if (focusFirst(selector)) return
})

const closed = ':is(dialog:not([open]), [popover]:not(:popover-open))'

/** Whether nothing has the focus, or something in a dialog or menu that was closed. */
const isFocusLost = () => document.activeElement === document.body || document.activeElement?.closest(closed) != null

/** A dialog that was opened from a menu returns the focus to the menu's button: its own opener is hidden again. */
document.addEventListener(
  'close',
  ({ target }) => {
    if (target instanceof HTMLDialogElement && isFocusLost()) openersOf(target).some(focusFirst)
  },
  // It doesn't bubble.
  { capture: true },
)
