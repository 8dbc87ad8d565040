/** A click beside a dialog closes it only while its form is as it was: later it would lose what was typed. */
document.addEventListener('input', ({ target }) => {
  if (target instanceof Element)
    target.closest('dialog form[method="post"]')?.closest('dialog')?.setAttribute('closedby', 'closerequest')
})

/** A dialog that is opened again is empty: passwords, reasons and refusals of the last time are gone. */
document.addEventListener(
  'close',
  ({ target }) => {
    if (!(target instanceof HTMLDialogElement)) return
    target.setAttribute('closedby', 'any')
    for (const form of target.querySelectorAll('form')) form.reset()
    for (const marked of target.querySelectorAll('[aria-invalid]')) marked.removeAttribute('aria-invalid')
    for (const place of target.querySelectorAll('.form-problem, [data-answer]')) place.replaceChildren()
  },
  // It doesn't bubble.
  { capture: true },
)
