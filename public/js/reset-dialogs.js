/** After typing, a click outside a dialog no longer closes it, since that would discard the input. */
document.addEventListener('input', ({ target }) => {
  if (target instanceof Element)
    target.closest('dialog form[method="post"]')?.closest('dialog')?.setAttribute('closedby', 'closerequest')
})

/** Dialogs that were open while the page around them was refreshed, which left them as they were. @type {WeakSet<Element>} */
const outdated = new WeakSet()

/** Dialogs whose action succeeded. @type {WeakSet<Element>} */
const done = new WeakSet()
/** The dialog of a row that was open before a refresh. @type {Element | null} */
let asking = null

document.addEventListener('htmx:after:request', (event) => {
  const context = event instanceof CustomEvent ? event.detail.ctx : null
  const dialog = context?.sourceElement.closest('dialog')
  if (!dialog || !(context.response?.status < 400)) return
  done.add(dialog)
  if (changesPage(context, dialog)) dialog.close()
})

/**
 * Whether the response replaces a part of the page behind the dialog, which is then finished.
 * @param {{ request: { method: string }, target: unknown, hx?: { redirect?: string } }} context @param {Element} dialog
 */
const changesPage = ({ request, target, hx }, dialog) =>
  request.method !== 'GET' && !hx?.redirect && target instanceof Element && !dialog.contains(target)

document.addEventListener('htmx:before:swap', () => {
  asking = document.querySelector('[data-live] :is(tr, li) dialog[open]')
})

document.addEventListener('htmx:after:swap', () => {
  if (asking && !asking.isConnected && !done.has(asking)) {
    const message = 'This was changed or deleted in the meantime. Your changes weren’t saved. Reload the page.'
    document.dispatchEvent(new CustomEvent('toast', { detail: { message, tone: 'danger' } }))
  }
  asking = null
  for (const dialog of document.querySelectorAll('[data-live] dialog[open]')) outdated.add(dialog)
})

/** A closed dialog is reset, so that it opens again without earlier input or errors. */
document.addEventListener(
  'close',
  ({ target }) => {
    // The event comes with the next frame, by when a dialog can be open again, with new input.
    if (!(target instanceof HTMLDialogElement) || target.open) return
    target.setAttribute('closedby', 'any')
    for (const form of target.querySelectorAll('form')) form.reset()
    for (const marked of target.querySelectorAll('[aria-invalid]')) marked.removeAttribute('aria-invalid')
    for (const place of target.querySelectorAll('.form-problem, [data-answer]')) place.replaceChildren()
    if (outdated.delete(target)) target.closest('[data-live]')?.dispatchEvent(new CustomEvent('live'))
  },
  // It doesn't bubble.
  { capture: true },
)
