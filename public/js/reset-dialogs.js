/** A dialog that is opened again is empty: passwords, reasons and refusals of the last time are gone. */
document.addEventListener(
  'close',
  ({ target }) => {
    if (!(target instanceof HTMLDialogElement)) return
    for (const form of target.querySelectorAll('form')) form.reset()
    for (const marked of target.querySelectorAll('[aria-invalid]')) marked.removeAttribute('aria-invalid')
    for (const place of target.querySelectorAll('.form-problem, [data-answer]')) place.replaceChildren()
  },
  // It doesn't bubble.
  { capture: true },
)
