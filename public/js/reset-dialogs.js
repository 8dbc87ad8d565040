/** After typing, a click beside a dialog no longer closes it, since that would discard the input. */
document.addEventListener('input', ({ target }) => {
  if (target instanceof Element)
    target.closest('dialog form[method="post"]')?.closest('dialog')?.setAttribute('closedby', 'closerequest')
})

/** Dialogs that were open while the page around them was refreshed, which left them as they were. @type {WeakSet<Element>} */
const outdated = new WeakSet()

document.addEventListener('htmx:after:swap', () => {
  for (const dialog of document.querySelectorAll('[data-live] dialog[open]')) outdated.add(dialog)
})

/** A closed dialog is reset, so that it opens again without earlier input or errors. */
document.addEventListener(
  'close',
  ({ target }) => {
    if (!(target instanceof HTMLDialogElement)) return
    target.setAttribute('closedby', 'any')
    for (const form of target.querySelectorAll('form')) form.reset()
    for (const marked of target.querySelectorAll('[aria-invalid]')) marked.removeAttribute('aria-invalid')
    for (const place of target.querySelectorAll('.form-problem, [data-answer]')) place.replaceChildren()
    if (outdated.delete(target)) target.closest('[data-live]')?.dispatchEvent(new CustomEvent('live'))
  },
  // It doesn't bubble.
  { capture: true },
)
