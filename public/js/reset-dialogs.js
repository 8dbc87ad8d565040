/** After typing, a click beside a dialog no longer closes it, since that would discard the input. */
document.addEventListener('input', ({ target }) => {
  if (target instanceof Element)
    target.closest('dialog form[method="post"]')?.closest('dialog')?.setAttribute('closedby', 'closerequest')
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
  },
  // It doesn't bubble.
  { capture: true },
)
